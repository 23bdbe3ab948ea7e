#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @matmul(%x: tensor<128x256xi8>, %w: tensor<128x256xi8>) -> tensor<128x128xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<128x128xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<128x128xi32>) -> tensor<128x128xi32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<128x256xi8>, tensor<128x256xi8>) outs(%f : tensor<128x128xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %m = arith.muli %p, %q : i32
    %r = arith.addi %o, %m : i32
    linalg.yield %r : i32
  } -> tensor<128x128xi32>
  return %0 : tensor<128x128xi32>
}
