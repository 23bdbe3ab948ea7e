// unsafe: the two buffers change places, and the first is freed in each iteration
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xi32>, memref<4xi32>) {
    memref.dealloc %x : memref<4xi32>
    scf.yield %y, %x : memref<4xi32>, memref<4xi32>
  }
  return
}
// -----
// safe: the two buffers change places, and the first is made anew
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xi32>, memref<4xi32>) {
    memref.dealloc %x : memref<4xi32>
    %z = memref.alloc() : memref<4xi32>
    scf.yield %y, %z : memref<4xi32>, memref<4xi32>
  }
  memref.dealloc %r#0 : memref<4xi32>
  memref.dealloc %r#1 : memref<4xi32>
  return
}
// -----
// unsafe: before the decision one is freed, and after it the other, which is the same every second time
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r:3 = scf.while (%x = %a, %y = %b, %i = %c0) : (memref<4xi32>, memref<4xi32>, index) -> (memref<4xi32>, memref<4xi32>, index) {
    %c = arith.cmpi ult, %i, %n : index
    scf.condition(%c) %y, %x, %i : memref<4xi32>, memref<4xi32>, index
  } do {
  ^bb0(%x: memref<4xi32>, %y: memref<4xi32>, %i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %x, %y, %j : memref<4xi32>, memref<4xi32>, index
  }
  memref.dealloc %b : memref<4xi32>
  memref.dealloc %r#0 : memref<4xi32>
  return
}
// -----
// unsafe: how often it runs is even, but a third of the buffers is freed each time
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xi32>, memref<4xi32>) {
    scf.yield %y, %x : memref<4xi32>, memref<4xi32>
  }
  memref.dealloc %r#0 : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: the condition that is carried says what was true of the earlier buffer
func.func @f(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %o = %t) -> (memref<4xi32>, i1) {
    %z = memref.alloc() : memref<4xi32>
    scf.if %o { memref.dealloc %x : memref<4xi32> }
    scf.yield %z, %c : memref<4xi32>, i1
  }
  scf.if %r#1 { memref.dealloc %r#0 : memref<4xi32> }
  return
}
// -----
// unsafe: a loop that never runs should free
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant -1 : index
  %a = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %m step %c1 { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a loop of affine that runs twice
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  affine.for %i = -1 to 2 step 2 { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a loop of affine that runs once
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  affine.for %i = 0 to 2 step 2 { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a loop of affine that runs as often as the smaller of its bounds says
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  affine.for %i = 0 to min affine_map<(d0) -> (d0, 1)>(%n) { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: as often as the smaller number of unsigned bounds of eight bits
func.func @f() {
  %l = arith.constant 100 : i8
  %u = arith.constant -100 : i8
  %s = arith.constant 1 : i8
  %a = memref.alloc() : memref<4xi32>
  scf.for %i = %l to %u step %s : i8 { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: the next number is beyond eight bits
func.func @f() {
  %l = arith.constant 100 : i8
  %u = arith.constant 127 : i8
  %s = arith.constant 100 : i8
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  scf.for %i = %l to %u step %s : i8 { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: two entries, each with another buffer, and both are freed inside
func.func @f(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  cf.cond_br %c, ^x(%a : memref<4xi32>), ^y(%b : memref<4xi32>)
^x(%p: memref<4xi32>):
  memref.dealloc %p : memref<4xi32>
  cf.br ^y(%b : memref<4xi32>)
^y(%q: memref<4xi32>):
  cf.cond_br %d, ^x(%q : memref<4xi32>), ^z
^z:
  memref.dealloc %q : memref<4xi32>
  return
}
// -----
// unsafe: three entries, of which one passes the buffers in another order
func.func @f(%s: i32, %d: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  cf.switch %s : i32, [
    default: ^x(%a, %b : memref<4xi32>, memref<4xi32>),
    1: ^y(%a, %b : memref<4xi32>, memref<4xi32>),
    2: ^z(%a, %b : memref<4xi32>, memref<4xi32>)
  ]
^x(%p: memref<4xi32>, %q: memref<4xi32>):
  cf.br ^y(%q, %p : memref<4xi32>, memref<4xi32>)
^y(%p1: memref<4xi32>, %q1: memref<4xi32>):
  cf.br ^z(%p1, %q1 : memref<4xi32>, memref<4xi32>)
^z(%p2: memref<4xi32>, %q2: memref<4xi32>):
  cf.cond_br %d, ^x(%p2, %q2 : memref<4xi32>, memref<4xi32>), ^w
^w:
  memref.dealloc %p2 : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// safe: a switch on a boolean, of which true is -1 and 1
func.func @f(%s: i1) {
  %a = memref.alloc() : memref<4xi32>
  cf.switch %s : i1, [
    default: ^x,
    1: ^y
  ]
^x:
  memref.dealloc %a : memref<4xi32>
  return
^y:
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: the same case of two switches on different numbers
func.func @f(%s: i32, %t: i32) {
  %a = memref.alloc() : memref<4xi32>
  cf.switch %s : i32, [
    default: ^x,
    1: ^y
  ]
^x:
  memref.dealloc %a : memref<4xi32>
  cf.br ^y
^y:
  cf.switch %t : i32, [
    default: ^z,
    1: ^w
  ]
^w:
  memref.dealloc %a : memref<4xi32>
  cf.br ^z
^z:
  return
}
// -----
// safe: the same case of two switches on the same number
func.func @f(%s: i32) {
  %a = memref.alloc() : memref<4xi32>
  cf.switch %s : i32, [
    default: ^x,
    1: ^y
  ]
^x:
  memref.dealloc %a : memref<4xi32>
  cf.br ^y
^y:
  cf.switch %s : i32, [
    default: ^z,
    1: ^w
  ]
^w:
  memref.dealloc %a : memref<4xi32>
  cf.br ^z
^z:
  return
}
// -----
// safe: an assertion ends what would free twice
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  %t = arith.constant true
  %d = arith.xori %c, %t : i1
  cf.assert %d, "it was freed"
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: an assertion of something else
func.func @f(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4xi32>
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  cf.assert %d, "it was freed"
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// safe: what is not asserted is not reached
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %f = arith.constant false
  cf.assert %f, "never"
  memref.dealloc %a : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: an assertion in a function that is called only sometimes
func.func private @g(%c: i1) {
  cf.assert %c, "no"
  return
}
func.func @f(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4xi32>
  scf.if %d { func.call @g(%c) : (i1) -> () }
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: buffers of the stack of an earlier iteration
func.func @f(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloca() : memref<4xi32>
  %r = memref.alloca_scope -> (memref<4xi32>) {
    %b = memref.alloca() : memref<4xi32>
    memref.alloca_scope.return %b : memref<4xi32>
  }
  memref.store %x, %r[%c0] : memref<4xi32>
  return
}
// -----
// not judged: regions that get buffers from nobody knows where
func.func @f(%m: memref<4xmemref<4xi32>>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m : memref<4xmemref<4xi32>>) {
  ^bb0(%x: memref<4xi32>):
    memref.dealloc %x : memref<4xi32>
    linalg.yield %x : memref<4xi32>
  }
  return
}
// -----
// unsafe: freed once for each iteration that runs in parallel
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.dealloc %a : memref<4xi32>
    scf.reduce
  }
  return
}
// -----
// unsafe: freed once for each thread
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  scf.forall (%i) in (%n) {
    memref.dealloc %a : memref<4xi32>
  }
  return
}
// -----
// unsafe: freed for each point of a loop of affine
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  affine.parallel (%i) = (0) to (2) {
    memref.dealloc %a : memref<4xi32>
  }
  return
}
// -----
// not judged: what runs at another time
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %t = "async.execute"() ({
    memref.dealloc %a : memref<4xi32>
    "async.yield"() : () -> ()
  }) : () -> !async.token
  "async.await"(%t) : (!async.token) -> ()
  return
}
// -----
// unsafe: a reduction that frees
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %a = memref.alloc() : memref<4xi32>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> i32 {
    %x = memref.load %a[%c0] : memref<4xi32>
    scf.reduce(%x : i32) {
    ^bb0(%p: i32, %q: i32):
      memref.dealloc %a : memref<4xi32>
      scf.reduce.return %p : i32
    }
  }
  return
}
// -----
// unsafe: a condition for each element
func.func @f(%m: memref<4xi1>) {
  %a = memref.alloc() : memref<4xi32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m : memref<4xi1>) {
  ^bb0(%c: i1):
    scf.if %c { memref.dealloc %a : memref<4xi32> }
    linalg.yield %c : i1
  }
  return
}
// -----
// unsafe: a mask that isn't
func.func @f(%m: memref<4xi32>, %v: vector<4xi32>, %k: vector<4xi1>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  vector.mask %k { vector.transfer_write %v, %a[%c0] {in_bounds = [true]} : vector<4xi32>, memref<4xi32> } : vector<4xi1>
  return
}
// -----
// unsafe: of two conditions that are poison, both may hold
func.func @f() {
  %p = ub.poison : i1
  %q = ub.poison : i1
  %a = memref.alloc() : memref<4xi32>
  scf.if %p { memref.dealloc %a : memref<4xi32> }
  %t = arith.constant true
  %n = arith.xori %q, %t : i1
  scf.if %n { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: what is divided twice is the same, but not of other numbers
func.func @f(%x: i32, %y: i32) {
  %a = memref.alloc() : memref<4xi32>
  %q = arith.divsi %x, %y : i32
  %r = arith.divui %x, %y : i32
  %c = arith.cmpi eq, %q, %r : i32
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: the same comparison of the same quotients
func.func @f(%x: i32, %y: i32) {
  %a = memref.alloc() : memref<4xi32>
  %q = arith.divsi %x, %y : i32
  %r = arith.divsi %x, %y : i32
  %c = arith.cmpi slt, %q, %x : i32
  %d = arith.cmpi sge, %r, %x : i32
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  scf.if %d { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: smaller, and larger, is not always
func.func @f(%x: i32, %y: i32) {
  %a = memref.alloc() : memref<4xi32>
  %c = arith.cmpi slt, %x, %y : i32
  %d = arith.cmpi sgt, %x, %y : i32
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  scf.if %d { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: signed and unsigned numbers
func.func @f(%x: i32, %y: i32) {
  %a = memref.alloc() : memref<4xi32>
  %c = arith.cmpi slt, %x, %y : i32
  %d = arith.cmpi uge, %x, %y : i32
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  scf.if %d { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: cut off, numbers are the same that weren't
func.func @f(%x: i32, %y: i32) {
  %a = memref.alloc() : memref<4xi32>
  %u = arith.trunci %x : i32 to i8
  %v = arith.trunci %y : i32 to i8
  %c = arith.cmpi eq, %x, %y : i32
  %d = arith.cmpi ne, %u, %v : i8
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  scf.if %d { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: the same random number isn't drawn twice
func.func private @random() -> i32
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %x = func.call @random() : () -> i32
  %y = func.call @random() : () -> i32
  %z = arith.constant 0 : i32
  %c = arith.cmpi eq, %x, %z : i32
  %d = arith.cmpi ne, %y, %z : i32
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  scf.if %d { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: what is read twice need not be the same
func.func @f(%m: memref<1xi1>, %n: memref<1xi1>, %c: i1) {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %x = memref.load %m[%c0] : memref<1xi1>
  scf.if %x { memref.dealloc %a : memref<4xi32> }
  memref.store %c, %n[%c0] : memref<1xi1>
  %y = memref.load %m[%c0] : memref<1xi1>
  %z = arith.xori %y, %t : i1
  scf.if %z { memref.dealloc %a : memref<4xi32> }
  return
}
