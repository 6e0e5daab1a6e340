#version 450
// A dense GRU's recurrence of one row, its weights spread over the registers of
// all workgroups: a subgroup has the three rows of one unit. After each step all
// workgroups wait for each other at a counter, so no more may be launched than
// run at once. The equations are those of block_gru.comp; products and sums of
// two are f16, all other sums f32. Who waits too long writes 1 to `stuck` and
// leaves.
#extension GL_GOOGLE_include_directive : require
#include "tile.glsl"
#ifndef WIDTH
#define WIDTH 2048
#endif
#ifndef UNITS
#define UNITS 16
#endif
const uint kQuads = WIDTH / (4 * SUBGROUP); // Weights of a lane and gate, by four.
layout(local_size_x = UNITS * SUBGROUP) in;
layout(set = 0, binding = 0) readonly buffer X { float16_t x[]; }; // [T, 3, D], gates z, r, n
layout(set = 0, binding = 1) readonly buffer W { f16vec4 w[]; };   // [D, 3, D (in)]
layout(set = 0, binding = 2) writeonly buffer Y { float16_t y[]; }; // [T, D]
layout(set = 0, binding = 3) coherent buffer S {
  uint arrived;
  uint stuck;
  uint unused[62];
  uvec2 state[2][WIDTH / 4];
};
layout(push_constant) uniform Push { uint steps; uint workgroups; };
shared f16vec4 operand[WIDTH / 4];
shared float16_t fresh[UNITS];

bool waitForAll(uint target) {
  atomicAdd(arrived, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
            gl_SemanticsRelease);
  for (uint polls = 0; polls < 1u << 22; ++polls)
    if (atomicLoad(arrived, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquire) >= target)
      return true;
  return false;
}

f16vec4 unpackState(uvec2 word) {
  return f16vec4(unpackFloat2x16(word.x), unpackFloat2x16(word.y));
}

shared bool leave;

void main() {
  const uint lane = gl_SubgroupInvocationID, thread = gl_LocalInvocationIndex;
  const uint unit = gl_WorkGroupID.x * UNITS + gl_SubgroupID;
  f16vec4 u[3][kQuads];
  [[unroll]] for (uint g = 0; g < 3; ++g)
    [[unroll]] for (uint i = 0; i < kQuads; ++i)
      u[g][i] = w[(unit * 3 + g) * (WIDTH / 4) + i * SUBGROUP + lane];
  float h = 0.0;
  float16_t given[3];
  [[unroll]] for (uint g = 0; g < 3; ++g)
    given[g] = x[g * WIDTH + unit];
  leave = false;
  for (uint t = 0; t < steps; ++t) {
    for (uint i = thread; i < WIDTH / 4; i += UNITS * SUBGROUP)
      operand[i] = t == 0 ? f16vec4(float16_t(0)) : unpackState(state[t & 1][i]);
    barrier();
    float sums[3];
    [[unroll]] for (uint g = 0; g < 3; ++g) {
      vec2 sum = vec2(0);
      [[unroll]] for (uint i = 0; i < kQuads; ++i) {
        f16vec4 v = operand[i * SUBGROUP + lane];
        sum += vec2(fma(u[g][i].zw, v.zw, u[g][i].xy * v.xy));
      }
      sums[g] = subgroupAdd(sum.x + sum.y);
    }
    if (lane == 0) {
      float keep = sigmoid(-(sums[0] + float(given[0])));
      float reset = sigmoid(sums[1] + float(given[1]));
      float n = hyperbolicTangent(float(given[2]) + reset * sums[2]);
      h += keep * (n - h);
      y[t * WIDTH + unit] = float16_t(h);
      fresh[gl_SubgroupID] = float16_t(h);
      [[unroll]] for (uint g = 0; g < 3; ++g)
        given[g] = x[(min(t + 1, steps - 1) * 3 + g) * WIDTH + unit];
    }
    barrier();
    if (thread == 0) {
      [[unroll]] for (uint i = 0; i < UNITS; i += 4)
        state[(t + 1) & 1][(gl_WorkGroupID.x * UNITS + i) / 4] =
            uvec2(packFloat2x16(f16vec2(fresh[i], fresh[i + 1])),
                  packFloat2x16(f16vec2(fresh[i + 2], fresh[i + 3])));
      if (!waitForAll((t + 1) * workgroups)) {
        stuck = 1;
        leave = true;
      }
    }
    barrier();
    if (leave)
      return;
  }
}
