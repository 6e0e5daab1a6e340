#version 450
// The rate of cooperative multiply-adds alone, without memory: a ceiling. Each
// subgroup makes eight sums from four matrices A and two B.
#extension GL_GOOGLE_include_directive : require
#include "tile.glsl"
#ifdef S8
#define ELEMENT int8_t
#define SUM int
#else
#define ELEMENT float16_t
#define SUM float
#endif
layout(local_size_x = 8 * SUBGROUP) in;
layout(set = 0, binding = 0) readonly buffer A { ELEMENT a[]; };
layout(set = 0, binding = 1) readonly buffer B { ELEMENT b[]; };
layout(set = 0, binding = 2) writeonly buffer C { SUM c[]; };
layout(push_constant) uniform Push { uint turns; };
void main() {
  MATRIX_A(ELEMENT) as[4];
  MATRIX_B(ELEMENT) bs[2];
  MATRIX_C(SUM) sums[8];
  [[unroll]] for (uint i = 0; i < 4; ++i)
    coopMatLoad(as[i], a, i * M * K, K, ROW_MAJOR);
  [[unroll]] for (uint i = 0; i < 2; ++i)
    coopMatLoad(bs[i], b, i * K * N, N, ROW_MAJOR);
  [[unroll]] for (uint i = 0; i < 8; ++i)
    sums[i] = MATRIX_C(SUM)(SUM(0));
  for (uint turn = 0; turn < turns; ++turn)
    [[unroll]] for (uint i = 0; i < 8; ++i)
      sums[i] = coopMatMulAdd(as[i / 2], bs[i % 2], sums[i]);
  const uint first = (gl_WorkGroupID.x * 8 + gl_SubgroupID) * 8;
  [[unroll]] for (uint i = 0; i < 8; ++i)
    coopMatStore(sums[i], c, (first + i) * M * N, N, ROW_MAJOR);
}
