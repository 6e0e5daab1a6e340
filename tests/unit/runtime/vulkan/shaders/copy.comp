#version 450
// to = from; both are [B, H].
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer From { float from[]; };
layout(set = 0, binding = 1) writeonly buffer To { float to[]; };
layout(push_constant) uniform Push { uint batch; uint width; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < batch * width)
    to[i] = from[i];
}
