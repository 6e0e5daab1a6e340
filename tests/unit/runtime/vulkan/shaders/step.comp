#version 450
// h = h / 2 + w * x[step]; y[step] = h. x and y are [T, B, H], h is [B, H], w
// is [H].
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) readonly buffer W { float w[]; };
layout(set = 0, binding = 2) buffer H { float h[]; };
layout(set = 0, binding = 3) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint step; uint batch; uint width; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= batch * width)
    return;
  uint at = step * batch * width + i;
  h[i] = 0.5 * h[i] + w[i % width] * x[at];
  y[at] = h[i];
}
