// safe: a number says which branch freed
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %k = scf.if %c -> index {
    memref.dealloc %a : memref<4xi32>
    scf.yield %c1 : index
  } else { scf.yield %c0 : index }
  %e = arith.cmpi eq, %k, %c0 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: the number of the other branch
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %k = scf.if %c -> index {
    memref.dealloc %a : memref<4xi32>
    scf.yield %c1 : index
  } else { scf.yield %c0 : index }
  %e = arith.cmpi eq, %k, %c1 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: an index in memory says what was freed
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloca() : memref<1xindex>
  memref.store %c0, %w[%c0] : memref<1xindex>
  scf.if %c {
    memref.dealloc %a : memref<4xi32>
    memref.store %c1, %w[%c0] : memref<1xindex>
  }
  %k = memref.load %w[%c0] : memref<1xindex>
  %e = arith.cmpi ult, %k, %c1 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: an index in memory that is written after it is read
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloca() : memref<1xindex>
  memref.store %c0, %w[%c0] : memref<1xindex>
  %k = memref.load %w[%c0] : memref<1xindex>
  scf.if %c {
    memref.dealloc %a : memref<4xi32>
    memref.store %c1, %w[%c0] : memref<1xindex>
  }
  %e = arith.cmpi ult, %k, %c1 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a switch on a number that is chosen of three
func.func @f(%c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %c0, %c1 : index
  %l = arith.select %d, %k, %c2 : index
  scf.index_switch %l
  case 0 { memref.dealloc %a : memref<4xi32>
    scf.yield }
  case 1 { memref.dealloc %a : memref<4xi32>
    scf.yield }
  case 2 { memref.dealloc %a : memref<4xi32>
    scf.yield }
  default { scf.yield }
  return
}
// -----
// unsafe: a switch that leaves out one of three
func.func @f(%c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %c0, %c1 : index
  %l = arith.select %d, %k, %c2 : index
  scf.index_switch %l
  case 0 { memref.dealloc %a : memref<4xi32>
    scf.yield }
  case 2 { memref.dealloc %a : memref<4xi32>
    scf.yield }
  default { scf.yield }
  return
}
// -----
// unsafe: a sum that none of the cases is
func.func @f(%c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %c0, %c1 : index
  %l = arith.select %d, %c1, %c2 : index
  %s = arith.addi %k, %l : index
  scf.index_switch %s
  case 1 { memref.dealloc %a : memref<4xi32>
    scf.yield }
  case 2 { memref.dealloc %a : memref<4xi32>
    scf.yield }
  default { scf.yield }
  return
}
// -----
// safe: a sum of two numbers that are chosen
func.func @f(%c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %c0, %c1 : index
  %l = arith.select %d, %c1, %c2 : index
  %s = arith.addi %k, %l : index
  scf.index_switch %s
  case 1 { memref.dealloc %a : memref<4xi32>
    scf.yield }
  case 2 { memref.dealloc %a : memref<4xi32>
    scf.yield }
  case 3 { memref.dealloc %a : memref<4xi32>
    scf.yield }
  default { scf.yield }
  return
}
// -----
// safe: a boolean as a number
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %z = arith.constant 0 : i32
  %k = arith.extui %c : i1 to i32
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  %e = arith.cmpi eq, %k, %z : i32
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a boolean as a signed number is not 1
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %o = arith.constant 1 : i32
  %k = arith.extsi %c : i1 to i32
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  %e = arith.cmpi ne, %k, %o : i32
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a boolean as a signed number is -1
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %o = arith.constant -1 : i32
  %k = arith.extsi %c : i1 to i32
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  %e = arith.cmpi ne, %k, %o : i32
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: 200 and 100 as signed numbers of eight bits
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %x = arith.constant 200 : i8
  %y = arith.constant 100 : i8
  %k = arith.select %c, %x, %y : i8
  %e = arith.cmpi slt, %y, %k : i8
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: 200 and 100 as unsigned numbers of eight bits
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %x = arith.constant 200 : i8
  %y = arith.constant 100 : i8
  %k = arith.select %c, %x, %y : i8
  %e = arith.cmpi ult, %y, %k : i8
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  scf.if %c { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a sum that wraps
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %x = arith.constant 200 : i8
  %y = arith.constant 100 : i8
  %k = arith.select %c, %x, %y : i8
  %s = arith.addi %k, %x : i8
  %m = arith.constant -112 : i8
  %e = arith.cmpi eq, %s, %m : i8
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  scf.if %c { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a sum that doesn't wrap
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %x = arith.constant 200 : i16
  %y = arith.constant 100 : i16
  %k = arith.select %c, %x, %y : i16
  %s = arith.addi %k, %x : i16
  %m = arith.constant 144 : i16
  %e = arith.cmpi eq, %s, %m : i16
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  scf.if %c { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: chosen of a number that isn't known
func.func @f(%c: i1, %n: index) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %n, %c1 : index
  %e = arith.cmpi eq, %k, %c1 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a loop's bound is chosen, what it carries is asked
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %c0, %c2 : index
  %no = arith.constant false
  %t = arith.constant true
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%x = %no) -> (i1) {
    scf.if %x { } else { memref.dealloc %a : memref<4xi32> }
    scf.yield %t : i1
  }
  scf.if %r { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a loop changes the number
func.func @f(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %c0, %c1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %k) -> (index) {
    %y = arith.xori %x, %c1 : index
    scf.yield %y : index
  }
  %e = arith.cmpi eq, %r, %c0 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  scf.if %c { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a number is chosen anew in each iteration
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %no = arith.constant false
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (index) {
    %o = arith.cmpi eq, %i, %c1 : index
    %y = arith.select %o, %c1, %c0 : index
    %e = arith.cmpi eq, %y, %x : index
    scf.if %e { memref.dealloc %a : memref<4xi32> }
    scf.yield %y : index
  }
  return
}
// -----
// unsafe: a quotient that says which, and is freed anyway
func.func @f(%c: i1) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %c1, %c2 : index
  %q = arith.divui %c2, %k : index
  %e = arith.cmpi eq, %q, %c1 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  scf.if %c { memref.dealloc %a : memref<4xi32> } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: divided by a number that may be zero
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %c0, %c2 : index
  %q = arith.divui %c2, %k : index
  %e = arith.cmpi eq, %q, %c1 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  scf.if %c { memref.dealloc %a : memref<4xi32> } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a quotient that says which
func.func @f(%c: i1) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %c1, %c2 : index
  %q = arith.divui %c2, %k : index
  %e = arith.cmpi eq, %q, %c1 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: two branches of branches
func.func @f(%c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %k = scf.if %c -> index {
    %x = scf.if %d -> index {
      memref.dealloc %a : memref<4xi32>
      scf.yield %c2 : index
    } else { scf.yield %c1 : index }
    scf.yield %x : index
  } else {
    memref.dealloc %a : memref<4xi32>
    scf.yield %c0 : index
  }
  %e = arith.cmpi eq, %k, %c1 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: minimum and maximum
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xi32>
  %k = arith.select %c, %c0, %c2 : index
  %m = arith.minui %k, %c1 : index
  %e = arith.cmpi eq, %m, %c0 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  %x = arith.maxui %k, %c1 : index
  %g = arith.cmpi eq, %x, %c2 : index
  scf.if %g { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a number of blocks
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  cf.cond_br %c, ^x(%c0 : index), ^x(%c1 : index)
^x(%k: index):
  %e = arith.cmpi eq, %k, %c0 : index
  cf.cond_br %e, ^y, ^z
^y:
  memref.dealloc %a : memref<4xi32>
  cf.br ^z
^z:
  cf.cond_br %c, ^u, ^v
^u:
  memref.dealloc %a : memref<4xi32>
  cf.br ^v
^v:
  return
}
// -----
// safe: a number of blocks says who frees
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  cf.cond_br %c, ^x(%c0 : index), ^x(%c1 : index)
^x(%k: index):
  %e = arith.cmpi eq, %k, %c0 : index
  cf.cond_br %e, ^y, ^z
^y:
  memref.dealloc %a : memref<4xi32>
  cf.br ^z
^z:
  cf.cond_br %c, ^v, ^u
^u:
  memref.dealloc %a : memref<4xi32>
  cf.br ^v
^v:
  return
}
// -----
// safe: below two, above five, or between
func.func @f(%n: index) {
  %k0 = arith.constant 2 : index
  %k1 = arith.constant 5 : index
  %k2 = arith.constant 3 : index
  %k3 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi slt, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi sgt, %n, %k1 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  %e2 = arith.cmpi eq, %n, %k0 : index
  scf.if %e2 { memref.dealloc %a : memref<4xf32> }
  %e3 = arith.cmpi eq, %n, %k2 : index
  scf.if %e3 { memref.dealloc %a : memref<4xf32> }
  %e4 = arith.cmpi eq, %n, %k3 : index
  scf.if %e4 { memref.dealloc %a : memref<4xf32> }
  %e5 = arith.cmpi eq, %n, %k1 : index
  scf.if %e5 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: one number between two and five is left out
func.func @f(%n: index) {
  %k0 = arith.constant 2 : index
  %k1 = arith.constant 5 : index
  %k2 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi slt, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi sgt, %n, %k1 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  %e2 = arith.cmpi eq, %n, %k0 : index
  scf.if %e2 { memref.dealloc %a : memref<4xf32> }
  %e3 = arith.cmpi eq, %n, %k2 : index
  scf.if %e3 { memref.dealloc %a : memref<4xf32> }
  %e4 = arith.cmpi eq, %n, %k1 : index
  scf.if %e4 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// safe: less than two, or not
func.func @f(%n: index) {
  %k0 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi slt, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi sge, %n, %k0 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// safe: at most one is less than two
func.func @f(%n: index) {
  %k0 = arith.constant 1 : index
  %k1 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi sle, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi sge, %n, %k1 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: two is neither less nor greater
func.func @f(%n: index) {
  %k0 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi slt, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi sgt, %n, %k0 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// safe: a known number on the left
func.func @f(%n: index) {
  %k0 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi sgt, %k0, %n : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi sle, %k0, %n : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: a known number on the left, the wrong way
func.func @f(%n: index) {
  %k0 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi sgt, %k0, %n : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi sle, %n, %k0 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// safe: unsigned numbers are negative or small or large
func.func @f(%n: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi slt, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi ult, %n, %k1 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  %e2 = arith.cmpi eq, %n, %k1 : index
  scf.if %e2 { memref.dealloc %a : memref<4xf32> }
  %e3 = arith.cmpi sgt, %n, %k1 : index
  scf.if %e3 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: negative numbers aren't below two as unsigned ones
func.func @f(%n: index) {
  %k0 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi ult, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi sge, %n, %k0 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// safe: as unsigned numbers, one below all negative ones is positive
func.func @f(%n: index) {
  %k0 = arith.constant -1 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi ult, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi eq, %n, %k0 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: as unsigned numbers, all but two are below the second greatest
func.func @f(%n: index) {
  %k0 = arith.constant -2 : index
  %k1 = arith.constant -1 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi ult, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi eq, %n, %k1 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// safe: one of three
func.func @f(%n: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi ule, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi eq, %n, %k1 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  %e2 = arith.cmpi ugt, %n, %k1 : index
  scf.if %e2 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// safe: numbers of eight bits
func.func @f(%n: i8) {
  %k0 = arith.constant -56 : i8
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi slt, %n, %k0 : i8
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi sge, %n, %k0 : i8
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: numbers of eight bits, signed and unsigned
func.func @f(%n: i8) {
  %k0 = arith.constant -56 : i8
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi slt, %n, %k0 : i8
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi uge, %n, %k0 : i8
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// safe: the least and the greatest number
func.func @f(%n: index) {
  %k0 = arith.constant 9223372036854775807 : index
  %k1 = arith.constant -9223372036854775808 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi sle, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi slt, %n, %k1 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// safe: the greatest number and all others
func.func @f(%n: index) {
  %k0 = arith.constant 9223372036854775807 : index
  %k1 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %e0 = arith.cmpi ult, %n, %k0 : index
  scf.if %e0 { memref.dealloc %a : memref<4xf32> }
  %e1 = arith.cmpi eq, %n, %k0 : index
  scf.if %e1 { memref.dealloc %a : memref<4xf32> }
  %e2 = arith.cmpi slt, %n, %k1 : index
  scf.if %e2 { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// not judged: the order of three numbers
func.func @f(%a: index, %b: index, %c: index) {
  %m = memref.alloc() : memref<4xi32>
  %t = arith.constant true
  %x = arith.cmpi slt, %a, %b : index
  %y = arith.cmpi slt, %b, %c : index
  %z = arith.cmpi slt, %a, %c : index
  %xy = arith.andi %x, %y : i1
  %xyz = arith.andi %xy, %z : i1
  %n = arith.xori %xyz, %t : i1
  scf.if %xy { memref.dealloc %m : memref<4xi32> }
  scf.if %n { memref.dealloc %m : memref<4xi32> }
  return
}
// -----
// not judged: what is equal to the same is equal
func.func @f(%a: index, %b: index, %c: index) {
  %m = memref.alloc() : memref<4xi32>
  %t = arith.constant true
  %x = arith.cmpi eq, %a, %b : index
  %y = arith.cmpi eq, %b, %c : index
  %z = arith.cmpi eq, %a, %c : index
  %xy = arith.andi %x, %y : i1
  %xyz = arith.andi %xy, %z : i1
  %n = arith.xori %xyz, %t : i1
  scf.if %xy { memref.dealloc %m : memref<4xi32> }
  scf.if %n { memref.dealloc %m : memref<4xi32> }
  return
}
// -----
// not judged: everything is at most 127 in 8 bits
func.func @f(%a: i8) {
  %m = memref.alloc() : memref<4xi32>
  %c = arith.constant 127 : i8
  %x = arith.cmpi sle, %a, %c : i8
  scf.if %x { memref.dealloc %m : memref<4xi32> }
  return
}
// -----
// safe: comparisons of another dialect that exclude each other
func.func @f(%a: index, %b: index) {
  %m = memref.alloc() : memref<4xi32>
  %x = index.cmp slt(%a, %b)
  %y = index.cmp sge(%a, %b)
  scf.if %x { memref.dealloc %m : memref<4xi32> }
  scf.if %y { memref.dealloc %m : memref<4xi32> }
  return
}
// -----
// safe: comparisons of two dialects that exclude each other
func.func @f(%a: index, %b: index) {
  %m = memref.alloc() : memref<4xi32>
  %x = index.cmp slt(%a, %b)
  %y = arith.cmpi sge, %a, %b : index
  scf.if %x { memref.dealloc %m : memref<4xi32> }
  scf.if %y { memref.dealloc %m : memref<4xi32> }
  return
}
// -----
// not judged: the smaller one of two is no greater than the first
func.func @f(%a: index, %b: index) {
  %m = memref.alloc() : memref<4xi32>
  %x = arith.minsi %a, %b : index
  %y = arith.cmpi sle, %x, %a : index
  scf.if %y { memref.dealloc %m : memref<4xi32> }
  return
}
// -----
// safe: the next number is another one
func.func @f(%a: index) {
  %m = memref.alloc() : memref<4xi32>
  %c1 = arith.constant 1 : index
  %x = arith.addi %a, %c1 : index
  %y = arith.cmpi ne, %x, %a : index
  scf.if %y { memref.dealloc %m : memref<4xi32> }
  return
}
// -----
// not judged: a loop of affine that runs once, by several bounds
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  affine.for %i = max affine_map<() -> (0, 2)>() to min affine_map<() -> (10, 3)>() { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: a set of all numbers
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  affine.if affine_set<(d0) : (d0 * 0 + 1 >= 0)>(%n) { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a set, and what is not in it
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%n) { memref.dealloc %a : memref<4xi32> }
  affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%n) { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: one thread
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  scf.forall (%i) in (1) { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: freed in the fourth of five iterations
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %c5 step %c1 {
    %e = arith.cmpi eq, %i, %c3 : index
    scf.if %e { memref.dealloc %a : memref<4xi32> }
  }
  return
}
// -----
// not judged: how often a loop ran
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %a = memref.alloc() : memref<4xi32>
  %n = scf.for %i = %c0 to %c5 step %c1 iter_args(%k = %c0) -> index {
    %k1 = arith.addi %k, %c1 : index
    scf.yield %k1 : index
  }
  %e = arith.cmpi eq, %n, %c5 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: freed in the first iteration, and if there is none after the loop
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e { memref.dealloc %a : memref<4xi32> }
  }
  %e = arith.cmpi sle, %n, %c0 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: two loops run equally often
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %f = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %f) -> i1 { scf.yield %t : i1 }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%o = %f) -> i1 { scf.yield %t : i1 }
  scf.if %r { memref.dealloc %a : memref<4xi32> }
  scf.if %s { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: of three numbers, the first is the smallest, but the last may be anywhere
func.func @f(%a: index, %b: index, %c: index) {
  %m = memref.alloc() : memref<4xi32>
  %x = arith.cmpi slt, %a, %b : index
  %y = arith.cmpi slt, %a, %c : index
  %z = arith.cmpi slt, %b, %c : index
  %xy = arith.andi %x, %y : i1
  %xyz = arith.andi %xy, %z : i1
  scf.if %xy { memref.dealloc %m : memref<4xi32> }
  scf.if %xyz { } else { memref.dealloc %m : memref<4xi32> }
  return
}
// -----
// unsafe: the smaller one of two is between known numbers
func.func @f(%a: i32, %b: i32) {
  %m = memref.alloc() : memref<4xi32>
  %k = arith.constant 1000 : i32
  %l = arith.constant 1002 : i32
  %x = arith.minsi %a, %b : i32
  %y = arith.cmpi sgt, %x, %k : i32
  %z = arith.cmpi slt, %x, %l : i32
  %yz = arith.andi %y, %z : i1
  scf.if %yz { } else { memref.dealloc %m : memref<4xi32> }
  return
}
// -----
// unsafe: the next number is smaller if it wraps
func.func @f(%a: i8) {
  %m = memref.alloc() : memref<4xi32>
  %c1 = arith.constant 1 : i8
  %x = arith.addi %a, %c1 : i8
  %y = arith.cmpi sgt, %x, %a : i8
  scf.if %y { memref.dealloc %m : memref<4xi32> }
  return
}
// -----
// unsafe: two sets that overlap
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  affine.if affine_set<(d0) : (d0 - 50 >= 0)>(%n) { memref.dealloc %a : memref<4xi32> }
  affine.if affine_set<(d0) : (d0 - 51 >= 0)>(%n) { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: freed in the second of so many iterations
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi eq, %i, %c1 : index
    scf.if %e { memref.dealloc %a : memref<4xi32> }
  }
  return
}
// -----
// unsafe: a loop of affine that runs twice, by several bounds
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  affine.for %i = max affine_map<() -> (0, 1)>() to min affine_map<() -> (10, 3)>() { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: floating-point comparisons that exclude each other, the operands in the other order
func.func @f(%x: f32, %y: f32, %b: i1) {
  %m = memref.alloc() : memref<4xf32>
  %c = arith.cmpf olt, %x, %y : f32
  %d = arith.cmpf ule, %y, %x : f32
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  scf.if %d { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: floating-point comparisons that are no opposites, since there is NaN
func.func @f(%x: f32, %y: f32, %b: i1) {
  %m = memref.alloc() : memref<4xf32>
  %c = arith.cmpf olt, %x, %y : f32
  %d = arith.cmpf oge, %x, %y : f32
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  scf.if %d { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: what is NaN isn't ordered
func.func @f(%x: f32, %y: f32, %b: i1) {
  %m = memref.alloc() : memref<4xf32>
  %c = math.isnan %x : f32
  %d = arith.cmpf ord, %x, %x : f32
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  scf.if %d { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: comparisons of complex numbers
func.func @f(%x: f32, %y: f32, %b: i1) {
  %m = memref.alloc() : memref<4xf32>
  %v = complex.create %x, %y : complex<f32>
  %w = complex.create %y, %x : complex<f32>
  %c = complex.eq %v, %w : complex<f32>
  %d = complex.neq %w, %v : complex<f32>
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  scf.if %d { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: the same is computed twice
func.func @f(%x: f32, %y: f32, %b: i1) {
  %m = memref.alloc() : memref<4xf32>
  %v = arith.negf %x : f32
  %w = arith.negf %x : f32
  %c = arith.cmpf olt, %y, %v : f32
  %d = arith.cmpf uge, %y, %w : f32
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  scf.if %d { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: the same constant
func.func @f(%x: f32, %y: f32, %b: i1) {
  %m = memref.alloc() : memref<4xf32>
  %v = arith.constant 0.0 : f32
  %w = arith.constant 0.0 : f32
  %c = arith.cmpf olt, %x, %v : f32
  %d = arith.cmpf uge, %x, %w : f32
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  scf.if %d { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// safe: one of two constants
func.func @f(%x: f32, %y: f32, %b: i1) {
  %m = memref.alloc() : memref<4xf32>
  %v = arith.constant 1.0 : f32
  %w = arith.constant 2.0 : f32
  %z = arith.constant 0.0 : f32
  %s = arith.addf %v, %w : f32
  %t = arith.select %b, %s, %w : f32
  %c = arith.cmpf ogt, %t, %z : f32
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// not judged: a constant that is read
func.func @f(%x: f32, %y: f32, %b: i1) {
  %m = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %k = arith.constant 1.0 : f32
  memref.store %k, %m[%c0] : memref<4xf32>
  %l = memref.load %m[%c0] : memref<4xf32>
  %c = arith.cmpf oeq, %l, %k : f32
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// not judged: what is computed of a constant that is read
func.func @f(%x: f32, %y: f32, %b: i1) {
  %m = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %k = arith.constant 1.0 : f32
  memref.store %k, %m[%c0] : memref<4xf32>
  %l = memref.load %m[%c0] : memref<4xf32>
  %s = arith.addf %l, %k : f32
  %c = arith.cmpf ogt, %s, %k : f32
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  return
}
// -----
// unsafe: a number and a constant
func.func @f(%x: f32, %y: f32, %b: i1) {
  %m = memref.alloc() : memref<4xf32>
  %v = arith.constant 1.0 : f32
  %s = arith.addf %x, %v : f32
  %c = arith.cmpf ogt, %s, %v : f32
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  return
}
