#version 450
// A GRU's recurrence with block-diagonal weights, heads of 64: one workgroup a
// head and M rows of the batch, all steps inside. Weights stay in registers as
// f16 matrices, sums are f32, the state f16. What the input brings to the gates
// is read from memory, for GROUP steps at a time: a read that is under way at a
// barrier is waited for there.
//
//   z = sigmoid(xz + Uz h), r = sigmoid(xr + Ur h), n = tanh(xn + r (Un h)),
//   h' = h + (1 - z) (n - h), from h = 0
#extension GL_GOOGLE_include_directive : require
#include "tile.glsl"
#ifndef GROUP
#define GROUP 4
#endif
const uint kHead = 64;
const uint kWords = kHead / 8;        // Of eight f16, in a row of a head.
const uint kPitch = kWords + 1;       // Spreads rows over the banks.
const uint kTiles = kHead / K;
const uint kThreads = kHead / N * SUBGROUP;
const uint kFetches = GROUP * 3 * M * kWords / kThreads;
layout(local_size_x = kHead / N * SUBGROUP) in;
layout(set = 0, binding = 0) restrict readonly buffer X { uvec4 x[]; }; // [T, B, 3, D], gates z, r, n
layout(set = 0, binding = 1) restrict readonly buffer W { float16_t w[]; }; // [heads, 3, 64 (in), 64 (out)]
layout(set = 0, binding = 2) restrict writeonly buffer Y { uvec4 y[]; }; // [T, B, D]
layout(push_constant) uniform Push { uint steps; uint batch; uint heads; };
shared uvec4 states[2][M * kPitch];
shared uvec4 inputs[GROUP][3 * M * kPitch];

uint head, firstRow, thread;

// Word i of a group's inputs: step, gate, row, column, the last fastest.
uint source(uint group, uint i) {
  uint column = i % kWords, row = i / kWords % M;
  uint gate = i / (kWords * M) % 3, step = i / (kWords * M * 3);
  uint t = min(group * GROUP + step, steps - 1);
  uint b = min(firstRow + row, batch - 1);
  return (((t * batch + b) * 3 + gate) * heads + head) * kWords + column;
}

void main() {
  head = gl_WorkGroupID.x % heads;
  firstRow = gl_WorkGroupID.x / heads * M;
  thread = gl_LocalInvocationIndex;
  const uint column = gl_SubgroupID * N;

  MATRIX_B(float16_t) u[3][kTiles];
  [[unroll]] for (uint g = 0; g < 3; ++g)
    [[unroll]] for (uint k = 0; k < kTiles; ++k)
      coopMatLoad(u[g][k], w, ((head * 3 + g) * kHead + k * K) * kHead + column,
                  kHead, ROW_MAJOR);
  for (uint i = thread; i < M * kPitch; i += kThreads)
    states[0][i] = uvec4(0);
  MATRIX_C(float16_t) h = MATRIX_C(float16_t)(float16_t(0));

  uvec4 fetched[kFetches];
  [[unroll]] for (uint f = 0; f < kFetches; ++f)
    fetched[f] = x[source(0, f * kThreads + thread)];
  for (uint group = 0; group * GROUP < steps; ++group) {
    [[unroll]] for (uint f = 0; f < kFetches; ++f) {
      uint i = f * kThreads + thread, row = i / kWords;
      inputs[row / (3 * M)][row % (3 * M) * kPitch + i % kWords] = fetched[f];
    }
    barrier();
    [[unroll]] for (uint f = 0; f < kFetches; ++f)
      fetched[f] = x[source(group + 1, f * kThreads + thread)];
    [[unroll]] for (uint s = 0; s < GROUP; ++s) {
      const uint t = group * GROUP + s;
      if (t < steps) {
        MATRIX_C(float) sums[3];
        MATRIX_C(float16_t) xs[3];
        [[unroll]] for (uint g = 0; g < 3; ++g) {
          coopMatLoad(xs[g], inputs[s], g * M * kPitch + column / 8, kPitch,
                      ROW_MAJOR);
          sums[g] = g < 2 ? MATRIX_C(float)(xs[g]) : MATRIX_C(float)(0.0);
        }
        [[unroll]] for (uint k = 0; k < kTiles; ++k) {
          MATRIX_A(float16_t) a;
          coopMatLoad(a, states[t & 1], k * K / 8, kPitch, ROW_MAJOR);
          [[unroll]] for (uint g = 0; g < 3; ++g)
            sums[g] = coopMatMulAdd(a, u[g][k], sums[g]);
        }
        [[unroll]] for (uint i = 0; i < h.length(); ++i) {
          float keep = sigmoid(-sums[0][i]), reset = sigmoid(sums[1][i]);
          float n = hyperbolicTangent(float(xs[2][i]) + reset * sums[2][i]);
          h[i] = float16_t(float(h[i]) + keep * (n - float(h[i])));
        }
        coopMatStore(h, states[(t + 1) & 1], column / 8, kPitch, ROW_MAJOR);
        barrier();
        for (uint i = thread; i < M * kWords; i += kThreads) {
          uint row = i / kWords, b = firstRow + row;
          if (b < batch)
            y[((t * batch + b) * heads + head) * kWords + i % kWords] =
                states[(t + 1) & 1][row * kPitch + i % kWords];
        }
      }
    }
  }
}
