#version 450
// Copies words of 16 bytes: the rate of the device's memory.
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) restrict readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 1) restrict writeonly buffer B { uvec4 b[]; };
layout(push_constant) uniform Push { uint words; };
void main() {
  const uint stride = gl_NumWorkGroups.x * 256;
  for (uint i = gl_GlobalInvocationID.x; i < words; i += stride)
    b[i] = a[i];
}
