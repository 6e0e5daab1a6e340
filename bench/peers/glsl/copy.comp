#version 450
#extension GL_EXT_control_flow_attributes : require
// Copies words of 16 bytes: the rate of the device's memory.
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) restrict readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 1) restrict writeonly buffer B { uvec4 b[]; };
layout(push_constant) uniform Push { uint words; };
void main() {
  // Four words are under way at a time.
  const uint stride = gl_NumWorkGroups.x * 256;
  for (uint i = gl_GlobalInvocationID.x; i < words; i += 4 * stride) {
    uvec4 some[4];
    [[unroll]] for (uint j = 0; j < 4; ++j)
      some[j] = a[min(i + j * stride, words - 1)];
    [[unroll]] for (uint j = 0; j < 4; ++j)
      if (i + j * stride < words)
        b[i + j * stride] = some[j];
  }
}
