# Every target of the project is made by one of these helpers, so that a leaf
# CMakeLists.txt is a list of files.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(RUNG_CCACHE ccache)
if(RUNG_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${RUNG_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${RUNG_CCACHE}")
endif()
find_program(RUNG_LLD ld.lld)
if(RUNG_LLD)
  add_link_options(-fuse-ld=lld)
endif()
if(RUNG_SANITIZE)
  add_compile_options(-fsanitize=${RUNG_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -g)
  add_link_options(-fsanitize=${RUNG_SANITIZE})
endif()

function(_rung_settings target)
  target_include_directories(${target} PUBLIC
    "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
  target_compile_options(${target} PRIVATE -Wall -Wextra -Werror=return-type
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>)
endfunction()

# rung_add_library(NAME [MLIR] SRCS FILE... [DEPS TARGET...] [TABLEGEN TARGET...])
# A static library, also known as rung::NAME. MLIR marks code that includes
# MLIR's headers; TABLEGEN names the targets that generate headers for it.
function(rung_add_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;DEPS;TABLEGEN" ${ARGN})
  add_library(${name} STATIC ${ARG_SRCS})
  add_library(rung::${name} ALIAS ${name})
  _rung_settings(${name})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
  if(ARG_MLIR)
    rung_use_mlir(${name})
  endif()
  if(ARG_TABLEGEN)
    add_dependencies(${name} ${ARG_TABLEGEN})
  endif()
endfunction()

# rung_add_tool(NAME [MLIR] SRCS FILE... [DEPS TARGET...])
# A program, built to bin/ of the build folder.
function(rung_add_tool name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  _rung_settings(${name})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS})
  if(ARG_MLIR)
    rung_use_mlir(${name})
  endif()
  # libMLIR and yaml-cpp bring the shared libstdc++; an exception that one
  # copy throws through the other's frames would abort.
  if(NOT ARG_MLIR)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  install(TARGETS ${name})
endfunction()
