// Attention of several heads: softmax(Q K^T / sqrt(d)) V.
//
// What to look at: the scores are the largest tensor, one number for each pair of
// positions and head. Scaling, subtracting the maximum, exponentiation and
// division each make a new tensor of scores; bufferized, all of them are the same
// buffer.
//
//   freehold run --random examples/attention.mlir
//   freehold compile examples/attention.mlir

!heads = tensor<4x32x16xf32>
!scores = tensor<4x32x32xf32>
!rows = tensor<4x32xf32>

#all = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>
#query = affine_map<(h, i, j, d) -> (h, i, d)>
#key = affine_map<(h, i, j, d) -> (h, j, d)>
#score = affine_map<(h, i, j, d) -> (h, i, j)>

func.func @attention(%q: !heads, %k: !heads, %v: !heads) -> !heads {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32

  // Q K^T
  %e0 = tensor.empty() : !scores
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : !scores) -> !scores
  %qk = linalg.generic {indexing_maps = [#query, #key, #score],
                        iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : !heads, !heads) outs(%z0 : !scores) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> !scores
  %scaled = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%qk : !scores) {
  ^bb0(%s: f32):
    %r = arith.mulf %s, %scale : f32
    linalg.yield %r : f32
  } -> !scores

  // The softmax of each row.
  %e1 = tensor.empty() : !rows
  %z1 = linalg.fill ins(%least : f32) outs(%e1 : !rows) -> !rows
  %max = linalg.reduce { arith.maximumf } ins(%scaled : !scores) outs(%z1 : !rows) dimensions = [2]
  %exp = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%max : !rows) outs(%scaled : !scores) {
  ^bb0(%m: f32, %s: f32):
    %d = arith.subf %s, %m : f32
    %x = math.exp %d : f32
    linalg.yield %x : f32
  } -> !scores
  %e2 = tensor.empty() : !rows
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : !rows) -> !rows
  %sum = linalg.reduce { arith.addf } ins(%exp : !scores) outs(%z2 : !rows) dimensions = [2]
  %weights = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : !rows) outs(%exp : !scores) {
  ^bb0(%s: f32, %x: f32):
    %w = arith.divf %x, %s : f32
    linalg.yield %w : f32
  } -> !scores

  // The weighted sum of the values.
  %e3 = tensor.empty() : !heads
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : !heads) -> !heads
  %out = linalg.batch_matmul ins(%weights, %v : !scores, !heads) outs(%z3 : !heads) -> !heads
  return %out : !heads
}
