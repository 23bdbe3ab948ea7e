func.func @divsi_zero(%a: i32) -> i32 {
  %z = arith.constant 0 : i32
  %r = arith.divsi %a, %z : i32 // !! division by zero
  return %r : i32
}

// -----

func.func @divsi_overflow() -> i32 {
  %a = arith.constant -2147483648 : i32
  %z = arith.constant -1 : i32
  %r = arith.divsi %a, %z : i32 // !! undefined behavior
  return %r : i32
}

// -----

// The remainder exists even where the quotient doesn't fit.
func.func @remsi() -> i8 {
  %a = arith.constant -128 : i8
  %z = arith.constant -1 : i8
  %r = arith.remsi %a, %z : i8
  %c0 = arith.constant 0 : i8
  %ok = arith.cmpi eq, %r, %c0 : i8
  cf.assert %ok, "it is 0"
  return %r : i8
}

// -----

func.func @llvm_srem() -> i8 {
  %a = arith.constant -128 : i8
  %z = arith.constant -1 : i8
  %r = llvm.srem %a, %z : i8 // !! undefined behavior
  return %r : i8
}

// -----

func.func @floordivsi_overflow() -> i64 {
  %a = arith.constant -9223372036854775808 : i64
  %z = arith.constant -1 : i64
  %r = arith.floordivsi %a, %z : i64 // !! undefined behavior
  return %r : i64
}

// -----

func.func @ceildivsi_overflow() -> i128 {
  %a = arith.constant -170141183460469231731687303715884105728 : i128
  %z = arith.constant -1 : i128
  %r = arith.ceildivsi %a, %z : i128 // !! undefined behavior
  return %r : i128
}

// -----

func.func @remui_zero() -> i7 {
  %a = arith.constant 5 : i7
  %z = arith.constant 0 : i7
  %r = arith.remui %a, %z : i7 // !! division by zero
  return %r : i7
}

// -----

func.func @ceildivui_zero() -> i128 {
  %a = arith.constant 5 : i128
  %z = arith.constant 0 : i128
  %r = arith.ceildivui %a, %z : i128 // !! division by zero
  return %r : i128
}

// -----

func.func @index_divs() -> index {
  %a = index.constant 5
  %z = index.constant 0
  %r = index.divs %a, %z // !! division by zero
  return %r : index
}

// -----

func.func @index_floordivs() -> index {
  %a = index.constant -9223372036854775808
  %z = index.constant -1
  %r = index.floordivs %a, %z // !! undefined behavior
  return %r : index
}

// -----

func.func @affine_mod() -> index {
  %a = arith.constant 5 : index
  %z = arith.constant 0 : index
  %r = affine.apply affine_map<(i)[s] -> (i mod s)>(%a)[%z] // !! division by zero
  return %r : index
}

// -----

// A shift that is too far makes poison, which may be passed on, but not branched on.
func.func @shift() -> i32 {
  %c = arith.constant 32 : i32
  %a = arith.constant 1 : i32
  %p = arith.shli %a, %c : i32
  %q = arith.addi %p, %a : i32
  %b = arith.cmpi eq, %q, %a : i32
  cf.cond_br %b, ^one, ^two // !! use of poison
^one:
  return %a : i32
^two:
  return %c : i32
}

// -----

func.func @shift_unused() -> i32 {
  %c = arith.constant 40 : i32
  %a = arith.constant 1 : i32
  %f = arith.constant false
  %p = arith.shrsi %a, %c : i32
  %q = arith.select %f, %p, %a : i32
  %b = arith.cmpi eq, %q, %a : i32
  cf.assert %b, "the other operand is chosen"
  return %q : i32
}

// -----

func.func @nsw() -> i32 {
  %c = arith.constant 2147483647 : i32
  %a = arith.constant 1 : i32
  %p = arith.addi %a, %c overflow<nsw> : i32
  %i = arith.index_cast %p : i32 to index
  scf.index_switch %i case 0 { // !! use of poison
    scf.yield
  } default {
  }
  return %a : i32
}

// -----

func.func @nuw_is_not_nsw() -> i8 {
  %c = arith.constant -1 : i8
  %a = arith.constant 1 : i8
  %p = arith.addi %a, %c overflow<nsw> : i8
  %z = arith.constant 0 : i8
  %b = arith.cmpi eq, %p, %z : i8
  cf.assert %b, "there is no signed overflow"
  return %p : i8
}

// -----

func.func @poison_index(%m: memref<4xf32>) -> f32 {
  %p = ub.poison : index
  %v = memref.load %m[%p] : memref<4xf32> // !! use of poison
  return %v : f32
}

// -----

func.func @poison_bound() {
  %p = ub.poison : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %p step %c1 { // !! use of poison
  }
  return
}

// -----

func.func @poison_size() {
  %p = ub.poison : index
  %m = memref.alloca(%p) : memref<?xf32> // !! use of poison
  return
}

// -----

func.func @poison_condition() -> i1 {
  %p = ub.poison : i1
  %r = scf.if %p -> i1 { // !! use of poison
    scf.yield %p : i1
  } else {
    scf.yield %p : i1
  }
  return %r : i1
}

// -----

func.func @poison_division() -> i32 {
  %p = ub.poison : i32
  %a = arith.constant 1 : i32
  %r = arith.divsi %a, %p : i32 // !! use of poison
  return %a : i32
}

// -----

func.func @poison_assert() {
  %p = ub.poison : i1
  cf.assert %p, "it is so" // !! use of poison
  return
}

// -----

func.func @poison_in_loop() {
  %p = ub.poison : i1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = arith.constant true
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %t) -> i1 {
    scf.if %x { // !! use of poison
    }
    scf.yield %p : i1
  }
  return
}

// -----

func.func @poison_in_memory() -> i1 {
  %p = ub.poison : i1
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<2xi1>
  memref.store %p, %m[%c0] : memref<2xi1>
  %x = memref.load %m[%c0] : memref<2xi1> // !! uninitialized read
  cf.assert %x, "it is so"
  return %x : i1
}

// -----

func.func @poison_condition_of_while() {
  %p = ub.poison : i1
  scf.while : () -> () {
    scf.condition(%p) // !! use of poison
  } do {
    scf.yield
  }
  return
}

// -----

func.func @fptosi() -> i8 {
  %x = arith.constant 300.0 : f32
  %p = arith.fptosi %x : f32 to i8
  %z = arith.constant 0 : i8
  %b = arith.cmpi eq, %p, %z : i8
  cf.cond_br %b, ^bb1, ^bb1 // !! use of poison
^bb1:
  return %p : i8
}

// -----

func.func @exact_shift_of_wide() -> i1 {
  %a = arith.constant 1 : i128
  %c = arith.constant 128 : i128
  %p = arith.shrui %a, %c : i128
  %b = arith.cmpi eq, %p, %a : i128
  scf.if %b { // !! use of poison
  }
  return %b : i1
}

// -----

func.func @ipowi() -> i32 {
  %a = arith.constant 0 : i32
  %c = arith.constant -1 : i32
  %p = math.ipowi %a, %c : i32 // !! division by zero
  return %p : i32
}

// -----

func.func @llvm_udiv() -> i32 {
  %a = arith.constant 1 : i32
  %z = arith.constant 0 : i32
  %p = llvm.udiv %a, %z : i32 // !! division by zero
  return %p : i32
}

// -----

func.func @llvm_unreachable() {
  llvm.unreachable // !! undefined behavior
}

// -----

func.func @llvm_beyond() -> i32 {
  %n = arith.constant 4 : i64
  %p = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i32
  %v = llvm.load %q : !llvm.ptr -> i32 // !! out of bounds
  return %v : i32
}

// -----

func.func @llvm_uninitialized() -> i32 {
  %n = arith.constant 4 : i64
  %p = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i32 // !! uninitialized read
  return %v : i32
}

// -----

func.func @llvm_alignment() {
  %n = arith.constant 16 : i64
  %x = arith.constant 1 : i32
  %p = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %x, %q : i32, !llvm.ptr // !! undefined behavior
  return
}

// -----

func.func @vector_extract_dynamic() -> f32 {
  %v = arith.constant dense<1.0> : vector<4xf32>
  %i = arith.constant 4 : index
  %x = vector.extractelement %v[%i : index] : vector<4xf32> // !! out of bounds
  return %x : f32
}

// -----

func.func @vector_insert_dynamic() -> vector<4xf32> {
  %v = arith.constant dense<1.0> : vector<4xf32>
  %x = arith.constant 1.0 : f32
  %i = arith.constant -1 : index
  %r = vector.insert %x, %v[%i] : f32 into vector<4xf32> // !! out of bounds
  return %r : vector<4xf32>
}
