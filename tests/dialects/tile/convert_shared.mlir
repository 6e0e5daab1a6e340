// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @convert_shared
// CHECK: tile.convert_shared %{{.*}}[%{{.*}}, %{{.*}}] -> %{{.*}}[%{{.*}}, %{{.*}}] size [8, 16] : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<8x24xbf16, #gpu.address_space<workgroup>>
tile.kernel @convert_shared() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %t = tile.shared : memref<8x24xbf16, #gpu.address_space<workgroup>>
  tile.convert_shared %s[%c0, %c0] -> %t[%c0, %c8] size [8, 16]
      : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<8x24xbf16, #gpu.address_space<workgroup>>
  // CHECK: tile.convert_shared {{.*}} size [8, 16] width 8 : memref<8x16xf32
  tile.convert_shared %s[%c0, %c0] -> %t[%c0, %c8] size [8, 16] width 8
      : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<8x24xbf16, #gpu.address_space<workgroup>>
  tile.return
}

// CHECK-LABEL: @convert_shared_integers
// CHECK: tile.convert_shared {{.*}} size [8, 16] : memref<8x20xi32, #gpu.address_space<workgroup>> -> memref<8x32xi8, #gpu.address_space<workgroup>>
tile.kernel @convert_shared_integers() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x20xi32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %t = tile.shared : memref<8x32xi8, #gpu.address_space<workgroup>>
  tile.convert_shared %s[%c0, %c0] -> %t[%c0, %c0] size [8, 16]
      : memref<8x20xi32, #gpu.address_space<workgroup>> -> memref<8x32xi8, #gpu.address_space<workgroup>>
  tile.return
}
