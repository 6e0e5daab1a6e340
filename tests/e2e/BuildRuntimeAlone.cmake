# Configures and builds SOURCE in BINARY with RUNG_BUILD_COMPILER=OFF, and runs
# what came out. Proves also that nothing of LLVM is looked for.

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code
    OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${out}")
  endif()
endfunction()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G Ninja
  -DCMAKE_BUILD_TYPE=Release -DRUNG_BUILD_COMPILER=OFF -DRUNG_BUILD_TESTS=OFF
  -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON)
run(${CMAKE_COMMAND} --build ${BINARY} -j 2)
run(${BINARY}/bin/rung-run --help)
file(GLOB compiler ${BINARY}/bin/rung-compile*)
if(compiler)
  message(FATAL_ERROR "the compiler was built: ${compiler}")
endif()
