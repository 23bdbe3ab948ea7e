package irgen

import "strings"

// outside are statements that nobody can tell what they do with a buffer %m, or with its address %p or %q, and with the words
// %w, which hold the address; what follows "---" is not in the function.
var outside = []string{
	`"unknown.use"(%m) : (memref<4xi32>) -> ()`,
	`%u = "unknown.make"() : () -> memref<4xi32>`,
	`"unknown.region"() ({
    "unknown.end"() : () -> ()
  }) : () -> ()`,
	`%u = "unknown.address"(%p) : (index) -> index`,
	`%box = memref.alloc() : memref<1xmemref<4xi32>>
  memref.store %m, %box[%c0] : memref<1xmemref<4xi32>>
  memref.dealloc %box : memref<1xmemref<4xi32>>`,
	`%i = arith.index_cast %p : index to i32
  memref.store %i, %m[%c0] : memref<4xi32>`,
	`%f = arith.sitofp %q : i64 to f64
  %box = memref.alloc() : memref<1xf64>
  memref.store %f, %box[%c0] : memref<1xf64>
  memref.dealloc %box : memref<1xf64>`,
	`%v = vector.broadcast %p : index to vector<2xindex>
  vector.store %v, %w[%c0] : memref<2xindex>, vector<2xindex>`,
	`%v = vector.load %w[%c0] : memref<2xindex>, vector<2xindex>`,
	`%other = memref.alloc() : memref<2xindex>
  memref.copy %w, %other : memref<2xindex> to memref<2xindex>
  memref.dealloc %other : memref<2xindex>`,
	`%other = memref.realloc %w : memref<2xindex> to memref<2xindex>
  memref.dealloc %other : memref<2xindex>`,
	`func.call @declared(%p) : (index) -> ()
---
func.func private @declared(index)`,
	`func.call @declared(%w) : (memref<2xindex>) -> ()
---
func.func private @declared(memref<2xindex>)`,
	`%f = func.constant @known : (index) -> ()
  func.call_indirect %f(%p) : (index) -> ()
---
func.func private @known(%i: index) {
  return
}`,
	`%u = llvm.inttoptr %q : i64 to !llvm.ptr`,
	`%u = builtin.unrealized_conversion_cast %m : memref<4xi32> to !llvm.ptr`,
	`%u = builtin.unrealized_conversion_cast %p : index to memref<4xi32>`,
	`%u = tensor.empty() : tensor<4xi32>`,
	`%u = bufferization.to_tensor %m : memref<4xi32>`,
	`
---
llvm.func @elsewhere() {
  llvm.return
}`,
	`
---
"unknown.top"() ({
  "unknown.end"() : () -> ()
}) : () -> ()`,
	`
---
func.func @typed(%p: !llvm.ptr) {
  return
}`,
	`
---
func.func @leaks(%m: memref<4xi32>) -> index {
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xi32> -> index
  return %p : index
}`,
	`
---
func.func @part(%m: memref<4xi32>) -> memref<2xi32, strided<[1]>> {
  %new = bufferization.clone %m : memref<4xi32> to memref<4xi32>
  %v = memref.subview %new[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
  return %v : memref<2xi32, strided<[1]>>
}`,
	`
---
func.func @owns(%o: !deallocation.ownership) {
  return
}`,
	`
---
func.func @branches(%c: i1) {
  "unknown.branch"(%c)[^bb1, ^bb2] : (i1) -> ()
^bb1:
  return
^bb2:
  return
}`,
}

// harmless are statements that do nothing to buffers, and ask nothing that decides about them.
var harmless = []string{
	`%u = "unknown.number"(%c1) : (index) -> index`,
	`"unknown.nothing"() : () -> ()`,
	`%u = ub.poison : i1`,
	`memref.distinct_objects %m : memref<4xi32>`,
	`memref.prefetch %m[%c0], read, locality<3>, data : memref<4xi32>`,
	`%u = memref.dim %m, %c0 : memref<4xi32>`,
	`%u = arith.sitofp %q : i64 to f64`,
	`%u = arith.addi %p, %c1 : index`,
	`%u = memref.load %w[%c0] : memref<2xindex>`,
	`%v = vector.broadcast %p : index to vector<2xindex>
  %u = vector.extract %v[0] : index from vector<2xindex>`,
	`
---
func.func private @elsewhere(index) -> index`,
	`
---
func.func @nothing(%v: vector<2xf32>, %z: complex<f32>, %b: memref<?xf32>) -> f32 {
  %f = complex.re %z : complex<f32>
  return %f : f32
}`,
}

// Beyond returns a program like those of [Frees], and the same with a statement, or a function, that isn't judged, or that
// does nothing to buffers if harmful is false. The latter can't be executed.
func Beyond(choose Chooser, size int) (without, with string, harmful bool) {
	list := harmless
	if harmful = choose(3) > 0; harmful {
		list = outside
	}
	statement, rest, _ := strings.Cut(list[choose(len(list))], "\n---\n")
	const mark = "// HERE\n"
	src := frees(choose, size, func(g *freeGen) {
		g.line("%%p = memref.extract_aligned_pointer_as_index %s : %s -> index", g.buffer(), buffer)
		g.line("%%q = arith.index_cast %%p : index to i64")
		g.line("%%m = memref.alloc() : %s", buffer)
		g.line("%%w = memref.alloc() : %s", words)
		g.line("memref.store %%p, %%w[%%c0] : %s", words)
		g.line("%s", strings.TrimSuffix(mark, "\n"))
		g.line("memref.dealloc %%w : %s", words)
		g.line("memref.dealloc %%m : %s", buffer)
	})
	if strings.Contains(statement, "memref.realloc %w") {
		// The words are freed by it.
		src = strings.Replace(src, "memref.dealloc %w : "+words+"\n", "", 1)
		return "", strings.Replace(src, mark, statement+"\n", 1) + rest + "\n", harmful
	}
	return strings.Replace(src, mark, "", 1), strings.Replace(src, mark, statement+"\n", 1) + rest + "\n", harmful
}
