// A small convolutional network: padding, convolution, bias and relu, pooling, and
// a dense layer.
//
// What to look at: padding needs a buffer that is larger than its operand, so it
// copies. The window of the pooling is a tensor whose elements nobody reads, only
// its sizes matter; the interpreter would complain if anyone did.
//
//   freehold run --random examples/convnet.mlir
//   freehold compile examples/convnet.mlir

#channel = affine_map<(n, h, w, c) -> (c)>
#image = affine_map<(n, h, w, c) -> (n, h, w, c)>

func.func @convnet(%x: tensor<2x16x16x3xf32>, %filter: tensor<3x3x3x8xf32>, %bias: tensor<8xf32>,
                   %w: tensor<512x10xf32>) -> tensor<2x10xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32

  // One row and column of zeros on each side keep the size.
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x16x16x3xf32> to tensor<2x18x18x3xf32>

  %e0 = tensor.empty() : tensor<2x16x16x8xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x16x16x8xf32>) -> tensor<2x16x16x8xf32>
  %conv = linalg.conv_2d_nhwc_hwcf
      ins(%padded, %filter : tensor<2x18x18x3xf32>, tensor<3x3x3x8xf32>)
      outs(%z0 : tensor<2x16x16x8xf32>) -> tensor<2x16x16x8xf32>
  %act = linalg.generic {indexing_maps = [#channel, #image],
                         iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%bias : tensor<8xf32>) outs(%conv : tensor<2x16x16x8xf32>) {
  ^bb0(%b: f32, %a: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16x8xf32>

  // The maximum of each 2x2 window.
  %window = tensor.empty() : tensor<2x2xf32>
  %e1 = tensor.empty() : tensor<2x8x8x8xf32>
  %z1 = linalg.fill ins(%least : f32) outs(%e1 : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
  %pool = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%act, %window : tensor<2x16x16x8xf32>, tensor<2x2xf32>)
      outs(%z1 : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>

  // The dense layer.
  %flat = tensor.collapse_shape %pool [[0], [1, 2, 3]] : tensor<2x8x8x8xf32> into tensor<2x512xf32>
  %e2 = tensor.empty() : tensor<2x10xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x10xf32>) -> tensor<2x10xf32>
  %y = linalg.matmul ins(%flat, %w : tensor<2x512xf32>, tensor<512x10xf32>)
                     outs(%z2 : tensor<2x10xf32>) -> tensor<2x10xf32>
  return %y : tensor<2x10xf32>
}
