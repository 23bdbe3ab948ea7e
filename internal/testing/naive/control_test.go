package naive_test

// controlPrograms are programs of loops, conditions and branches.
func controlPrograms() []program {
	var out []program
	add := func(name, src string, types ...string) {
		if len(types) == 0 {
			types = []string{"i8", "i64", "f32", "i100"}
		}
		out = append(out, expand(name, src, types...)...)
	}
	// Values that are carried are exchanged.
	add("scf.for", `func.func @f(%lo: index, %hi: index, %s: index, %a: $T, %b: $T, %c: $T) -> ($T, $T, $T) {
  %r:3 = scf.for %i = %lo to %hi step %s iter_args(%x = %a, %y = %b, %z = %c) -> ($T, $T, $T) {
    %t = $ADD %x, %z : $T
    scf.yield %y, %t, %x : $T, $T, $T
  }
  return %r#0, %r#1, %r#2 : $T, $T, $T
}`)
	add("scf.for", `func.func @f(%lo: i8, %hi: i8, %s: i8, %a: i8) -> i8 {
  %r = scf.for %i = %lo to %hi step %s iter_args(%x = %a) -> i8  : i8 {
    %t = arith.addi %x, %i : i8
    scf.yield %t : i8
  }
  return %r : i8
}`, "i8")
	add("scf.if", `func.func @f(%c: i1, %a: $T, %b: $T) -> ($T, $T) {
  %r:2 = scf.if %c -> ($T, $T) {
    scf.yield %b, %a : $T, $T
  } else {
    %s = $ADD %a, %b : $T
    scf.yield %s, %s : $T, $T
  }
  return %r#0, %r#1 : $T, $T
}`)
	add("scf.while", `func.func @f(%n: index, %a: $T, %b: $T) -> (index, $T, $T) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%i = %c0, %x = %a, %y = %b) : (index, $T, $T) -> (index, $T, $T) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %y, %x : index, $T, $T
  } do {
  ^bb0(%i: index, %x: $T, %y: $T):
    %j = arith.addi %i, %c1 : index
    %s = $ADD %x, %y : $T
    scf.yield %j, %s, %x : index, $T, $T
  }
  return %r#0, %r#1, %r#2 : index, $T, $T
}`)
	add("scf.execute_region", `func.func @f(%c: i1, %a: $T, %b: $T) -> $T {
  %r = scf.execute_region -> $T {
    cf.cond_br %c, ^x(%a : $T), ^x(%b : $T)
  ^x(%v: $T):
    scf.yield %v : $T
  }
  return %r : $T
}`)
	add("scf.index_switch", `func.func @f(%i: index, %a: $T, %b: $T) -> $T {
  %r = scf.index_switch %i -> $T
  case 1 {
    scf.yield %a : $T
  }
  case 3 {
    %s = $ADD %a, %b : $T
    scf.yield %s : $T
  }
  default {
    scf.yield %b : $T
  }
  return %r : $T
}`)
	add("scf.parallel", `func.func @f(%n: index, %m: memref<4x$T>, %a: $T, %b: $T) -> ($T, $T) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c4) step (%c1, %c1) init (%a, %b) -> ($T, $T) {
    %x = memref.load %m[%j] : memref<4x$T>
    scf.reduce(%x, %a : $T, $T) {
    ^bb0(%l: $T, %r: $T):
      %s = $ADD %l, %r : $T
      scf.reduce.return %s : $T
    }, {
    ^bb0(%l: $T, %r: $T):
      scf.reduce.return %r : $T
    }
  }
  return %r#0, %r#1 : $T, $T
}`)
	add("scf.forall", `func.func @f(%n: index, %t: tensor<8x$T>, %u: tensor<2x$T>) -> (tensor<8x$T>, tensor<8x$T>) {
  %c2 = arith.constant 2 : index
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8x$T>) {
    %p = arith.muli %i, %c2 : index
    %x = tensor.extract_slice %t[%p] [2] [1] : tensor<8x$T> to tensor<2x$T>
    %y = $ADD %x, %u : tensor<2x$T>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%p] [2] [1] : tensor<2x$T> into tensor<8x$T>
    }
  }
  return %r, %t : tensor<8x$T>, tensor<8x$T>
}`)
	add("scf.forall", `func.func @f(%lo: index, %hi: index, %s: index, %m: memref<4x4xindex>) {
  scf.forall (%i, %j) = (%lo, 0) to (%hi, 4) step (%s, 2) {
    %v = arith.addi %i, %j : index
    memref.store %v, %m[%i, %j] : memref<4x4xindex>
  }
  return
}`, "index")
	add("cf.br", `func.func @f(%n: index, %a: $T, %b: $T) -> ($T, $T) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %a, %b : index, $T, $T)
^head(%i: index, %x: $T, %y: $T):
  %c = arith.cmpi slt, %i, %n : index
  %j = arith.addi %i, %c1 : index
  %s = $ADD %x, %y : $T
  cf.cond_br %c, ^head(%j, %y, %s : index, $T, $T), ^exit(%y, %x : $T, $T)
^exit(%p: $T, %q: $T):
  return %p, %q : $T, $T
}`)
	add("cf.switch", `func.func @f(%k: i32, %a: $T, %b: $T) -> $T {
  cf.switch %k : i32, [
    default: ^x(%a : $T),
    1: ^x(%b : $T),
    -2: ^y,
    3: ^y
  ]
^x(%v: $T):
  return %v : $T
^y:
  %s = $ADD %a, %b : $T
  return %s : $T
}`)
	add("cf.assert", `func.func @f(%a: i8, %b: i8) -> i8 {
  %c = arith.cmpi sle, %a, %b : i8
  cf.assert %c, "a is greater"
  return %a : i8
}`, "i8")
	add("func.call", `func.func private @g(%x: $T, %t: tensor<2x$T>) -> (tensor<2x$T>, $T) {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %x into %t[%c0] : tensor<2x$T>
  return %r, %x : tensor<2x$T>, $T
}
func.func @f(%x: $T, %y: $T, %t: tensor<2x$T>) -> (tensor<2x$T>, tensor<2x$T>, tensor<2x$T>, $T) {
  %a:2 = call @g(%x, %t) : ($T, tensor<2x$T>) -> (tensor<2x$T>, $T)
  %b:2 = call @g(%y, %a#0) : ($T, tensor<2x$T>) -> (tensor<2x$T>, $T)
  return %t, %a#0, %b#0, %b#1 : tensor<2x$T>, tensor<2x$T>, tensor<2x$T>, $T
}`)
	add("recursion", `func.func @f(%n: i16, %x: $T) -> $T {
  %c0 = arith.constant 0 : i16
  %c1 = arith.constant 1 : i16
  %c = arith.cmpi sle, %n, %c0 : i16
  %r = scf.if %c -> $T {
    scf.yield %x : $T
  } else {
    %m = arith.subi %n, %c1 : i16
    %y = $ADD %x, %x : $T
    %z = func.call @f(%m, %y) : (i16, $T) -> $T
    %w = $ADD %z, %y : $T
    scf.yield %w : $T
  }
  return %r : $T
}`)
	add("affine.for", `func.func @f(%m: memref<6x6x$T>, %n: index, %a: $T, %b: $T) -> ($T, $T) {
  %r:2 = affine.for %i = max affine_map<()[s] -> (0, s - 3)>()[%n] to min affine_map<()[s] -> (5, s + 1)>()[%n] step 2 iter_args(%x = %a, %y = %b) -> ($T, $T) {
    %v = affine.load %m[%i + 1, symbol(%n)] : memref<6x6x$T>
    %s = $ADD %x, %v : $T
    affine.store %y, %m[%i, (%i * 2) mod 5] : memref<6x6x$T>
    affine.yield %y, %s : $T, $T
  }
  return %r#0, %r#1 : $T, $T
}`)
	add("affine.if", `func.func @f(%i: index, %j: index, %a: $T, %b: $T) -> $T {
  %r = affine.if affine_set<(d)[s] : (d - s >= 0, d mod 2 == 0)>(%i)[%j] -> $T {
    affine.yield %a : $T
  } else {
    affine.yield %b : $T
  }
  return %r : $T
}`)
	add("affine.apply", `func.func @f(%i: index, %j: index) -> (index, index, index) {
  %a = affine.apply affine_map<(d)[s] -> (d * 3 - s floordiv 2 + (d ceildiv 4) * (s mod 3))>(%i)[%j]
  %b = affine.min affine_map<(d)[s] -> (d, s - 1, 3)>(%i)[%j]
  %c = affine.max affine_map<(d)[s] -> (d, s - 1, 3)>(%i)[%j]
  return %a, %b, %c : index, index, index
}`, "index")
	add("affine.delinearize_index", `func.func @f(%i: index, %a: index, %b: index) -> (index, index, index) {
  %r:3 = affine.delinearize_index %i into (%a, %b, %a) : index, index, index
  return %r#0, %r#1, %r#2 : index, index, index
}`, "index")
	add("affine.linearize_index", `func.func @f(%i: index, %j: index, %n: index) -> (index, index) {
  %r = affine.linearize_index [%i, %j] by (5, %n) : index
  %s = affine.linearize_index [%i, %j] by (3) : index
  return %r, %s : index, index
}`, "index")
	for _, kind := range []string{"addi", "muli", "ori", "andi"} {
		add("affine.parallel", `func.func @f(%m: memref<3x4x$T>, %n: index) -> $T {
  %r = affine.parallel (%i, %j) = (0, 0) to (min(3, symbol(%n)), 4) step (1, 2) reduce ("`+kind+`") -> $T {
    %v = affine.load %m[%i, %j] : memref<3x4x$T>
    affine.yield %v : $T
  }
  return %r : $T
}`, "i8", "i64")
	}
	for _, kind := range []string{"addf", "mulf", "maximumf", "minimumf"} {
		add("affine.parallel", `func.func @f(%m: memref<3x4x$T>, %n: index) -> $T {
  %r = affine.parallel (%i, %j) = (0, 0) to (min(3, symbol(%n)), 4) step (1, 2) reduce ("`+kind+`") -> $T {
    %v = affine.load %m[%i, %j] : memref<3x4x$T>
    affine.yield %v : $T
  }
  return %r : $T
}`, "f16", "f32")
	}
	add("affine.vector_load", `func.func @f(%m: memref<4x6x$T>, %i: index) -> vector<3x$T> {
  %v = affine.vector_load %m[symbol(%i), symbol(%i) + 1] : memref<4x6x$T>, vector<3x$T>
  affine.vector_store %v, %m[symbol(%i), 0] : memref<4x6x$T>, vector<3x$T>
  affine.prefetch %m[symbol(%i), 0], read, locality<3>, data : memref<4x6x$T>
  return %v : vector<3x$T>
}`)
	return out
}
