// Each program does one thing wrong, in the line that says so, or nothing.

func.func @load(%i: index) -> f32 {
  %x = arith.constant 1.0 : f32
  %m = memref.alloca() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %c4 = arith.constant 4 : index
  %v = memref.load %m[%c4] : memref<4xf32> // !! out of bounds
  return %v : f32
}

// -----

func.func @negative() -> f32 {
  %m = memref.get_global @g : memref<4xf32>
  %n = arith.constant -1 : index
  %v = memref.load %m[%n] : memref<4xf32> // !! out of bounds
  return %v : f32
}
memref.global constant @g : memref<4xf32> = dense<1.0>

// -----

func.func @store3() {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloca() : memref<2x2x2xf32>
  memref.store %x, %m[%c0, %c0, %c2] : memref<2x2x2xf32> // !! out of bounds
  return
}

// -----

func.func @constant_global() {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %m = memref.get_global @g : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32> // !! undefined behavior
  return
}
memref.global constant @g : memref<4xf32> = dense<1.0>

// -----

func.func @uninitialized_global() -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @g : memref<4xf32>
  %v = memref.load %m[%c0] : memref<4xf32> // !! uninitialized read
  return %v : f32
}
memref.global @g : memref<4xf32> = uninitialized

// -----

func.func @free_of_global() {
  %m = memref.get_global @g : memref<4xf32>
  memref.dealloc %m : memref<4xf32> // !! invalid free
  return
}
memref.global @g : memref<4xf32> = uninitialized

// -----

func.func @free_of_stack() {
  %m = memref.alloca() : memref<4xf32>
  memref.dealloc %m : memref<4xf32> // !! invalid free
  return
}

// -----

func.func @free_of_argument(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32> // !! invalid free
  return
}

// -----

func.func @free_of_view() {
  %m = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.subview %m[%c1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  memref.dealloc %s : memref<2xf32, strided<[1], offset: ?>> // !! invalid free
  return
}

// -----

func.func @free_of_byte_view() {
  %m = memref.alloc() : memref<16xi8>
  %c4 = arith.constant 4 : index
  %s = memref.view %m[%c4][] : memref<16xi8> to memref<3xf32>
  memref.dealloc %s : memref<3xf32> // !! invalid free
  return
}

// -----

func.func @free_of_rebuilt_part() {
  %m = memref.alloc() : memref<4x4xf32>
  %s = memref.reinterpret_cast %m to offset: [4], sizes: [4], strides: [1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.dealloc %s : memref<4xf32, strided<[1], offset: 4>> // !! invalid free
  return
}

// -----

// The base of a buffer may be freed, however it is described.
func.func @free_of_base() {
  %m = memref.alloc() : memref<4x4xf32>
  %b, %o, %sz:2, %st:2 = memref.extract_strided_metadata %m : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
  memref.dealloc %b : memref<f32>
  return
}

// -----

func.func @free_of_rebuilt_base() {
  %m = memref.alloc() : memref<4x4xf32>
  %b, %o, %sz:2, %st:2 = memref.extract_strided_metadata %m : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
  %r = memref.reinterpret_cast %b to offset: [0], sizes: [], strides: [] : memref<f32> to memref<f32>
  memref.dealloc %r : memref<f32>
  return
}

// -----

func.func @free_of_rebuilt_whole() {
  %m = memref.alloc() : memref<4x4xf32>
  %b, %o, %sz:2, %st:2 = memref.extract_strided_metadata %m : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
  %r = memref.reinterpret_cast %b to offset: [0], sizes: [16], strides: [1] : memref<f32> to memref<16xf32>
  memref.dealloc %r : memref<16xf32>
  return
}

// -----

func.func @free_of_other_shape() {
  %m = memref.alloc() : memref<4x4xf32>
  %c = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %u = memref.cast %c : memref<16xf32> to memref<*xf32>
  memref.dealloc %u : memref<*xf32>
  return
}

// -----

func.func @free_of_empty() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%c0) : memref<?x4xf32>
  memref.dealloc %m : memref<?x4xf32>
  return
}

// -----

func.func @double_free_by_alias() {
  %m = memref.alloc() : memref<4xf32>
  %u = memref.cast %m : memref<4xf32> to memref<?xf32>
  memref.dealloc %m : memref<4xf32>
  memref.dealloc %u : memref<?xf32> // !! double free
  return
}

// -----

func.func @realloc_frees() -> f32 {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  %n = memref.realloc %m : memref<4xf32> to memref<8xf32>
  %v = memref.load %m[%c0] : memref<4xf32> // !! use after free
  return %v : f32
}

// -----

func.func @realloc_extends() -> f32 {
  %c0 = arith.constant 5 : index
  %x = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %n = memref.realloc %m : memref<4xf32> to memref<8xf32>
  %v = memref.load %n[%c0] : memref<8xf32> // !! uninitialized read
  return %v : f32
}

// -----

func.func @realloc_of_freed() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %n = memref.realloc %m : memref<4xf32> to memref<8xf32> // !! use after free
  return
}

// -----

func.func @realloc_of_stack() {
  %m = memref.alloca() : memref<4xf32>
  %n = memref.realloc %m : memref<4xf32> to memref<8xf32> // !! invalid free
  return
}

// -----

func.func @realloc_negative(%n: index) {
  %c = arith.constant -4 : index
  %m = memref.alloc() : memref<4xf32>
  %r = memref.realloc %m(%c) : memref<4xf32> to memref<?xf32> // !! size mismatch
  return
}

// -----

func.func @copy_sizes() {
  %x = arith.constant 1.0 : f32
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloca(%c3) : memref<?xf32>
  %n = memref.alloca(%c4) : memref<?xf32>
  memref.copy %m, %n : memref<?xf32> to memref<?xf32> // !! size mismatch
  return
}

// -----

func.func @copy_to_freed() {
  %m = memref.alloca() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  memref.copy %m, %n : memref<4xf32> to memref<4xf32> // !! use after free
  return
}

// -----

func.func @copy_from_freed() {
  %m = memref.alloca() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  memref.copy %n, %m : memref<4xf32> to memref<4xf32> // !! use after free
  return
}

// -----

func.func @copy_to_constant() {
  %m = memref.alloca() : memref<4xf32>
  %g = memref.get_global @g : memref<4xf32>
  memref.copy %m, %g : memref<4xf32> to memref<4xf32> // !! undefined behavior
  return
}
memref.global constant @g : memref<4xf32> = dense<1.0>

// -----

func.func @copy_overlap() {
  %m = memref.alloca() : memref<8xf32>
  %a = memref.subview %m[0] [5] [1] : memref<8xf32> to memref<5xf32, strided<[1]>>
  %b = memref.subview %m[2] [5] [1] : memref<8xf32> to memref<5xf32, strided<[1], offset: 2>>
  memref.copy %a, %b : memref<5xf32, strided<[1]>> to memref<5xf32, strided<[1], offset: 2>> // !! undefined behavior
  return
}

// -----

// The same elements may be copied onto themselves.
func.func @copy_same() {
  %m = memref.alloca() : memref<8xf32>
  %c = memref.cast %m : memref<8xf32> to memref<?xf32, strided<[?], offset: ?>>
  memref.copy %m, %c : memref<8xf32> to memref<?xf32, strided<[?], offset: ?>>
  return
}

// -----

// Views that take turns don't overlap.
func.func @copy_interleaved() {
  %m = memref.alloca() : memref<8xf32>
  %a = memref.subview %m[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  %b = memref.subview %m[1] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
  memref.copy %a, %b : memref<4xf32, strided<[2]>> to memref<4xf32, strided<[2], offset: 1>>
  return
}

// -----

func.func @subview_beyond(%n: index) {
  %m = memref.alloca() : memref<8xf32>
  %c5 = arith.constant 5 : index
  %a = memref.subview %m[4] [%c5] [1] : memref<8xf32> to memref<?xf32, strided<[1], offset: 4>> // !! out of bounds
  return
}

// -----

func.func @subview_negative_offset() {
  %m = memref.alloca() : memref<8xf32>
  %c = arith.constant -1 : index
  %a = memref.subview %m[%c] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>> // !! out of bounds
  return
}

// -----

func.func @subview_negative_size() {
  %m = memref.alloca() : memref<8xf32>
  %c = arith.constant -1 : index
  %a = memref.subview %m[0] [%c] [1] : memref<8xf32> to memref<?xf32, strided<[1]>> // !! out of bounds
  return
}

// -----

// A part without elements may lie at the end.
func.func @subview_empty() {
  %m = memref.alloca() : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.subview %m[%c8] [%c0] [1] : memref<8xf32> to memref<?xf32, strided<[1], offset: ?>>
  return
}

// -----

func.func @cast_size() {
  %c5 = arith.constant 5 : index
  %m = memref.alloca(%c5) : memref<?xf32>
  %a = memref.cast %m : memref<?xf32> to memref<4xf32> // !! size mismatch
  return
}

// -----

func.func @cast_rank() {
  %m = memref.alloca() : memref<4xf32>
  %u = memref.cast %m : memref<4xf32> to memref<*xf32>
  %a = memref.cast %u : memref<*xf32> to memref<2x2xf32> // !! size mismatch
  return
}

// -----

func.func @cast_stride() {
  %m = memref.alloca() : memref<8xf32>
  %a = memref.subview %m[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  %b = memref.cast %a : memref<4xf32, strided<[2]>> to memref<4xf32, strided<[?]>>
  %c = memref.cast %b : memref<4xf32, strided<[?]>> to memref<4xf32, strided<[1]>> // !! size mismatch
  return
}

// -----

func.func @cast_to_identity() {
  %m = memref.alloca() : memref<8xf32>
  %a = memref.subview %m[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  %b = memref.cast %a : memref<4xf32, strided<[2]>> to memref<?xf32, strided<[?]>>
  %c = memref.cast %b : memref<?xf32, strided<[?]>> to memref<?xf32> // !! size mismatch
  return
}

// -----

func.func @cast_offset() {
  %m = memref.alloca() : memref<8xf32>
  %c2 = arith.constant 2 : index
  %a = memref.subview %m[%c2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %c = memref.cast %a : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: 1>> // !! size mismatch
  return
}

// -----

func.func @expand() {
  %m = memref.alloca() : memref<8xf32>
  %c3 = arith.constant 3 : index
  %d = memref.cast %m : memref<8xf32> to memref<?xf32>
  %a = memref.expand_shape %d [[0, 1]] output_shape [%c3, 2] : memref<?xf32> into memref<?x2xf32> // !! size mismatch
  return
}

// -----

func.func @expand_negative() {
  %c = arith.constant -4 : index
  %m = memref.alloca() : memref<8xf32>
  %d = memref.cast %m : memref<8xf32> to memref<?xf32>
  %a = memref.expand_shape %d [[0, 1]] output_shape [%c, %c] : memref<?xf32> into memref<?x?xf32> // !! size mismatch
  return
}

// -----

func.func @collapse() {
  %m = memref.alloca() : memref<4x4xf32>
  %s = memref.subview %m[0, 0] [4, 2] [1, 1] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>
  %d = memref.cast %s : memref<4x2xf32, strided<[4, 1]>> to memref<4x2xf32, strided<[?, ?]>>
  %a = memref.collapse_shape %d [[0, 1]] : memref<4x2xf32, strided<[?, ?]>> into memref<8xf32, strided<[?]>> // !! size mismatch
  return
}

// -----

func.func @reshape() {
  %m = memref.alloca() : memref<8xf32>
  %s = memref.get_global @s : memref<2xi32>
  %a = memref.reshape %m(%s) : (memref<8xf32>, memref<2xi32>) -> memref<?x?xf32> // !! size mismatch
  return
}
memref.global constant @s : memref<2xi32> = dense<[3, 3]>

// -----

func.func @reshape_negative() {
  %m = memref.alloca() : memref<8xf32>
  %s = memref.get_global @s : memref<2xi32>
  %a = memref.reshape %m(%s) : (memref<8xf32>, memref<2xi32>) -> memref<?x?xf32> // !! size mismatch
  return
}
memref.global constant @s : memref<2xi32> = dense<[-2, -4]>

// -----

func.func @reshape_static() {
  %m = memref.alloca() : memref<8xf32>
  %s = memref.get_global @s : memref<2xi32>
  %a = memref.reshape %m(%s) : (memref<8xf32>, memref<2xi32>) -> memref<4x2xf32> // !! size mismatch
  return
}
memref.global constant @s : memref<2xi32> = dense<[2, 4]>

// -----

func.func @view_beyond() {
  %m = memref.alloca() : memref<16xi8>
  %c4 = arith.constant 4 : index
  %a = memref.view %m[%c4][%c4] : memref<16xi8> to memref<?xf32> // !! out of bounds
  return
}

// -----

func.func @view_negative() {
  %m = memref.alloca() : memref<16xi8>
  %c0 = arith.constant 0 : index
  %c = arith.constant -1 : index
  %a = memref.view %m[%c0][%c, %c] : memref<16xi8> to memref<?x?xf32> // !! size mismatch
  return
}

// -----

func.func @view_alignment() {
  %m = memref.alloca() : memref<16xi8>
  %c2 = arith.constant 2 : index
  %a = memref.view %m[%c2][] : memref<16xi8> to memref<2xf32> // !! undefined behavior
  return
}

// -----

func.func @reinterpret_beyond() -> f32 {
  %x = arith.constant 1.0 : f32
  %c3 = arith.constant 3 : index
  %m = memref.alloca() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<8xf32>)
  %a = memref.reinterpret_cast %m to offset: [2], sizes: [4], strides: [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 2>>
  %v = memref.load %a[%c3] : memref<4xf32, strided<[2], offset: 2>> // !! out of bounds
  return %v : f32
}

// -----

func.func @alignment() {
  %m = memref.alloc() {alignment = 64} : memref<8xf32>
  memref.assume_alignment %m, 64 : memref<8xf32>
  %a = memref.subview %m[1] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.assume_alignment %a, 16 : memref<4xf32, strided<[1], offset: 1>> // !! undefined behavior
  memref.dealloc %m : memref<8xf32>
  return
}

// -----

func.func @alignment_of_view() {
  %m = memref.alloc() : memref<64xi8>
  %c16 = arith.constant 16 : index
  %a = memref.view %m[%c16][] : memref<64xi8> to memref<4xf32>
  memref.assume_alignment %a, 16 : memref<4xf32>
  memref.dealloc %m : memref<64xi8>
  return
}

// -----

func.func @dim() -> index {
  %m = memref.alloca() : memref<8xf32>
  %u = memref.cast %m : memref<8xf32> to memref<*xf32>
  %c1 = arith.constant 1 : index
  %a = memref.dim %u, %c1 : memref<*xf32> // !! out of bounds
  return %a : index
}

// -----

func.func @alloc_negative() {
  %c = arith.constant -1 : index
  %m = memref.alloc(%c) : memref<?xf32> // !! size mismatch
  return
}

// -----

func.func @atomic_uninitialized(%m: memref<4xf32>, %i: index) {
  %x = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloca() : memref<4xf32>
  %n = memref.atomic_rmw assign %x, %a[%c1] : (f32, memref<4xf32>) -> f32
  memref.store %n, %m[%c1] : memref<4xf32>
  %v = memref.atomic_rmw addf %x, %a[%c1] : (f32, memref<4xf32>) -> f32
  %o = memref.atomic_rmw addf %x, %a[%c2] : (f32, memref<4xf32>) -> f32 // !! uninitialized read
  memref.store %o, %m[%c2] : memref<4xf32>
  return
}

// -----

func.func @generic_atomic_uninitialized(%m: memref<4xf32>) {
  %x = arith.constant 1.0 : f32
  %c2 = arith.constant 2 : index
  %a = memref.alloca() : memref<4xf32>
  %o = memref.generic_atomic_rmw %a[%c2] : memref<4xf32> { // !! uninitialized read
  ^bb0(%cur: f32):
    %n = arith.addf %cur, %x : f32
    memref.atomic_yield %n : f32
  }
  memref.store %o, %m[%c2] : memref<4xf32>
  return
}

// -----

func.func @atomic_outside() {
  %x = arith.constant 1.0 : f32
  %c4 = arith.constant 4 : index
  %a = memref.alloca() : memref<4xf32>
  %o = memref.atomic_rmw assign %x, %a[%c4] : (f32, memref<4xf32>) -> f32 // !! out of bounds
  return
}

// -----

func.func @atomic_freed() {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %o = memref.atomic_rmw assign %x, %a[%c0] : (f32, memref<4xf32>) -> f32 // !! use after free
  return
}

// -----

func.func @scope() {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %m = memref.alloca_scope -> (memref<4xf32>) {
    %a = memref.alloca() : memref<4xf32>
    memref.alloca_scope.return %a : memref<4xf32>
  }
  memref.store %x, %m[%c0] : memref<4xf32> // !! use after free
  return
}

// -----

func.func @stack_of_callee() {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %m = call @callee() : () -> memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32> // !! use after free
  return
}
func.func private @callee() -> memref<4xf32> {
  %a = memref.alloca() : memref<4xf32>
  return %a : memref<4xf32>
}

// -----

func.func @clone_of_freed() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32> // !! use after free
  memref.dealloc %c : memref<4xf32>
  return
}

// -----

func.func @dealloc_twice(%c: i1) {
  %true = arith.constant true
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  bufferization.dealloc (%m : memref<4xf32>) if (%true) // !! double free
  return
}

// -----

func.func @dealloc_of_stack() {
  %true = arith.constant true
  %m = memref.alloca() : memref<4xf32>
  bufferization.dealloc (%m : memref<4xf32>) if (%true) // !! invalid free
  return
}

// -----

func.func @dealloc_without_condition() {
  %true = arith.constant false
  %m = memref.alloca() : memref<4xf32>
  bufferization.dealloc (%m : memref<4xf32>) if (%true)
  return
}

// -----

func.func @dma() {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %m = memref.alloca() : memref<4xf32>
  %n = memref.alloca() : memref<8xf32>
  %t = memref.alloca() : memref<1xi32>
  memref.dma_start %m[%c0], %n[%c0], %c5, %t[%c0] : memref<4xf32>, memref<8xf32>, memref<1xi32> // !! out of bounds
  memref.dma_wait %t[%c0], %c5 : memref<1xi32>
  return
}

// -----

func.func @leak_in_callee() {
  call @callee() : () -> ()
  return
}
func.func private @callee() {
  %m = memref.alloc() : memref<4xf32> // !! leak
  return
}

// -----

func.func @leak_in_loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %m = memref.alloc() : memref<4xf32> // !! leak
  }
  return
}

// -----

func.func @lost_by_realloc() {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.realloc %m : memref<4xf32> to memref<8xf32> // !! leak
  return
}

// -----

func.func @fill_of_freed() {
  %x = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>) // !! use after free
  return
}

// -----

func.func @linalg_size(%a: memref<?xf32>) {
  %x = arith.constant 1.0 : f32
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %m = memref.alloca(%c3) : memref<?xf32>
  %n = memref.alloca(%c5) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  linalg.copy ins(%m : memref<?xf32>) outs(%n : memref<?xf32>) // !! size mismatch
  return
}

// -----

func.func @linalg_uninitialized() {
  %m = memref.alloca() : memref<4xf32>
  %n = memref.alloca() : memref<4xf32>
  linalg.exp ins(%m : memref<4xf32>) outs(%n : memref<4xf32>) // !! uninitialized read
  return
}

// -----

func.func @linalg_constant_out() {
  %x = arith.constant 1.0 : f32
  %g = memref.get_global @g : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%g : memref<4xf32>) // !! undefined behavior
  return
}
memref.global constant @g : memref<4xf32> = dense<1.0>

// -----

func.func @linalg_outside() {
  %x = arith.constant 1.0 : f32
  %c9 = arith.constant 9 : index
  %m = memref.alloca() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %n = memref.alloca() : memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%n : memref<4xf32>) {
  ^bb0(%o: f32):
    %v = memref.load %m[%c9] : memref<4xf32> // !! out of bounds
    linalg.yield %v : f32
  }
  return
}

// -----

func.func @affine_outside() {
  %x = arith.constant 1.0 : f32
  %m = memref.alloca() : memref<4xf32>
  affine.for %i = 0 to 5 {
    affine.store %x, %m[%i] : memref<4xf32> // !! out of bounds
  }
  return
}

// -----

func.func @affine_load_freed() -> f32 {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %v = affine.load %m[2] : memref<4xf32> // !! use after free
  return %v : f32
}

// -----

func.func @vector_load() -> vector<4xf32> {
  %c1 = arith.constant 1 : index
  %g = memref.get_global @g : memref<4xf32>
  %v = vector.load %g[%c1] : memref<4xf32>, vector<4xf32> // !! out of bounds
  return %v : vector<4xf32>
}
memref.global constant @g : memref<4xf32> = dense<1.0>

// -----

func.func @vector_transfer_outside() -> vector<4xf32> {
  %x = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %g = memref.get_global @g : memref<4xf32>
  %v = vector.transfer_read %g[%c1], %x : memref<4xf32>, vector<4xf32>
  %w = vector.transfer_read %g[%c1], %x {in_bounds = [true]} : memref<4xf32>, vector<4xf32> // !! out of bounds
  return %w : vector<4xf32>
}
memref.global constant @g : memref<4xf32> = dense<1.0>

// -----

func.func @vector_store_freed() {
  %v = arith.constant dense<1.0> : vector<4xf32>
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  vector.store %v, %m[%c0] : memref<4xf32>, vector<4xf32> // !! use after free
  return
}

// -----

func.func @masked_store_freed() {
  %v = arith.constant dense<1.0> : vector<4xf32>
  %b = arith.constant dense<false> : vector<4xi1>
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  vector.maskedstore %m[%c0], %b, %v : memref<4xf32>, vector<4xi1>, vector<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}

// -----

func.func @gather_outside() -> vector<2xf32> {
  %p = arith.constant dense<1.0> : vector<2xf32>
  %b = arith.constant dense<true> : vector<2xi1>
  %i = arith.constant dense<[1, 4]> : vector<2xi32>
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<4xf32>
  %v = vector.gather %g[%c0][%i], %b, %p : memref<4xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32> // !! out of bounds
  return %v : vector<2xf32>
}
memref.global constant @g : memref<4xf32> = dense<1.0>

// -----

func.func @gather_masked() -> vector<2xf32> {
  %p = arith.constant dense<1.0> : vector<2xf32>
  %b = arith.constant dense<[true, false]> : vector<2xi1>
  %i = arith.constant dense<[1, 4]> : vector<2xi32>
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<4xf32>
  %v = vector.gather %g[%c0][%i], %b, %p : memref<4xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %v : vector<2xf32>
}
memref.global constant @g : memref<4xf32> = dense<1.0>

// -----

// A buffer may hold vectors that are changed elsewhere.
func.func @buffer_of_vectors() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 2.0 : f32
  %v = arith.constant dense<1.0> : vector<2xf32>
  %m = memref.alloca() : memref<1xvector<2xf32>>
  %a = vector.insert %x, %v[0] : f32 into vector<2xf32>
  memref.store %a, %m[%c0] : memref<1xvector<2xf32>>
  %b = vector.insert %x, %a[1] : f32 into vector<2xf32>
  %w = memref.load %m[%c0] : memref<1xvector<2xf32>>
  %e = vector.extract %w[1] : f32 from vector<2xf32>
  %one = arith.constant 1.0 : f32
  %ok = arith.cmpf oeq, %e, %one : f32
  cf.assert %ok, "the stored vector changed"
  return
}

// -----

func.func @generic_atomic() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 18446744073709551616 : i128
  %m = memref.alloca() : memref<2xi128>
  memref.store %x, %m[%c1] : memref<2xi128>
  %o = memref.generic_atomic_rmw %m[%c1] : memref<2xi128> {
  ^bb0(%cur: i128):
    %n = arith.addi %cur, %x : i128
    memref.atomic_yield %n : i128
  }
  %v = memref.load %m[%c1] : memref<2xi128>
  %twice = arith.addi %x, %x : i128
  %a = arith.cmpi eq, %o, %v : i128
  %b = arith.cmpi eq, %v, %twice : i128
  cf.assert %a, "the result is what is stored"
  cf.assert %b, "the element was doubled"
  %u = memref.generic_atomic_rmw %m[%c2] : memref<2xi128> { // !! out of bounds
  ^bb0(%cur: i128):
    memref.atomic_yield %cur : i128
  }
  return
}
