#version 450
// y = W x for a matrix of s8, [rows, depth], and a vector of s8; y is s32. A
// subgroup has a row and reads it in words of 16 bytes.
#extension GL_GOOGLE_include_directive : require
#include "tile.glsl"
layout(local_size_x = 4 * SUBGROUP) in;
layout(set = 0, binding = 0) restrict readonly buffer W { ivec4 w[]; };
layout(set = 0, binding = 1) restrict readonly buffer X { ivec4 x[]; };
layout(set = 0, binding = 2) restrict writeonly buffer Y { int y[]; };
layout(push_constant) uniform Push { uint rows; uint depth; };

int dotOfFour(int a, int b) {
  i8vec4 p = unpack8(a), q = unpack8(b);
  return int(p.x) * int(q.x) + int(p.y) * int(q.y) + int(p.z) * int(q.z) +
         int(p.w) * int(q.w);
}

void main() {
  const uint row = gl_WorkGroupID.x * 4 + gl_SubgroupID, words = depth / 16;
  if (row >= rows)
    return;
  int sum = 0;
  for (uint i = gl_SubgroupInvocationID; i < words; i += SUBGROUP) {
    ivec4 p = w[row * words + i], q = x[i];
    sum += dotOfFour(p.x, q.x) + dotOfFour(p.y, q.y) + dotOfFour(p.z, q.z) +
           dotOfFour(p.w, q.w);
  }
  sum = subgroupAdd(sum);
  if (subgroupElect())
    y[row] = sum;
}
