#version 450
// y = 2 x + h; x and y are [T, B, H], h is [B, H].
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) readonly buffer H { float h[]; };
layout(set = 0, binding = 2) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint rows; uint batch; uint width; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < rows * width)
    y[i] = 2.0 * x[i] + h[i % (batch * width)];
}
