// unsafe: a private function returns one of its arguments, and a new buffer
func.func private @g(%a: memref<4xi32>, %c: i1) -> memref<4xi32> {
  %r = scf.if %c -> memref<4xi32> {
    scf.yield %a : memref<4xi32>
  } else {
    %n = memref.alloc() : memref<4xi32>
    scf.yield %n : memref<4xi32>
  }
  return %r : memref<4xi32>
}
func.func @f(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4xi32>
  %r = func.call @g(%a, %c) : (memref<4xi32>, i1) -> memref<4xi32>
  scf.if %d { memref.dealloc %r : memref<4xi32> }
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: the same, told by the condition
func.func private @g(%a: memref<4xi32>, %c: i1) -> memref<4xi32> {
  %r = scf.if %c -> memref<4xi32> {
    scf.yield %a : memref<4xi32>
  } else {
    %n = memref.alloc() : memref<4xi32>
    scf.yield %n : memref<4xi32>
  }
  return %r : memref<4xi32>
}
func.func @f(%c: i1) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %a = memref.alloc() : memref<4xi32>
  %r = func.call @g(%a, %c) : (memref<4xi32>, i1) -> memref<4xi32>
  scf.if %n { memref.dealloc %r : memref<4xi32> }
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: the arguments come back exchanged
func.func private @g(%a: memref<4xi32>, %b: memref<4xi32>) -> (memref<4xi32>, memref<4xi32>) {
  return %b, %a : memref<4xi32>, memref<4xi32>
}
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r:2 = func.call @g(%a, %b) : (memref<4xi32>, memref<4xi32>) -> (memref<4xi32>, memref<4xi32>)
  memref.dealloc %a : memref<4xi32>
  memref.dealloc %r#1 : memref<4xi32>
  return
}
// -----
// unsafe: the same buffer twice for a function that frees both
func.func private @g(%a: memref<4xi32>, %b: memref<4xi32>) {
  memref.dealloc %a : memref<4xi32>
  memref.dealloc %b : memref<4xi32>
  return
}
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %s = arith.select %c, %a, %b : memref<4xi32>
  func.call @g(%a, %s) : (memref<4xi32>, memref<4xi32>) -> ()
  return
}
// -----
// not judged: a function that frees its arguments each second time it calls itself
func.func private @g(%a: memref<4xi32>, %b: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %z, ^end, ^more
^more:
  %k = arith.subi %n, %c1 : index
  func.call @g(%b, %a, %k) : (memref<4xi32>, memref<4xi32>, index) -> ()
  return
^end:
  memref.dealloc %a : memref<4xi32>
  return
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  func.call @g(%a, %b, %n) : (memref<4xi32>, memref<4xi32>, index) -> ()
  memref.dealloc %b : memref<4xi32>
  return
}
// -----
// not judged: two functions that call each other, of which the second keeps what the first hands over
func.func private @g(%a: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %z = arith.cmpi eq, %n, %c0 : index
  scf.if %z {
    memref.dealloc %a : memref<4xi32>
  } else {
    func.call @h(%a, %n) : (memref<4xi32>, index) -> ()
  }
  return
}
func.func private @h(%a: memref<4xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %k = arith.subi %n, %c1 : index
  %b = memref.alloc() : memref<4xi32>
  func.call @g(%b, %k) : (memref<4xi32>, index) -> ()
  return
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  func.call @g(%a, %n) : (memref<4xi32>, index) -> ()
  return
}
// -----
// unsafe: a public function must not free what it gets
func.func @g(%a: memref<4xi32>) {
  memref.dealloc %a : memref<4xi32>
  return
}
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  func.call @g(%a) : (memref<4xi32>) -> ()
  return
}
// -----
// unsafe: a private function that is called through a value, too
func.func private @g(%a: memref<4xi32>) {
  memref.dealloc %a : memref<4xi32>
  return
}
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  %g = func.constant @g : (memref<4xi32>) -> ()
  func.call_indirect %g(%a) : (memref<4xi32>) -> ()
  return
}
// -----
// unsafe: a function of which nobody knows whose is what it gets
func.func private @g(%a: memref<4xi32>, %c: i1) {
  %n = memref.alloc() : memref<4xi32>
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// safe: a function that nobody calls, and that is right for somebody
func.func private @g(%a: memref<4xi32>) {
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// not judged: an address goes to a function that calls itself
func.func private @g(%p: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> index {
    scf.yield %p : index
  } else {
    %k = arith.subi %n, %c1 : index
    %q = func.call @g(%p, %k) : (index, index) -> index
    scf.yield %q : index
  }
  return %r : index
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %q = func.call @g(%p, %n) : (index, index) -> index
  %c = arith.cmpi eq, %p, %q : index
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// not judged: a function that calls itself returns an address
func.func private @g(%a: memref<4xi32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> index {
    %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
    scf.yield %p : index
  } else {
    %k = arith.subi %n, %c1 : index
    %q = func.call @g(%a, %k) : (memref<4xi32>, index) -> index
    scf.yield %q : index
  }
  return %r : index
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %q = func.call @g(%a, %n) : (memref<4xi32>, index) -> index
  %c = arith.cmpi eq, %p, %q : index
  scf.if %c { memref.dealloc %a : memref<4xi32> }
  return
}
// -----
// unsafe: a function that calls itself returns a part
func.func private @g(%a: memref<4xi32>, %n: index) -> memref<?xi32, strided<[1], offset: ?>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> memref<?xi32, strided<[1], offset: ?>> {
    %new = memref.alloc() : memref<4xi32>
    %v = memref.subview %new[1] [%c1] [1] : memref<4xi32> to memref<?xi32, strided<[1], offset: 1>>
    %w = memref.cast %v : memref<?xi32, strided<[1], offset: 1>> to memref<?xi32, strided<[1], offset: ?>>
    scf.yield %w : memref<?xi32, strided<[1], offset: ?>>
  } else {
    %k = arith.subi %n, %c1 : index
    %q = func.call @g(%a, %k) : (memref<4xi32>, index) -> memref<?xi32, strided<[1], offset: ?>>
    scf.yield %q : memref<?xi32, strided<[1], offset: ?>>
  }
  return %r : memref<?xi32, strided<[1], offset: ?>>
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  %q = func.call @g(%a, %n) : (memref<4xi32>, index) -> memref<?xi32, strided<[1], offset: ?>>
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// unsafe: a declared function returns what its caller must free
func.func private @make() -> memref<4xi32>
func.func @f() {
  %a = func.call @make() : () -> memref<4xi32>
  return
}
// -----
// unsafe: two results of a declared function may be the same buffer
func.func private @make() -> (memref<4xi32>, memref<4xi32>)
func.func @f() {
  %a:2 = func.call @make() : () -> (memref<4xi32>, memref<4xi32>)
  memref.dealloc %a#0 : memref<4xi32>
  memref.dealloc %a#1 : memref<4xi32>
  return
}
// -----
// safe: two results of a declared function, freed unless they are the same buffer
func.func private @make() -> (memref<4xi32>, memref<4xi32>)
func.func @f() {
  %a:2 = func.call @make() : () -> (memref<4xi32>, memref<4xi32>)
  %t = arith.constant true
  bufferization.dealloc (%a#0, %a#1 : memref<4xi32>, memref<4xi32>) if (%t, %t)
  return
}
// -----
// not judged: a declared function returns owners
func.func private @make() -> (memref<4xi32>, !deallocation.ownership)
func.func @f() {
  %a:2 = func.call @make() : () -> (memref<4xi32>, !deallocation.ownership)
  deallocation.free %a#1
  return
}
// -----
// unsafe: returned, and freed
func.func @f() -> memref<4xi32> {
  %a = memref.alloc() : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return %a : memref<4xi32>
}
// -----
// unsafe: an argument is returned as one's own
func.func @f(%a: memref<4xi32>) -> memref<4xi32> {
  return %a : memref<4xi32>
}
// -----
// unsafe: the stack is returned
func.func @f() -> memref<4xi32> {
  %a = memref.alloca() : memref<4xi32>
  return %a : memref<4xi32>
}
// -----
// unsafe: the stack of a function that was called
func.func private @g(%c: i1, %x: memref<4xi32>) -> memref<4xi32> {
  %a = memref.alloca() : memref<4xi32>
  %r = arith.select %c, %a, %x : memref<4xi32>
  return %r : memref<4xi32>
}
func.func @f(%c: i1, %v: i32) {
  %c0 = arith.constant 0 : index
  %x = memref.alloca() : memref<4xi32>
  %a = func.call @g(%c, %x) : (i1, memref<4xi32>) -> memref<4xi32>
  memref.store %v, %a[%c0] : memref<4xi32>
  return
}
// -----
// not judged: functions call each other seventy deep
func.func private @g0(%a: memref<4xi32>) {
  memref.dealloc %a : memref<4xi32>
  return
}
func.func private @g1(%a: memref<4xi32>) {
  func.call @g0(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g2(%a: memref<4xi32>) {
  func.call @g1(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g3(%a: memref<4xi32>) {
  func.call @g2(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g4(%a: memref<4xi32>) {
  func.call @g3(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g5(%a: memref<4xi32>) {
  func.call @g4(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g6(%a: memref<4xi32>) {
  func.call @g5(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g7(%a: memref<4xi32>) {
  func.call @g6(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g8(%a: memref<4xi32>) {
  func.call @g7(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g9(%a: memref<4xi32>) {
  func.call @g8(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g10(%a: memref<4xi32>) {
  func.call @g9(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g11(%a: memref<4xi32>) {
  func.call @g10(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g12(%a: memref<4xi32>) {
  func.call @g11(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g13(%a: memref<4xi32>) {
  func.call @g12(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g14(%a: memref<4xi32>) {
  func.call @g13(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g15(%a: memref<4xi32>) {
  func.call @g14(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g16(%a: memref<4xi32>) {
  func.call @g15(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g17(%a: memref<4xi32>) {
  func.call @g16(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g18(%a: memref<4xi32>) {
  func.call @g17(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g19(%a: memref<4xi32>) {
  func.call @g18(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g20(%a: memref<4xi32>) {
  func.call @g19(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g21(%a: memref<4xi32>) {
  func.call @g20(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g22(%a: memref<4xi32>) {
  func.call @g21(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g23(%a: memref<4xi32>) {
  func.call @g22(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g24(%a: memref<4xi32>) {
  func.call @g23(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g25(%a: memref<4xi32>) {
  func.call @g24(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g26(%a: memref<4xi32>) {
  func.call @g25(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g27(%a: memref<4xi32>) {
  func.call @g26(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g28(%a: memref<4xi32>) {
  func.call @g27(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g29(%a: memref<4xi32>) {
  func.call @g28(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g30(%a: memref<4xi32>) {
  func.call @g29(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g31(%a: memref<4xi32>) {
  func.call @g30(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g32(%a: memref<4xi32>) {
  func.call @g31(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g33(%a: memref<4xi32>) {
  func.call @g32(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g34(%a: memref<4xi32>) {
  func.call @g33(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g35(%a: memref<4xi32>) {
  func.call @g34(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g36(%a: memref<4xi32>) {
  func.call @g35(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g37(%a: memref<4xi32>) {
  func.call @g36(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g38(%a: memref<4xi32>) {
  func.call @g37(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g39(%a: memref<4xi32>) {
  func.call @g38(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g40(%a: memref<4xi32>) {
  func.call @g39(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g41(%a: memref<4xi32>) {
  func.call @g40(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g42(%a: memref<4xi32>) {
  func.call @g41(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g43(%a: memref<4xi32>) {
  func.call @g42(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g44(%a: memref<4xi32>) {
  func.call @g43(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g45(%a: memref<4xi32>) {
  func.call @g44(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g46(%a: memref<4xi32>) {
  func.call @g45(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g47(%a: memref<4xi32>) {
  func.call @g46(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g48(%a: memref<4xi32>) {
  func.call @g47(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g49(%a: memref<4xi32>) {
  func.call @g48(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g50(%a: memref<4xi32>) {
  func.call @g49(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g51(%a: memref<4xi32>) {
  func.call @g50(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g52(%a: memref<4xi32>) {
  func.call @g51(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g53(%a: memref<4xi32>) {
  func.call @g52(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g54(%a: memref<4xi32>) {
  func.call @g53(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g55(%a: memref<4xi32>) {
  func.call @g54(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g56(%a: memref<4xi32>) {
  func.call @g55(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g57(%a: memref<4xi32>) {
  func.call @g56(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g58(%a: memref<4xi32>) {
  func.call @g57(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g59(%a: memref<4xi32>) {
  func.call @g58(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g60(%a: memref<4xi32>) {
  func.call @g59(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g61(%a: memref<4xi32>) {
  func.call @g60(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g62(%a: memref<4xi32>) {
  func.call @g61(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g63(%a: memref<4xi32>) {
  func.call @g62(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g64(%a: memref<4xi32>) {
  func.call @g63(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g65(%a: memref<4xi32>) {
  func.call @g64(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g66(%a: memref<4xi32>) {
  func.call @g65(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g67(%a: memref<4xi32>) {
  func.call @g66(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g68(%a: memref<4xi32>) {
  func.call @g67(%a) : (memref<4xi32>) -> ()
  return
}
func.func private @g69(%a: memref<4xi32>) {
  func.call @g68(%a) : (memref<4xi32>) -> ()
  return
}
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  func.call @g69(%a) : (memref<4xi32>) -> ()
  return
}
// -----
// unsafe: the same name, of a module inside
module @in {
  func.func private @g(%a: memref<4xi32>) {
    return
  }
  func.func @f() {
    %a = memref.alloc() : memref<4xi32>
    func.call @g(%a) : (memref<4xi32>) -> ()
    return
  }
}
func.func private @g(%a: memref<4xi32>) {
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// safe: globals of two modules that have the same name are two
module @in {
  memref.global "private" @g : memref<4xi32> = uninitialized
  func.func @f(%x: i32) {
    %c0 = arith.constant 0 : index
    %a = memref.get_global @g : memref<4xi32>
    %b = memref.get_global @g : memref<4xi32>
    memref.store %x, %a[%c0] : memref<4xi32>
    return
  }
}
memref.global "private" @g : memref<4xi32> = uninitialized
func.func @f(%x: i32) {
  %c0 = arith.constant 0 : index
  %a = memref.get_global @g : memref<4xi32>
  memref.store %x, %a[%c0] : memref<4xi32>
  return
}
// -----
// unsafe: a global buffer is freed
memref.global "private" @g : memref<4xi32> = uninitialized
func.func @f() {
  %a = memref.get_global @g : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return
}
// -----
// not judged: what is in no function
%a = memref.alloc() : memref<4xi32>
memref.dealloc %a : memref<4xi32>
// -----
// safe: numbers in no function
%a = arith.constant 1 : index
// -----
// not judged: a number that needs another in no function
%a = arith.constant 1 : index
%b = arith.addi %a, %a : index
%m = memref.alloc(%b) : memref<?xi32>
// -----
// unsafe: nothing is known about one function, and another is wrong
func.func @g(%t: tensor<4xi32>) {
  return
}
func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  return
}
// -----
// not judged: a private function with tensors that is called
func.func private @g(%t: tensor<4xi32>) -> tensor<4xi32> {
  return %t : tensor<4xi32>
}
func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %r = func.call @g(%t) : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// safe: a function that calls itself exchanges its arguments
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi sle, %n, %c0 : index
  %r:2 = scf.if %z -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x, %y : memref<4xf32>, memref<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %s:2 = func.call @g(%y, %x, %m) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
    scf.yield %s#0, %s#1 : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %n) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// safe: a function that calls itself exchanges its results
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi sle, %n, %c0 : index
  %r:2 = scf.if %z -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x, %y : memref<4xf32>, memref<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %s:2 = func.call @g(%x, %y, %m) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
    scf.yield %s#1, %s#0 : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %n) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// safe: a function that calls itself replaces one of its arguments
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi sle, %n, %c0 : index
  %r:2 = scf.if %z -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x, %y : memref<4xf32>, memref<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    memref.dealloc %x : memref<4xf32>
    %d = memref.alloc() : memref<4xf32>
    %s:2 = func.call @g(%y, %d, %m) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
    scf.yield %s#1, %s#0 : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %n) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// not judged: a function that calls itself returns one argument twice in the end
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi sle, %n, %c0 : index
  %r:2 = scf.if %z -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x, %x : memref<4xf32>, memref<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %s:2 = func.call @g(%y, %x, %m) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
    scf.yield %s#0, %s#1 : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %n) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// not judged: a function that calls itself returns one argument twice, and frees the other
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi sle, %n, %c0 : index
  %r:2 = scf.if %z -> (memref<4xf32>, memref<4xf32>) {
    memref.dealloc %y : memref<4xf32>
    scf.yield %x, %x : memref<4xf32>, memref<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %s:2 = func.call @g(%y, %x, %m) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
    scf.yield %s#0, %s#1 : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %n) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// not judged: one result is returned twice, the other one is freed
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi sle, %n, %c0 : index
  %r:2 = scf.if %z -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x, %y : memref<4xf32>, memref<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %s:2 = func.call @g(%y, %x, %m) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
    memref.dealloc %s#1 : memref<4xf32>
    scf.yield %s#0, %s#0 : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %n) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// not judged: the same buffer is both arguments
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi sle, %n, %c0 : index
  %r:2 = scf.if %z -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x, %y : memref<4xf32>, memref<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %s:2 = func.call @g(%y, %x, %m) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
    scf.yield %s#0, %s#1 : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %t = arith.constant true
  %b = arith.select %t, %a, %a : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %n) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// not judged: the same buffer is both arguments inside
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi sle, %n, %c0 : index
  %r:2 = scf.if %z -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x, %y : memref<4xf32>, memref<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    memref.dealloc %x : memref<4xf32>
    %s:2 = func.call @g(%y, %y, %m) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
    scf.yield %s#0, %s#1 : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %n) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// unsafe: only the first result is freed
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi sle, %n, %c0 : index
  %r:2 = scf.if %z -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %x, %y : memref<4xf32>, memref<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %s:2 = func.call @g(%y, %x, %m) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
    scf.yield %s#0, %s#1 : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %n) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  return
}
// -----
// safe: two functions that call each other exchange buffers
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %c: i1) -> (memref<4xf32>, memref<4xf32>) {
  cf.cond_br %c, ^a, ^b
^a:
  %s:2 = func.call @h(%y, %x, %c) : (memref<4xf32>, memref<4xf32>, i1) -> (memref<4xf32>, memref<4xf32>)
  return %s#1, %s#0 : memref<4xf32>, memref<4xf32>
^b:
  return %x, %y : memref<4xf32>, memref<4xf32>
}
func.func private @h(%x: memref<4xf32>, %y: memref<4xf32>, %c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %no = arith.constant false
  memref.dealloc %x : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  %s:2 = func.call @g(%d, %y, %no) : (memref<4xf32>, memref<4xf32>, i1) -> (memref<4xf32>, memref<4xf32>)
  return %s#0, %s#1 : memref<4xf32>, memref<4xf32>
}
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %c) : (memref<4xf32>, memref<4xf32>, i1) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// not judged: two functions call each other, and the second returns one twice
func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %c: i1) -> (memref<4xf32>, memref<4xf32>) {
  cf.cond_br %c, ^a, ^b
^a:
  %s:2 = func.call @h(%y, %x, %c) : (memref<4xf32>, memref<4xf32>, i1) -> (memref<4xf32>, memref<4xf32>)
  return %s#1, %s#0 : memref<4xf32>, memref<4xf32>
^b:
  return %x, %y : memref<4xf32>, memref<4xf32>
}
func.func private @h(%x: memref<4xf32>, %y: memref<4xf32>, %c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %no = arith.constant false
  memref.dealloc %x : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  %s:2 = func.call @g(%d, %y, %no) : (memref<4xf32>, memref<4xf32>, i1) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %s#1 : memref<4xf32>
  return %s#0, %s#0 : memref<4xf32>, memref<4xf32>
}
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = func.call @g(%a, %b, %c) : (memref<4xf32>, memref<4xf32>, i1) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
// -----
// unsafe: mutual recursion, one frees what the other returns, which may be the argument
func.func private @p(%m: memref<4xi32>, %n: index) -> memref<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> memref<4xi32> { scf.yield %m : memref<4xi32> } else {
    %k = arith.subi %n, %c1 : index
    %x = func.call @q(%m, %k) : (memref<4xi32>, index) -> memref<4xi32>
    scf.yield %x : memref<4xi32>
  }
  return %r : memref<4xi32>
}
func.func private @q(%m: memref<4xi32>, %n: index) -> memref<4xi32> {
  %x = func.call @p(%m, %n) : (memref<4xi32>, index) -> memref<4xi32>
  memref.dealloc %x : memref<4xi32>
  %y = memref.alloc() : memref<4xi32>
  return %y : memref<4xi32>
}
func.func @f(%n: index) {
  %m = memref.alloc() : memref<4xi32>
  %x = call @p(%m, %n) : (memref<4xi32>, index) -> memref<4xi32>
  memref.dealloc %x : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  return
}
// -----
// safe: mutual recursion, arguments are handed over
func.func private @p(%m: memref<4xi32>, %n: index) -> memref<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> memref<4xi32> { scf.yield %m : memref<4xi32> } else {
    %k = arith.subi %n, %c1 : index
    %x = func.call @q(%m, %k) : (memref<4xi32>, index) -> memref<4xi32>
    scf.yield %x : memref<4xi32>
  }
  return %r : memref<4xi32>
}
func.func private @q(%m: memref<4xi32>, %n: index) -> memref<4xi32> {
  %x = func.call @p(%m, %n) : (memref<4xi32>, index) -> memref<4xi32>
  memref.dealloc %x : memref<4xi32>
  %y = memref.alloc() : memref<4xi32>
  return %y : memref<4xi32>
}
func.func @f(%n: index) {
  %m = memref.alloc() : memref<4xi32>
  %x = call @p(%m, %n) : (memref<4xi32>, index) -> memref<4xi32>
  memref.dealloc %x : memref<4xi32>
  return
}
// -----
// not judged: recursion, argument owned if a boolean holds, which is negated on the way
func.func private @p(%a: memref<4xi32>, %o: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %z = arith.cmpi eq, %n, %c0 : index
  scf.if %z {
    scf.if %o { memref.dealloc %a : memref<4xi32> }
  } else {
    %k = arith.subi %n, %c1 : index
    %no = arith.xori %o, %t : i1
    func.call @p(%a, %no, %k) : (memref<4xi32>, i1, index) -> ()
  }
  return
}
func.func @f(%n: index) {
  %t = arith.constant true
  %a = memref.alloc() : memref<4xi32>
  call @p(%a, %t, %n) : (memref<4xi32>, i1, index) -> ()
  return
}
// -----
// not judged: recursion, the same buffer handed over and passed
func.func private @p(%a: memref<4xi32>, %b: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = arith.constant 1 : i32
  %z = arith.cmpi eq, %n, %c0 : index
  scf.if %z {
    memref.dealloc %a : memref<4xi32>
    memref.store %i, %b[%c0] : memref<4xi32>
  } else {
    %k = arith.subi %n, %c1 : index
    func.call @p(%a, %b, %k) : (memref<4xi32>, memref<4xi32>, index) -> ()
  }
  return
}
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xi32>
  call @p(%a, %a, %n) : (memref<4xi32>, memref<4xi32>, index) -> ()
  return
}
// -----
// unsafe: a private function that nobody calls leaks
func.func private @q() {
  %m = memref.alloc() : memref<4xi32>
  return
}
// -----
// safe: functions that anybody may call, and that call each other, return two new buffers, which both are freed
func.func @even(%n: index) -> (memref<4xi32>, memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.cmpi sle, %n, %c0 : index
  scf.if %c {
  } else {
    %m = arith.subi %n, %c1 : index
    %s:2 = func.call @odd(%m) : (index) -> (memref<4xi32>, memref<4xi32>)
    memref.dealloc %s#0 : memref<4xi32>
    memref.dealloc %s#1 : memref<4xi32>
  }
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  return %a, %b : memref<4xi32>, memref<4xi32>
}
func.func @odd(%n: index) -> (memref<4xi32>, memref<4xi32>) {
  %s:2 = func.call @even(%n) : (index) -> (memref<4xi32>, memref<4xi32>)
  return %s#1, %s#0 : memref<4xi32>, memref<4xi32>
}
// -----
// unsafe: the same, but at first both are one buffer
func.func @even(%n: index) -> (memref<4xi32>, memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.cmpi sle, %n, %c0 : index
  %a = memref.alloc() : memref<4xi32>
  %r = scf.if %c -> memref<4xi32> {
    scf.yield %a : memref<4xi32>
  } else {
    %m = arith.subi %n, %c1 : index
    %s:2 = func.call @odd(%m) : (index) -> (memref<4xi32>, memref<4xi32>)
    memref.dealloc %s#0 : memref<4xi32>
    memref.dealloc %s#1 : memref<4xi32>
    %b = memref.alloc() : memref<4xi32>
    scf.yield %b : memref<4xi32>
  }
  return %a, %r : memref<4xi32>, memref<4xi32>
}
func.func @odd(%n: index) -> (memref<4xi32>, memref<4xi32>) {
  %s:2 = func.call @even(%n) : (index) -> (memref<4xi32>, memref<4xi32>)
  return %s#1, %s#0 : memref<4xi32>, memref<4xi32>
}
// -----
// safe: a private function that calls itself hands on two new buffers, which both are freed
func.func private @f(%z: i1, %n: index) -> (memref<2xi32>, memref<2xi32>) {
  %r:2 = scf.if %z -> (memref<2xi32>, memref<2xi32>) {
    %a = memref.alloc() : memref<2xi32>
    %b = memref.alloc() : memref<2xi32>
    scf.yield %a, %b : memref<2xi32>, memref<2xi32>
  } else {
    %t = arith.constant true
    %c:2 = func.call @f(%t, %n) : (i1, index) -> (memref<2xi32>, memref<2xi32>)
    scf.yield %c#0, %c#1 : memref<2xi32>, memref<2xi32>
  }
  return %r#0, %r#1 : memref<2xi32>, memref<2xi32>
}
func.func @main(%z: i1, %n: index) {
  %c:2 = call @f(%z, %n) : (i1, index) -> (memref<2xi32>, memref<2xi32>)
  memref.dealloc %c#0 : memref<2xi32>
  memref.dealloc %c#1 : memref<2xi32>
  return
}
