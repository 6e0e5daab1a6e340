# MLIR and LLVM as packaged, linked as the two shared libraries: mixing them
# with the per-component static libraries would register options twice.

find_package(MLIR REQUIRED CONFIG
  HINTS /usr/lib/llvm-21/lib/cmake/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL 21)
  message(FATAL_ERROR
    "MLIR ${LLVM_PACKAGE_VERSION} was found; Rung needs version 21")
endif()
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

# add_mlir_doc writes below this folder; unset, it would write to /docs.
set(MLIR_BINARY_DIR "${PROJECT_BINARY_DIR}")
set(LLVM_RUNTIME_OUTPUT_INTDIR "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# mlir_tablegen reads this directory property.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories("${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")

function(rung_use_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC
    ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  # The compiler is quick enough without heavy optimization; its build is not.
  target_compile_options(${target} PRIVATE -Wno-unused-parameter -O1)
  target_link_libraries(${target} PUBLIC MLIR LLVM)
endfunction()

# rung_add_tablegen(TARGET FILE.td OUTPUT ARGUMENT... [OUTPUT ARGUMENT...]...)
# Generates headers beside FILE.td in the build tree. Arguments come in pairs
# of an output name and mlir-tblgen's option, options with spaces as a list.
function(rung_add_tablegen target file)
  set(LLVM_TARGET_DEFINITIONS ${file})
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest output options)
    separate_arguments(options)
    mlir_tablegen(${output} ${options})
  endwhile()
  add_public_tablegen_target(${target})
endfunction()
