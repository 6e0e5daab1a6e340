#version 450
// A barrier of all workgroups, by a counter, again and again: what a step that
// exchanges its state over the whole device waits at least.
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) coherent buffer S { uint arrived; uint stuck; };
layout(push_constant) uniform Push { uint steps; uint workgroups; };
shared bool leave;
void main() {
  leave = false;
  for (uint step = 1; step <= steps; ++step) {
    barrier();
    if (leave)
      return;
    if (gl_LocalInvocationIndex == 0) {
      atomicAdd(arrived, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                gl_SemanticsRelease);
      uint polls = 0;
      while (atomicLoad(arrived, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                        gl_SemanticsAcquire) < step * workgroups)
        if (++polls == 1u << 22) {
          stuck = 1;
          leave = true;
          break;
        }
    }
    barrier();
  }
}
