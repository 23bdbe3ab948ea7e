#map = affine_map<(d0, d1, d2, d3) -> (d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
  func.func @main(%arg0: memref<2x16x16x3xf32>, %arg1: memref<3x3x3x8xf32>, %arg2: memref<8xf32>, %arg3: memref<512x10xf32>, %arg4: memref<2x10xf32>) {
    %c4096 = arith.constant 4096 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %alloc = memref.alloc() {alignment = 64 : i64, freehold.arena} : memref<7776xi8>
    %view = memref.view %alloc[%c0][] : memref<7776xi8> to memref<2x18x18x3xf32>
    linalg.map outs(%view : memref<2x18x18x3xf32>)
      () {
        linalg.yield %cst : f32
      }
    %subview = memref.subview %view[0, 1, 1, 0] [2, 16, 16, 3] [1, 1, 1, 1] : memref<2x18x18x3xf32> to memref<2x16x16x3xf32, strided<[972, 54, 3, 1], offset: 57>>
    memref.copy %arg0, %subview : memref<2x16x16x3xf32> to memref<2x16x16x3xf32, strided<[972, 54, 3, 1], offset: 57>>
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<2x16x16x8xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_1 : memref<2x16x16x8xf32>)
    linalg.conv_2d_nhwc_hwcf ins(%view, %arg1 : memref<2x18x18x3xf32>, memref<3x3x3x8xf32>) outs(%alloc_1 : memref<2x16x16x8xf32>)
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : memref<8xf32>) outs(%alloc_1 : memref<2x16x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %out, %in : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %view_2 = memref.view %alloc[%c4096][] : memref<7776xi8> to memref<2x2xf32>
    %view_3 = memref.view %alloc[%c0][] : memref<7776xi8> to memref<2x8x8x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%view_3 : memref<2x8x8x8xf32>)
    linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%alloc_1, %view_2 : memref<2x16x16x8xf32>, memref<2x2xf32>) outs(%view_3 : memref<2x8x8x8xf32>)
    memref.dealloc %alloc_1 : memref<2x16x16x8xf32>
    %collapse_shape = memref.collapse_shape %view_3 [[0], [1, 2, 3]] : memref<2x8x8x8xf32> into memref<2x512xf32>
    %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<2x10xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_4 : memref<2x10xf32>)
    linalg.matmul ins(%collapse_shape, %arg3 : memref<2x512xf32>, memref<512x10xf32>) outs(%alloc_4 : memref<2x10xf32>)
    memref.dealloc %alloc : memref<7776xi8>
    memref.copy %alloc_4, %arg4 : memref<2x10xf32> to memref<2x10xf32>
    return
  }

