// not judged: seven buffers that two loops permute, too many ways for the solver
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: memref<2x3xi32>) -> (memref<8xf32>, memref<2x3xi32>, !deallocation.ownership, !deallocation.ownership) {
    %c32 = arith.constant 32 : index
    %c2_i32 = arith.constant 2 : i32
    %c-3_i32 = arith.constant -3 : i32
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %cst_1 = arith.constant -5.000000e-01 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %alloca = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
    memref.store %cst_0, %alloca[%c1] : memref<8xf32>
    %alloca_2 = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
    linalg.sub ins(%alloca, %alloca : memref<8xf32>, memref<8xf32>) outs(%alloca_2 : memref<8xf32>)
    %alloc = memref.alloc() {alignment = 32 : i64, freehold.arena} : memref<64xi8>
    %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<8xf32>
    %view_3 = memref.view %alloc[%c32][] : memref<64xi8> to memref<8xf32>
    %0:2 = scf.for %arg1 = %c0 to %c3 step %c1 iter_args(%arg2 = %view, %arg3 = %view_3) -> (memref<8xf32>, memref<8xf32>) {
      scf.yield %arg3, %arg2 : memref<8xf32>, memref<8xf32>
    }
    %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<2x3xi32>
    memref.copy %arg0, %alloc_4 : memref<2x3xi32> to memref<2x3xi32>
    %alloc_5 = memref.alloc() {alignment = 64 : i64} : memref<2x3xi32>
    %alloc_6 = memref.alloc() {alignment = 64 : i64} : memref<2x3xi32>
    %alloc_7 = memref.alloc() {alignment = 64 : i64} : memref<2x3xi32>
    %alloc_8 = memref.alloc() {alignment = 64 : i64} : memref<2x3xi32>
    %alloc_9 = memref.alloc() {alignment = 64 : i64} : memref<2x3xi32>
    %alloc_10 = memref.alloc() {alignment = 64 : i64} : memref<2x3xi32>
    %1:10 = scf.while (%arg1 = %c0, %arg2 = %alloc_4, %arg3 = %alloc_5, %arg4 = %alloc_6, %arg5 = %alloc_7, %arg6 = %alloc_8, %arg7 = %alloc_9, %arg8 = %alloc_10) : (index, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>) -> (index, memref<2x3xi32>, memref<8xf32>, !deallocation.ownership, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>) {
      %3 = arith.addi %arg1, %c1 : index
      %4 = arith.cmpi sle, %3, %c2 : index
      %5 = memref.load %alloca_2[%c1] : memref<8xf32>
      %6 = arith.cmpf olt, %5, %cst_0 : f32
      %7 = arith.andi %4, %6 : i1
      %8:6 = scf.for %arg9 = %c0 to %c2 step %c1 iter_args(%arg10 = %arg3, %arg11 = %arg4, %arg12 = %arg2, %arg13 = %arg5, %arg14 = %arg6, %arg15 = %arg7) -> (memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>) {
        memref.copy %arg11, %arg14 : memref<2x3xi32> to memref<2x3xi32>
        memref.copy %arg12, %arg15 : memref<2x3xi32> to memref<2x3xi32>
        scf.yield %arg14, %arg15, %arg13, %arg10, %arg11, %arg12 : memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>
      }
      linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8#2 : memref<2x3xi32>) outs(%8#0 : memref<2x3xi32>) {
      ^bb0(%in: i32, %out: i32):
        %10 = arith.addi %in, %c2_i32 : i32
        linalg.yield %10 : i32
      }
      memref.copy %0#0, %0#1 : memref<8xf32> to memref<8xf32>
      linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%alloca_2 : memref<8xf32>) outs(%0#1 : memref<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %10 = arith.addf %in, %out : f32
        linalg.yield %10 : f32
      }
      memref.copy %8#0, %arg8 : memref<2x3xi32> to memref<2x3xi32>
      %alloc_11 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
      %9 = deallocation.own %alloc_11 : memref<8xf32>
      memref.copy %0#1, %alloc_11 : memref<8xf32> to memref<8xf32>
      scf.condition(%7) %3, %arg8, %alloc_11, %9, %8#5, %8#4, %8#3, %8#2, %8#0, %8#1 : index, memref<2x3xi32>, memref<8xf32>, !deallocation.ownership, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>
    } do {
    ^bb0(%arg1: index, %arg2: memref<2x3xi32>, %arg3: memref<8xf32>, %arg4: !deallocation.ownership, %arg5: memref<2x3xi32>, %arg6: memref<2x3xi32>, %arg7: memref<2x3xi32>, %arg8: memref<2x3xi32>, %arg9: memref<2x3xi32>, %arg10: memref<2x3xi32>):
      memref.dealloc %arg3 : memref<8xf32>
      scf.yield %arg1, %arg2, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10 : index, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>, memref<2x3xi32>
    }
    memref.dealloc %1#8 : memref<2x3xi32>
    memref.dealloc %1#7 : memref<2x3xi32>
    memref.dealloc %1#6 : memref<2x3xi32>
    memref.dealloc %1#5 : memref<2x3xi32>
    memref.dealloc %1#4 : memref<2x3xi32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%1#2 : memref<8xf32>) outs(%1#2 : memref<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %out : f32
      linalg.yield %3 : f32
    }
    %2 = deallocation.own %1#9 : memref<2x3xi32>
    memref.dealloc %alloc : memref<64xi8>
    memref.dealloc %1#1 : memref<2x3xi32>
    return %1#2, %1#9, %1#3, %2 : memref<8xf32>, memref<2x3xi32>, !deallocation.ownership, !deallocation.ownership
  }
}
