func.func @main(%x: tensor<1x32x32x8xf32>) -> tensor<1x64x64x8xf32> {
  %e = tensor.empty() : tensor<1x64x64x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c31 = arith.constant 31 : index
  %half = arith.constant 0.5 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(n,i,j,c)->(n,i,j,c)>], iterator_types = ["parallel","parallel","parallel","parallel"]} outs(%e : tensor<1x64x64x8xf32>) {
  ^bb0(%o: f32):
    %n = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = linalg.index 3 : index
    %y0 = arith.divui %i, %c2 : index
    %x0 = arith.divui %j, %c2 : index
    %yr = arith.remui %i, %c2 : index
    %xr = arith.remui %j, %c2 : index
    %y1a = arith.addi %y0, %c1 : index
    %x1a = arith.addi %x0, %c1 : index
    %y1 = arith.minui %y1a, %c31 : index
    %x1 = arith.minui %x1a, %c31 : index
    %yi = arith.index_cast %yr : index to i32
    %xi = arith.index_cast %xr : index to i32
    %yf0 = arith.sitofp %yi : i32 to f32
    %xf0 = arith.sitofp %xi : i32 to f32
    %yf = arith.mulf %yf0, %half : f32
    %xf = arith.mulf %xf0, %half : f32
    %a = tensor.extract %x[%n, %y0, %x0, %c] : tensor<1x32x32x8xf32>
    %b = tensor.extract %x[%n, %y0, %x1, %c] : tensor<1x32x32x8xf32>
    %d = tensor.extract %x[%n, %y1, %x0, %c] : tensor<1x32x32x8xf32>
    %f = tensor.extract %x[%n, %y1, %x1, %c] : tensor<1x32x32x8xf32>
    %ba = arith.subf %b, %a : f32
    %fd = arith.subf %f, %d : f32
    %bx = arith.mulf %ba, %xf : f32
    %fx = arith.mulf %fd, %xf : f32
    %top = arith.addf %a, %bx : f32
    %bot = arith.addf %d, %fx : f32
    %df = arith.subf %bot, %top : f32
    %dy = arith.mulf %df, %yf : f32
    %v = arith.addf %top, %dy : f32
    linalg.yield %v : f32
  } -> tensor<1x64x64x8xf32>
  return %r : tensor<1x64x64x8xf32>
}
