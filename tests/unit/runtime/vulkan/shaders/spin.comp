#version 450
// Works for a fraction of a second: the value is of no interest.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer X { int x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { int y[]; };
layout(push_constant) uniform Push { uint rounds; };
void main() {
  uint state = uint(x[0]) | 1u;
  for (uint i = 0; i < rounds; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
  }
  y[0] = int(state);
}
