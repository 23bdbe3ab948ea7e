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
// -----
// safe: a chain that exchanges two buffers
func.func @f(%a0_0: memref<4xf32>, %a0_1: memref<4xf32>, %d0: i1, %d1: i1, %d2: i1, %d3: i1, %d4: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %o0_0 = arith.constant false
  %o0_1 = arith.constant false
  %a1_0 = arith.select %d0, %a0_0, %a0_1 : memref<4xf32>
  %o1_0 = arith.select %d0, %o0_0, %o0_1 : i1
  %o1_1 = arith.select %d0, %true, %o0_0 : i1
  %a1_1 = scf.if %d0 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a0_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o0_1 {
      memref.dealloc %a0_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a0_0 : memref<4xf32>
  }
  %a2_0 = arith.select %d1, %a1_0, %a1_1 : memref<4xf32>
  %o2_0 = arith.select %d1, %o1_0, %o1_1 : i1
  %o2_1 = arith.select %d1, %true, %o1_0 : i1
  %a2_1 = scf.if %d1 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a1_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o1_1 {
      memref.dealloc %a1_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a1_0 : memref<4xf32>
  }
  %a3_0 = arith.select %d2, %a2_0, %a2_1 : memref<4xf32>
  %o3_0 = arith.select %d2, %o2_0, %o2_1 : i1
  %o3_1 = arith.select %d2, %true, %o2_0 : i1
  %a3_1 = scf.if %d2 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a2_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o2_1 {
      memref.dealloc %a2_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a2_0 : memref<4xf32>
  }
  %a4_0 = arith.select %d3, %a3_0, %a3_1 : memref<4xf32>
  %o4_0 = arith.select %d3, %o3_0, %o3_1 : i1
  %o4_1 = arith.select %d3, %true, %o3_0 : i1
  %a4_1 = scf.if %d3 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a3_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o3_1 {
      memref.dealloc %a3_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a3_0 : memref<4xf32>
  }
  %a5_0 = arith.select %d4, %a4_0, %a4_1 : memref<4xf32>
  %o5_0 = arith.select %d4, %o4_0, %o4_1 : i1
  %o5_1 = arith.select %d4, %true, %o4_0 : i1
  %a5_1 = scf.if %d4 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a4_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o4_1 {
      memref.dealloc %a4_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a4_0 : memref<4xf32>
  }
  scf.if %o5_0 {
    memref.dealloc %a5_0 : memref<4xf32>
  }
  scf.if %o5_1 {
    memref.dealloc %a5_1 : memref<4xf32>
  }
  return
}
// -----
// safe: a chain that exchanges three buffers
func.func @f(%a0_0: memref<4xf32>, %a0_1: memref<4xf32>, %a0_2: memref<4xf32>, %d0: i1, %d1: i1, %d2: i1, %d3: i1, %d4: i1, %d5: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %o0_0 = arith.constant false
  %o0_1 = arith.constant false
  %o0_2 = arith.constant false
  %a1_0 = arith.select %d0, %a0_0, %a0_1 : memref<4xf32>
  %o1_0 = arith.select %d0, %o0_0, %o0_1 : i1
  %a1_1 = arith.select %d0, %a0_1, %a0_2 : memref<4xf32>
  %o1_1 = arith.select %d0, %o0_1, %o0_2 : i1
  %o1_2 = arith.select %d0, %true, %o0_0 : i1
  %a1_2 = scf.if %d0 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a0_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o0_2 {
      memref.dealloc %a0_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a0_0 : memref<4xf32>
  }
  %a2_0 = arith.select %d1, %a1_0, %a1_1 : memref<4xf32>
  %o2_0 = arith.select %d1, %o1_0, %o1_1 : i1
  %a2_1 = arith.select %d1, %a1_1, %a1_2 : memref<4xf32>
  %o2_1 = arith.select %d1, %o1_1, %o1_2 : i1
  %o2_2 = arith.select %d1, %true, %o1_0 : i1
  %a2_2 = scf.if %d1 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a1_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o1_2 {
      memref.dealloc %a1_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a1_0 : memref<4xf32>
  }
  %a3_0 = arith.select %d2, %a2_0, %a2_1 : memref<4xf32>
  %o3_0 = arith.select %d2, %o2_0, %o2_1 : i1
  %a3_1 = arith.select %d2, %a2_1, %a2_2 : memref<4xf32>
  %o3_1 = arith.select %d2, %o2_1, %o2_2 : i1
  %o3_2 = arith.select %d2, %true, %o2_0 : i1
  %a3_2 = scf.if %d2 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a2_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o2_2 {
      memref.dealloc %a2_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a2_0 : memref<4xf32>
  }
  %a4_0 = arith.select %d3, %a3_0, %a3_1 : memref<4xf32>
  %o4_0 = arith.select %d3, %o3_0, %o3_1 : i1
  %a4_1 = arith.select %d3, %a3_1, %a3_2 : memref<4xf32>
  %o4_1 = arith.select %d3, %o3_1, %o3_2 : i1
  %o4_2 = arith.select %d3, %true, %o3_0 : i1
  %a4_2 = scf.if %d3 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a3_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o3_2 {
      memref.dealloc %a3_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a3_0 : memref<4xf32>
  }
  %a5_0 = arith.select %d4, %a4_0, %a4_1 : memref<4xf32>
  %o5_0 = arith.select %d4, %o4_0, %o4_1 : i1
  %a5_1 = arith.select %d4, %a4_1, %a4_2 : memref<4xf32>
  %o5_1 = arith.select %d4, %o4_1, %o4_2 : i1
  %o5_2 = arith.select %d4, %true, %o4_0 : i1
  %a5_2 = scf.if %d4 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a4_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o4_2 {
      memref.dealloc %a4_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a4_0 : memref<4xf32>
  }
  %a6_0 = arith.select %d5, %a5_0, %a5_1 : memref<4xf32>
  %o6_0 = arith.select %d5, %o5_0, %o5_1 : i1
  %a6_1 = arith.select %d5, %a5_1, %a5_2 : memref<4xf32>
  %o6_1 = arith.select %d5, %o5_1, %o5_2 : i1
  %o6_2 = arith.select %d5, %true, %o5_0 : i1
  %a6_2 = scf.if %d5 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a5_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o5_2 {
      memref.dealloc %a5_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a5_0 : memref<4xf32>
  }
  scf.if %o6_0 {
    memref.dealloc %a6_0 : memref<4xf32>
  }
  scf.if %o6_1 {
    memref.dealloc %a6_1 : memref<4xf32>
  }
  scf.if %o6_2 {
    memref.dealloc %a6_2 : memref<4xf32>
  }
  return
}
// -----
// safe: loops that rotate three buffers, of which one is replaced
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a0 = memref.alloc() : memref<4xf32>
  %a1 = memref.alloc() : memref<4xf32>
  %a2 = memref.alloc() : memref<4xf32>
  %r0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %a0, %x1 = %a1, %x2 = %a2) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    memref.copy %x0, %x1 : memref<4xf32> to memref<4xf32>
    scf.yield %x1, %x2, %x0 : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %r0#2 : memref<4xf32>
  %b0 = memref.alloc() : memref<4xf32>
  %r1:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %r0#0, %x1 = %r0#1, %x2 = %b0) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    memref.copy %x0, %x1 : memref<4xf32> to memref<4xf32>
    scf.yield %x1, %x2, %x0 : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %r1#2 : memref<4xf32>
  %b1 = memref.alloc() : memref<4xf32>
  %r2:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %r1#0, %x1 = %r1#1, %x2 = %b1) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    memref.copy %x0, %x1 : memref<4xf32> to memref<4xf32>
    scf.yield %x1, %x2, %x0 : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %r2#2 : memref<4xf32>
  %b2 = memref.alloc() : memref<4xf32>
  memref.dealloc %r2#0 : memref<4xf32>
  memref.dealloc %r2#1 : memref<4xf32>
  memref.dealloc %b2 : memref<4xf32>
  return
}
// -----
// unsafe: exchanged under two conditions
func.func @f(%n: index, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %a, %x1 = %b) -> (memref<4xf32>, memref<4xf32>) {
    %p = arith.select %c, %x1, %x0 : memref<4xf32>
    %q = arith.select %d, %x0, %x1 : memref<4xf32>
    scf.yield %p, %q : memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// unsafe: three buffers, rotated or two of them the same
func.func @f(%n: index, %k: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %a, %x1 = %b, %x2 = %c) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    %p = arith.select %k, %x2, %x1 : memref<4xf32>
    scf.yield %x1, %p, %x0 : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  memref.dealloc %r#2 : memref<4xf32>
  return
}
// -----
// unsafe: three buffers, exchanged and rotated, one freed in place of another
func.func @f(%n: index, %k: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %a, %x1 = %b, %x2 = %c) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    %p = arith.select %k, %x0, %x2 : memref<4xf32>
    %q = arith.select %k, %x2, %x0 : memref<4xf32>
    scf.yield %x1, %p, %q : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// unsafe: three buffers of which the third is that of the entry
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %a, %x1 = %b, %x2 = %c) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    scf.yield %x1, %x2, %x0 : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return
}
// -----
// unsafe: two loops, the second exchanges what the first one had
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %a, %x1 = %b) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x1, %x0 : memref<4xf32>, memref<4xf32>
  }
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %r#0, %x1 = %b) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x1, %x0 : memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %s#0 : memref<4xf32>
  memref.dealloc %s#1 : memref<4xf32>
  return
}
// -----
// unsafe: inner loop exchanges other ones
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %a, %x1 = %b) -> (memref<4xf32>, memref<4xf32>) {
    %s:2 = scf.for %j = %c0 to %n step %c1 iter_args(%y0 = %x0, %y1 = %x1) -> (memref<4xf32>, memref<4xf32>) {
      scf.yield %y1, %y0 : memref<4xf32>, memref<4xf32>
    }
    scf.yield %s#0, %x0 : memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// unsafe: exchanged addresses
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %pa = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %a, %x1 = %b) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x1, %x0 : memref<4xf32>, memref<4xf32>
  }
  %pr = memref.extract_aligned_pointer_as_index %r#0 : memref<4xf32> -> index
  %s = arith.cmpi eq, %pa, %pr : index
  scf.if %s {
  memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %b : memref<4xf32>
  return
}
// -----
// unsafe: a chain of exchanges, flags exchanged the wrong way
func.func @f(%a0_0: memref<4xf32>, %a0_1: memref<4xf32>, %d0: i1, %d1: i1, %d2: i1, %d3: i1, %d4: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %o0_0 = arith.constant false
  %o0_1 = arith.constant false
  %a1_0 = arith.select %d0, %a0_0, %a0_1 : memref<4xf32>
  %o1_0 = arith.select %d0, %o0_0, %o0_1 : i1
  %o1_1 = arith.select %d0, %true, %o0_0 : i1
  %a1_1 = scf.if %d0 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a0_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o0_1 {
      memref.dealloc %a0_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a0_0 : memref<4xf32>
  }
  %a2_0 = arith.select %d1, %a1_0, %a1_1 : memref<4xf32>
  %o2_0 = arith.select %d1, %o1_0, %o1_1 : i1
  %o2_1 = arith.select %d1, %true, %o1_0 : i1
  %a2_1 = scf.if %d1 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a1_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o1_1 {
      memref.dealloc %a1_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a1_0 : memref<4xf32>
  }
  %a3_0 = arith.select %d2, %a2_0, %a2_1 : memref<4xf32>
  %o3_0 = arith.select %d2, %o2_1, %o2_0 : i1
  %o3_1 = arith.select %d2, %true, %o2_0 : i1
  %a3_1 = scf.if %d2 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a2_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o2_1 {
      memref.dealloc %a2_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a2_0 : memref<4xf32>
  }
  %a4_0 = arith.select %d3, %a3_0, %a3_1 : memref<4xf32>
  %o4_0 = arith.select %d3, %o3_0, %o3_1 : i1
  %o4_1 = arith.select %d3, %true, %o3_0 : i1
  %a4_1 = scf.if %d3 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a3_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o3_1 {
      memref.dealloc %a3_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a3_0 : memref<4xf32>
  }
  %a5_0 = arith.select %d4, %a4_0, %a4_1 : memref<4xf32>
  %o5_0 = arith.select %d4, %o4_0, %o4_1 : i1
  %o5_1 = arith.select %d4, %true, %o4_0 : i1
  %a5_1 = scf.if %d4 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a4_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o4_1 {
      memref.dealloc %a4_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a4_0 : memref<4xf32>
  }
  scf.if %o5_0 {
    memref.dealloc %a5_0 : memref<4xf32>
  }
  scf.if %o5_1 {
    memref.dealloc %a5_1 : memref<4xf32>
  }
  return
}
// -----
// unsafe: a chain of exchanges, freed by the name of two steps before
func.func @f(%a0_0: memref<4xf32>, %a0_1: memref<4xf32>, %d0: i1, %d1: i1, %d2: i1, %d3: i1, %d4: i1, %d5: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %o0_0 = arith.constant false
  %o0_1 = arith.constant false
  %a1_0 = arith.select %d0, %a0_0, %a0_1 : memref<4xf32>
  %o1_0 = arith.select %d0, %o0_0, %o0_1 : i1
  %o1_1 = arith.select %d0, %true, %o0_0 : i1
  %a1_1 = scf.if %d0 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a0_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o0_1 {
      memref.dealloc %a0_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a0_0 : memref<4xf32>
  }
  %a2_0 = arith.select %d1, %a1_0, %a1_1 : memref<4xf32>
  %o2_0 = arith.select %d1, %o1_0, %o1_1 : i1
  %o2_1 = arith.select %d1, %true, %o1_0 : i1
  %a2_1 = scf.if %d1 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a1_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o1_1 {
      memref.dealloc %a1_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a1_0 : memref<4xf32>
  }
  %a3_0 = arith.select %d2, %a2_0, %a2_1 : memref<4xf32>
  %o3_0 = arith.select %d2, %o2_0, %o2_1 : i1
  %o3_1 = arith.select %d2, %true, %o2_0 : i1
  %a3_1 = scf.if %d2 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a2_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o2_1 {
      memref.dealloc %a2_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a2_0 : memref<4xf32>
  }
  %a4_0 = arith.select %d3, %a3_0, %a3_1 : memref<4xf32>
  %o4_0 = arith.select %d3, %o3_0, %o3_1 : i1
  %o4_1 = arith.select %d3, %true, %o3_0 : i1
  %a4_1 = scf.if %d3 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a3_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o3_1 {
      memref.dealloc %a3_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a3_0 : memref<4xf32>
  }
  %a5_0 = arith.select %d4, %a4_0, %a4_1 : memref<4xf32>
  %o5_0 = arith.select %d4, %o4_0, %o4_1 : i1
  %o5_1 = arith.select %d4, %true, %o4_0 : i1
  %a5_1 = scf.if %d4 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a4_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o4_1 {
      memref.dealloc %a4_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a4_0 : memref<4xf32>
  }
  %a6_0 = arith.select %d5, %a5_0, %a5_1 : memref<4xf32>
  %o6_0 = arith.select %d5, %o5_0, %o5_1 : i1
  %o6_1 = arith.select %d5, %true, %o5_0 : i1
  %a6_1 = scf.if %d5 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a5_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o5_1 {
      memref.dealloc %a5_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a5_0 : memref<4xf32>
  }
  scf.if %o6_0 {
    memref.dealloc %a4_0 : memref<4xf32>
  }
  scf.if %o6_1 {
    memref.dealloc %a6_1 : memref<4xf32>
  }
  return
}
// -----
// unsafe: a chain of exchanges, read by the name of two steps before
func.func @f(%a0_0: memref<4xf32>, %a0_1: memref<4xf32>, %d0: i1, %d1: i1, %d2: i1, %d3: i1, %d4: i1, %d5: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %o0_0 = arith.constant false
  %o0_1 = arith.constant false
  %a1_0 = arith.select %d0, %a0_0, %a0_1 : memref<4xf32>
  %o1_0 = arith.select %d0, %o0_0, %o0_1 : i1
  %o1_1 = arith.select %d0, %true, %o0_0 : i1
  %a1_1 = scf.if %d0 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a0_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o0_1 {
      memref.dealloc %a0_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a0_0 : memref<4xf32>
  }
  %a2_0 = arith.select %d1, %a1_0, %a1_1 : memref<4xf32>
  %o2_0 = arith.select %d1, %o1_0, %o1_1 : i1
  %o2_1 = arith.select %d1, %true, %o1_0 : i1
  %a2_1 = scf.if %d1 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a1_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o1_1 {
      memref.dealloc %a1_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a1_0 : memref<4xf32>
  }
  %a3_0 = arith.select %d2, %a2_0, %a2_1 : memref<4xf32>
  %o3_0 = arith.select %d2, %o2_0, %o2_1 : i1
  %o3_1 = arith.select %d2, %true, %o2_0 : i1
  %a3_1 = scf.if %d2 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a2_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o2_1 {
      memref.dealloc %a2_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a2_0 : memref<4xf32>
  }
  %a4_0 = arith.select %d3, %a3_0, %a3_1 : memref<4xf32>
  %o4_0 = arith.select %d3, %o3_0, %o3_1 : i1
  %o4_1 = arith.select %d3, %true, %o3_0 : i1
  %a4_1 = scf.if %d3 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a3_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o3_1 {
      memref.dealloc %a3_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a3_0 : memref<4xf32>
  }
  %a5_0 = arith.select %d4, %a4_0, %a4_1 : memref<4xf32>
  %o5_0 = arith.select %d4, %o4_0, %o4_1 : i1
  %o5_1 = arith.select %d4, %true, %o4_0 : i1
  %a5_1 = scf.if %d4 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a4_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o4_1 {
      memref.dealloc %a4_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a4_0 : memref<4xf32>
  }
  %a6_0 = arith.select %d5, %a5_0, %a5_1 : memref<4xf32>
  %o6_0 = arith.select %d5, %o5_0, %o5_1 : i1
  %o6_1 = arith.select %d5, %true, %o5_0 : i1
  %a6_1 = scf.if %d5 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a3_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o5_1 {
      memref.dealloc %a5_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a5_0 : memref<4xf32>
  }
  scf.if %o6_0 {
    memref.dealloc %a6_0 : memref<4xf32>
  }
  scf.if %o6_1 {
    memref.dealloc %a6_1 : memref<4xf32>
  }
  return
}
// -----
// unsafe: a chain of exchanges, one passes on the same twice
func.func @f(%a0_0: memref<4xf32>, %a0_1: memref<4xf32>, %d0: i1, %d1: i1, %d2: i1, %d3: i1, %d4: i1, %d5: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %o0_0 = arith.constant false
  %o0_1 = arith.constant false
  %a1_0 = arith.select %d0, %a0_0, %a0_1 : memref<4xf32>
  %o1_0 = arith.select %d0, %o0_0, %o0_1 : i1
  %o1_1 = arith.select %d0, %true, %o0_0 : i1
  %a1_1 = scf.if %d0 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a0_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o0_1 {
      memref.dealloc %a0_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a0_0 : memref<4xf32>
  }
  %a2_0 = arith.select %d1, %a1_0, %a1_1 : memref<4xf32>
  %o2_0 = arith.select %d1, %o1_0, %o1_1 : i1
  %o2_1 = arith.select %d1, %true, %o1_0 : i1
  %a2_1 = scf.if %d1 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a1_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o1_1 {
      memref.dealloc %a1_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a1_0 : memref<4xf32>
  }
  %a3_0 = arith.select %d2, %a2_0, %a2_1 : memref<4xf32>
  %o3_0 = arith.select %d2, %o2_0, %o2_1 : i1
  %o3_1 = arith.select %d2, %true, %o2_0 : i1
  %a3_1 = scf.if %d2 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a2_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o2_1 {
      memref.dealloc %a2_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a2_0 : memref<4xf32>
  }
  %a4_0 = arith.select %d3, %a3_0, %a3_1 : memref<4xf32>
  %o4_0 = arith.select %d3, %o3_0, %o3_1 : i1
  %o4_1 = arith.select %d3, %true, %o3_0 : i1
  %a4_1 = scf.if %d3 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a3_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o3_1 {
      memref.dealloc %a3_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a3_1 : memref<4xf32>
  }
  %a5_0 = arith.select %d4, %a4_0, %a4_1 : memref<4xf32>
  %o5_0 = arith.select %d4, %o4_0, %o4_1 : i1
  %o5_1 = arith.select %d4, %true, %o4_0 : i1
  %a5_1 = scf.if %d4 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a4_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o4_1 {
      memref.dealloc %a4_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a4_0 : memref<4xf32>
  }
  %a6_0 = arith.select %d5, %a5_0, %a5_1 : memref<4xf32>
  %o6_0 = arith.select %d5, %o5_0, %o5_1 : i1
  %o6_1 = arith.select %d5, %true, %o5_0 : i1
  %a6_1 = scf.if %d5 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a5_1, %y : memref<4xf32> to memref<4xf32>
    scf.if %o5_1 {
      memref.dealloc %a5_1 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a5_0 : memref<4xf32>
  }
  scf.if %o6_0 {
    memref.dealloc %a6_0 : memref<4xf32>
  }
  scf.if %o6_1 {
    memref.dealloc %a6_1 : memref<4xf32>
  }
  return
}
// -----
// unsafe: a chain of exchanges of three, one selects another
func.func @f(%a0_0: memref<4xf32>, %a0_1: memref<4xf32>, %a0_2: memref<4xf32>, %d0: i1, %d1: i1, %d2: i1, %d3: i1, %d4: i1, %d5: i1, %d6: i1, %d7: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %o0_0 = arith.constant false
  %o0_1 = arith.constant false
  %o0_2 = arith.constant false
  %a1_0 = arith.select %d0, %a0_0, %a0_1 : memref<4xf32>
  %o1_0 = arith.select %d0, %o0_0, %o0_1 : i1
  %a1_1 = arith.select %d0, %a0_1, %a0_2 : memref<4xf32>
  %o1_1 = arith.select %d0, %o0_1, %o0_2 : i1
  %o1_2 = arith.select %d0, %true, %o0_0 : i1
  %a1_2 = scf.if %d0 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a0_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o0_2 {
      memref.dealloc %a0_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a0_0 : memref<4xf32>
  }
  %a2_0 = arith.select %d1, %a1_0, %a1_1 : memref<4xf32>
  %o2_0 = arith.select %d1, %o1_0, %o1_1 : i1
  %a2_1 = arith.select %d1, %a1_1, %a1_2 : memref<4xf32>
  %o2_1 = arith.select %d1, %o1_1, %o1_2 : i1
  %o2_2 = arith.select %d1, %true, %o1_0 : i1
  %a2_2 = scf.if %d1 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a1_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o1_2 {
      memref.dealloc %a1_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a1_0 : memref<4xf32>
  }
  %a3_0 = arith.select %d2, %a2_0, %a2_1 : memref<4xf32>
  %o3_0 = arith.select %d2, %o2_0, %o2_1 : i1
  %a3_1 = arith.select %d2, %a2_1, %a2_2 : memref<4xf32>
  %o3_1 = arith.select %d2, %o2_1, %o2_2 : i1
  %o3_2 = arith.select %d2, %true, %o2_0 : i1
  %a3_2 = scf.if %d2 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a2_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o2_2 {
      memref.dealloc %a2_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a2_0 : memref<4xf32>
  }
  %a4_0 = arith.select %d3, %a3_0, %a3_1 : memref<4xf32>
  %o4_0 = arith.select %d3, %o3_0, %o3_1 : i1
  %a4_1 = arith.select %d3, %a3_1, %a3_2 : memref<4xf32>
  %o4_1 = arith.select %d3, %o3_1, %o3_2 : i1
  %o4_2 = arith.select %d3, %true, %o3_0 : i1
  %a4_2 = scf.if %d3 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a3_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o3_2 {
      memref.dealloc %a3_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a3_0 : memref<4xf32>
  }
  %a5_0 = arith.select %d4, %a4_0, %a4_1 : memref<4xf32>
  %o5_0 = arith.select %d4, %o4_0, %o4_1 : i1
  %a5_1 = arith.select %d4, %a4_1, %a4_2 : memref<4xf32>
  %o5_1 = arith.select %d4, %o4_1, %o4_2 : i1
  %o5_2 = arith.select %d4, %true, %o4_0 : i1
  %a5_2 = scf.if %d4 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a4_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o4_2 {
      memref.dealloc %a4_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a4_0 : memref<4xf32>
  }
  %a6_0 = arith.select %d5, %a5_0, %a5_1 : memref<4xf32>
  %o6_0 = arith.select %d5, %o5_0, %o5_1 : i1
  %a6_1 = arith.select %d5, %a5_1, %a5_2 : memref<4xf32>
  %o6_1 = arith.select %d5, %o5_1, %o5_2 : i1
  %o6_2 = arith.select %d5, %true, %o5_0 : i1
  %a6_2 = scf.if %d5 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a5_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o5_2 {
      memref.dealloc %a5_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a5_0 : memref<4xf32>
  }
  %a7_0 = arith.select %d6, %a6_0, %a6_1 : memref<4xf32>
  %o7_0 = arith.select %d6, %o6_0, %o6_1 : i1
  %a7_1 = arith.select %d6, %a6_1, %a6_0 : memref<4xf32>
  %o7_1 = arith.select %d6, %o6_1, %o6_2 : i1
  %o7_2 = arith.select %d6, %true, %o6_0 : i1
  %a7_2 = scf.if %d6 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a6_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o6_2 {
      memref.dealloc %a6_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a6_0 : memref<4xf32>
  }
  %a8_0 = arith.select %d7, %a7_0, %a7_1 : memref<4xf32>
  %o8_0 = arith.select %d7, %o7_0, %o7_1 : i1
  %a8_1 = arith.select %d7, %a7_1, %a7_2 : memref<4xf32>
  %o8_1 = arith.select %d7, %o7_1, %o7_2 : i1
  %o8_2 = arith.select %d7, %true, %o7_0 : i1
  %a8_2 = scf.if %d7 -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %a7_2, %y : memref<4xf32> to memref<4xf32>
    scf.if %o7_2 {
      memref.dealloc %a7_2 : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  } else {
    scf.yield %a7_0 : memref<4xf32>
  }
  scf.if %o8_0 {
    memref.dealloc %a8_0 : memref<4xf32>
  }
  scf.if %o8_1 {
    memref.dealloc %a8_1 : memref<4xf32>
  }
  scf.if %o8_2 {
    memref.dealloc %a8_2 : memref<4xf32>
  }
  return
}
// -----
// unsafe: the loop's block arguments swap and the exit gets the other one
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  cf.br ^h(%a, %b, %c0 : memref<4xi32>, memref<4xi32>, index)
^h(%p: memref<4xi32>, %q: memref<4xi32>, %i: index):
  %c = arith.cmpi slt, %i, %n : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %c, ^h(%q, %p, %j : memref<4xi32>, memref<4xi32>, index), ^e(%p : memref<4xi32>)
^e(%r: memref<4xi32>):
  memref.dealloc %r : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// safe: while with before yielding in another order
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r:3 = scf.while (%x = %a, %i = %c0, %y = %b) : (memref<4xi32>, index, memref<4xi32>) -> (index, memref<4xi32>, memref<4xi32>) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %y, %x : index, memref<4xi32>, memref<4xi32>
  } do {
  ^bb0(%i: index, %p: memref<4xi32>, %q: memref<4xi32>):
    %j = arith.addi %i, %c1 : index
    %new = memref.alloc() : memref<4xi32>
    memref.dealloc %p : memref<4xi32>
    scf.yield %q, %j, %new : memref<4xi32>, index, memref<4xi32>
  }
  memref.dealloc %r#1 : memref<4xi32>
  memref.dealloc %r#2 : memref<4xi32>
  return
}
// -----
// unsafe: irreducible, values of one entry survive into the other
func.func @f(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  cf.cond_br %c, ^x(%a, %b, %c0 : memref<4xi32>, memref<4xi32>, index), ^y(%b, %a, %c0 : memref<4xi32>, memref<4xi32>, index)
^x(%p: memref<4xi32>, %q: memref<4xi32>, %i: index):
  %l = arith.cmpi slt, %i, %n : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %l, ^y(%p, %q, %j : memref<4xi32>, memref<4xi32>, index), ^e(%p, %c : memref<4xi32>, i1)
^y(%p2: memref<4xi32>, %q2: memref<4xi32>, %i2: index):
  cf.br ^x(%q2, %p2, %i2 : memref<4xi32>, memref<4xi32>, index)
^e(%r: memref<4xi32>, %d: i1):
  memref.dealloc %r : memref<4xi32>
  memref.dealloc %b : memref<4xi32>
  return
}
// -----
// safe: irreducible, exchanges, both freed
func.func @f(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  cf.cond_br %c, ^x(%a, %b, %c0 : memref<4xi32>, memref<4xi32>, index), ^y(%b, %a, %c0 : memref<4xi32>, memref<4xi32>, index)
^x(%p: memref<4xi32>, %q: memref<4xi32>, %i: index):
  %l = arith.cmpi slt, %i, %n : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %l, ^y(%p, %q, %j : memref<4xi32>, memref<4xi32>, index), ^e(%p, %q : memref<4xi32>, memref<4xi32>)
^y(%p2: memref<4xi32>, %q2: memref<4xi32>, %i2: index):
  cf.br ^x(%q2, %p2, %i2 : memref<4xi32>, memref<4xi32>, index)
^e(%r: memref<4xi32>, %s: memref<4xi32>):
  memref.dealloc %r : memref<4xi32>
  memref.dealloc %s : memref<4xi32>
  return
}
