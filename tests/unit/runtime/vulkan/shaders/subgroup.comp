#version 450
#extension GL_KHR_shader_subgroup_basic : require
// y = the number of invocations in a subgroup.
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer X { int x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { int y[]; };
void main() {
  if (gl_LocalInvocationIndex == 0)
    y[0] = int(gl_SubgroupSize) + x[0];
}
