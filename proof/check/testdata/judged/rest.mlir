// safe: nineteen returns
func.func @f(%c0: i1, %c1: i1, %c2: i1, %c3: i1, %c4: i1, %c5: i1, %c6: i1, %c7: i1, %c8: i1, %c9: i1, %c10: i1, %c11: i1, %c12: i1, %c13: i1, %c14: i1, %c15: i1, %c16: i1, %c17: i1) {
  %a = memref.alloc() : memref<4xi32>
  cf.br ^b0
^b0:
  cf.cond_br %c0, ^r0, ^b1
^r0:
  memref.dealloc %a : memref<4xi32>
  return
^b1:
  cf.cond_br %c1, ^r1, ^b2
^r1:
  memref.dealloc %a : memref<4xi32>
  return
^b2:
  cf.cond_br %c2, ^r2, ^b3
^r2:
  memref.dealloc %a : memref<4xi32>
  return
^b3:
  cf.cond_br %c3, ^r3, ^b4
^r3:
  memref.dealloc %a : memref<4xi32>
  return
^b4:
  cf.cond_br %c4, ^r4, ^b5
^r4:
  memref.dealloc %a : memref<4xi32>
  return
^b5:
  cf.cond_br %c5, ^r5, ^b6
^r5:
  memref.dealloc %a : memref<4xi32>
  return
^b6:
  cf.cond_br %c6, ^r6, ^b7
^r6:
  memref.dealloc %a : memref<4xi32>
  return
^b7:
  cf.cond_br %c7, ^r7, ^b8
^r7:
  memref.dealloc %a : memref<4xi32>
  return
^b8:
  cf.cond_br %c8, ^r8, ^b9
^r8:
  memref.dealloc %a : memref<4xi32>
  return
^b9:
  cf.cond_br %c9, ^r9, ^b10
^r9:
  memref.dealloc %a : memref<4xi32>
  return
^b10:
  cf.cond_br %c10, ^r10, ^b11
^r10:
  memref.dealloc %a : memref<4xi32>
  return
^b11:
  cf.cond_br %c11, ^r11, ^b12
^r11:
  memref.dealloc %a : memref<4xi32>
  return
^b12:
  cf.cond_br %c12, ^r12, ^b13
^r12:
  memref.dealloc %a : memref<4xi32>
  return
^b13:
  cf.cond_br %c13, ^r13, ^b14
^r13:
  memref.dealloc %a : memref<4xi32>
  return
^b14:
  cf.cond_br %c14, ^r14, ^b15
^r14:
  memref.dealloc %a : memref<4xi32>
  return
^b15:
  cf.cond_br %c15, ^r15, ^b16
^r15:
  memref.dealloc %a : memref<4xi32>
  return
^b16:
  cf.cond_br %c16, ^r16, ^b17
^r16:
  memref.dealloc %a : memref<4xi32>
  return
^b17:
  cf.cond_br %c17, ^r17, ^b18
^r17:
  memref.dealloc %a : memref<4xi32>
  return
^b18:
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: nineteen returns, of which the last leaks
func.func @f(%c0: i1, %c1: i1, %c2: i1, %c3: i1, %c4: i1, %c5: i1, %c6: i1, %c7: i1, %c8: i1, %c9: i1, %c10: i1, %c11: i1, %c12: i1, %c13: i1, %c14: i1, %c15: i1, %c16: i1, %c17: i1) {
  %a = memref.alloc() : memref<4xi32>
  cf.br ^b0
^b0:
  cf.cond_br %c0, ^r0, ^b1
^r0:
  memref.dealloc %a : memref<4xi32>
  return
^b1:
  cf.cond_br %c1, ^r1, ^b2
^r1:
  memref.dealloc %a : memref<4xi32>
  return
^b2:
  cf.cond_br %c2, ^r2, ^b3
^r2:
  memref.dealloc %a : memref<4xi32>
  return
^b3:
  cf.cond_br %c3, ^r3, ^b4
^r3:
  memref.dealloc %a : memref<4xi32>
  return
^b4:
  cf.cond_br %c4, ^r4, ^b5
^r4:
  memref.dealloc %a : memref<4xi32>
  return
^b5:
  cf.cond_br %c5, ^r5, ^b6
^r5:
  memref.dealloc %a : memref<4xi32>
  return
^b6:
  cf.cond_br %c6, ^r6, ^b7
^r6:
  memref.dealloc %a : memref<4xi32>
  return
^b7:
  cf.cond_br %c7, ^r7, ^b8
^r7:
  memref.dealloc %a : memref<4xi32>
  return
^b8:
  cf.cond_br %c8, ^r8, ^b9
^r8:
  memref.dealloc %a : memref<4xi32>
  return
^b9:
  cf.cond_br %c9, ^r9, ^b10
^r9:
  memref.dealloc %a : memref<4xi32>
  return
^b10:
  cf.cond_br %c10, ^r10, ^b11
^r10:
  memref.dealloc %a : memref<4xi32>
  return
^b11:
  cf.cond_br %c11, ^r11, ^b12
^r11:
  memref.dealloc %a : memref<4xi32>
  return
^b12:
  cf.cond_br %c12, ^r12, ^b13
^r12:
  memref.dealloc %a : memref<4xi32>
  return
^b13:
  cf.cond_br %c13, ^r13, ^b14
^r13:
  memref.dealloc %a : memref<4xi32>
  return
^b14:
  cf.cond_br %c14, ^r14, ^b15
^r14:
  memref.dealloc %a : memref<4xi32>
  return
^b15:
  cf.cond_br %c15, ^r15, ^b16
^r15:
  memref.dealloc %a : memref<4xi32>
  return
^b16:
  cf.cond_br %c16, ^r16, ^b17
^r16:
  memref.dealloc %a : memref<4xi32>
  return
^b17:
  cf.cond_br %c17, ^r17, ^b18
^r17:
  memref.dealloc %a : memref<4xi32>
  return
^b18:
  return
}
// -----
// safe: a switch on a boolean with a case for each
func.func @f(%s: i1) {
  %a = memref.alloc() : memref<4xi32>
  cf.switch %s : i1, [
    default: ^x,
    0: ^y,
    1: ^y
  ]
^x:
  return
^y:
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: a switch on a boolean with a case for each, of which one leaks
func.func @f(%s: i1) {
  %a = memref.alloc() : memref<4xi32>
  cf.switch %s : i1, [
    default: ^y,
    0: ^x,
    1: ^y
  ]
^x:
  return
^y:
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: a switch on numbers of a hundred bits
func.func @f(%s: i100) {
  %a = memref.alloc() : memref<4xi32>
  cf.switch %s : i100, [
    default: ^y,
    100000000000000000000: ^x,
    200000000000000000000: ^y
  ]
^x:
  return
^y:
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// not judged: owners of a function that nobody calls
func.func private @f(%o: !deallocation.ownership) {
  deallocation.free %o
  return
}
// -----
// not judged: a condition in no function
%c = arith.constant true
scf.if %c {
  %a = memref.alloc() : memref<4xi32>
  scf.yield
}
// -----
// unsafe: whether a sum of addresses overflows
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %s, %o = arith.addui_extended %p, %p : index, i1
  scf.if %o { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: an unranked buffer is seen as four elements
func.func @f() {
  %a = memref.alloc() : memref<8xi32>
  %u = memref.cast %a : memref<8xi32> to memref<*xi32>
  %v = memref.reinterpret_cast %u to offset: [0], sizes: [4], strides: [1] : memref<*xi32> to memref<4xi32>
  memref.dealloc %v : memref<4xi32>
  return
}
// -----
// not judged: an owner of a buffer from nobody knows where is returned
func.func @f(%m: memref<1xmemref<4xi32>>) -> !deallocation.ownership {
  %c0 = arith.constant 0 : index
  %b = memref.load %m[%c0] : memref<1xmemref<4xi32>>
  %o = deallocation.own %b : memref<4xi32>
  return %o : !deallocation.ownership
}
// -----
// unsafe: an owner is returned twice
func.func @f() -> (!deallocation.ownership, !deallocation.ownership) {
  %a = memref.alloc() : memref<4xi32>
  %o = deallocation.own %a : memref<4xi32>
  return %o, %o : !deallocation.ownership, !deallocation.ownership
}
// -----
// unsafe: the same buffer from nobody knows where need not be the same
func.func @f(%m: memref<1xmemref<4xi32>>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.load %m[%c0] : memref<1xmemref<4xi32>>
  %p = memref.extract_aligned_pointer_as_index %b : memref<4xi32> -> index
  %d = memref.load %m[%c0] : memref<1xmemref<4xi32>>
  %q = memref.extract_aligned_pointer_as_index %d : memref<4xi32> -> index
  %e = arith.cmpi eq, %p, %q : index
  scf.if %e { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a part that is returned from a function that is followed is freed
func.func private @part(%m: memref<4xi32>, %w: memref<1xi1>) -> memref<2xi32, strided<[1], offset: 2>> {
  %v = memref.subview %m[2] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 2>>
  return %v : memref<2xi32, strided<[1], offset: 2>>
}
func.func @f() {
  %w = memref.alloc() : memref<1xi1>
  %a = memref.alloc() : memref<4xi32>
  %v = func.call @part(%a, %w) : (memref<4xi32>, memref<1xi1>) -> memref<2xi32, strided<[1], offset: 2>>
  memref.dealloc %v : memref<2xi32, strided<[1], offset: 2>>
  memref.dealloc %w : memref<1xi1>
  return
}
// -----
// unsafe: a clone of a part is a buffer of its own, and the part isn't
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %v = memref.subview %a[2] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 2>>
  %b = bufferization.clone %v : memref<2xi32, strided<[1], offset: 2>> to memref<2xi32, strided<[1], offset: 2>>
  memref.dealloc %b : memref<2xi32, strided<[1], offset: 2>>
  memref.dealloc %v : memref<2xi32, strided<[1], offset: 2>>
  return
}
// -----
// unsafe: a recursive function returns a shifted view, whose address is compared with its other result
func.func private @r(%n: index) -> (memref<64xi8>, memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %z, ^x, ^y
^x:
  %a = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%c8][] : memref<64xi8> to memref<4xi32>
  return %a, %v : memref<64xi8>, memref<4xi32>
^y:
  %k = arith.subi %n, %c1 : index
  %s:2 = call @r(%k) : (index) -> (memref<64xi8>, memref<4xi32>)
  return %s#0, %s#1 : memref<64xi8>, memref<4xi32>
}
func.func @f(%n: index) {
  %s:2 = call @r(%n) : (index) -> (memref<64xi8>, memref<4xi32>)
  %p = memref.extract_aligned_pointer_as_index %s#0 : memref<64xi8> -> index
  %q = memref.extract_aligned_pointer_as_index %s#1 : memref<4xi32> -> index
  %e = arith.cmpi ne, %p, %q : index
  memref.dealloc %s#0 : memref<64xi8>
  scf.if %e { memref.dealloc %s#1 : memref<4xi32> }
  return
}
// -----
// unsafe: dealloc of a buffer and a shifted view of it under one condition
func.func @f() {
  %t = arith.constant true
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%c8][] : memref<64xi8> to memref<4xi32>
  bufferization.dealloc (%a, %v : memref<64xi8>, memref<4xi32>) if (%t, %t)
  return
}
