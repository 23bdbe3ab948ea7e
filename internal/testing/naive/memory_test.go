package naive_test

import "strings"

// memoryPrograms are programs on memrefs.
func memoryPrograms() []program {
	var out []program
	add := func(name, src string, types ...string) {
		if len(types) == 0 {
			types = elements
		}
		out = append(out, expand(name, src, types...)...)
	}
	add("memref.load", `func.func @f(%m: memref<2x3x$T>, %i: index, %j: index) -> $T {
  %r = memref.load %m[%i, %j] : memref<2x3x$T>
  return %r : $T
}`)
	add("memref.load", `func.func @f(%m: memref<4x$T>, %i: index) -> $T {
  %r = memref.load %m[%i] : memref<4x$T>
  return %r : $T
}`)
	add("memref.load", `func.func @f(%m: memref<2x2x2x$T>, %i: index) -> $T {
  %r = memref.load %m[%i, %i, %i] : memref<2x2x2x$T>
  return %r : $T
}`)
	add("memref.store", `func.func @f(%m: memref<?x?x$T>, %i: index, %j: index, %v: $T) {
  memref.store %v, %m[%i, %j] : memref<?x?x$T>
  return
}`)
	add("memref.store", `func.func @f(%m: memref<?x$T>, %i: index, %v: $T) {
  memref.store %v, %m[%i] : memref<?x$T>
  return
}`)
	add("memref.alloc", `func.func @f(%n: index, %i: index, %v: $T) -> (memref<?x$T>, $T, index) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?x$T>
  %s = memref.alloca() : memref<3x2x$T>
  memref.store %v, %m[%i] : memref<?x$T>
  memref.store %v, %s[%i, %c0] : memref<3x2x$T>
  %r = memref.load %m[%i] : memref<?x$T>
  %d = memref.dim %m, %c0 : memref<?x$T>
  return %m, %r, %d : memref<?x$T>, $T, index
}`)
	add("memref.alloc", `func.func @f(%v: $T, %m: memref<2x3x$T>) -> memref<2x3x$T> {
  %a = memref.alloc() : memref<2x3x$T, strided<[1, 2], offset: 3>>
  memref.copy %m, %a : memref<2x3x$T> to memref<2x3x$T, strided<[1, 2], offset: 3>>
  %b = memref.alloc() : memref<2x3x$T>
  memref.copy %a, %b : memref<2x3x$T, strided<[1, 2], offset: 3>> to memref<2x3x$T>
  memref.dealloc %a : memref<2x3x$T, strided<[1, 2], offset: 3>>
  return %b : memref<2x3x$T>
}`)
	add("memref.realloc", `func.func @f(%n: index, %k: index, %v: $T) -> memref<?x$T> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?x$T>
  scf.for %i = %c0 to %n step %c1 { memref.store %v, %m[%i] : memref<?x$T> }
  %r = memref.realloc %m(%k) : memref<?x$T> to memref<?x$T>
  return %r : memref<?x$T>
}`)
	add("memref.dim", `func.func @f(%m: memref<2x?x$T>, %i: index) -> (index, index) {
  %r = memref.dim %m, %i : memref<2x?x$T>
  %u = memref.cast %m : memref<2x?x$T> to memref<*x$T>
  %k = memref.rank %u : memref<*x$T>
  return %r, %k : index, index
}`, "f32")
	add("memref.cast", `func.func @f(%m: memref<?x?x$T>) -> memref<2x?x$T> {
  %r = memref.cast %m : memref<?x?x$T> to memref<2x?x$T>
  return %r : memref<2x?x$T>
}`)
	add("memref.memory_space_cast", `func.func @f(%m: memref<3x$T>) -> memref<3x$T, 1> {
  %r = memref.memory_space_cast %m : memref<3x$T> to memref<3x$T, 1>
  return %r : memref<3x$T, 1>
}`, "f32", "i8")
	add("memref.subview", `func.func @f(%m: memref<6x5x$T>, %i: index, %n: index, %s: index, %v: $T) -> (memref<?x?x$T, strided<[?, ?], offset: ?>>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.subview %m[%i, 1] [%n, 2] [%s, 2] : memref<6x5x$T> to memref<?x2x$T, strided<[?, 2], offset: ?>>
  %x, %off, %z:2, %t:2 = memref.extract_strided_metadata %r : memref<?x2x$T, strided<[?, 2], offset: ?>> -> memref<$T>, index, index, index, index, index
  memref.store %v, %r[%c0, %c1] : memref<?x2x$T, strided<[?, 2], offset: ?>>
  %k = memref.cast %r : memref<?x2x$T, strided<[?, 2], offset: ?>> to memref<?x?x$T, strided<[?, ?], offset: ?>>
  %sum = arith.addi %off, %t#0 : index
  return %k, %sum : memref<?x?x$T, strided<[?, ?], offset: ?>>, index
}`)
	add("memref.subview", `func.func @f(%m: memref<4x5x3x$T>, %i: index, %v: $T) -> $T {
  %c1 = arith.constant 1 : index
  %r = memref.subview %m[%i, 0, 1] [1, 5, 1] [1, 1, 1] : memref<4x5x3x$T> to memref<5x$T, strided<[3], offset: ?>>
  memref.store %v, %r[%c1] : memref<5x$T, strided<[3], offset: ?>>
  %c3 = arith.constant 3 : index
  %x = memref.load %r[%c3] : memref<5x$T, strided<[3], offset: ?>>
  return %x : $T
}`)
	add("memref.reinterpret_cast", `func.func @f(%m: memref<12x$T>, %o: index, %i: index, %j: index, %v: $T) -> $T {
  %r = memref.reinterpret_cast %m to offset: [%o], sizes: [3, 2], strides: [2, %j] : memref<12x$T> to memref<3x2x$T, strided<[2, ?], offset: ?>>
  memref.store %v, %r[%i, %j] : memref<3x2x$T, strided<[2, ?], offset: ?>>
  %x = memref.load %r[%j, %i] : memref<3x2x$T, strided<[2, ?], offset: ?>>
  return %x : $T
}`)
	add("memref.extract_strided_metadata", `func.func @f(%m: memref<?x3x$T, strided<[?, 1], offset: ?>>) -> ($T, index, index, index, index) {
  %b, %o, %z:2, %t:2 = memref.extract_strided_metadata %m : memref<?x3x$T, strided<[?, 1], offset: ?>> -> memref<$T>, index, index, index, index, index
  %x = memref.load %b[] : memref<$T>
  return %x, %o, %z#0, %z#1, %t#1 : $T, index, index, index, index
}`, "i8", "f64")
	add("memref.expand_shape", `func.func @f(%m: memref<?x6x$T>, %i: index, %v: $T) -> memref<?x1x2x3x$T> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?x6x$T>
  %c1 = arith.constant 1 : index
  %r = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [%n, 1, 2, 3] : memref<?x6x$T> into memref<?x1x2x3x$T>
  memref.store %v, %r[%i, %c0, %c1, %c1] : memref<?x1x2x3x$T>
  return %r : memref<?x1x2x3x$T>
}`)
	add("memref.collapse_shape", `func.func @f(%m: memref<2x3x2x$T>, %i: index, %v: $T) -> memref<6x2x$T> {
  %c0 = arith.constant 0 : index
  %r = memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x2x$T> into memref<6x2x$T>
  memref.store %v, %r[%i, %c0] : memref<6x2x$T>
  return %r : memref<6x2x$T>
}`)
	add("memref.reshape", `func.func @f(%m: memref<2x6x$T>, %a: index, %b: index) -> memref<?x?x$T> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloca() : memref<2xindex>
  memref.store %a, %s[%c0] : memref<2xindex>
  memref.store %b, %s[%c1] : memref<2xindex>
  %r = memref.reshape %m(%s) : (memref<2x6x$T>, memref<2xindex>) -> memref<?x?x$T>
  return %r : memref<?x?x$T>
}`, "f32")
	add("memref.reshape", `func.func @f(%m: memref<2x3x$T>) -> memref<?x?x$T> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %s = memref.alloca() : memref<2xindex>
  memref.store %c3, %s[%c0] : memref<2xindex>
  memref.store %c2, %s[%c1] : memref<2xindex>
  %r = memref.reshape %m(%s) : (memref<2x3x$T>, memref<2xindex>) -> memref<?x?x$T>
  return %r : memref<?x?x$T>
}`)
	add("memref.view", `func.func @f(%m: memref<64xi8>, %k: index, %i: index, %v: $T) -> ($T, memref<2x$T>) {
  %c8 = arith.constant 8 : index
  %s = arith.muli %k, %c8 : index
  %r = memref.view %m[%s][%k] : memref<64xi8> to memref<?x2x$T>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %v, %r[%i, %c1] : memref<?x2x$T>
  %x = memref.load %r[%c0, %c0] : memref<?x2x$T>
  %q = memref.view %m[%c0][] : memref<64xi8> to memref<2x$T>
  return %x, %q : $T, memref<2x$T>
}`, "i8", "i16", "i32", "i64", "f16", "f32", "f64", "index")
	add("memref.transpose", `func.func @f(%m: memref<2x3x4x$T>, %v: $T) -> memref<4x2x3x$T, strided<[1, 12, 4]>> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = memref.transpose %m (i, j, k) -> (k, i, j) : memref<2x3x4x$T> to memref<4x2x3x$T, strided<[1, 12, 4]>>
  memref.store %v, %r[%c2, %c1, %c1] : memref<4x2x3x$T, strided<[1, 12, 4]>>
  return %r : memref<4x2x3x$T, strided<[1, 12, 4]>>
}`)
	add("memref.copy", `func.func @f(%a: memref<?x?x$T>, %b: memref<?x?x$T>) {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<?x?x$T> to memref<?x?x$T, strided<[1, ?]>>
  memref.copy %t, %b : memref<?x?x$T, strided<[1, ?]>> to memref<?x?x$T>
  return
}`)
	add("memref.get_global", `memref.global "private" constant @g : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
memref.global "private" @v : memref<2xi32> = dense<7>
memref.global "private" @u : memref<2xi32> = uninitialized
func.func @f(%i: index, %j: index, %x: i32) -> (i32, i32, i32) {
  %g = memref.get_global @g : memref<2x2xi32>
  %v = memref.get_global @v : memref<2xi32>
  %u = memref.get_global @u : memref<2xi32>
  memref.store %x, %v[%i] : memref<2xi32>
  memref.store %x, %u[%j] : memref<2xi32>
  %a = memref.load %g[%i, %j] : memref<2x2xi32>
  %b = memref.load %v[%j] : memref<2xi32>
  %c = memref.load %u[%j] : memref<2xi32>
  memref.prefetch %v[%i], read, locality<3>, data : memref<2xi32>
  return %a, %b, %c : i32, i32, i32
}`, "i32")
	add("memref.atomic_rmw", `func.func @f(%m: memref<3x$T>, %i: index, %v: $T) -> ($T, $T) {
  %a = memref.atomic_rmw addi %v, %m[%i] : ($T, memref<3x$T>) -> $T
  %b = memref.atomic_rmw maxs %v, %m[%i] : ($T, memref<3x$T>) -> $T
  return %a, %b : $T, $T
}`, "i8", "i32", "i64")
	for _, kind := range []string{"addi", "assign", "maxs", "maxu", "mins", "minu", "muli", "ori", "andi"} {
		add("memref.atomic_rmw", `func.func @f(%m: memref<3x$T>, %i: index, %v: $T) -> $T {
  %a = memref.atomic_rmw `+kind+` %v, %m[%i] : ($T, memref<3x$T>) -> $T
  return %a : $T
}`, "i8", "i64")
	}
	for _, kind := range []string{"addf", "assign", "maximumf", "minimumf", "maxnumf", "minnumf", "mulf"} {
		add("memref.atomic_rmw", `func.func @f(%m: memref<3x$T>, %i: index, %v: $T) -> $T {
  %a = memref.atomic_rmw `+kind+` %v, %m[%i] : ($T, memref<3x$T>) -> $T
  return %a : $T
}`, "f16", "f32", "f64")
	}
	add("memref.generic_atomic_rmw", `func.func @f(%m: memref<3x$T>, %i: index, %v: $T) -> $T {
  %a = memref.generic_atomic_rmw %m[%i] : memref<3x$T> {
  ^bb0(%old: $T):
    %s = $ADD %old, %v : $T
    memref.atomic_yield %s : $T
  }
  return %a : $T
}`, "i1", "i8", "i100", "f16", "f32", "f80")
	add("memref.alloca_scope", `func.func @f(%v: $T, %i: index) -> $T {
  %r = memref.alloca_scope -> ($T) {
    %m = memref.alloca() : memref<2x$T>
    memref.store %v, %m[%i] : memref<2x$T>
    %x = memref.load %m[%i] : memref<2x$T>
    memref.alloca_scope.return %x : $T
  }
  return %r : $T
}`, "f32", "i100")
	add("memref.alloca_scope", `func.func private @g(%v: $T) -> memref<2x$T> {
  %m = memref.alloca() : memref<2x$T>
  linalg.fill ins(%v : $T) outs(%m : memref<2x$T>)
  return %m : memref<2x$T>
}
func.func @f(%a: memref<2x$T>, %v: $T, %i: index, %c: i1, %d: i1) -> $T {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = memref.alloca_scope -> (memref<2x$T>) {
    %m = memref.alloca() : memref<2x$T>
    linalg.fill ins(%v : $T) outs(%m : memref<2x$T>)
    memref.alloca_scope.return %m : memref<2x$T>
  }
  %l = scf.for %k = %c0 to %c2 step %c1 iter_args(%x = %a) -> memref<2x$T> {
    %m = memref.alloca() : memref<2x$T>
    memref.copy %x, %m : memref<2x$T> to memref<2x$T>
    %n = arith.select %d, %a, %m : memref<2x$T>
    scf.yield %n : memref<2x$T>
  }
  %g = func.call @g(%v) : ($T) -> memref<2x$T>
  %p = arith.select %c, %s, %l : memref<2x$T>
  %q = arith.select %d, %p, %g : memref<2x$T>
  %x = memref.load %q[%i] : memref<2x$T>
  memref.store %x, %q[%c0] : memref<2x$T>
  return %x : $T
}`, "f32", "i100")
	add("memref of vectors", `func.func @f(%m: memref<2xvector<3x$T>>, %i: index, %j: index, %v: $T) -> vector<3x$T> {
  %x = memref.load %m[%i] : memref<2xvector<3x$T>>
  %y = vector.insert %v, %x [1] : $T into vector<3x$T>
  memref.store %y, %m[%j] : memref<2xvector<3x$T>>
  %z = memref.load %m[%i] : memref<2xvector<3x$T>>
  %w = vector.insert %v, %z [2] : $T into vector<3x$T>
  return %x : vector<3x$T>
}`, "f32", "i8")
	add("memref.extract_aligned_pointer_as_index", `func.func @f(%m: memref<3x$T>) -> i1 {
  %a = memref.extract_aligned_pointer_as_index %m : memref<3x$T> -> index
  %b = memref.extract_aligned_pointer_as_index %m : memref<3x$T> -> index
  %r = arith.cmpi eq, %a, %b : index
  return %r : i1
}`, "f32")
	add("memref.distinct_objects", `func.func @f(%m: memref<3x$T>) {
  %n = memref.alloc() : memref<3x$T>
  memref.distinct_objects %m, %n : memref<3x$T>, memref<3x$T>
  memref.dealloc %n : memref<3x$T>
  return
}`, "f32")
	add("memref.assume_alignment", `func.func @f(%m: memref<3x$T>) {
  memref.assume_alignment %m, 4 : memref<3x$T>
  return
}`, "f32")
	for _, spaces := range []string{", 0;, 2", ", 2;, 0", ";"} {
		source, target, _ := strings.Cut(spaces, ";")
		for _, strided := range []string{"", ", %stride, %run"} {
			add("memref.dma_start", strings.NewReplacer("$SRC", "memref<3x5x$T"+source+">", "$DST", "memref<4x4x$T"+target+">", "$STRIDED", strided).Replace(`func.func @f(%m: $SRC, %n: $DST, %tag: memref<1xi32>, %i: index, %j: index, %count: index, %stride: index, %run: index) {
  %c0 = arith.constant 0 : index
  memref.dma_start %m[%i, %j], %n[%j, %c0], %count, %tag[%c0]$STRIDED : $SRC, $DST, memref<1xi32>
  memref.dma_wait %tag[%c0], %count : memref<1xi32>
  return
}`), "f32", "i8", "i100")
		}
	}
	return out
}
