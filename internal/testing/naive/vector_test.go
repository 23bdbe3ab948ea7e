package naive_test

import "fmt"

// vectorPrograms are programs on vectors.
func vectorPrograms() []program {
	var out []program
	add := func(name, src string, types ...string) {
		if len(types) == 0 {
			types = []string{"i1", "i8", "i33", "f16", "f32", "f64", "i100", "f128", "index"}
		}
		out = append(out, expand(name, src, types...)...)
	}
	add("vector.broadcast", `func.func @f(%a: $T, %v: vector<1x2x$T>, %w: vector<2x$T>) -> (vector<2x3x$T>, vector<4x3x2x$T>, vector<3x2x$T>, vector<2x$T>) {
  %r = vector.broadcast %a : $T to vector<2x3x$T>
  %q = vector.broadcast %v : vector<1x2x$T> to vector<4x3x2x$T>
  %p = vector.broadcast %w : vector<2x$T> to vector<3x2x$T>
  %s = vector.broadcast %a : $T to vector<2x$T>
  return %r, %q, %p, %s : vector<2x3x$T>, vector<4x3x2x$T>, vector<3x2x$T>, vector<2x$T>
}`)
	add("vector.splat", `func.func @f(%a: $T) -> vector<3x$T> {
  %r = vector.splat %a : vector<3x$T>
  return %r : vector<3x$T>
}`, "i8", "f32", "index")
	add("vector.from_elements", `func.func @f(%a: $T, %b: $T) -> (vector<2x2x$T>, vector<$T>) {
  %r = vector.from_elements %a, %b, %b, %a : vector<2x2x$T>
  %q = vector.from_elements %b : vector<$T>
  return %r, %q : vector<2x2x$T>, vector<$T>
}`)
	add("vector.to_elements", `func.func @f(%a: vector<2x2x$T>, %b: vector<$T>) -> ($T, $T, $T, $T, $T) {
  %r:4 = vector.to_elements %a : vector<2x2x$T>
  %s = vector.to_elements %b : vector<$T>
  return %r#3, %r#1, %r#0, %r#2, %s : $T, $T, $T, $T, $T
}`)
	add("vector.transpose", `func.func @f(%a: vector<2x3x4x$T>) -> vector<4x2x3x$T> {
  %r = vector.transpose %a, [2, 0, 1] : vector<2x3x4x$T> to vector<4x2x3x$T>
  return %r : vector<4x2x3x$T>
}`)
	add("vector.shape_cast", `func.func @f(%a: vector<2x6x$T>) -> vector<3x4x$T> {
  %r = vector.shape_cast %a : vector<2x6x$T> to vector<3x4x$T>
  return %r : vector<3x4x$T>
}`)
	add("vector.flat_transpose", `func.func @f(%a: vector<6x$T>) -> vector<6x$T> {
  %r = vector.flat_transpose %a {rows = 2 : i32, columns = 3 : i32} : vector<6x$T> -> vector<6x$T>
  return %r : vector<6x$T>
}`, "i8", "f32")
	add("vector.shuffle", `func.func @f(%a: vector<2x3x$T>, %b: vector<1x3x$T>, %x: vector<$T>) -> (vector<4x3x$T>, vector<3x$T>) {
  %r = vector.shuffle %a, %b [2, 0, 1, 2] : vector<2x3x$T>, vector<1x3x$T>
  %q = vector.shuffle %x, %x [1, 0, 0] : vector<$T>, vector<$T>
  return %r, %q : vector<4x3x$T>, vector<3x$T>
}`)
	add("vector.interleave", `func.func @f(%a: vector<2x3x$T>, %b: vector<2x3x$T>) -> (vector<2x6x$T>, vector<2x3x$T>, vector<2x3x$T>) {
  %r = vector.interleave %a, %b : vector<2x3x$T> -> vector<2x6x$T>
  %p, %q = vector.deinterleave %r : vector<2x6x$T> -> vector<2x3x$T>
  return %r, %q, %p : vector<2x6x$T>, vector<2x3x$T>, vector<2x3x$T>
}`)
	add("vector.extract_strided_slice", `func.func @f(%a: vector<5x4x2x$T>) -> vector<2x3x2x$T> {
  %r = vector.extract_strided_slice %a {offsets = [2, 1], sizes = [2, 3], strides = [1, 1]} : vector<5x4x2x$T> to vector<2x3x2x$T>
  return %r : vector<2x3x2x$T>
}`)
	add("vector.insert_strided_slice", `func.func @f(%a: vector<2x3x$T>, %b: vector<2x5x4x$T>) -> (vector<2x5x4x$T>, vector<2x5x4x$T>) {
  %r = vector.insert_strided_slice %a, %b {offsets = [1, 2, 1], strides = [1, 1]} : vector<2x3x$T> into vector<2x5x4x$T>
  return %r, %b : vector<2x5x4x$T>, vector<2x5x4x$T>
}`)
	add("vector.scalable.insert", `func.func @f(%a: vector<2x$T>, %b: vector<[4]x$T>) -> (vector<[4]x$T>, vector<2x$T>) {
  %r = vector.scalable.insert %a, %b[2] : vector<2x$T> into vector<[4]x$T>
  %q = vector.scalable.extract %r[0] : vector<2x$T> from vector<[4]x$T>
  return %r, %q : vector<[4]x$T>, vector<2x$T>
}`, "i8", "f32")
	add("vector.bitcast", `func.func @f(%a: vector<2x2xi32>, %b: vector<4xf16>, %c: vector<i64>) -> (vector<2x8xi8>, vector<2x1xi64>, vector<2xi32>, vector<f64>) {
  %r = vector.bitcast %a : vector<2x2xi32> to vector<2x8xi8>
  %q = vector.bitcast %a : vector<2x2xi32> to vector<2x1xi64>
  %w = vector.bitcast %c : vector<i64> to vector<f64>
  %i = vector.bitcast %b : vector<4xf16> to vector<2xi32>
  %n = arith.constant dense<0> : vector<2xi32>
  return %r, %q, %n, %w : vector<2x8xi8>, vector<2x1xi64>, vector<2xi32>, vector<f64>
}`, "i8")
	add("vector.extract", `func.func @f(%a: vector<2x3x$T>, %i: index) -> ($T, vector<3x$T>, $T, vector<3x$T>) {
  %r = vector.extract %a[1, 2] : $T from vector<2x3x$T>
  %q = vector.extract %a[1] : vector<3x$T> from vector<2x3x$T>
  %p = vector.extract %a[%i, 0] : $T from vector<2x3x$T>
  %o = vector.extract %a[%i] : vector<3x$T> from vector<2x3x$T>
  return %r, %q, %p, %o : $T, vector<3x$T>, $T, vector<3x$T>
}`)
	add("vector.insert", `func.func @f(%a: vector<2x3x$T>, %v: $T, %w: vector<3x$T>, %i: index) -> (vector<2x3x$T>, vector<2x3x$T>, vector<2x3x$T>, vector<2x3x$T>) {
  %r = vector.insert %v, %a[1, 2] : $T into vector<2x3x$T>
  %q = vector.insert %w, %a[0] : vector<3x$T> into vector<2x3x$T>
  %p = vector.insert %v, %r[%i, 1] : $T into vector<2x3x$T>
  return %r, %q, %p, %a : vector<2x3x$T>, vector<2x3x$T>, vector<2x3x$T>, vector<2x3x$T>
}`)
	add("vector.extractelement", `func.func @f(%a: vector<3x$T>, %i: i32, %v: $T, %z: vector<$T>) -> ($T, vector<3x$T>, $T, vector<$T>) {
  %r = vector.extractelement %a[%i : i32] : vector<3x$T>
  %q = vector.insertelement %v, %a[%i : i32] : vector<3x$T>
  %p = vector.extractelement %z[] : vector<$T>
  %o = vector.insertelement %v, %z[] : vector<$T>
  return %r, %q, %p, %o : $T, vector<3x$T>, $T, vector<$T>
}`)
	add("vector.step", `func.func @f(%i: index, %j: index) -> (vector<4xindex>, index, vector<2x3xi1>, vector<2x3xi1>, vector<i1>) {
  %r = vector.step : vector<4xindex>
  %s = vector.vscale
  %m = vector.constant_mask [1, 2] : vector<2x3xi1>
  %n = vector.create_mask %i, %j : vector<2x3xi1>
  %z = vector.create_mask %i : vector<i1>
  return %r, %s, %m, %n, %z : vector<4xindex>, index, vector<2x3xi1>, vector<2x3xi1>, vector<i1>
}`, "index")
	for _, kind := range []string{"add", "mul", "minui", "minsi", "maxui", "maxsi", "and", "or", "xor"} {
		add("vector.reduction", fmt.Sprintf(`func.func @f(%%a: vector<5x$T>, %%b: $T, %%m: vector<5xi1>) -> ($T, $T, $T) {
  %%r = vector.reduction <%s>, %%a : vector<5x$T> into $T
  %%q = vector.reduction <%s>, %%a, %%b : vector<5x$T> into $T
  %%p = vector.mask %%m { vector.reduction <%s>, %%a, %%b : vector<5x$T> into $T } : vector<5xi1> -> $T
  return %%r, %%q, %%p : $T, $T, $T
}`, kind, kind, kind), "i1", "i8", "i64", "i100", "index")
		add("vector.multi_reduction", fmt.Sprintf(`func.func @f(%%a: vector<2x3x2x$T>, %%b: vector<3x$T>, %%c: $T, %%m: vector<2x3x2xi1>) -> (vector<3x$T>, $T, vector<3x$T>) {
  %%r = vector.multi_reduction <%s>, %%a, %%b [0, 2] : vector<2x3x2x$T> to vector<3x$T>
  %%q = vector.multi_reduction <%s>, %%a, %%c [0, 1, 2] : vector<2x3x2x$T> to $T
  %%p = vector.mask %%m { vector.multi_reduction <%s>, %%a, %%b [0, 2] : vector<2x3x2x$T> to vector<3x$T> } : vector<2x3x2xi1> -> vector<3x$T>
  return %%r, %%q, %%p : vector<3x$T>, $T, vector<3x$T>
}`, kind, kind, kind), "i8", "i64")
	}
	add("vector.multi_reduction", `func.func @f(%a: vector<3x$T>, %b: vector<3x$T>, %c: vector<2x3x$T>, %m: vector<3xi1>) -> (vector<3x$T>, vector<2x3x$T>, vector<3x$T>) {
  %r = vector.multi_reduction <mul>, %a, %b [] : vector<3x$T> to vector<3x$T>
  %q = vector.multi_reduction <mul>, %c, %c [] : vector<2x3x$T> to vector<2x3x$T>
  %p = vector.mask %m { vector.multi_reduction <mul>, %a, %b [] : vector<3x$T> to vector<3x$T> } : vector<3xi1> -> vector<3x$T>
  return %r, %q, %p : vector<3x$T>, vector<2x3x$T>, vector<3x$T>
}`, "i8", "f32")
	for _, kind := range []string{"add", "mul", "minnumf", "maxnumf", "minimumf", "maximumf"} {
		add("vector.reduction", fmt.Sprintf(`func.func @f(%%a: vector<5x$T>, %%b: $T, %%m: vector<5xi1>) -> ($T, $T, $T) {
  %%r = vector.reduction <%s>, %%a : vector<5x$T> into $T
  %%q = vector.reduction <%s>, %%a, %%b : vector<5x$T> into $T
  %%p = vector.mask %%m { vector.reduction <%s>, %%a, %%b : vector<5x$T> into $T } : vector<5xi1> -> $T
  return %%r, %%q, %%p : $T, $T, $T
}`, kind, kind, kind), "f16", "f32", "f64", "f128")
		add("vector.multi_reduction", fmt.Sprintf(`func.func @f(%%a: vector<2x3x2x$T>, %%b: vector<3x$T>, %%c: $T) -> (vector<3x$T>, $T) {
  %%r = vector.multi_reduction <%s>, %%a, %%b [0, 2] : vector<2x3x2x$T> to vector<3x$T>
  %%q = vector.multi_reduction <%s>, %%a, %%c [0, 1, 2] : vector<2x3x2x$T> to $T
  return %%r, %%q : vector<3x$T>, $T
}`, kind, kind), "f16", "f64")
	}
	for _, inclusive := range []string{"true", "false"} {
		add("vector.scan", `func.func @f(%a: vector<2x3x$T>, %b: vector<2x$T>) -> (vector<2x3x$T>, vector<2x$T>) {
  %r, %q = vector.scan <add>, %a, %b {inclusive = `+inclusive+`, reduction_dim = 1 : i64} : vector<2x3x$T>, vector<2x$T>
  return %r, %q : vector<2x3x$T>, vector<2x$T>
}`, "i8", "f32")
	}
	add("vector.contract", `func.func @f(%a: vector<2x3x$T>, %b: vector<3x4x$T>, %c: vector<4x2x$T>, %x: vector<3x$T>, %s: $T) -> (vector<4x2x$T>, $T) {
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (j, i)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x3x$T>, vector<3x4x$T> into vector<4x2x$T>
  %q = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
    iterator_types = ["reduction"], kind = #vector.kind<add>} %x, %x, %s : vector<3x$T>, vector<3x$T> into $T
  return %r, %q : vector<4x2x$T>, $T
}`, "i8", "i64", "f16", "f32")
	add("vector.outerproduct", `func.func @f(%a: vector<2x$T>, %b: vector<3x$T>, %c: vector<2x3x$T>, %s: $T, %m: vector<2x3xi1>, %d: vector<2x$T>) -> (vector<2x3x$T>, vector<2x3x$T>, vector<2x$T>, vector<2x3x$T>) {
  %r = vector.outerproduct %a, %b : vector<2x$T>, vector<3x$T>
  %q = vector.outerproduct %a, %b, %c {kind = #vector.kind<mul>} : vector<2x$T>, vector<3x$T>
  %p = vector.outerproduct %a, %s, %d {kind = #vector.kind<add>} : vector<2x$T>, $T
  %o = vector.mask %m { vector.outerproduct %a, %b, %c : vector<2x$T>, vector<3x$T> } : vector<2x3xi1> -> vector<2x3x$T>
  return %r, %q, %p, %o : vector<2x3x$T>, vector<2x3x$T>, vector<2x$T>, vector<2x3x$T>
}`, "i8", "f32")
	add("vector.matrix_multiply", `func.func @f(%a: vector<6x$T>, %b: vector<12x$T>) -> vector<8x$T> {
  %r = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 3 : i32, rhs_columns = 4 : i32} : (vector<6x$T>, vector<12x$T>) -> vector<8x$T>
  return %r : vector<8x$T>
}`, "i8", "f32")
	add("vector.load", `func.func @f(%m: memref<3x5x$T>, %i: index, %j: index) -> (vector<3x$T>, vector<2x2x$T>) {
  %r = vector.load %m[%i, %j] : memref<3x5x$T>, vector<3x$T>
  %q = vector.load %m[%i, %j] : memref<3x5x$T>, vector<2x2x$T>
  vector.store %r, %m[%j, %i] : memref<3x5x$T>, vector<3x$T>
  return %r, %q : vector<3x$T>, vector<2x2x$T>
}`)
	add("vector.maskedload", `func.func @f(%m: memref<3x5x$T>, %i: index, %j: index, %on: vector<3xi1>, %p: vector<3x$T>) -> (vector<3x$T>, vector<3x$T>) {
  %r = vector.maskedload %m[%i, %j], %on, %p : memref<3x5x$T>, vector<3xi1>, vector<3x$T> into vector<3x$T>
  %q = vector.expandload %m[%i, %j], %on, %p : memref<3x5x$T>, vector<3xi1>, vector<3x$T> into vector<3x$T>
  vector.maskedstore %m[%j, %i], %on, %p : memref<3x5x$T>, vector<3xi1>, vector<3x$T>
  vector.compressstore %m[%i, %i], %on, %p : memref<3x5x$T>, vector<3xi1>, vector<3x$T>
  return %r, %q : vector<3x$T>, vector<3x$T>
}`)
	add("vector.gather", `func.func @f(%m: memref<3x5x$T>, %i: index, %idx: vector<3xi32>, %on: vector<3xi1>, %p: vector<3x$T>) -> vector<3x$T> {
  %c0 = arith.constant 0 : index
  %r = vector.gather %m[%c0, %c0] [%idx], %on, %p : memref<3x5x$T>, vector<3xi32>, vector<3xi1>, vector<3x$T> into vector<3x$T>
  vector.scatter %m[%i, %c0] [%idx], %on, %p : memref<3x5x$T>, vector<3xi32>, vector<3xi1>, vector<3x$T>
  return %r : vector<3x$T>
}`)
	add("vector.transfer_read", `func.func @f(%m: memref<3x5x$T>, %t: tensor<?x?x$T>, %i: index, %j: index, %p: $T, %on: vector<2x4xi1>) -> (vector<4x2x$T>, vector<3x$T>, vector<2x4x$T>, vector<2x3x2x$T>) {
  %a = vector.transfer_read %m[%i, %j], %p {permutation_map = affine_map<(d, e) -> (e, d)>} : memref<3x5x$T>, vector<4x2x$T>
  %b = vector.transfer_read %t[%i, %j], %p : tensor<?x?x$T>, vector<3x$T>
  %c = vector.transfer_read %m[%i, %j], %p, %on : memref<3x5x$T>, vector<2x4x$T>
  %d = vector.transfer_read %t[%i, %j], %p {in_bounds = [false, true, false], permutation_map = affine_map<(d, e) -> (d, 0, e)>} : tensor<?x?x$T>, vector<2x3x2x$T>
  return %a, %b, %c, %d : vector<4x2x$T>, vector<3x$T>, vector<2x4x$T>, vector<2x3x2x$T>
}`)
	add("vector.transfer_read", `func.func @f(%m: memref<5x5x$T>, %i: index, %j: index, %p: $T) -> vector<2x2x$T> {
  %a = vector.transfer_read %m[%i, %j], %p {in_bounds = [true, false]} : memref<5x5x$T>, vector<2x2x$T>
  return %a : vector<2x2x$T>
}`, "i8", "f32")
	add("vector.transfer_write", `func.func @f(%m: memref<3x5x$T>, %t: tensor<?x?x$T>, %i: index, %j: index, %v: vector<4x2x$T>, %on: vector<2x4xi1>) -> (tensor<?x?x$T>, tensor<?x?x$T>) {
  %r = vector.transfer_write %v, %t[%i, %j] : vector<4x2x$T>, tensor<?x?x$T>
  vector.transfer_write %v, %m[%i, %j] {permutation_map = affine_map<(d, e) -> (e, d)>} : vector<4x2x$T>, memref<3x5x$T>
  vector.transfer_write %v, %m[%j, %i], %on {permutation_map = affine_map<(d, e) -> (e, d)>} : vector<4x2x$T>, memref<3x5x$T>
  return %r, %t : tensor<?x?x$T>, tensor<?x?x$T>
}`)
	add("vector.mask", `func.func @f(%on: vector<3xi1>, %pass: vector<3x$T>, %a: vector<3x$T>) -> vector<3x$T> {
  %r = vector.mask %on, %pass { vector.yield %a : vector<3x$T> } : vector<3xi1> -> vector<3x$T>
  return %r : vector<3x$T>
}`, "f32", "i100")
	add("vector.reduction", `func.func @f(%a: vector<3x$T>, %x: $T) -> ($T, $T) {
  %r = vector.reduction <mul>, %a, %x fastmath<nnan> : vector<3x$T> into $T
  %q = vector.reduction <add>, %a fastmath<ninf> : vector<3x$T> into $T
  return %r, %q : $T, $T
}`, "f16", "f32", "f80")
	add("vector.mask", `func.func @f(%m: memref<3x5x$T>, %i: index, %p: $T, %on: vector<3xi1>, %pass: vector<3x$T>, %a: vector<3x$T>) -> (vector<3x$T>, vector<3x$T>) {
  %r = vector.mask %on { vector.transfer_read %m[%i, %i], %p : memref<3x5x$T>, vector<3x$T> } : vector<3xi1> -> vector<3x$T>
  vector.mask %on { vector.transfer_write %a, %m[%i, %i] : vector<3x$T>, memref<3x5x$T> } : vector<3xi1>
  %q = vector.mask %on, %pass { vector.transfer_read %m[%i, %i], %p : memref<3x5x$T>, vector<3x$T> } : vector<3xi1> -> vector<3x$T>
  return %r, %q : vector<3x$T>, vector<3x$T>
}`)
	return out
}
