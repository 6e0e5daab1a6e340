#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
// y = a * a + b + c in the small types, which all have to be turned on.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { float16_t a[]; };
layout(set = 0, binding = 1) readonly buffer B { int16_t b[]; };
layout(set = 0, binding = 2) readonly buffer C { int8_t c[]; };
layout(set = 0, binding = 3) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint rows; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= rows)
    return;
  int16_t sum = b[i] + int16_t(c[i] + int8_t(1)) - int16_t(1);
  y[i] = float(a[i] * a[i]) + float(sum);
}
