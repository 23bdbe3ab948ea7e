// The first block of ResNet-18 behind its stem: two convolutions of 3 by 3 with the biases that their normalizations became, each followed by a
// rectifier, the second one after the input was added.
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @main(%x: tensor<1x64x56x56xf32>, %f1: tensor<64x64x3x3xf32>, %b1: tensor<64xf32>, %f2: tensor<64x64x3x3xf32>, %b2: tensor<64xf32>) -> tensor<1x64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %p1 = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
  %c1 = linalg.conv_2d_nchw_fchw ins(%p1, %f1 : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %r1 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1, %b1 : tensor<1x64x56x56xf32>, tensor<64xf32>) outs(%e : tensor<1x64x56x56xf32>) {
  ^bb0(%c: f32, %b: f32, %o: f32):
    %s = arith.addf %c, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x64x56x56xf32>
  %p2 = tensor.pad %r1 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x64x56x56xf32> to tensor<1x64x58x58xf32>
  %c2 = linalg.conv_2d_nchw_fchw ins(%p2, %f2 : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %r2 = linalg.generic {indexing_maps = [#all, #channel, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2, %b2, %x : tensor<1x64x56x56xf32>, tensor<64xf32>, tensor<1x64x56x56xf32>) outs(%e : tensor<1x64x56x56xf32>) {
  ^bb0(%c: f32, %b: f32, %i: f32, %o: f32):
    %s = arith.addf %c, %b : f32
    %t = arith.addf %s, %i : f32
    %m = arith.maximumf %t, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x64x56x56xf32>
  return %r2 : tensor<1x64x56x56xf32>
}
