// safe: a size that is asked for in branches, and behind them: then
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.if %p {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  %y = memref.dim %c, %c0 : memref<?xi1>
  %g = arith.cmpi eq, %y, %c0 : index
  %d = arith.andi %p, %g : i1
  scf.if %d { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size that is asked for in branches, and behind them: then, wrong
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.if %p {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  %y = memref.dim %c, %c0 : memref<?xi1>
  %g = arith.cmpi eq, %y, %c0 : index
  %d = arith.ori %p, %g : i1
  scf.if %d { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size that is asked for in branches, and behind them: then, wrong
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.if %p {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  %y = memref.dim %c, %c0 : memref<?xi1>
  %g = arith.cmpi ne, %y, %c0 : index
  %d = arith.andi %p, %g : i1
  scf.if %d { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size that is asked for in branches, and behind them: both
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.if %p {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  } else {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  %y = memref.dim %c, %c0 : memref<?xi1>
  %g = arith.cmpi ne, %y, %c0 : index
  scf.if %g { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size that is asked for in branches, and behind them: both, wrong
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.if %p {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  } else {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  %y = memref.dim %c, %c0 : memref<?xi1>
  %g = arith.cmpi eq, %y, %c0 : index
  scf.if %g { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size that is asked for in branches, and behind them: yielded
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %s = scf.if %p -> index {
    %x = memref.dim %c, %c0 : memref<?xi1>
    scf.yield %x : index
  } else {
    %x = memref.dim %c, %c0 : memref<?xi1>
    scf.yield %x : index
  }
  %y = memref.dim %c, %c0 : memref<?xi1>
  %e = arith.cmpi eq, %s, %c1 : index
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size that is asked for in branches, and behind them: yielded, wrong
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %s = scf.if %p -> index {
    %x = memref.dim %c, %c0 : memref<?xi1>
    scf.yield %x : index
  } else {
    %x = memref.dim %c, %c0 : memref<?xi1>
    scf.yield %x : index
  }
  %y = memref.dim %c, %c0 : memref<?xi1>
  %e = arith.cmpi eq, %s, %c1 : index
  %g = arith.cmpi ne, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size that is asked for in branches, and behind them: siblings
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.if %p {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  scf.if %p {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi ne, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size that is asked for in branches, and behind them: siblings, wrong
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.if %p {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  }
  scf.if %p {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %m : memref<4xf32> }
  } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size that is asked for in branches, and behind them: blocks
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  cf.cond_br %p, ^a, ^b
^a:
  %x = memref.dim %c, %c0 : memref<?xi1>
  %e = arith.cmpi eq, %x, %c0 : index
  cf.cond_br %e, ^free, ^d
^free:
  memref.dealloc %m : memref<4xf32>
  cf.br ^d
^b:
  %z = memref.dim %c, %c0 : memref<?xi1>
  %h = arith.cmpi eq, %z, %c0 : index
  cf.cond_br %h, ^free, ^d
^d:
  %y = memref.dim %c, %c0 : memref<?xi1>
  %g = arith.cmpi eq, %y, %c0 : index
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size that is asked for in branches, and behind them: blocks, wrong
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  cf.cond_br %p, ^a, ^b
^a:
  %x = memref.dim %c, %c0 : memref<?xi1>
  %e = arith.cmpi eq, %x, %c0 : index
  cf.cond_br %e, ^free, ^d
^free:
  memref.dealloc %m : memref<4xf32>
  cf.br ^d
^b:
  %z = memref.dim %c, %c0 : memref<?xi1>
  %h = arith.cmpi eq, %z, %c0 : index
  cf.cond_br %h, ^free, ^d
^d:
  %y = memref.dim %c, %c0 : memref<?xi1>
  %g = arith.cmpi ne, %y, %c0 : index
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size that is asked for in branches, and behind them: inloop
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %fr = scf.for %i = %c0 to %c2 step %c1 iter_args(%o = %false) -> i1 {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    %no = arith.xori %o, %true : i1
    %k = arith.andi %e, %no : i1
    scf.if %k { memref.dealloc %m : memref<4xf32> }
    %o2 = arith.ori %o, %e : i1
    scf.yield %o2 : i1
  }
  scf.if %fr { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size that is asked for in branches, and behind them: inloop, wrong
func.func @f(%c: memref<?xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %fr = scf.for %i = %c0 to %c2 step %c1 iter_args(%o = %false) -> i1 {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    %no = arith.xori %o, %true : i1
    %k = arith.ori %e, %no : i1
    scf.if %k { memref.dealloc %m : memref<4xf32> }
    %o2 = arith.ori %o, %e : i1
    scf.yield %o2 : i1
  }
  scf.if %fr { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size that is asked for in branches, and behind them: loopandbehind
func.func @f(%c: memref<?xi1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.alloc() : memref<2xf32>
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %q : memref<2xf32> }
    %y = memref.dim %c, %c0 : memref<?xi1>
    %h = arith.cmpi eq, %y, %c0 : index
    scf.if %h { } else { memref.dealloc %q : memref<2xf32> }
  }
  %z = memref.dim %c, %c0 : memref<?xi1>
  %g = arith.cmpi eq, %z, %c0 : index
  scf.if %g { memref.dealloc %m : memref<4xf32> } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size that is asked for in branches, and behind them: loopandbehind, wrong
func.func @f(%c: memref<?xi1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.alloc() : memref<2xf32>
    %x = memref.dim %c, %c0 : memref<?xi1>
    %e = arith.cmpi eq, %x, %c0 : index
    scf.if %e { memref.dealloc %q : memref<2xf32> }
    %y = memref.dim %c, %c0 : memref<?xi1>
    %h = arith.cmpi ne, %y, %c0 : index
    scf.if %h { } else { memref.dealloc %q : memref<2xf32> }
  }
  %z = memref.dim %c, %c0 : memref<?xi1>
  %g = arith.cmpi eq, %z, %c0 : index
  scf.if %g { memref.dealloc %m : memref<4xf32> } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size that is asked for in branches, and behind them: carried
func.func @f(%c: memref<?xi1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %s = memref.dim %c, %c0 : memref<?xi1>
  %e = arith.cmpi eq, %s, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %false) -> i1 {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %h = arith.cmpi eq, %x, %c0 : index
    %q = memref.alloc() : memref<2xf32>
    scf.if %e { memref.dealloc %q : memref<2xf32> }
    scf.if %h { } else { memref.dealloc %q : memref<2xf32> }
    scf.yield %h : i1
  }
  scf.if %e { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size that is asked for in branches, and behind them: carried, wrong
func.func @f(%c: memref<?xi1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %s = memref.dim %c, %c0 : memref<?xi1>
  %e = arith.cmpi eq, %s, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %false) -> i1 {
    %x = memref.dim %c, %c0 : memref<?xi1>
    %h = arith.cmpi ne, %x, %c0 : index
    %q = memref.alloc() : memref<2xf32>
    scf.if %e { memref.dealloc %q : memref<2xf32> }
    scf.if %h { } else { memref.dealloc %q : memref<2xf32> }
    scf.yield %h : i1
  }
  scf.if %e { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: layout
func.func @f(%c: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.cast %c : memref<?xi1> to memref<?xi1, strided<[1], offset: ?>>
  %x = memref.dim %c, %c0 : memref<?xi1>
  %y = memref.dim %v, %c0 : memref<?xi1, strided<[1], offset: ?>>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: layout, wrong
func.func @f(%c: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.cast %c : memref<?xi1> to memref<?xi1, strided<[1], offset: ?>>
  %x = memref.dim %c, %c0 : memref<?xi1>
  %y = memref.dim %v, %c0 : memref<?xi1, strided<[1], offset: ?>>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: unranked
func.func @f(%c: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.cast %c : memref<?xi1> to memref<*xi1>
  %x = memref.dim %c, %c0 : memref<?xi1>
  %y = memref.dim %v, %c0 : memref<*xi1>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: unranked, wrong
func.func @f(%c: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.cast %c : memref<?xi1> to memref<*xi1>
  %x = memref.dim %c, %c0 : memref<?xi1>
  %y = memref.dim %v, %c0 : memref<*xi1>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: there and back
func.func @f(%c: memref<?x?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %u = memref.cast %c : memref<?x?xi1> to memref<*xi1>
  %v = memref.cast %u : memref<*xi1> to memref<?x?xi1>
  %x = memref.dim %c, %c1 : memref<?x?xi1>
  %y = memref.dim %v, %c1 : memref<?x?xi1>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: there and back, wrong
func.func @f(%c: memref<?x?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %u = memref.cast %c : memref<?x?xi1> to memref<*xi1>
  %v = memref.cast %u : memref<*xi1> to memref<?x?xi1>
  %x = memref.dim %c, %c1 : memref<?x?xi1>
  %y = memref.dim %v, %c1 : memref<?x?xi1>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: there and back, wrong
func.func @f(%c: memref<?x?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %u = memref.cast %c : memref<?x?xi1> to memref<*xi1>
  %v = memref.cast %u : memref<*xi1> to memref<?x?xi1>
  %x = memref.dim %c, %c1 : memref<?x?xi1>
  %y = memref.dim %v, %c0 : memref<?x?xi1>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: space
func.func @f(%c: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.memory_space_cast %c : memref<?xi1> to memref<?xi1, 1>
  %x = memref.dim %c, %c0 : memref<?xi1>
  %y = memref.dim %v, %c0 : memref<?xi1, 1>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: space, wrong
func.func @f(%c: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.memory_space_cast %c : memref<?xi1> to memref<?xi1, 1>
  %x = memref.dim %c, %c0 : memref<?xi1>
  %y = memref.dim %v, %c0 : memref<?xi1, 1>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: transpose
func.func @f(%c: memref<?x?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.transpose %c (i, j) -> (j, i) : memref<?x?xi1> to memref<?x?xi1, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  %x = memref.dim %c, %c0 : memref<?x?xi1>
  %y = memref.dim %v, %c1 : memref<?x?xi1, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: transpose, wrong
func.func @f(%c: memref<?x?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.transpose %c (i, j) -> (j, i) : memref<?x?xi1> to memref<?x?xi1, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  %x = memref.dim %c, %c0 : memref<?x?xi1>
  %y = memref.dim %v, %c1 : memref<?x?xi1, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: transpose, wrong
func.func @f(%c: memref<?x?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.transpose %c (i, j) -> (j, i) : memref<?x?xi1> to memref<?x?xi1, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  %x = memref.dim %c, %c0 : memref<?x?xi1>
  %y = memref.dim %v, %c0 : memref<?x?xi1, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: halfstatic
func.func @f(%c: memref<?x?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.cast %c : memref<?x?xi1> to memref<8x?xi1>
  %x = memref.dim %c, %c1 : memref<?x?xi1>
  %y = memref.dim %v, %c1 : memref<8x?xi1>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: halfstatic, wrong
func.func @f(%c: memref<?x?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.cast %c : memref<?x?xi1> to memref<8x?xi1>
  %x = memref.dim %c, %c1 : memref<?x?xi1>
  %y = memref.dim %v, %c1 : memref<8x?xi1>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: ofstatic
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc() : memref<3xf32>
  %v = memref.cast %q : memref<3xf32> to memref<?xf32>
  %x = memref.dim %v, %c0 : memref<?xf32>
  %c3 = arith.constant 3 : index
  %e = arith.cmpi eq, %x, %c3 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<3xf32>
  return
}
// -----
// unsafe: a size of what is seen by another name: ofstatic, wrong
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc() : memref<3xf32>
  %v = memref.cast %q : memref<3xf32> to memref<?xf32>
  %x = memref.dim %v, %c0 : memref<?xf32>
  %c3 = arith.constant 3 : index
  %e = arith.cmpi ne, %x, %c3 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<3xf32>
  return
}
// -----
// unsafe: a size of what is seen by another name: tostatic, wrong
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.cast %c : memref<?xf32> to memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %c4 = arith.constant 4 : index
  %e = arith.cmpi ne, %x, %c4 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: subview
func.func @f(%c: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.subview %c[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %x = memref.dim %v, %c0 : memref<?xf32, strided<[1]>>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: subview, wrong
func.func @f(%c: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.subview %c[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %x = memref.dim %v, %c0 : memref<?xf32, strided<[1]>>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: reinterpret
func.func @f(%c: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.reinterpret_cast %c to offset: [0], sizes: [%n, 2], strides: [2, 1] : memref<?xf32> to memref<?x2xf32>
  %x = memref.dim %v, %c0 : memref<?x2xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: reinterpret, wrong
func.func @f(%c: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.reinterpret_cast %c to offset: [0], sizes: [%n, 2], strides: [2, 1] : memref<?xf32> to memref<?x2xf32>
  %x = memref.dim %v, %c0 : memref<?x2xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: reinterpret, wrong
func.func @f(%c: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.reinterpret_cast %c to offset: [0], sizes: [%n, 2], strides: [2, 1] : memref<?xf32> to memref<?x2xf32>
  %x = memref.dim %v, %c1 : memref<?x2xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: expand
func.func @f(%c: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.expand_shape %c [[0, 1]] output_shape [%n, 2] : memref<?xf32> into memref<?x2xf32>
  %x = memref.dim %v, %c0 : memref<?x2xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: expand, wrong
func.func @f(%c: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.expand_shape %c [[0, 1]] output_shape [%n, 2] : memref<?xf32> into memref<?x2xf32>
  %x = memref.dim %v, %c0 : memref<?x2xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: ifresult
func.func @f(%c: memref<?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = scf.if %p -> memref<?xf32> { scf.yield %c : memref<?xf32> } else { scf.yield %c : memref<?xf32> }
  %x = memref.dim %v, %c0 : memref<?xf32>
  %y = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: ifresult, wrong
func.func @f(%c: memref<?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = scf.if %p -> memref<?xf32> { scf.yield %c : memref<?xf32> } else { scf.yield %c : memref<?xf32> }
  %x = memref.dim %v, %c0 : memref<?xf32>
  %y = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: select
func.func @f(%c: memref<?xf32>, %b: memref<?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = arith.select %p, %c, %b : memref<?xf32>
  %x = memref.dim %v, %c0 : memref<?xf32>
  %y = memref.dim %c, %c0 : memref<?xf32>
  %z = memref.dim %b, %c0 : memref<?xf32>
  %s = arith.select %p, %y, %z : index
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %s, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: select, wrong
func.func @f(%c: memref<?xf32>, %b: memref<?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = arith.select %p, %c, %b : memref<?xf32>
  %x = memref.dim %v, %c0 : memref<?xf32>
  %y = memref.dim %c, %c0 : memref<?xf32>
  %z = memref.dim %b, %c0 : memref<?xf32>
  %s = arith.select %p, %z, %y : index
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %s, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: blockarg
func.func @f(%c: memref<?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  cf.cond_br %p, ^a, ^b(%c : memref<?xf32>)
^a:
  cf.br ^b(%c : memref<?xf32>)
^b(%v: memref<?xf32>):
  %y = memref.dim %v, %c0 : memref<?xf32>
  %g = arith.cmpi eq, %y, %c1 : index
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: blockarg, wrong
func.func @f(%c: memref<?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  cf.cond_br %p, ^a, ^b(%c : memref<?xf32>)
^a:
  cf.br ^b(%c : memref<?xf32>)
^b(%v: memref<?xf32>):
  %y = memref.dim %v, %c0 : memref<?xf32>
  %g = arith.cmpi ne, %y, %c1 : index
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size of what is seen by another name: iterarg, wrong
func.func @f(%c: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%q = %c) -> memref<?xf32> { scf.yield %q : memref<?xf32> }
  %x = memref.dim %v, %c0 : memref<?xf32>
  %y = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %y, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size that an allocation is given: n
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc(%n) : memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?xf32>
  return
}
// -----
// unsafe: a size that an allocation is given: n, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc(%n) : memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?xf32>
  return
}
// -----
// safe: a size that an allocation is given: two
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc(%n, %k) : memref<?x3x?xf32>
  %x = memref.dim %q, %c2 : memref<?x3x?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %k, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?x3x?xf32>
  return
}
// -----
// unsafe: a size that an allocation is given: two, wrong
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc(%n, %k) : memref<?x3x?xf32>
  %x = memref.dim %q, %c2 : memref<?x3x?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %k, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?x3x?xf32>
  return
}
// -----
// unsafe: a size that an allocation is given: two, wrong
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc(%n, %k) : memref<?x3x?xf32>
  %x = memref.dim %q, %c0 : memref<?x3x?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %k, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?x3x?xf32>
  return
}
// -----
// safe: a size that an allocation is given: ofdim
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %n = memref.dim %c, %c0 : memref<?xf32>
  %q = memref.alloc(%n) : memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?xf32>
  return
}
// -----
// unsafe: a size that an allocation is given: ofdim, wrong
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %n = memref.dim %c, %c0 : memref<?xf32>
  %q = memref.alloc(%n) : memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?xf32>
  return
}
// -----
// safe: a size that an allocation is given: alloca
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloca(%n) : memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a size that an allocation is given: alloca, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloca(%n) : memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size that an allocation is given: castof
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q0 = memref.alloc(%n) : memref<?xf32>
  %q = memref.cast %q0 : memref<?xf32> to memref<*xf32>
  %x = memref.dim %q, %c0 : memref<*xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q0 : memref<?xf32>
  return
}
// -----
// unsafe: a size that an allocation is given: castof, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q0 = memref.alloc(%n) : memref<?xf32>
  %q = memref.cast %q0 : memref<?xf32> to memref<*xf32>
  %x = memref.dim %q, %c0 : memref<*xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q0 : memref<?xf32>
  return
}
// -----
// safe: a size that an allocation is given: realloc
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q0 = memref.alloc(%n) : memref<?xf32>
  %q = memref.realloc %q0(%k) : memref<?xf32> to memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %k, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?xf32>
  return
}
// -----
// unsafe: a size that an allocation is given: realloc, wrong
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q0 = memref.alloc(%n) : memref<?xf32>
  %q = memref.realloc %q0(%k) : memref<?xf32> to memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %k, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?xf32>
  return
}
// -----
// unsafe: a size that an allocation is given: realloc, wrong
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q0 = memref.alloc(%n) : memref<?xf32>
  %q = memref.realloc %q0(%k) : memref<?xf32> to memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?xf32>
  return
}
// -----
// safe: a size that an allocation is given: view
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %w = memref.alloc() : memref<64xi8>
  %q = memref.view %w[%c0][%n] : memref<64xi8> to memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %w : memref<64xi8>
  return
}
// -----
// unsafe: a size that an allocation is given: view, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %w = memref.alloc() : memref<64xi8>
  %q = memref.view %w[%c0][%n] : memref<64xi8> to memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %e = arith.cmpi eq, %x, %c1 : index
  %g = arith.cmpi ne, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %w : memref<64xi8>
  return
}
// -----
// safe: a size that an allocation is given: twoallocs
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc(%n) : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %y = memref.dim %r, %c0 : memref<?xf32>
  %s = arith.cmpi eq, %x, %y : index
  scf.if %s { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return
}
// -----
// unsafe: a size that an allocation is given: twoallocs, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %q = memref.alloc(%n) : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  %x = memref.dim %q, %c0 : memref<?xf32>
  %y = memref.dim %r, %c0 : memref<?xf32>
  %s = arith.cmpi ne, %x, %y : index
  scf.if %s { memref.dealloc %m : memref<4xf32> }
  memref.dealloc %q : memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return
}
// -----
// safe: a size that an allocation is given: loop
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.alloc(%i) : memref<?xf32>
    %x = memref.dim %q, %c0 : memref<?xf32>
    %s = arith.cmpi eq, %x, %i : index
    scf.if %s { memref.dealloc %q : memref<?xf32> }
  }
  memref.dealloc %m : memref<4xf32>
  return
}
// -----
// unsafe: a size that an allocation is given: loop, wrong
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.alloc(%i) : memref<?xf32>
    %x = memref.dim %q, %c0 : memref<?xf32>
    %s = arith.cmpi ne, %x, %i : index
    scf.if %s { memref.dealloc %q : memref<?xf32> }
  }
  memref.dealloc %m : memref<4xf32>
  return
}
// -----
// safe: sizes and indices that are added up: nonneg
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi slt, %x, %c0 : index
  %g = arith.cmpi ne, %c0, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: nonneg, wrong
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi sge, %x, %c0 : index
  %g = arith.cmpi ne, %c0, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: sizes and indices that are added up: lessone
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi slt, %x, %c1 : index
  %g = arith.cmpi eq, %x, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: lessone, wrong
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi sle, %x, %c1 : index
  %g = arith.cmpi eq, %x, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: sizes and indices that are added up: unsigned
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi ult, %x, %c1 : index
  %g = arith.cmpi slt, %x, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: unsigned, wrong
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %e = arith.cmpi ule, %x, %c1 : index
  %g = arith.cmpi slt, %x, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: sizes and indices that are added up: plusone
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y = arith.addi %n, %c1 : index
  %e = arith.cmpi eq, %y, %c1 : index
  %g = arith.cmpi eq, %n, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: plusone, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y = arith.addi %n, %c1 : index
  %e = arith.cmpi eq, %y, %c2 : index
  %g = arith.cmpi eq, %n, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: sizes and indices that are added up: minusone
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %y = arith.subi %x, %c1 : index
  %e = arith.cmpi slt, %y, %c0 : index
  %g = arith.cmpi slt, %x, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: minusone, wrong
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %y = arith.subi %x, %c1 : index
  %e = arith.cmpi slt, %y, %c1 : index
  %g = arith.cmpi slt, %x, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: sizes and indices that are added up: minusone n
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y = arith.subi %n, %c1 : index
  %e = arith.cmpi eq, %y, %c0 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: minusone n, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y = arith.subi %n, %c1 : index
  %e = arith.cmpi eq, %y, %c1 : index
  %g = arith.cmpi eq, %n, %c1 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: sizes and indices that are added up: diff
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y = arith.subi %n, %k : index
  %e = arith.cmpi eq, %y, %c0 : index
  %g = arith.cmpi eq, %n, %k : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: diff, wrong
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y = arith.subi %n, %k : index
  %e = arith.cmpi eq, %y, %c1 : index
  %g = arith.cmpi eq, %n, %k : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: sizes and indices that are added up: neg
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %y = arith.subi %c0, %x : index
  %e = arith.cmpi slt, %y, %c0 : index
  %g = arith.cmpi ne, %x, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: neg, wrong
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %y = arith.subi %c0, %x : index
  %e = arith.cmpi sle, %y, %c0 : index
  %g = arith.cmpi ne, %x, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: max, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y = arith.maxsi %n, %c0 : index
  %e = arith.cmpi eq, %y, %c0 : index
  %g = arith.cmpi slt, %n, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: min, wrong
func.func @f(%c: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %y = arith.minsi %x, %c1 : index
  %e = arith.cmpi eq, %y, %c1 : index
  %g = arith.cmpi eq, %x, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: sizes and indices that are added up: comm
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y = arith.addi %n, %k : index
  %z = arith.addi %k, %n : index
  %e = arith.cmpi eq, %y, %c0 : index
  %g = arith.cmpi eq, %z, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: comm, wrong
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y = arith.addi %n, %k : index
  %z = arith.addi %k, %n : index
  %e = arith.cmpi eq, %y, %c0 : index
  %g = arith.cmpi ne, %z, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: twice, wrong
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %y = arith.muli %x, %c2 : index
  %e = arith.cmpi eq, %y, %c2 : index
  %g = arith.cmpi eq, %x, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: sizes and indices that are added up: cancel
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y0 = arith.addi %n, %k : index
  %y = arith.subi %y0, %k : index
  %e = arith.cmpi eq, %y, %c0 : index
  %g = arith.cmpi eq, %n, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: cancel, wrong
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %y0 = arith.addi %n, %k : index
  %y = arith.subi %y0, %k : index
  %e = arith.cmpi eq, %y, %c1 : index
  %g = arith.cmpi eq, %n, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: sizes and indices that are added up: i64
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %w = arith.index_cast %n : index to i64
  %y = arith.index_cast %w : i64 to index
  %e = arith.cmpi eq, %y, %c0 : index
  %g = arith.cmpi eq, %n, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: i64, wrong
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %w = arith.index_cast %n : index to i64
  %y = arith.index_cast %w : i64 to index
  %e = arith.cmpi ne, %y, %c0 : index
  %g = arith.cmpi eq, %n, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: sizes and indices that are added up: prod, wrong
func.func @f(%c: memref<?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %x = memref.dim %b, %c0 : memref<?x?xf32>
  %y = memref.dim %b, %c1 : memref<?x?xf32>
  %z = arith.muli %x, %y : index
  %w = arith.muli %y, %x : index
  %e = arith.cmpi ne, %z, %c0 : index
  %g = arith.cmpi eq, %w, %c0 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  scf.if %g { } else { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: a size of what is seen by another name: tostatic
func.func @f(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : memref<4xf32>
  %v = memref.cast %c : memref<?xf32> to memref<4xf32>
  %x = memref.dim %c, %c0 : memref<?xf32>
  %c4 = arith.constant 4 : index
  %e = arith.cmpi eq, %x, %c4 : index
  scf.if %e { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: an allocation's size isn't negative
func.func @f(%q: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%q) : memref<?xi8>
  %c = arith.cmpi sge, %q, %c0 : index
  scf.if %c { memref.dealloc %a : memref<?xi8> }
  return
}
// -----
// safe: an allocation's size isn't negative: asked for
func.func @f(%q: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%q) : memref<?xi8>
  %d = memref.dim %a, %c0 : memref<?xi8>
  %c = arith.cmpi slt, %d, %c0 : index
  scf.if %c { memref.dealloc %a : memref<?xi8> }
  memref.dealloc %a : memref<?xi8>
  return
}
// -----
// unsafe: an allocation's size isn't negative: but zero, wrong
func.func @f(%q: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%q) : memref<?xi8>
  %c = arith.cmpi sgt, %q, %c0 : index
  scf.if %c { memref.dealloc %a : memref<?xi8> }
  return
}
// -----
// unsafe: an allocation's size isn't negative: but was before, wrong
func.func @f(%q: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<i8>
  %c = arith.cmpi slt, %q, %c0 : index
  scf.if %c { memref.dealloc %a : memref<i8> }
  memref.dealloc %a : memref<i8>
  %b = memref.alloc(%q) : memref<?xi8>
  memref.dealloc %b : memref<?xi8>
  return
}
// -----
// not judged: an allocation's size isn't negative: in a branch, where formulas don't know it
func.func @f(%q: index, %p: i1) {
  %c0 = arith.constant 0 : index
  scf.if %p {
    %a = memref.alloc(%q) : memref<?xi8>
    %c = arith.cmpi sge, %q, %c0 : index
    scf.if %c { memref.dealloc %a : memref<?xi8> }
  }
  return
}
// -----
// not judged: an allocation's size isn't negative: of a buffer that a loop exchanges
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<i8>
  %z = memref.alloc(%n) : memref<?xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (memref<?xi8>) {
    %c = arith.cmpi eq, %i, %c0 : index
    scf.if %c { memref.dealloc %x : memref<i8> }
    %b = memref.alloc(%n) : memref<?xi8>
    memref.dealloc %a : memref<?xi8>
    scf.yield %b : memref<?xi8>
  }
  %d = memref.dim %r, %c0 : memref<?xi8>
  memref.dealloc %r : memref<?xi8>
  %e = arith.cmpi eq, %d, %c0 : index
  scf.if %e { memref.dealloc %x : memref<i8> }
  return
}
