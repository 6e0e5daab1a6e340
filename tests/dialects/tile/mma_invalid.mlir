// RUN: rung-opt %s --split-input-file --verify-diagnostics

// mma_c1
tile.kernel @k(%w: memref<?xf16> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x64xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %acc = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  %a = tile.load %s[%c0, %c0] : memref<8x64xf16, #gpu.address_space<workgroup>> -> !tile.matrix<8x32xf16, a>
  %b = tile.load_packed %w[%c0] pitch %c16
      : memref<?xf16> -> !tile.matrix<16x16xf16, b>
  // expected-error@+1 {{product of 8x32 and 16x16 does not add to 8x16}}
  %r = tile.mma %acc, %a, %b : !tile.matrix<8x16xf32, acc>, !tile.matrix<8x32xf16, a>, !tile.matrix<16x16xf16, b>
  tile.return
}

// -----

// mma_c2
tile.kernel @k(%w: memref<?xbf16> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x64xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %acc = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  %a = tile.load %s[%c0, %c0] : memref<8x64xf16, #gpu.address_space<workgroup>> -> !tile.matrix<8x32xf16, a>
  %b = tile.load_packed %w[%c0] pitch %c16
      : memref<?xbf16> -> !tile.matrix<32x16xbf16, b>
  // expected-error@+1 {{left operand of 'f16' and right operand of 'bf16' differ}}
  %r = tile.mma %acc, %a, %b : !tile.matrix<8x16xf32, acc>, !tile.matrix<8x32xf16, a>, !tile.matrix<32x16xbf16, b>
  tile.return
}

// -----

// mma_c3
tile.kernel @k(%w: memref<?xi8> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x64xi8, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %acc = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  %a = tile.load %s[%c0, %c0] : memref<8x64xi8, #gpu.address_space<workgroup>> -> !tile.matrix<8x32xi8, a>
  %b = tile.load_packed %w[%c0] pitch %c16
      : memref<?xi8> -> !tile.matrix<32x16xi8, b>
  // expected-error@+1 {{operands of 'i8' do not accumulate in 'f32'}}
  %r = tile.mma %acc, %a, %b : !tile.matrix<8x16xf32, acc>, !tile.matrix<8x32xi8, a>, !tile.matrix<32x16xi8, b>
  tile.return
}

// -----

// mma_c4
tile.kernel @k(%w: memref<?xf16> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %acc = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  %a = builtin.unrealized_conversion_cast %c0 : index to !tile.matrix<8x32xf16, a>
  %b = tile.load_packed %w[%c0] pitch %c16
      : memref<?xf16> -> !tile.matrix<32x16xf16, b>
  // expected-error@+1 {{operands of a plain product are not results of tile.load and tile.load_packed}}
  %r = tile.mma %acc, %a, %b : !tile.matrix<8x16xf32, acc>, !tile.matrix<8x32xf16, a>, !tile.matrix<32x16xf16, b>
  tile.return
}
