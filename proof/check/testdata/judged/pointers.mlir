// not judged: a field that is no pointer
func.func @f() -> i64 {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[2] : !llvm.struct<(ptr, ptr, i64)>
  memref.dealloc %a : memref<f32>
  return %p : i64
}
// -----
// not judged: a field of a field
llvm.func @free(!llvm.ptr)
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %s = builtin.unrealized_conversion_cast %a : memref<4xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %n = llvm.extractvalue %s[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  memref.dealloc %a : memref<4xf32>
  return
}
// -----
// not judged: a struct that isn't that of the memref
llvm.func @free(!llvm.ptr)
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %s = builtin.unrealized_conversion_cast %a : memref<4xf32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: a struct that is an argument of a block
llvm.func @free(!llvm.ptr)
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  cf.br ^b(%s : !llvm.struct<(ptr, ptr, i64)>)
^b(%t: !llvm.struct<(ptr, ptr, i64)>):
  %p = llvm.extractvalue %t[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: a struct that was made of other things
llvm.func @free(!llvm.ptr)
func.func @f(%i: i64) {
  %s = builtin.unrealized_conversion_cast %i : i64 to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: a struct that was changed
llvm.func @free(!llvm.ptr)
func.func @f(%i: i64) {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %z = llvm.mlir.zero : !llvm.ptr
  %t = llvm.insertvalue %z, %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %t[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: several values at once
llvm.func @free(!llvm.ptr)
func.func @f(%i: i64, %j: i64) {
  %s = builtin.unrealized_conversion_cast %i, %j : i64, i64 to !llvm.ptr
  llvm.call @free(%s) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: several values from one
llvm.func @free(!llvm.ptr)
func.func @f(%i: i64) {
  %a = memref.alloc() : memref<f32>
  %s:2 = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.ptr, !llvm.ptr
  llvm.call @free(%s#0) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: an owner as a number, and back
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %o = deallocation.own %a : memref<f32>
  %i = builtin.unrealized_conversion_cast %o : !deallocation.ownership to i64
  %p = builtin.unrealized_conversion_cast %i : i64 to !deallocation.ownership
  deallocation.free %p
  return
}
// -----
// safe: an owner as a pointer, and back
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %o = deallocation.own %a : memref<f32>
  %i = builtin.unrealized_conversion_cast %o : !deallocation.ownership to !llvm.ptr
  %p = builtin.unrealized_conversion_cast %i : !llvm.ptr to !deallocation.ownership
  deallocation.free %p
  return
}
// -----
// unsafe: an owner as a pointer, and back, twice
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %o = deallocation.own %a : memref<f32>
  %i = builtin.unrealized_conversion_cast %o : !deallocation.ownership to !llvm.ptr
  %p = builtin.unrealized_conversion_cast %i : !llvm.ptr to !deallocation.ownership
  deallocation.free %p
  deallocation.free %o
  return
}
// -----
// not judged: an owner cast to a pointer into another space
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %o = deallocation.own %a : memref<f32>
  %i = builtin.unrealized_conversion_cast %o : !deallocation.ownership to !llvm.ptr<1>
  deallocation.free %o
  return
}
// -----
// not judged: the place of an element as an owner
func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %p = builtin.unrealized_conversion_cast %m : !llvm.ptr to !deallocation.ownership
  deallocation.free %p
  return
}
// -----
// not judged: constants of other types
func.func @f() {
  %n = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.mlir.constant(1.5 : f32) : f32
  %m = llvm.alloca %n x !llvm.ptr : (i32) -> !llvm.ptr
  return
}
// -----
// not judged: an array of unknown length
func.func @f(%n: i64) {
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  return
}
// -----
// not judged: an array of numbers
func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %n x i64 : (i64) -> !llvm.ptr
  return
}
// -----
// not judged: an array of negative length
func.func @f() {
  %n = llvm.mlir.constant(-1 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  return
}
// -----
// not judged: a long array
func.func @f() {
  %n = llvm.mlir.constant(100000 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  return
}
// -----
// not judged: zero of another type
func.func @f() {
  %n = llvm.mlir.zero : !llvm.struct<(ptr, i64)>
  return
}
// -----
// not judged: two indices
llvm.func @free(!llvm.ptr)
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %n = llvm.mlir.constant(2 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %m[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x ptr>
  llvm.store %p, %q : !llvm.ptr, !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: an index that isn't known
llvm.func @free(!llvm.ptr)
func.func @f(%i: i64) {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %n = llvm.mlir.constant(2 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %q0 = llvm.getelementptr %m[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %z, %q0 : !llvm.ptr, !llvm.ptr
  %q = llvm.getelementptr %m[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %p, %q : !llvm.ptr, !llvm.ptr
  %r = llvm.load %q0 : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: elements of another size, that overlap
llvm.func @free(!llvm.ptr)
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %n = llvm.mlir.constant(2 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %q0 = llvm.getelementptr %m[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %p, %q0 : !llvm.ptr, !llvm.ptr
  %q = llvm.getelementptr %m[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %z, %q : !llvm.ptr, !llvm.ptr
  %r = llvm.load %q0 : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: the place of a place
llvm.func @free(!llvm.ptr)
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %n = llvm.mlir.constant(2 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  %q = llvm.getelementptr %m[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %p, %q : !llvm.ptr, !llvm.ptr
  %q0 = llvm.getelementptr %q[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %z, %q0 : !llvm.ptr, !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: beyond the array
llvm.func @free(!llvm.ptr)
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %n = llvm.mlir.constant(2 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %m[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %p, %q : !llvm.ptr, !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: before the array
llvm.func @free(!llvm.ptr)
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %n = llvm.mlir.constant(2 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %m[-1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %p, %q : !llvm.ptr, !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: an array that is chosen
llvm.func @free(!llvm.ptr)
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %n = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %k = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %p, %m : !llvm.ptr, !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  llvm.store %z, %k : !llvm.ptr, !llvm.ptr
  %w = arith.select %c, %m, %k : !llvm.ptr
  llvm.store %z, %w : !llvm.ptr, !llvm.ptr
  %r = llvm.load %m : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: a place that is stored
func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %k = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %m, %k : !llvm.ptr, !llvm.ptr
  return
}
// -----
// not judged: a number that is read from an array of pointers
func.func @f() -> i64 {
  %n = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %z = llvm.mlir.zero : !llvm.ptr
  llvm.store %z, %m : !llvm.ptr, !llvm.ptr
  %k = llvm.load %m : !llvm.ptr -> i64
  return %k : i64
}
// -----
// not judged: a number that is stored into an array of pointers
llvm.func @free(!llvm.ptr)
func.func @f(%i: i64) {
  %n = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %i, %m : i64, !llvm.ptr
  %p = llvm.load %m : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: half of an address
func.func @f() -> i1 {
  %a = memref.alloc() : memref<f32>
  %o = deallocation.own %a : memref<f32>
  %p = builtin.unrealized_conversion_cast %o : !deallocation.ownership to !llvm.ptr
  %i = llvm.ptrtoint %p : !llvm.ptr to i32
  %z = arith.constant 0 : i32
  %c = arith.cmpi eq, %i, %z : i32
  deallocation.free %o
  return %c : i1
}
// -----
// safe: free of null is nothing
llvm.func @free(!llvm.ptr)
func.func @f() {
  %z = llvm.mlir.zero : !llvm.ptr
  llvm.call @free(%z) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: a function of the library that has a result
llvm.func @free(!llvm.ptr) -> i32
func.func @f() {
  %z = llvm.mlir.zero : !llvm.ptr
  %r = llvm.call @free(%z) : (!llvm.ptr) -> i32
  return
}
// -----
// not judged: a function that is called through a pointer
func.func @f(%g: i64) {
  %z = llvm.mlir.zero : !llvm.ptr
  %p = llvm.inttoptr %g : i64 to !llvm.ptr
  llvm.call %p(%z) : !llvm.ptr, (!llvm.ptr) -> ()
  return
}
// -----
// not judged: free of two
llvm.func @free(!llvm.ptr, !llvm.ptr)
func.func @f() {
  %z = llvm.mlir.zero : !llvm.ptr
  llvm.call @free(%z, %z) : (!llvm.ptr, !llvm.ptr) -> ()
  return
}
// -----
// not judged: free of an array on the stack
llvm.func @free(!llvm.ptr)
func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.call @free(%m) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: owners to keep, as many as isn't known
llvm.func @retainBuffers(i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
func.func @f(%k: i64) {
  %n = llvm.mlir.constant(1 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.call @retainBuffers(%k, %m, %k, %m, %m) : (i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
  return
}
// -----
// not judged: more owners than the array holds
llvm.func @retainBuffers(i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  %k = llvm.mlir.constant(2 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %z, %m : !llvm.ptr, !llvm.ptr
  llvm.call @retainBuffers(%k, %m, %n, %m, %m) : (i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
  return
}
// -----
// not judged: fewer than none
llvm.func @retainBuffers(i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  %k = llvm.mlir.constant(-1 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %z, %m : !llvm.ptr, !llvm.ptr
  llvm.call @retainBuffers(%k, %m, %n, %m, %m) : (i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
  return
}
// -----
// not judged: an array that begins in the middle
llvm.func @retainBuffers(i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  %k = llvm.mlir.constant(2 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %m = llvm.alloca %k x !llvm.ptr : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %m[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %z, %m : !llvm.ptr, !llvm.ptr
  llvm.store %z, %q : !llvm.ptr, !llvm.ptr
  llvm.call @retainBuffers(%n, %q, %n, %m, %m) : (i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
  return
}
// -----
// not judged: an owner that wasn't written
llvm.func @retainBuffers(i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %k = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %z, %m : !llvm.ptr, !llvm.ptr
  llvm.call @retainBuffers(%n, %m, %n, %k, %m) : (i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
  return
}
// -----
// not judged: an array that is no array
llvm.func @retainBuffers(i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  llvm.call @retainBuffers(%n, %z, %n, %z, %z) : (i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
  return
}
// -----
// not judged: fewer arguments than the library takes
llvm.func @retainBuffers(i64, !llvm.ptr, i64, !llvm.ptr)
func.func @f() {
  %n = llvm.mlir.constant(0 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  llvm.call @retainBuffers(%n, %z, %n, %z) : (i64, !llvm.ptr, i64, !llvm.ptr) -> ()
  return
}
// -----
// unsafe: the owner that is kept is freed, and the buffer of which nothing is kept was freed before
llvm.func @free(!llvm.ptr)
llvm.func @retainBuffers(i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %k = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %o = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %p, %m : !llvm.ptr, !llvm.ptr
  llvm.store %p, %k : !llvm.ptr, !llvm.ptr
  llvm.call @retainBuffers(%n, %m, %n, %k, %o) : (i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
  %r = llvm.load %o : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: an array that goes round a loop
llvm.func @free(!llvm.ptr)
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = llvm.mlir.constant(1 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %m = llvm.alloca %k x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %z, %m : !llvm.ptr, !llvm.ptr
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m) -> (!llvm.ptr) {
    %a = memref.alloc() : memref<f32>
    %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
    %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
    llvm.store %p, %x : !llvm.ptr, !llvm.ptr
    scf.yield %x : !llvm.ptr
  }
  %o = llvm.load %m : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%o) : (!llvm.ptr) -> ()
  return
}
// -----
// unsafe: what a loop stores, the next iteration forgets
llvm.func @free(!llvm.ptr)
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = llvm.mlir.constant(1 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %m = llvm.alloca %k x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %z, %m : !llvm.ptr, !llvm.ptr
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<f32>
    %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
    %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
    llvm.store %p, %m : !llvm.ptr, !llvm.ptr
  }
  %o = llvm.load %m : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%o) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: a pointer that is handed to another function
llvm.func @free(!llvm.ptr)
func.func private @end(%p: !llvm.ptr) {
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  func.call @end(%p) : (!llvm.ptr) -> ()
  scf.if %c { func.call @end(%p) : (!llvm.ptr) -> () }
  return
}
// -----
// not judged: a pointer is read from where nobody knows that it is
llvm.func @free(!llvm.ptr)
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %n = llvm.mlir.constant(2 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %q0 = llvm.getelementptr %m[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %p, %q0 : !llvm.ptr, !llvm.ptr
  %q = llvm.getelementptr %m[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %r = llvm.load %q : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  return
}
// -----
// not judged: a pointer is stored where nobody knows who reads it
llvm.func @free(!llvm.ptr)
func.func @f() {
  %a = memref.alloc() : memref<f32>
  %s = builtin.unrealized_conversion_cast %a : memref<f32> to !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr, ptr, i64)>
  %n = llvm.mlir.constant(2 : i64) : i64
  %m = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %m[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %q0 = llvm.getelementptr %m[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %p, %q0 : !llvm.ptr, !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  return
}
// -----
// unsafe: buffers on the stack of two calls may have the same address
func.func private @g() -> index {
  %w = memref.alloca() : memref<4xi8>
  %x = memref.extract_aligned_pointer_as_index %w : memref<4xi8> -> index
  return %x : index
}
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %p = call @g() : () -> index
  %q = call @g() : () -> index
  %e = arith.cmpi ne, %p, %q : index
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: buffers on the stack of two scopes may have the same address
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %p = memref.alloca_scope -> (index) {
    %w = memref.alloca() : memref<4xi8>
    %x = memref.extract_aligned_pointer_as_index %w : memref<4xi8> -> index
    memref.alloca_scope.return %x : index
  }
  %q = memref.alloca_scope -> (index) {
    %w = memref.alloca() : memref<4xi8>
    %x = memref.extract_aligned_pointer_as_index %w : memref<4xi8> -> index
    memref.alloca_scope.return %x : index
  }
  %e = arith.cmpi ne, %p, %q : index
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: a buffer on the stack without elements may have the address of another one
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %w = memref.alloca() : memref<4xi8>
  %v = memref.alloca(%n) : memref<?xi8>
  %p = memref.extract_aligned_pointer_as_index %w : memref<4xi8> -> index
  %q = memref.extract_aligned_pointer_as_index %v : memref<?xi8> -> index
  %e = arith.cmpi ne, %p, %q : index
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// unsafe: a global buffer without elements may have the address of another one
memref.global "private" constant @z : memref<0xi8> = dense<0>
memref.global "private" constant @y : memref<4xi8> = dense<1>
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %w = memref.get_global @z : memref<0xi8>
  %v = memref.get_global @y : memref<4xi8>
  %p = memref.extract_aligned_pointer_as_index %w : memref<0xi8> -> index
  %q = memref.extract_aligned_pointer_as_index %v : memref<4xi8> -> index
  %e = arith.cmpi ne, %p, %q : index
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// safe: buffers on the stack that live at the same time have different addresses
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %w = memref.alloca() : memref<4xi8>
  %v = memref.alloca() : memref<4xi8>
  %p = memref.extract_aligned_pointer_as_index %w : memref<4xi8> -> index
  %q = memref.extract_aligned_pointer_as_index %v : memref<4xi8> -> index
  %e = arith.cmpi ne, %p, %q : index
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}
// -----
// not judged: a buffer on the stack of an earlier iteration
func.func @f(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %s = memref.alloca() : memref<4xf32>
  memref.store %z, %s[%c0] : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s) -> memref<4xf32> {
    %a = memref.alloca() : memref<4xf32>
    memref.store %z, %a[%c0] : memref<4xf32>
    %v = memref.load %x[%c0] : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  return %z : f32
}
// -----
// unsafe: gather of many buffers, of which one is freed by its own name later
func.func @f(%c0: i1, %c1: i1, %c2: i1, %c3: i1, %c4: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %c = memref.alloc() : memref<4xi32>
  %d = memref.alloc() : memref<4xi32>
  %e = memref.alloc() : memref<4xi32>
  %x1 = arith.select %c0, %a, %b : memref<4xi32>
  %y1 = arith.select %c0, %b, %a : memref<4xi32>
  %x2, %y2 = scf.if %c1 -> (memref<4xi32>, memref<4xi32>) { scf.yield %x1, %c : memref<4xi32>, memref<4xi32> } else { scf.yield %c, %x1 : memref<4xi32>, memref<4xi32> }
  %x3, %y3 = scf.if %c2 -> (memref<4xi32>, memref<4xi32>) { scf.yield %x2, %d : memref<4xi32>, memref<4xi32> } else { scf.yield %d, %x2 : memref<4xi32>, memref<4xi32> }
  %x4, %y4 = scf.if %c3 -> (memref<4xi32>, memref<4xi32>) { scf.yield %x3, %e : memref<4xi32>, memref<4xi32> } else { scf.yield %e, %x3 : memref<4xi32>, memref<4xi32> }
  memref.dealloc %x4 : memref<4xi32>
  memref.dealloc %y4 : memref<4xi32>
  memref.dealloc %y3 : memref<4xi32>
  memref.dealloc %y2 : memref<4xi32>
  memref.dealloc %y1 : memref<4xi32>
  scf.if %c4 { memref.dealloc %d : memref<4xi32> }
  return
}
// -----
// safe: gather of many buffers
func.func @f(%c0: i1, %c1: i1, %c2: i1, %c3: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %c = memref.alloc() : memref<4xi32>
  %d = memref.alloc() : memref<4xi32>
  %e = memref.alloc() : memref<4xi32>
  %x1 = arith.select %c0, %a, %b : memref<4xi32>
  %y1 = arith.select %c0, %b, %a : memref<4xi32>
  %x2, %y2 = scf.if %c1 -> (memref<4xi32>, memref<4xi32>) { scf.yield %x1, %c : memref<4xi32>, memref<4xi32> } else { scf.yield %c, %x1 : memref<4xi32>, memref<4xi32> }
  %x3, %y3 = scf.if %c2 -> (memref<4xi32>, memref<4xi32>) { scf.yield %x2, %d : memref<4xi32>, memref<4xi32> } else { scf.yield %d, %x2 : memref<4xi32>, memref<4xi32> }
  %x4, %y4 = scf.if %c3 -> (memref<4xi32>, memref<4xi32>) { scf.yield %x3, %e : memref<4xi32>, memref<4xi32> } else { scf.yield %e, %x3 : memref<4xi32>, memref<4xi32> }
  memref.dealloc %x4 : memref<4xi32>
  memref.dealloc %y4 : memref<4xi32>
  memref.dealloc %y3 : memref<4xi32>
  memref.dealloc %y2 : memref<4xi32>
  memref.dealloc %y1 : memref<4xi32>
  return
}
// -----
// unsafe: the end of one buffer is the start of another, by a shift
func.func @f() {
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%c64][] : memref<64xi8> to memref<0xi32>
  %p = memref.extract_aligned_pointer_as_index %v : memref<0xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<64xi8> -> index
  %e = arith.cmpi ne, %p, %q : index
  memref.dealloc %a : memref<64xi8>
  scf.if %e { memref.dealloc %b : memref<64xi8> }
  return
}
// -----
// unsafe: an address is returned by selection bit by bit
func.func @f() -> i1 {
  %c1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %i = arith.index_cast %p : index to i64
  %b = arith.trunci %i : i64 to i1
  scf.if %b { memref.dealloc %a : memref<4xi32> }
  return %b : i1
}
