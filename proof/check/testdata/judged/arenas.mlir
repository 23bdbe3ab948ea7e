// not judged: a part in the middle of a loop whose iterations run at once
func.func @f(%y: memref<2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
    memref.copy %y, %a : memref<2xf32> to memref<2xf32>
    memref.copy %a, %y : memref<2xf32> to memref<2xf32>
    scf.reduce
  }
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: a part for each element
func.func @f(%y: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<2xf32>) {
  ^bb0(%e: f32):
    %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
    %x = memref.load %a[%c0] : memref<2xf32>
    linalg.yield %x : f32
  }
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: a part whose size isn't known
func.func @f(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  %a = memref.view %m[%c0][%n] : memref<16xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: an arena that an operation without a rule gets
func.func @f() {
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  "some.use"(%m) : (memref<16xi8>) -> ()
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: an arena that is cloned
func.func @f() {
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  %k = bufferization.clone %m : memref<16xi8> to memref<16xi8>
  memref.dealloc %k : memref<16xi8>
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: an arena with a base
func.func @f() {
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  %b, %o, %s, %t = memref.extract_strided_metadata %m : memref<16xi8> -> memref<i8>, index, index, index
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// safe: an arena whose size is asked for
func.func @f() -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  %d = memref.dim %m, %c0 : memref<16xi8>
  memref.dealloc %m : memref<16xi8>
  return %d : index
}
// -----
// not judged: a function with an arena that is called through a value
func.func private @g(%m: memref<16xi8> {freehold.arena}, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  return
}
func.func @f(%x: f32) {
  %m = memref.alloc() : memref<16xi8>
  %g = func.constant @g : (memref<16xi8>, f32) -> ()
  func.call_indirect %g(%m, %x) : (memref<16xi8>, f32) -> ()
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: a function with an arena that gets it twice
func.func private @g(%m: memref<16xi8> {freehold.arena}, %k: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  %b = memref.view %k[%c0][] : memref<16xi8> to memref<2xf32>
  memref.copy %b, %a : memref<2xf32> to memref<2xf32>
  return
}
func.func @f() {
  %m = memref.alloc() : memref<16xi8>
  func.call @g(%m, %m) : (memref<16xi8>, memref<16xi8>) -> ()
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: a function with an arena that gets an argument
func.func private @g(%m: memref<16xi8> {freehold.arena}, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  return
}
func.func @f(%m: memref<16xi8>, %x: f32) {
  func.call @g(%m, %x) : (memref<16xi8>, f32) -> ()
  return
}
// -----
// safe: a function with an arena on the stack
func.func private @g(%m: memref<16xi8> {freehold.arena}, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  return
}
func.func @f(%x: f32) {
  %m = memref.alloca() : memref<16xi8>
  func.call @g(%m, %x) : (memref<16xi8>, f32) -> ()
  return
}
// -----
// not judged: a global arena of a function that is called
memref.global "private" @arena : memref<16xi8> = uninitialized {freehold.arena}
func.func private @g(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @arena : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  return
}
func.func @f(%x: f32) {
  func.call @g(%x) : (f32) -> ()
  return
}
// -----
// not judged: a global arena of two functions
memref.global "private" @arena : memref<16xi8> = uninitialized {freehold.arena}
func.func @g(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @arena : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  return
}
func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @arena : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  return
}
// -----
// safe: a global arena that a function sees twice
memref.global "private" @arena : memref<16xi8> = uninitialized {freehold.arena}
func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %m = memref.get_global @arena : memref<16xi8>
  %k = memref.get_global @arena : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  %b = memref.view %k[%c8][] : memref<16xi8> to memref<2xf32>
  memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  return
}
// -----
// not judged: a global arena of a function that calls what isn't known
memref.global "private" @arena : memref<16xi8> = uninitialized {freehold.arena}
func.func private @unknown()
func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @arena : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  func.call @unknown() : () -> ()
  return
}
// -----
// not judged: a global arena of a function that calls a value
memref.global "private" @arena : memref<16xi8> = uninitialized {freehold.arena}
func.func private @known() {
  return
}
func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @arena : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  %k = func.constant @known : () -> ()
  func.call_indirect %k() : () -> ()
  return
}
// -----
// unsafe: an element is read that another part overlaps
func.func @f(%y: memref<2x2xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2x2xf32>
  memref.copy %y, %a : memref<2x2xf32> to memref<2x2xf32>
  %b = memref.view %m[%c0][] : memref<16xi8> to memref<4xf32>
  %c3 = arith.constant 3 : index
  memref.store %x, %b[%c3] : memref<4xf32>
  %r = memref.load %a[%c1, %c1] : memref<2x2xf32>
  memref.dealloc %m : memref<16xi8>
  return %r : f32
}
// -----
// not judged: an element is read that may be overlapped
func.func @f(%y: memref<2x2xf32>, %x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2x2xf32>
  memref.copy %y, %a : memref<2x2xf32> to memref<2x2xf32>
  %b = memref.view %m[%c0][] : memref<16xi8> to memref<4xf32>
  memref.store %x, %b[%i] : memref<4xf32>
  %r = memref.load %a[%i, %c0] : memref<2x2xf32>
  memref.dealloc %m : memref<16xi8>
  return %r : f32
}
// -----
// not judged: an element is read before the other part is written, as far as can be seen
func.func @f(%y: memref<2xf32>, %x: f32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  memref.copy %y, %a : memref<2xf32> to memref<2xf32>
  %b = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  memref.store %x, %b[%c0] : memref<2xf32>
  %r = scf.if %c -> f32 {
    %e = memref.load %a[%c0] : memref<2xf32>
    scf.yield %e : f32
  } else {
    scf.yield %x : f32
  }
  memref.dealloc %m : memref<16xi8>
  return %r : f32
}
// -----
// safe: a part is transposed into another
func.func @f(%y: memref<2x1xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<1x2xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%y : memref<2x1xf32>) outs(%a : memref<1x2xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  %b = memref.view %m[%c8][] : memref<16xi8> to memref<1x2xf32>
  memref.copy %a, %b : memref<1x2xf32> to memref<1x2xf32>
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: a part is read by other maps than one to one
func.func @f(%y: memref<2xf32>, %z: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  memref.copy %y, %a : memref<2xf32> to memref<2xf32>
  %b = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  memref.copy %y, %b : memref<2xf32> to memref<2xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (1)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<2xf32>) outs(%z : memref<1xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: a part that has another name when it is overwritten
func.func @f(%y: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  %k = memref.cast %a : memref<2xf32> to memref<?xf32>
  memref.copy %y, %a : memref<2xf32> to memref<2xf32>
  %b = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  memref.copy %y, %b : memref<2xf32> to memref<2xf32>
  memref.copy %a, %y : memref<2xf32> to memref<2xf32>
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: a function with a global arena whose address is taken
memref.global "private" @arena : memref<16xi8> = uninitialized {freehold.arena}
func.func @f(%y: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @arena : memref<16xi8>
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<2xf32>
  memref.copy %y, %a : memref<2xf32> to memref<2xf32>
  memref.copy %a, %y : memref<2xf32> to memref<2xf32>
  return
}
func.func @taken() -> ((memref<2xf32>) -> ()) {
  %f = func.constant @f : (memref<2xf32>) -> ()
  return %f : (memref<2xf32>) -> ()
}
// -----
// not judged: the arena that a call brings, and its other name, which says that it is no other buffer's
func.func private @g(%m: memref<16xi8> {freehold.arena}, %k: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<16xi8>
  memref.copy %k, %a : memref<16xi8> to memref<16xi8>
  return
}
func.func @f(%z: memref<16xi8>) {
  %m = memref.alloc() : memref<16xi8>
  %d:2 = memref.distinct_objects %m, %z : memref<16xi8>, memref<16xi8>
  func.call @g(%m, %d#0) : (memref<16xi8>, memref<16xi8>) -> ()
  memref.dealloc %m : memref<16xi8>
  return
}
// -----
// not judged: a call brings an arena as a whole
func.func private @g(%m: memref<16xi8> {freehold.arena}) {
  %c0 = arith.constant 0 : index
  %a = memref.view %m[%c0][] : memref<16xi8> to memref<16xi8>
  %x = arith.constant 1 : i8
  memref.store %x, %a[%c0] : memref<16xi8>
  return
}
func.func @f() {
  %m = memref.alloc() {freehold.arena} : memref<16xi8>
  func.call @g(%m) : (memref<16xi8>) -> ()
  memref.dealloc %m : memref<16xi8>
  return
}
