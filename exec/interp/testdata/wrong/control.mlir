func.func @endless() {
  cf.br ^loop
^loop:
  cf.br ^loop // !! step limit
}

// -----

func.func @endless_while() {
  %t = arith.constant true
  scf.while : () -> () { // !! step limit
    scf.condition(%t)
  } do {
    scf.yield
  }
  return
}

// -----

func.func @endless_pair() {
  %c0 = arith.constant 0 : index
  cf.br ^a(%c0 : index)
^a(%i: index):
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %b = arith.cmpi slt, %j, %c0 : index
  cf.cond_br %b, ^exit, ^a(%j : index) // !! step limit
^exit:
  return
}

// -----

func.func @long_loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 9223372036854775807 : index
  scf.for %i = %c0 to %n step %c1 { // !! step limit
  }
  return
}

// -----

func.func @no_step() {
  %c0 = arith.constant 0 : index
  %n = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c0 { // !! undefined behavior
  }
  return
}

// -----

func.func @no_step_parallel() {
  %c0 = arith.constant 0 : index
  %n = arith.constant 10 : index
  %s = arith.subi %n, %n : index
  scf.parallel (%i) = (%c0) to (%n) step (%s) { // !! undefined behavior
  }
  return
}

// -----

// The last value of the induction variable may be the greatest there is.
func.func @up_to_the_end() -> i8 {
  %c0 = arith.constant 100 : i8
  %c9 = arith.constant 9 : i8
  %n = arith.constant 127 : i8
  %r = scf.for %i = %c0 to %n step %c9 iter_args(%x = %c0) -> i8 : i8 {
    scf.yield %i : i8
  }
  %e = arith.constant 118 : i8
  %ok = arith.cmpi eq, %r, %e : i8
  cf.assert %ok, "100, 109, 118"
  return %r : i8
}

// -----

func.func @recursion() { // !! step limit
  call @recursion() : () -> ()
  return
}

// -----

func.func @result_size() {
  %m = call @callee() : () -> memref<?xf32>
  %c = memref.cast %m : memref<?xf32> to memref<4xf32> // !! size mismatch
  memref.dealloc %m : memref<?xf32>
  return
}
func.func private @callee() -> memref<?xf32> {
  %c5 = arith.constant 5 : index
  %m = memref.alloc(%c5) : memref<?xf32>
  return %m : memref<?xf32>
}

// -----

func.func @assertion() {
  %f = arith.constant false
  cf.assert %f, "never" // !! assertion
  return
}

// -----

func.func @shapes() -> index {
  %a = shape.const_shape [2, 3] : tensor<2xindex>
  %b = shape.const_shape [4, 5] : tensor<2xindex>
  %c = shape.broadcast %a, %b : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex> // !! size mismatch
  %i = arith.constant 0 : index
  %x = tensor.extract %c[%i] : tensor<2xindex>
  return %x : index
}

// -----

func.func @any_of_different() -> tensor<2xindex> {
  %a = shape.const_shape [2, 3] : tensor<2xindex>
  %b = shape.const_shape [4, 5] : tensor<2xindex>
  %c = shape.any %a, %b : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex> // !! undefined behavior
  return %c : tensor<2xindex>
}

// -----

func.func @extent() -> index {
  %a = shape.const_shape [2, 3] : tensor<2xindex>
  %i = arith.constant 2 : index
  %x = shape.get_extent %a, %i : tensor<2xindex>, index -> index // !! out of bounds
  return %x : index
}

// -----

// Memory of a loop's body is freed at its end.
func.func @stack_in_loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %a = memref.alloca() : memref<1xf32>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%m = %a) -> memref<1xf32> {
    %n = memref.alloca() : memref<1xf32>
    memref.copy %m, %n : memref<1xf32> to memref<1xf32> // !! use after free
    scf.yield %n : memref<1xf32>
  }
  return
}

// -----

// The sum of no numbers is 0.0, and so is that of -0.0.
func.func @sums() -> f32 {
  %z = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %n = affine.parallel (%i) = (0) to (0) reduce ("addf") -> f32 {
    affine.yield %z : f32
  }
  %s = affine.parallel (%i) = (0) to (3) reduce ("addf") -> f32 {
    affine.yield %z : f32
  }
  %p = arith.divf %one, %n : f32
  %q = arith.divf %one, %s : f32
  %a = arith.cmpf oeq, %p, %inf : f32
  %b = arith.cmpf oeq, %q, %inf : f32
  cf.assert %a, "0.0"
  cf.assert %b, "0.0"
  return %n : f32
}

// -----

func.func @assign(%n: index, %x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %a = affine.parallel (%i) = (0) to (symbol(%c1)) reduce ("assign") -> f32 {
    affine.yield %x : f32
  }
  %r = affine.parallel (%i) = (0) to (2) reduce ("assign") -> f32 { // !! undefined behavior
    affine.yield %x : f32
  }
  return %a : f32
}
