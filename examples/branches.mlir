// Control flow between blocks, with buffers as block arguments: what arrives at
// ^picked is the caller's buffer on one way, and a new one on the other.
//
// What to look at: this is the program before frees are inserted. Run as it is, it
// leaks, and the interpreter names the allocations. Compiled, what is allocated is
// freed once on every path, and the caller's buffer never. opt's pipelines let a
// bit travel with the buffer that tells who owns it; compile finds that it needs none.
//
//   freehold run examples/branches.mlir '[1, 2, 3, 4]' true false
//   freehold compile examples/branches.mlir > branches.freed.mlir
//   freehold run branches.freed.mlir '[1, 2, 3, 4]' true false

func.func @branches(%start: memref<4xi64>, %increment: i1, %twice: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  cf.cond_br %increment, ^add, ^picked(%start : memref<4xi64>)

^add:
  %a = memref.alloc() : memref<4xi64>
  linalg.map ins(%start : memref<4xi64>) outs(%a : memref<4xi64>)
    (%x: i64) {
    %y = arith.addi %x, %one : i64
    linalg.yield %y : i64
  }
  cf.br ^picked(%a : memref<4xi64>)

^picked(%buf: memref<4xi64>):
  %first = memref.load %buf[%c0] : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  cf.cond_br %twice, ^double, ^copy

^double:
  linalg.add ins(%buf, %buf : memref<4xi64>, memref<4xi64>) outs(%b : memref<4xi64>)
  cf.br ^end(%b, %buf : memref<4xi64>, memref<4xi64>)

^copy:
  memref.copy %buf, %b : memref<4xi64> to memref<4xi64>
  cf.br ^end(%buf, %b : memref<4xi64>, memref<4xi64>)

^end(%p: memref<4xi64>, %q: memref<4xi64>):
  %x0 = memref.load %p[%c1] : memref<4xi64>
  %x1 = memref.load %q[%c1] : memref<4xi64>
  %s0 = arith.addi %first, %x0 : i64
  %s1 = arith.addi %s0, %x1 : i64
  return %s1 : i64
}
