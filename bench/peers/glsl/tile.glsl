// What the hand-written baselines share. A compilation may define, as
// bench/peers/glsl/CMakeLists.txt does for each kind of device:
//
//   SUBGROUP    invocations of a subgroup
//   M, N, K     the shape of a cooperative matrix product
//
// Arrays of cooperative matrices are indexed by constants alone, in unrolled
// loops: `glslc -O` makes plain values of them, without which they would live
// in memory.
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
#pragma use_vulkan_memory_model

#define MATRIX_A(T) coopmat<T, gl_ScopeSubgroup, M, K, gl_MatrixUseA>
#define MATRIX_B(T) coopmat<T, gl_ScopeSubgroup, K, N, gl_MatrixUseB>
#define MATRIX_C(T) coopmat<T, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator>
#define ROW_MAJOR gl_CooperativeMatrixLayoutRowMajor
#define COLUMN_MAJOR gl_CooperativeMatrixLayoutColumnMajor

float sigmoid(float x) { return 1.0 / (1.0 + exp2(-1.44269504 * x)); }
float hyperbolicTangent(float x) {
  return 1.0 - 2.0 / (exp2(2.88539008 * x) + 1.0);
}
