// safe: a function that is followed fills flags step by step
func.func private @fill(%w: memref<4xi1>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 { memref.store %c, %w[%i] : memref<4xi1> }
  return
}
func.func @f() {
  %c2 = arith.constant 2 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<4xi1>
  func.call @fill(%w, %t) : (memref<4xi1>, i1) -> ()
  %e = memref.load %w[%c2] : memref<4xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<4xi1>
  return
}
// -----
// unsafe: it leaves out the last one
func.func private @fill(%w: memref<4xi1>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 { memref.store %c, %w[%i] : memref<4xi1> }
  return
}
func.func @f(%c: i1) {
  %c3 = arith.constant 3 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<4xi1>
  memref.store %c, %w[%c3] : memref<4xi1>
  func.call @fill(%w, %t) : (memref<4xi1>, i1) -> ()
  %e = memref.load %w[%c3] : memref<4xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<4xi1>
  return
}
// -----
// not judged: how many it fills is not known
func.func private @fill(%w: memref<4xi1>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 { memref.store %c, %w[%i] : memref<4xi1> }
  return
}
func.func @f(%n: index) {
  %c2 = arith.constant 2 : index
  %t = arith.constant true
  %f = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<4xi1>
  memref.store %f, %w[%c2] : memref<4xi1>
  func.call @fill(%w, %n, %t) : (memref<4xi1>, index, i1) -> ()
  %e = memref.load %w[%c2] : memref<4xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<4xi1>
  return
}
// -----
// safe: blocks go round as often as a number says that is known
func.func private @fill(%w: memref<4xi1>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c4 : index
  cf.cond_br %more, ^body, ^end
^body:
  memref.store %c, %w[%i] : memref<4xi1>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^end:
  return
}
func.func @f() {
  %c3 = arith.constant 3 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<4xi1>
  func.call @fill(%w, %t) : (memref<4xi1>, i1) -> ()
  %e = memref.load %w[%c3] : memref<4xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<4xi1>
  return
}
// -----
// unsafe: blocks go round, and a stack that was reserved in an earlier round is used
func.func private @fill(%w: memref<4xi1>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  cf.br ^head(%c0, %w : index, memref<4xi1>)
^head(%i: index, %v: memref<4xi1>):
  memref.store %c, %v[%i] : memref<4xi1>
  %own = memref.alloca() : memref<4xi1>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %c4 : index
  cf.cond_br %more, ^head(%j, %own : index, memref<4xi1>), ^end
^end:
  return
}
func.func @f() {
  %c3 = arith.constant 3 : index
  %t = arith.constant true
  %f = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<4xi1>
  memref.store %f, %w[%c3] : memref<4xi1>
  func.call @fill(%w, %t) : (memref<4xi1>, i1) -> ()
  %e = memref.load %w[%c3] : memref<4xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<4xi1>
  return
}
// -----
// unsafe: it leaves the loop early
func.func private @fill(%w: memref<4xi1>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  memref.store %c, %w[%i] : memref<4xi1>
  cf.cond_br %d, ^end, ^next
^next:
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %c4 : index
  cf.cond_br %more, ^head(%j : index), ^end
^end:
  return
}
func.func @f(%d: i1) {
  %c3 = arith.constant 3 : index
  %t = arith.constant true
  %f = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<4xi1>
  memref.store %f, %w[%c3] : memref<4xi1>
  func.call @fill(%w, %t, %d) : (memref<4xi1>, i1, i1) -> ()
  %e = memref.load %w[%c3] : memref<4xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<4xi1>
  return
}
// -----
// unsafe: a loop that never ends, and that a condition skips
func.func private @spin(%w: memref<1xi1>, %d: i1) {
  cf.cond_br %d, ^head, ^end
^head:
  cf.br ^head
^end:
  return
}
func.func @f(%d: i1) {
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<1xi1>
  func.call @spin(%w, %d) : (memref<1xi1>, i1) -> ()
  scf.if %d { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<1xi1>
  return
}
// -----
// safe: a function that doesn't return
func.func private @spin(%w: memref<1xi1>) {
  cf.br ^head
^head:
  cf.br ^head
}
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<1xi1>
  func.call @spin(%w) : (memref<1xi1>) -> ()
  memref.dealloc %w : memref<1xi1>
  return
}
// -----
// safe: a size is asked of a buffer that is followed
func.func private @last(%w: memref<2x3xi1>, %c: i1) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %w, %c1 : memref<2x3xi1>
  %i = arith.subi %n, %c1 : index
  memref.store %c, %w[%c1, %i] : memref<2x3xi1>
  return
}
func.func @f() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<2x3xi1>
  func.call @last(%w, %t) : (memref<2x3xi1>, i1) -> ()
  %e = memref.load %w[%c1, %c2] : memref<2x3xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<2x3xi1>
  return
}
// -----
// not judged: a size that isn't there, and one of which nobody knows which
func.func private @last(%w: memref<2x3xi1>, %i: index, %c: i1) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %w, %i : memref<2x3xi1>
  %k = arith.subi %n, %c1 : index
  memref.store %c, %w[%c1, %k] : memref<2x3xi1>
  return
}
func.func @f(%i: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = arith.constant true
  %f = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<2x3xi1>
  memref.store %f, %w[%c1, %c2] : memref<2x3xi1>
  func.call @last(%w, %i, %t) : (memref<2x3xi1>, index, i1) -> ()
  %e = memref.load %w[%c1, %c2] : memref<2x3xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<2x3xi1>
  return
}
// -----
// not judged: more flags than are followed
func.func @f() {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<5000xi1>
  memref.store %t, %w[%c0] : memref<5000xi1>
  %e = memref.load %w[%c0] : memref<5000xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<5000xi1>
  return
}
// -----
// not judged: flags, as many as nobody knows
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc(%n) : memref<?xi1>
  memref.store %t, %w[%c0] : memref<?xi1>
  %e = memref.load %w[%c0] : memref<?xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<?xi1>
  return
}
// -----
// unsafe: bounds of a hundred bits
func.func @f() {
  %c0 = arith.constant 0 : i100
  %c1 = arith.constant 1 : i100
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<1xi1>
  %b = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %c1 step %c1 : i100 { memref.dealloc %b : memref<4xi32> }
  memref.dealloc %w : memref<1xi1>
  return
}
// -----
// unsafe: a loop that runs almost forever
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 9000000000000000000 : index
  %a = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %n step %c1 { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a switch on a constant goes elsewhere
func.func @f() {
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  scf.index_switch %c2
  case 1 {
    memref.dealloc %a : memref<4xi32>
    scf.yield
  }
  case 2 {
    scf.yield
  }
  default {
    memref.dealloc %a : memref<4xi32>
    scf.yield
  }
  return
}
// -----
// unsafe: sums that overflow, of which nobody knows that they are the same
func.func @f(%x: i32, %y: i32) {
  %a = memref.alloc() : memref<4xi32>
  %l, %o = arith.addui_extended %x, %y : i32, i1
  %m, %p = arith.addui_extended %x, %y : i32, i1
  %t = arith.constant true
  %n = arith.xori %p, %t : i1
  scf.if %o { memref.dealloc %a : memref<4xi32> }
  scf.if %n { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a vector is chosen by a vector, and an element decides
func.func @f(%c: vector<2xi1>, %x: vector<2xi1>, %y: vector<2xi1>) {
  %a = memref.alloc() : memref<4xi32>
  %s = arith.select %c, %x, %y : vector<2xi1>, vector<2xi1>
  %b = arith.andi %s, %x : vector<2xi1>
  %k = arith.cmpi eq, %b, %y : vector<2xi1>
  %e = vector.extract %k[0] : i1 from vector<2xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: an address as a number that is cut off
func.func @f(%m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %i = arith.index_cast %p : index to i32
  memref.store %i, %m[%c0] : memref<1xi32>
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// not judged: two numbers are cast to one
func.func @f(%i: index, %j: index) -> index {
  %k = builtin.unrealized_conversion_cast %i, %j : index, index to index
  %a = memref.alloc() : memref<4xi32>
  %b = builtin.unrealized_conversion_cast %k : index to memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return %k : index
}
// -----
// unsafe: views whose shifts are not known
func.func @f(%i: index, %j: index, %c: i1) {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%i][] : memref<64xi8> to memref<4xi32>
  %w = memref.view %b[%j][] : memref<64xi8> to memref<4xi32>
  %s = arith.select %c, %v, %w : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %s : memref<4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %v : memref<4xi32> -> index
  %e = arith.cmpi eq, %p, %q : index
  scf.if %e { memref.dealloc %a : memref<64xi8> }
  memref.dealloc %b : memref<64xi8>
  return
}
// -----
// safe: the function frees what it is given, which says nothing about the buffers that a loop of its own hands on a place further
func.func private @p1(%arg0: memref<8xf32>, %n: index) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.dealloc %arg0 : memref<8xf32>
  %A = memref.alloc() : memref<8xf32>
  %B = memref.alloc() : memref<8xf32>
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %A, %b = %B, %f = %false) -> (memref<8xf32>, memref<8xf32>, i1) {
    scf.if %f {
      memref.dealloc %a : memref<8xf32>
    }
    %C = memref.alloc() : memref<8xf32>
    scf.yield %b, %C, %true : memref<8xf32>, memref<8xf32>, i1
  }
  scf.if %0#2 {
    memref.dealloc %0#0 : memref<8xf32>
  }
  memref.dealloc %0#1 : memref<8xf32>
  memref.dealloc %A : memref<8xf32>
  return
}
func.func @main(%n: index) {
  %a = memref.alloc() : memref<8xf32>
  call @p1(%a, %n) : (memref<8xf32>, index) -> ()
  return
}
// -----
// unsafe: a followed function clears a flag where a computed index, which wraps, is zero
func.func private @g(%o: memref<2xi1>, %s: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f = arith.constant false
  scf.for %i = %c0 to %c3 step %c1 {
    %j = arith.index_cast %i : index to i8
    %k = arith.muli %j, %s : i8
    %l = arith.index_castui %k : i8 to index
    %in = arith.cmpi ult, %l, %c3 : index
    %b = arith.cmpi eq, %l, %c0 : index
    scf.if %b { memref.store %f, %o[%c0] : memref<2xi1> }
  }
  return
}
func.func @f() {
  %c0 = arith.constant 0 : index
  %s = arith.constant 128 : i8
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %o = memref.alloca() : memref<2xi1>
  memref.store %t, %o[%c0] : memref<2xi1>
  call @g(%o, %s) : (memref<2xi1>, i8) -> ()
  %l = memref.load %o[%c0] : memref<2xi1>
  scf.if %l { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a followed function clears the flag at a computed index, which wraps to zero
func.func private @g(%o: memref<2xi1>, %s: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %f = arith.constant false
  scf.for %i = %c1 to %c3 step %c1 {
    %j = arith.index_cast %i : index to i8
    %k = arith.muli %j, %s : i8
    %l = arith.index_castui %k : i8 to index
    %b = arith.cmpi ult, %l, %c2 : index
    scf.if %b { memref.store %f, %o[%l] : memref<2xi1> }
  }
  return
}
func.func @f() {
  %c0 = arith.constant 0 : index
  %s = arith.constant 128 : i8
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %o = memref.alloca() : memref<2xi1>
  memref.store %t, %o[%c0] : memref<2xi1>
  call @g(%o, %s) : (memref<2xi1>, i8) -> ()
  %l = memref.load %o[%c0] : memref<2xi1>
  scf.if %l { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a callee with a cf loop carries a flag, exchange of two memrefs of flags
func.func private @g(%o: memref<1xi1>, %p: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = arith.constant true
  %f = arith.constant false
  cf.br ^h(%o, %p, %c0 : memref<1xi1>, memref<1xi1>, index)
^h(%x: memref<1xi1>, %y: memref<1xi1>, %i: index):
  %c = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %c, ^b, ^e
^b:
  memref.store %t, %x[%c0] : memref<1xi1>
  memref.store %f, %y[%c0] : memref<1xi1>
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%y, %x, %j : memref<1xi1>, memref<1xi1>, index)
^e:
  return
}
func.func @f() {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %o = memref.alloca() : memref<1xi1>
  %p = memref.alloca() : memref<1xi1>
  call @g(%o, %p) : (memref<1xi1>, memref<1xi1>) -> ()
  %l = memref.load %p[%c0] : memref<1xi1>
  scf.if %l { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a callee with a cf loop, exchange of two memrefs of flags, three times
func.func private @g(%o: memref<1xi1>, %p: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = arith.constant true
  %f = arith.constant false
  cf.br ^h(%o, %p, %c0 : memref<1xi1>, memref<1xi1>, index)
^h(%x: memref<1xi1>, %y: memref<1xi1>, %i: index):
  %c = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %c, ^b, ^e
^b:
  memref.store %t, %x[%c0] : memref<1xi1>
  memref.store %f, %y[%c0] : memref<1xi1>
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%y, %x, %j : memref<1xi1>, memref<1xi1>, index)
^e:
  return
}
func.func @f() {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %o = memref.alloca() : memref<1xi1>
  %p = memref.alloca() : memref<1xi1>
  call @g(%o, %p) : (memref<1xi1>, memref<1xi1>) -> ()
  %l = memref.load %o[%c0] : memref<1xi1>
  scf.if %l { memref.dealloc %a : memref<4xi32> }
  return
}
