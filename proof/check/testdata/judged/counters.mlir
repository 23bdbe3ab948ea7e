// safe: what a loop counts: first
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  %g = arith.cmpi sgt, %n, %c0 : index
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: first, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi ne, %i, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  %g = arith.cmpi sgt, %n, %c0 : index
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: first, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  %g = arith.cmpi sge, %n, %c0 : index
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// not judged: what a loop counts: last
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %l = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi eq, %i, %l : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  %g = arith.cmpi sgt, %n, %c0 : index
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: last, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %l = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi ne, %i, %l : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  %g = arith.cmpi sgt, %n, %c0 : index
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: what a loop counts: prev
func.func @f(%n: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%q = %out) -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %q, %new : memref<4xf32> to memref<4xf32>
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e { } else { memref.dealloc %q : memref<4xf32> }
    scf.yield %new : memref<4xf32>
  }
  %g = arith.cmpi sgt, %n, %c0 : index
  scf.if %g { memref.dealloc %last : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: prev, wrong
func.func @f(%n: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%q = %out) -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %q, %new : memref<4xf32> to memref<4xf32>
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e { } else { memref.dealloc %q : memref<4xf32> }
    scf.yield %new : memref<4xf32>
  }
  %g = arith.cmpi sge, %n, %c0 : index
  scf.if %g { memref.dealloc %last : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: prev, wrong
func.func @f(%n: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%q = %out) -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %q, %new : memref<4xf32> to memref<4xf32>
    %e = arith.cmpi ne, %i, %c0 : index
    scf.if %e { } else { memref.dealloc %q : memref<4xf32> }
    scf.yield %new : memref<4xf32>
  }
  %g = arith.cmpi sgt, %n, %c0 : index
  scf.if %g { memref.dealloc %last : memref<4xf32> }
  return
}
// -----
// safe: what a loop counts: prev const
func.func @f(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %c5 = arith.constant 5 : index
  %last = scf.for %i = %c0 to %c5 step %c1 iter_args(%q = %out) -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %q, %new : memref<4xf32> to memref<4xf32>
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e { } else { memref.dealloc %q : memref<4xf32> }
    scf.yield %new : memref<4xf32>
  }
  memref.dealloc %last : memref<4xf32>
  return
}
// -----
// unsafe: what a loop counts: prev const, wrong
func.func @f(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %c5 = arith.constant 5 : index
  %last = scf.for %i = %c0 to %c5 step %c1 iter_args(%q = %out) -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %q, %new : memref<4xf32> to memref<4xf32>
    %e = arith.cmpi ne, %i, %c0 : index
    scf.if %e { } else { memref.dealloc %q : memref<4xf32> }
    scf.yield %new : memref<4xf32>
  }
  memref.dealloc %last : memref<4xf32>
  return
}
// -----
// safe: what a loop counts: prev flag
func.func @f(%n: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %last, %o = scf.for %i = %c0 to %n step %c1 iter_args(%q = %out, %own = %false) -> (memref<4xf32>, i1) {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %q, %new : memref<4xf32> to memref<4xf32>
    %e = arith.cmpi sgt, %i, %c0 : index
    scf.if %e { memref.dealloc %q : memref<4xf32> }
    scf.yield %new, %true : memref<4xf32>, i1
  }
  scf.if %o { memref.dealloc %last : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: prev flag, wrong
func.func @f(%n: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %last, %o = scf.for %i = %c0 to %n step %c1 iter_args(%q = %out, %own = %false) -> (memref<4xf32>, i1) {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %q, %new : memref<4xf32> to memref<4xf32>
    %e = arith.cmpi sge, %i, %c0 : index
    scf.if %e { memref.dealloc %q : memref<4xf32> }
    scf.yield %new, %true : memref<4xf32>, i1
  }
  scf.if %o { memref.dealloc %last : memref<4xf32> }
  return
}
// -----
// safe: what a loop counts: oneiter
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.alloc() : memref<2xf32>
    %e = arith.cmpi eq, %i, %c1 : index
    scf.if %e { memref.dealloc %q : memref<2xf32> } else { memref.dealloc %q : memref<2xf32> }
  }
  memref.dealloc %m : memref<4xf32>
  return
}
// -----
// unsafe: what a loop counts: oneiter, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.alloc() : memref<2xf32>
    %e = arith.cmpi eq, %i, %c1 : index
    scf.if %e { memref.dealloc %q : memref<2xf32> }
  }
  memref.dealloc %m : memref<4xf32>
  return
}
// -----
// safe: what a loop counts: twohalves
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.alloc() : memref<2xf32>
    %e = arith.cmpi slt, %i, %k : index
    scf.if %e { memref.dealloc %q : memref<2xf32> }
    %g = arith.cmpi sge, %i, %k : index
    scf.if %g { memref.dealloc %q : memref<2xf32> }
  }
  memref.dealloc %m : memref<4xf32>
  return
}
// -----
// unsafe: what a loop counts: twohalves, wrong
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.alloc() : memref<2xf32>
    %e = arith.cmpi slt, %i, %k : index
    scf.if %e { memref.dealloc %q : memref<2xf32> }
    %g = arith.cmpi sgt, %i, %k : index
    scf.if %g { memref.dealloc %q : memref<2xf32> }
  }
  memref.dealloc %m : memref<4xf32>
  return
}
// -----
// safe: what a loop counts: ownbefore
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%b = %m) -> memref<4xf32> {
    memref.dealloc %b : memref<4xf32>
    %new = memref.alloc() : memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  memref.dealloc %q : memref<4xf32>
  return
}
// -----
// unsafe: what a loop counts: ownbefore, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%b = %m) -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  memref.dealloc %q : memref<4xf32>
  return
}
// -----
// safe: what a loop counts: never
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi slt, %i, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  memref.dealloc %m : memref<4xf32>
  return
}
// -----
// unsafe: what a loop counts: never, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi sge, %i, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  memref.dealloc %m : memref<4xf32>
  return
}
// -----
// not judged: what a loop counts: below
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.alloc() : memref<2xf32>
    %e = arith.cmpi slt, %i, %n : index
    scf.if %e { memref.dealloc %q : memref<2xf32> }
  }
  memref.dealloc %m : memref<4xf32>
  return
}
// -----
// unsafe: what a loop counts: below, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.alloc() : memref<2xf32>
    %e = arith.cmpi sgt, %i, %n : index
    scf.if %e { memref.dealloc %q : memref<2xf32> }
  }
  memref.dealloc %m : memref<4xf32>
  return
}
// -----
// not judged: what a loop counts: second
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %e = arith.cmpi eq, %i, %c1 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  return
}
// -----
// unsafe: what a loop counts: second, wrong
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %e = arith.cmpi ne, %i, %c1 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  return
}
// -----
// safe: what a loop counts: while
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %r:2 = scf.while (%i = %c0, %o = %false) : (index, i1) -> (index, i1) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %o : index, i1
  } do {
  ^b(%i: index, %o: i1):
    scf.if %o { } else { memref.dealloc %m : memref<4xf32> }
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %true : index, i1
  }
  scf.if %r#1 { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: while, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %r:2 = scf.while (%i = %c0, %o = %false) : (index, i1) -> (index, i1) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %o : index, i1
  } do {
  ^b(%i: index, %o: i1):
    scf.if %o { memref.dealloc %m : memref<4xf32> }
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %true : index, i1
  }
  scf.if %r#1 { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// not judged: what a loop counts: while i
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %r = scf.while (%i = %c0) : (index) -> (index) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^b(%i: index):
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  %g = arith.cmpi eq, %r, %c0 : index
  scf.if %g { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: while i, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %r = scf.while (%i = %c0) : (index) -> (index) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^b(%i: index):
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  %g = arith.cmpi ne, %r, %c0 : index
  scf.if %g { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// not judged: what a loop counts: slots
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%o = %false) -> i1 {
    %e = arith.cmpi eq, %i, %c1 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
    %p = arith.ori %o, %e : i1
    scf.yield %p : i1
  }
  scf.if %f { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: slots, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%o = %false) -> i1 {
    %e = arith.cmpi eq, %i, %c1 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
    %p = arith.andi %o, %e : i1
    scf.yield %p : i1
  }
  scf.if %f { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: what a loop counts: reload
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc() : memref<2xf32>
  %b:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m, %k = %c0) -> (memref<4xf32>, index) {
    memref.dealloc %x : memref<4xf32>
    %new = memref.alloc() : memref<4xf32>
    %k1 = arith.addi %k, %c1 : index
    scf.yield %new, %k1 : memref<4xf32>, index
  }
  memref.dealloc %b#0 : memref<4xf32>
  memref.dealloc %q : memref<2xf32>
  return
}
// -----
// unsafe: what a loop counts: reload, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc() : memref<2xf32>
  %b:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m, %k = %c0) -> (memref<4xf32>, index) {
    memref.dealloc %x : memref<4xf32>
    %new = memref.alloc() : memref<4xf32>
    %k1 = arith.addi %k, %c1 : index
    scf.yield %x, %k1 : memref<4xf32>, index
  }
  memref.dealloc %b#0 : memref<4xf32>
  memref.dealloc %q : memref<2xf32>
  return
}
// -----
// not judged: what a loop counts: count carried
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%j = %c0) -> index {
    %e = arith.cmpi eq, %j, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
    scf.yield %c1 : index
  }
  %g = arith.cmpi eq, %k, %c0 : index
  scf.if %g { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: count carried, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%j = %c0) -> index {
    %e = arith.cmpi eq, %j, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
    scf.yield %c1 : index
  }
  %g = arith.cmpi ne, %k, %c0 : index
  scf.if %g { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: count carried, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%j = %c0) -> index {
    %e = arith.cmpi eq, %j, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
    scf.yield %c0 : index
  }
  %g = arith.cmpi eq, %k, %c0 : index
  scf.if %g { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: what a loop counts: flip
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%own = %true) -> i1 {
    scf.if %own { memref.dealloc %m : memref<4xf32> }
    scf.yield %false : i1
  }
  scf.if %k { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: what a loop counts: flip, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%own = %true) -> i1 {
    scf.if %own { memref.dealloc %m : memref<4xf32> }
    scf.yield %true : i1
  }
  scf.if %k { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a loop in a loop of a function that is followed for what it stores
func.func @main(%n: index, %c: i1) {
  %s = memref.alloca() : memref<2xi1>
  %a = memref.alloc() : memref<4xi32>
  call @set(%s, %n) : (memref<2xi1>, index) -> ()
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  return
}
func.func private @set(%s: memref<2xi1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %t, %s[%c0] : memref<2xi1>
    }
  }
  return
}
