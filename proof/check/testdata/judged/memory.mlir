// unsafe: an address that was written over
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<4xi32> -> index
  %w = memref.alloc() : memref<2xindex>
  memref.store %p, %w[%c0] : memref<2xindex>
  scf.if %c { memref.store %q, %w[%c0] : memref<2xindex> }
  %r = memref.load %w[%c0] : memref<2xindex>
  %e = arith.cmpi eq, %r, %p : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %b : memref<4xi32>
  memref.dealloc %w : memref<2xindex>
  return
}
// -----
// not judged: two arrays of which one is chosen, and written
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %w = memref.alloc() : memref<2xindex>
  %v = memref.alloc() : memref<2xindex>
  memref.store %p, %w[%c0] : memref<2xindex>
  memref.store %c0, %v[%c0] : memref<2xindex>
  %s = arith.select %c, %w, %v : memref<2xindex>
  memref.store %p, %s[%c0] : memref<2xindex>
  %r = memref.load %v[%c0] : memref<2xindex>
  %e = arith.cmpi eq, %r, %p : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<2xindex>
  memref.dealloc %v : memref<2xindex>
  return
}
// -----
// not judged: indices beyond the buffer of flags
func.func @f(%i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %n = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<2x2xi1>
  memref.store %t, %w[%c0, %c1] : memref<2x2xi1>
  memref.store %n, %w[%c1, %i] : memref<2x2xi1>
  memref.store %n, %w[%c0, %i] : memref<2x2xi1>
  %e = memref.load %w[%c0, %c1] : memref<2x2xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<2x2xi1>
  return
}
// -----
// safe: flags in two dimensions
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %n = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<2x2xi1>
  memref.store %t, %w[%c0, %c1] : memref<2x2xi1>
  memref.store %n, %w[%c1, %c0] : memref<2x2xi1>
  %e = memref.load %w[%c0, %c1] : memref<2x2xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<2x2xi1>
  return
}
// -----
// not judged: flags of another view of the same buffer
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<2xi1>
  memref.store %t, %w[%c0] : memref<2xi1>
  memref.store %t, %w[%c1] : memref<2xi1>
  %v = memref.reinterpret_cast %w to offset: [1], sizes: [1], strides: [1] : memref<2xi1> to memref<1xi1, strided<[1], offset: 1>>
  memref.store %c, %v[%c0] : memref<1xi1, strided<[1], offset: 1>>
  %e = memref.load %w[%c1] : memref<2xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<2xi1>
  return
}
// -----
// unsafe: flags that grow
func.func @f() {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<2xi1>
  memref.store %t, %w[%c0] : memref<2xi1>
  %v = memref.realloc %w : memref<2xi1> to memref<4xi1>
  %c3 = arith.constant 3 : index
  %e = memref.load %v[%c3] : memref<4xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %v : memref<4xi1>
  return
}
// -----
// unsafe: what grew is another buffer
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.realloc %a : memref<4xi32> to memref<8xi32>
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: only a part grew
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %v = memref.subview %a[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
  %w = memref.cast %v : memref<2xi32, strided<[1]>> to memref<2xi32>
  %b = memref.realloc %w : memref<2xi32> to memref<8xi32>
  memref.dealloc %b : memref<8xi32>
  return
}
// -----
// not judged: flags that are copied from elsewhere
func.func @f(%m: memref<2xi1>) {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<2xi1>
  memref.store %t, %w[%c0] : memref<2xi1>
  memref.copy %m, %w : memref<2xi1> to memref<2xi1>
  %e = memref.load %w[%c0] : memref<2xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<2xi1>
  return
}
// -----
// not judged: a vector of flags is written over the flag
func.func @f(%v: vector<2xi1>) {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<2xi1>
  memref.store %t, %w[%c0] : memref<2xi1>
  vector.transfer_write %v, %w[%c0] {in_bounds = [true]} : vector<2xi1>, memref<2xi1>
  %e = memref.load %w[%c0] : memref<2xi1>
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %w : memref<2xi1>
  return
}
// -----
// unsafe: the flag of a vector that was shuffled
func.func @f(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4xi32>
  %t = arith.constant true
  %v = vector.from_elements %c, %d : vector<2xi1>
  %w = vector.shuffle %v, %v [1, 0] : vector<2xi1>, vector<2xi1>
  %x = vector.extract %w[0] : i1 from vector<2xi1>
  scf.if %x { memref.dealloc %a : memref<4xi32> }
  %n = arith.xori %c, %t : i1
  scf.if %n { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: an address in a vector in memory
func.func @f() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %v = vector.splat %p : vector<2xindex>
  %w = memref.alloc() : memref<1xvector<2xindex>>
  memref.store %v, %w[%c0] : memref<1xvector<2xindex>>
  memref.dealloc %w : memref<1xvector<2xindex>>
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// not judged: an address as the number of elements
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %q = arith.subi %p, %p : index
  %c0 = arith.constant 0 : index
  %e = arith.cmpi eq, %q, %c0 : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: an address that was freed is that of a new buffer
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  memref.dealloc %a : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %q = memref.extract_aligned_pointer_as_index %b : memref<4xi32> -> index
  %e = arith.cmpi ne, %p, %q : index
  scf.if %e { memref.dealloc %b : memref<4xi32> }
  return
}
// -----
// unsafe: the address in the middle of a buffer is not that of a view
func.func @f() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<32xi8>
  %v = memref.view %a[%c8][] : memref<32xi8> to memref<4xi32>
  %w = memref.view %a[%c0][] : memref<32xi8> to memref<8xi32>
  %p = memref.extract_aligned_pointer_as_index %v : memref<4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %w : memref<8xi32> -> index
  %e = arith.cmpi eq, %p, %q : index
  scf.if %e { memref.dealloc %a : memref<32xi8> }
  return
}
// -----
// unsafe: an unranked buffer is freed under both of its names
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %u = memref.cast %a : memref<4xi32> to memref<*xi32>
  %b = memref.cast %u : memref<*xi32> to memref<?xi32>
  memref.dealloc %b : memref<?xi32>
  memref.dealloc %u : memref<*xi32>
  return
}
// -----
// unsafe: a part of a part
func.func @f() {
  %a = memref.alloc() : memref<4x4xi32>
  %v = memref.subview %a[1, 0] [2, 4] [1, 1] : memref<4x4xi32> to memref<2x4xi32, strided<[4, 1], offset: 4>>
  %w = memref.collapse_shape %v [[0, 1]] : memref<2x4xi32, strided<[4, 1], offset: 4>> into memref<8xi32, strided<[1], offset: 4>>
  memref.dealloc %w : memref<8xi32, strided<[1], offset: 4>>
  return
}
// -----
// unsafe: a transposed buffer is freed, and the buffer
func.func @f() {
  %a = memref.alloc() : memref<4x2xi32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x2xi32> to memref<2x4xi32, strided<[1, 2]>>
  memref.dealloc %t : memref<2x4xi32, strided<[1, 2]>>
  memref.dealloc %a : memref<4x2xi32>
  return
}
// -----
// unsafe: a buffer is freed, and its base is written
func.func @f(%x: i32) {
  %a = memref.alloc() : memref<4xi32>
  %b, %o, %s, %t = memref.extract_strided_metadata %a : memref<4xi32> -> memref<i32>, index, index, index
  memref.dealloc %a : memref<4xi32>
  memref.store %x, %b[] : memref<i32>
  return
}
// -----
// unsafe: two conditions that overlap, without buffers to keep
func.func @f(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4xi32>
  %o = arith.ori %c, %d : i1
  bufferization.dealloc (%a : memref<4xi32>) if (%o)
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  bufferization.dealloc (%a : memref<4xi32>) if (%n)
  return
}
// -----
// unsafe: one buffer under two conditions of which none may hold
func.func @f(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4xi32>
  bufferization.dealloc (%a, %a : memref<4xi32>, memref<4xi32>) if (%c, %d)
  return
}
// -----
// safe: one buffer under two conditions of which one holds
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  bufferization.dealloc (%a, %a : memref<4xi32>, memref<4xi32>) if (%c, %n)
  return
}
// -----
// unsafe: what is kept is said to be owned only if the condition holds
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %s = arith.select %c, %a, %b : memref<4xi32>
  %t = arith.constant true
  %o = bufferization.dealloc (%a, %b : memref<4xi32>, memref<4xi32>) if (%c, %c) retain (%s : memref<4xi32>)
  scf.if %o { memref.dealloc %s : memref<4xi32> }
  return
}
// -----
// safe: each is kept or freed
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %s = arith.select %c, %a, %b : memref<4xi32>
  %t = arith.constant true
  %o = bufferization.dealloc (%a, %b : memref<4xi32>, memref<4xi32>) if (%t, %t) retain (%s : memref<4xi32>)
  scf.if %o { memref.dealloc %s : memref<4xi32> }
  return
}
// -----
// unsafe: the part of one buffer is freed with another
func.func @f() {
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %v = memref.subview %a[2] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 2>>
  bufferization.dealloc (%v, %b : memref<2xi32, strided<[1], offset: 2>>, memref<4xi32>) if (%t, %t)
  return
}
// -----
// unsafe: the owner of one buffer is that of another
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %o = deallocation.own %a : memref<4xi32>
  %p = deallocation.own %b : memref<4xi32>
  %s = arith.select %c, %o, %p : !deallocation.ownership
  deallocation.free %s
  deallocation.free %o
  return
}
// -----
// unsafe: a buffer in a struct in memory is not followed, and one is lost
func.func @f(%m: memref<1xmemref<4xi32>>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.load %m[%c0] : memref<1xmemref<4xi32>>
  memref.dealloc %b : memref<4xi32>
  return
}
// -----
// not judged: flags at two indices that are one element
func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %w = memref.alloc() : memref<2x2xi1, strided<[1, 1]>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %t, %w[%c0, %c1] : memref<2x2xi1, strided<[1, 1]>>
  memref.store %c, %w[%c1, %c0] : memref<2x2xi1, strided<[1, 1]>>
  %e = memref.load %w[%c0, %c1] : memref<2x2xi1, strided<[1, 1]>>
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  memref.dealloc %w : memref<2x2xi1, strided<[1, 1]>>
  return
}
// -----
// safe: a flag on the stack that each iteration writes says who owns what the loop carries
func.func @f(%n: index, %arg: memref<4xf32>, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %f = memref.alloca() : memref<i1>
  memref.store %false, %f[] : memref<i1>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %arg) -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %b, %new : memref<4xf32> to memref<4xf32>
    %v = memref.load %f[] : memref<i1>
    scf.if %v { memref.dealloc %b : memref<4xf32> }
    memref.store %true, %f[] : memref<i1>
    scf.yield %new : memref<4xf32>
  }
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  %v = memref.load %f[] : memref<i1>
  scf.if %v { memref.dealloc %r : memref<4xf32> }
  return
}
// -----
// safe: a flag on the stack says whether an iteration has freed the buffer; it is filled, and read from a copy
func.func @f(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %f = memref.alloca() : memref<2xi1>
  %g = memref.alloca() : memref<2xi1>
  linalg.fill ins(%false : i1) outs(%f : memref<2xi1>)
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %is = arith.cmpi eq, %j, %k : index
      %v = memref.load %f[%c1] : memref<2xi1>
      %not = arith.xori %v, %true : i1
      %go = arith.andi %is, %not : i1
      scf.if %go {
        memref.dealloc %a : memref<4xf32>
        memref.store %true, %f[%c1] : memref<2xi1>
      }
    }
  }
  memref.copy %f, %g : memref<2xi1> to memref<2xi1>
  %v = memref.load %g[%c1] : memref<2xi1>
  scf.if %v { } else { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: the flag is loaded before the iteration writes it
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %f = memref.alloca() : memref<i1>
  memref.store %false, %f[] : memref<i1>
  %a = memref.alloc() : memref<4xf32>
  %v = memref.load %f[] : memref<i1>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %v { } else { memref.dealloc %a : memref<4xf32> }
    memref.store %true, %f[] : memref<i1>
  }
  %w = memref.load %f[] : memref<i1>
  scf.if %w { } else { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// not judged: the flag is at an index that nobody knows
func.func @f(%c: i1, %i: index, %arg: memref<4xf32>, %out: memref<4xf32>) {
  %false = arith.constant false
  %true = arith.constant true
  %f = memref.alloca() : memref<2xi1>
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.store %true, %f[%i] : memref<2xi1>
    scf.yield %a : memref<4xf32>
  } else {
    memref.store %false, %f[%i] : memref<2xi1>
    scf.yield %arg : memref<4xf32>
  }
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  %v = memref.load %f[%i] : memref<2xi1>
  bufferization.dealloc (%r : memref<4xf32>) if (%v)
  return
}
// -----
// not judged: the flag is an i32
func.func @f(%c: i1, %arg: memref<4xf32>, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f = memref.alloca() : memref<i32>
  memref.store %c0, %f[] : memref<i32>
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.store %c1, %f[] : memref<i32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %arg : memref<4xf32>
  }
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  %v = memref.load %f[] : memref<i32>
  %t = arith.cmpi ne, %v, %c0 : i32
  scf.if %t { memref.dealloc %r : memref<4xf32> }
  return
}
// -----
// not judged: a function that calls itself writes the flag
func.func private @down(%f: memref<i1>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = arith.cmpi eq, %n, %c0 : index
  scf.if %e {
    memref.store %c, %f[] : memref<i1>
  } else {
    %k = arith.subi %n, %c1 : index
    func.call @down(%f, %k, %c) : (memref<i1>, index, i1) -> ()
  }
  return
}
func.func @f(%n: index, %c: i1) {
  %false = arith.constant false
  %f = memref.alloca() : memref<i1>
  memref.store %false, %f[] : memref<i1>
  %a = memref.alloc() : memref<4xf32>
  scf.if %c { memref.dealloc %a : memref<4xf32> }
  func.call @down(%f, %n, %c) : (memref<i1>, index, i1) -> ()
  %v = memref.load %f[] : memref<i1>
  scf.if %v { } else { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: nothing depends on the flag at an index that nobody knows
func.func @f(%c: i1, %i: index) {
  %true = arith.constant true
  %f = memref.alloca() : memref<2xi1>
  memref.store %true, %f[%i] : memref<2xi1>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %v = memref.load %f[%i] : memref<2xi1>
  scf.if %v { memref.dealloc %a : memref<4xf32> }
  scf.if %c { memref.dealloc %b : memref<4xf32> }
  return
}
// -----
// not judged: a fill whose body yields something else
func.func @f() {
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %f = memref.alloca() : memref<4xi1>
  "linalg.fill"(%true, %f) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: i1, %y: i1):
    linalg.yield %false : i1
  }) : (i1, memref<4xi1>) -> ()
  %v = memref.load %f[%c1] : memref<4xi1>
  scf.if %v { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: a fill whose body writes the flag, after which it is filled or not
func.func @f() {
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %f = memref.alloca() : memref<4xi1>
  "linalg.fill"(%true, %f) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: i1, %y: i1):
    memref.store %false, %f[%c1] : memref<4xi1>
    linalg.yield %x : i1
  }) : (i1, memref<4xi1>) -> ()
  %v = memref.load %f[%c1] : memref<4xi1>
  scf.if %v { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: the yield of a generic overwrites the flag that its body sets
func.func @f() {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %no = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloca() : memref<1xi1>
  %v = memref.alloca() : memref<1xi1>
  %in = memref.alloca() : memref<3xi1>
  linalg.fill ins(%no : i1) outs(%in : memref<3xi1>)
  memref.store %no, %w[%c0] : memref<1xi1>
  memref.store %no, %v[%c0] : memref<1xi1>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (0)>], iterator_types = ["reduction"]} ins(%in : memref<3xi1>) outs(%w : memref<1xi1>) {
  ^bb0(%x: i1, %y: i1):
    %q = memref.load %w[%c0] : memref<1xi1>
    scf.if %q { } else {
      memref.dealloc %a : memref<4xi32>
      memref.store %t, %v[%c0] : memref<1xi1>
      memref.store %t, %w[%c0] : memref<1xi1>
    }
    linalg.yield %no : i1
  }
  %e = memref.load %v[%c0] : memref<1xi1>
  scf.if %e { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: a reduction overwrites the flag that its body sets
func.func @f() {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %no = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloca() : memref<i1>
  %v = memref.alloca() : memref<i1>
  %in = memref.alloca() : memref<3xi1>
  linalg.fill ins(%no : i1) outs(%in : memref<3xi1>)
  memref.store %no, %w[] : memref<i1>
  memref.store %no, %v[] : memref<i1>
  linalg.reduce ins(%in : memref<3xi1>) outs(%w : memref<i1>) dimensions = [0] (%x: i1, %y: i1) {
    %q = memref.load %w[] : memref<i1>
    scf.if %q { } else {
      memref.dealloc %a : memref<4xi32>
      memref.store %t, %v[] : memref<i1>
      memref.store %t, %w[] : memref<i1>
    }
    linalg.yield %x : i1
  }
  %e = memref.load %v[] : memref<i1>
  scf.if %e { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: a map overwrites the flag that its body sets for the second element
func.func @f() {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %no = arith.constant false
  %a = memref.alloc() : memref<4xi32>
  %w = memref.alloca() : memref<2xi1>
  %v = memref.alloca() : memref<i1>
  %in = memref.alloca() : memref<2xi1>
  linalg.fill ins(%no : i1) outs(%in : memref<2xi1>)
  linalg.fill ins(%no : i1) outs(%w : memref<2xi1>)
  memref.store %no, %v[] : memref<i1>
  linalg.map ins(%in : memref<2xi1>) outs(%w : memref<2xi1>) (%x: i1) {
    %q = memref.load %w[%c0] : memref<2xi1>
    scf.if %q { } else {
      memref.dealloc %a : memref<4xi32>
      memref.store %t, %v[] : memref<i1>
      memref.store %t, %w[%c0] : memref<2xi1>
    }
    linalg.yield %no : i1
  }
  %e = memref.load %v[] : memref<i1>
  scf.if %e { } else { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a reshape of the whole buffer is freed
func.func @f() {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloca() : memref<2xindex>
  memref.store %c2, %s[%c0] : memref<2xindex>
  memref.store %c2, %s[%c1] : memref<2xindex>
  %a = memref.alloc() : memref<4xi32>
  %r = memref.reshape %a(%s) : (memref<4xi32>, memref<2xindex>) -> memref<2x2xi32>
  memref.dealloc %r : memref<2x2xi32>
  return
}
// -----
// unsafe: a reshape to fewer elements is a part
func.func @f() {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %s = memref.alloca() : memref<1xindex>
  memref.store %c2, %s[%c0] : memref<1xindex>
  %a = memref.alloc() : memref<4xi32>
  %r = memref.reshape %a(%s) : (memref<4xi32>, memref<1xindex>) -> memref<2xi32>
  memref.dealloc %r : memref<2xi32>
  return
}
