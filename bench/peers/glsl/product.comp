#version 450
// C = A B^T for whole tiles: A is [rows, depth], B is [columns, depth], C is
// [rows, columns]. A workgroup has a tile of ROWS x COLUMNS, its subgroups
// WARP_ROWS x WARP_COLUMNS each; A and B go through two shared buffers in turn,
// DEPTH elements at a time, in words of 16 bytes (of 8 where a row of a matrix
// has no more).
#extension GL_GOOGLE_include_directive : require
#include "tile.glsl"
#ifdef S8
#define ELEMENT int8_t
#define SUM int
const uint kBytes = 1;
#else
#define ELEMENT float16_t
#define SUM float
const uint kBytes = 2;
#endif
#ifdef WORD8
#define WORD uvec2
const uint kPerWord = 8 / kBytes;
#else
#define WORD uvec4
const uint kPerWord = 16 / kBytes;
#endif
const uint kWords = DEPTH / kPerWord; // Of a row of a tile.
const uint kPitch = kWords + 1;       // Spreads rows over the banks.
const uint kAcross = COLUMNS / WARP_COLUMNS;
const uint kThreads = ROWS / WARP_ROWS * kAcross * SUBGROUP;
const uint kDown = WARP_ROWS / M, kRight = WARP_COLUMNS / N;
const uint kFetchesA = ROWS * kWords / kThreads;
const uint kFetchesB = COLUMNS * kWords / kThreads;
layout(local_size_x = ROWS / WARP_ROWS * (COLUMNS / WARP_COLUMNS) * SUBGROUP) in;
layout(set = 0, binding = 0) restrict readonly buffer A { WORD a[]; };
layout(set = 0, binding = 1) restrict readonly buffer B { WORD b[]; };
layout(set = 0, binding = 2) restrict writeonly buffer C { SUM c[]; };
layout(push_constant) uniform Push { uint rows; uint columns; uint depth; };
shared WORD tilesA[2][ROWS * kPitch];
shared WORD tilesB[2][COLUMNS * kPitch];

// Workgroups that run together share rows of A and of B in the cache: eight
// tiles down, then one to the right.
uvec2 chooseTile() {
  const uint kBand = 8;
  uint down = rows / ROWS, across = columns / COLUMNS;
  uint band = gl_WorkGroupID.x / (kBand * across) * kBand;
  uint high = min(kBand, down - band), rest = gl_WorkGroupID.x % (kBand * across);
  return uvec2((band + rest % high) * ROWS, rest / high * COLUMNS);
}

void main() {
  const uvec2 tile = chooseTile();
  const uint thread = gl_LocalInvocationIndex, pitch = depth / kPerWord;
  const uint row = gl_SubgroupID / kAcross * WARP_ROWS;
  const uint column = gl_SubgroupID % kAcross * WARP_COLUMNS;
  MATRIX_C(SUM) sums[kDown][kRight];
  [[unroll]] for (uint i = 0; i < kDown; ++i)
    [[unroll]] for (uint j = 0; j < kRight; ++j)
      sums[i][j] = MATRIX_C(SUM)(SUM(0));

  WORD nextA[kFetchesA], nextB[kFetchesB];
  const uint turns = depth / DEPTH;
  for (uint turn = 0; turn <= turns; ++turn) {
    if (turn < turns) {
      [[unroll]] for (uint f = 0; f < kFetchesA; ++f) {
        uint i = f * kThreads + thread;
        nextA[f] = a[(tile.x + i / kWords) * pitch + turn * kWords + i % kWords];
      }
      [[unroll]] for (uint f = 0; f < kFetchesB; ++f) {
        uint i = f * kThreads + thread;
        nextB[f] = b[(tile.y + i / kWords) * pitch + turn * kWords + i % kWords];
      }
    }
    if (turn > 0) {
      const uint now = (turn - 1) & 1;
      [[unroll]] for (uint k = 0; k < DEPTH / K; ++k) {
        MATRIX_A(ELEMENT) as[kDown];
        [[unroll]] for (uint i = 0; i < kDown; ++i)
          coopMatLoad(as[i], tilesA[now],
                      (row + i * M) * kPitch + k * K / kPerWord, kPitch,
                      ROW_MAJOR);
        [[unroll]] for (uint j = 0; j < kRight; ++j) {
          MATRIX_B(ELEMENT) bs;
          coopMatLoad(bs, tilesB[now],
                      (column + j * N) * kPitch + k * K / kPerWord, kPitch,
                      COLUMN_MAJOR);
          [[unroll]] for (uint i = 0; i < kDown; ++i)
            sums[i][j] = coopMatMulAdd(as[i], bs, sums[i][j]);
        }
      }
    }
    if (turn < turns) {
      [[unroll]] for (uint f = 0; f < kFetchesA; ++f) {
        uint i = f * kThreads + thread;
        tilesA[turn & 1][i / kWords * kPitch + i % kWords] = nextA[f];
      }
      [[unroll]] for (uint f = 0; f < kFetchesB; ++f) {
        uint i = f * kThreads + thread;
        tilesB[turn & 1][i / kWords * kPitch + i % kWords] = nextB[f];
      }
    }
    barrier();
  }
  [[unroll]] for (uint i = 0; i < kDown; ++i)
    [[unroll]] for (uint j = 0; j < kRight; ++j)
      coopMatStore(sums[i][j], c,
                   (tile.x + row + i * M) * columns + tile.y + column + j * N,
                   columns, ROW_MAJOR);
}
