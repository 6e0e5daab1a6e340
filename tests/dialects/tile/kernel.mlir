// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: tile.kernel @copy(
// CHECK-SAME: memref<?xf32> read, %{{[a-z_0-9]+}}: memref<?xbf16> write, %{{[a-z_0-9]+}}: memref<?xi32> read_write) push(%{{[a-z_0-9]+}}, %{{[a-z_0-9]+}})
// CHECK-SAME: layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>)
// CHECK-SAME: attributes {note = "kept"} {
// CHECK: tile.return
tile.kernel @copy(%x: memref<?xf32> read, %y: memref<?xbf16> write,
                  %z: memref<?xi32> read_write) push(%T, %B)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) attributes {note = "kept"} {
  tile.return
}

// The terminator may be left out.
// CHECK-LABEL: tile.kernel @empty() push()
// CHECK: tile.return
tile.kernel @empty() push() layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}
