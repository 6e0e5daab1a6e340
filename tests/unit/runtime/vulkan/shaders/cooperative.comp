#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
// d = a b for one tile of TILE x TILE, f16 in and f32 out; one subgroup.
layout(local_size_x = SUBGROUP) in;
layout(set = 0, binding = 0) readonly buffer A { float16_t a[]; };
layout(set = 0, binding = 1) readonly buffer B { float16_t b[]; };
layout(set = 0, binding = 2) writeonly buffer D { float d[]; };
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, TILE, TILE, gl_MatrixUseA> ma;
  coopmat<float16_t, gl_ScopeSubgroup, TILE, TILE, gl_MatrixUseB> mb;
  coopmat<float, gl_ScopeSubgroup, TILE, TILE, gl_MatrixUseAccumulator> md =
      coopmat<float, gl_ScopeSubgroup, TILE, TILE,
              gl_MatrixUseAccumulator>(0.0);
  coopMatLoad(ma, a, 0, TILE, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(mb, b, 0, TILE, gl_CooperativeMatrixLayoutRowMajor);
  md = coopMatMulAdd(ma, mb, md);
  coopMatStore(md, d, 0, TILE, gl_CooperativeMatrixLayoutRowMajor);
}
