// A list that grows: the loop carries a tensor of dynamic size, puts the next
// square into it, and doubles its capacity whenever it is full.
//
// What to look at: whether an iteration allocates is known only when it runs. The
// buffer that the loop carries is either the old one or a new, larger one, and the
// old one must be freed just if there is a new one. Frees are decided by values
// that are computed next to the buffers, who owns them.
//
//   freehold run examples/grow.mlir 100
//   freehold compile examples/grow.mlir

func.func @squares(%n: index) -> (tensor<?xi64>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %empty = arith.constant -1 : i64

  %e = tensor.empty(%c2) : tensor<?xi64>
  %start = linalg.fill ins(%empty : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
  %list, %allocs = scf.for %i = %c0 to %n step %c1
      iter_args(%buf = %start, %count = %c1) -> (tensor<?xi64>, index) {
    %capacity = tensor.dim %buf, %c0 : tensor<?xi64>
    %full = arith.cmpi uge, %i, %capacity : index
    %room, %made = scf.if %full -> (tensor<?xi64>, index) {
      %double = arith.muli %capacity, %c2 : index
      %new = tensor.empty(%double) : tensor<?xi64>
      %clean = linalg.fill ins(%empty : i64) outs(%new : tensor<?xi64>) -> tensor<?xi64>
      %moved = tensor.insert_slice %buf into %clean[0] [%capacity] [1] : tensor<?xi64> into tensor<?xi64>
      %more = arith.addi %count, %c1 : index
      scf.yield %moved, %more : tensor<?xi64>, index
    } else {
      scf.yield %buf, %count : tensor<?xi64>, index
    }
    %x = arith.index_cast %i : index to i64
    %square = arith.muli %x, %x : i64
    %next = tensor.insert %square into %room[%i] : tensor<?xi64>
    scf.yield %next, %made : tensor<?xi64>, index
  }
  return %list, %allocs : tensor<?xi64>, index
}
