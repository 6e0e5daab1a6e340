# ctest is the front door: "lit.<folder>" for each lit suite, label lit, and
# "unit.<Suite.Test>" for each GoogleTest case.

find_package(GTest REQUIRED)
include(GoogleTest)
find_program(RUNG_LIT NAMES lit.py lit
  HINTS /usr/lib/llvm-21/build/utils/lit)

# rung_add_unit_test(NAME [MLIR] SRCS FILE... [DEPS TARGET...] [LABELS LABEL...])
function(rung_add_unit_test name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;DEPS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  _rung_settings(${name})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gtest_main)
  if(ARG_MLIR)
    rung_use_mlir(${name})
  endif()
  target_compile_definitions(${name} PRIVATE
    RUNG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${name} TEST_PREFIX unit. DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60 PROPERTIES LABELS "unit;${ARG_LABELS}")
endfunction()

# rung_add_lit_suite(FOLDER): the lit tests below tests/FOLDER.
function(rung_add_lit_suite folder)
  string(REPLACE "/" "." dotted "${folder}")
  add_test(NAME lit.${dotted}
    COMMAND ${Python3_EXECUTABLE} ${RUNG_LIT} -v --no-progress-bar
      "${PROJECT_BINARY_DIR}/tests/${folder}")
  set_tests_properties(lit.${dotted} PROPERTIES LABELS lit)
endfunction()
