package bench

import (
	"fmt"
	"strings"
)

// family is a kind of programs on tensors, of which one has n parts.
type family struct {
	name    string
	what    string // what is repeated
	n       int    // a size that takes some tenths of a second
	program program
}

// families are those whose growth is measured: each has another part of the language repeated.
var families = []family{
	{"straight", "additions of tensors, each of the one before", 1000, straightTensors},
	{"uses", "additions of one tensor", 1000, usesOfOne},
	{"diamonds", "branches that meet, with cf", 500, tensorDiamonds},
	{"if", "scf.if of one condition", 1000, ifs},
	{"for", "scf.for", 250, fors},
	{"while", "scf.while", 250, whiles},
	{"carried", "tensors that one loop carries", 100, carried},
	{"arguments", "arguments and results of one function", 250, arguments},
	{"calls", "calls of one function", 1000, callsOfOne},
	{"functions", "functions that call each other in a chain", 1000, functionsInChain},
	{"recursion", "functions that call each other in a ring", 100, recursive},
	{"inserts", "slices and insertions in one tensor", 500, inserts},
	{"rotations", "halves that change places", 500, rotations},
	{"reshapes", "reshapes there and back", 2000, reshapes},
	{"concat", "operands of one concatenation", 500, concats},
	{"nest", "loops in each other", 7, nested},
	{"globals", "constants", 500, constants},
	{"switch", "cases of one scf.index_switch", 150, switches},
	{"ladder", "else branches in each other", 20, ladder},
	{"results", "results of one scf.if", 100, manyResults},
	{"views", "slices of one tensor of which each is of another shape", 500, mixedViews},
	{"chain", "functions that call each other with buffers of their own", 250, chainOfCalls},
	{"deep", "scf.if in each other, with a use of the same tensor in each", 20, deepIfs},
	{"select", "arith.select of two tensors", 500, selects},
	{"external", "calls of a function that is declared", 500, externalCalls},
	{"pads", "tensor.pad, each of the one before", 500, pads},
	{"forall", "scf.forall", 500, foralls},
	{"inlined", "private functions that call each other in a chain", 400, inlinedCalls},
	{"products", "products of one tensor with constants", 500, productsOfOne},
	{"sums", "tensors, each made of the one before, that are added up from the last", 200, sumsFromLast},
	{"gathered", "operands of one concatenation, each made of the one before", 300, gathered},
	{"alternatives", "scf.index_switch with three cases", 50, alternatives},
	{"returns", "early returns, with cf", 250, earlyReturns},
	{"loop", "tensors that one scf.while carries, each made of two of those before", 100, carriedByWhile},
	{"outs", "results of one scf.forall", 200, manyOuts},
	{"transposes", "transposes, each seen in another shape", 500, transposes},
	{"mixed", "loops around conditions around loops, for and while", 50, mixed},
	{"chosen", "arith.select of a new tensor and what was chosen before, each with a condition of its own", 125, chosenTensors},
	{"web", "blocks that hand four tensors on, turned around, to the two next ones", 50, web},
}

const vec = "tensor<16xf32>"

// add is the sum of two tensors, in a tensor of its own.
func add(b *strings.Builder, indent, result, x, y string) {
	fmt.Fprintf(b, "%s%s_e = tensor.empty() : %s\n%s%s = linalg.add ins(%s, %s : %s, %s) outs(%s_e : %s) -> %s\n",
		indent, result, vec, indent, result, x, y, vec, vec, result, vec, vec)
}

// chain is a function that makes of a tensor another one, n times.
func chain(n int, part func(b *strings.Builder, i int, x, y string)) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%v0: %s, %%c: i1, %%lb: index, %%ub: index, %%st: index) -> %s {\n", vec, vec)
	for i := range n {
		part(&b, i, fmt.Sprintf("%%v%d", i), fmt.Sprintf("%%v%d", i+1))
	}
	fmt.Fprintf(&b, "  return %%v%d : %s\n}\n", n, vec)
	return b.String()
}

func straightTensors(n int) string {
	return chain(n, func(b *strings.Builder, _ int, x, y string) { add(b, "  ", y, x, x) })
}

func usesOfOne(n int) string {
	return chain(n, func(b *strings.Builder, _ int, x, y string) { add(b, "  ", y, x, "%v0") })
}

func tensorDiamonds(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%x: %s, %%c: i1) -> %s {\n  cf.br ^h0(%%x : %s)\n", vec, vec, vec)
	for i := range n {
		fmt.Fprintf(&b, "^h%d(%%a%d: %s):\n", i, i, vec)
		add(&b, "  ", fmt.Sprintf("%%b%d", i), fmt.Sprintf("%%a%d", i), fmt.Sprintf("%%a%d", i))
		fmt.Fprintf(&b, "  cf.cond_br %%c, ^l%d, ^r%d\n^l%d:\n", i, i, i)
		add(&b, "  ", fmt.Sprintf("%%g%d", i), fmt.Sprintf("%%b%d", i), fmt.Sprintf("%%a%d", i))
		fmt.Fprintf(&b, "  cf.br ^h%d(%%g%d : %s)\n^r%d:\n  cf.br ^h%d(%%b%d : %s)\n", i+1, i, vec, i, i+1, i, vec)
	}
	fmt.Fprintf(&b, "^h%d(%%z: %s):\n  return %%z : %s\n}\n", n, vec, vec)
	return b.String()
}

func ifs(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, "  %s = scf.if %%c -> %s {\n", y, vec)
		add(b, "    ", fmt.Sprintf("%%s%d", i), x, x)
		fmt.Fprintf(b, "    scf.yield %%s%d : %s\n  } else {\n    scf.yield %s : %s\n  }\n", i, vec, x, vec)
	})
}

func fors(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, "  %s = scf.for %%i%d = %%lb to %%ub step %%st iter_args(%%t%d = %s) -> %s {\n", y, i, i, x, vec)
		add(b, "    ", fmt.Sprintf("%%s%d", i), fmt.Sprintf("%%t%d", i), fmt.Sprintf("%%t%d", i))
		fmt.Fprintf(b, "    scf.yield %%s%d : %s\n  }\n", i, vec)
	})
}

func whiles(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, "  %s = scf.while (%%t%d = %s) : (%s) -> %s {\n    scf.condition(%%c) %%t%d : %s\n  } do {\n  ^bb0(%%u%d: %s):\n", y, i, x, vec, vec, i, vec, i, vec)
		add(b, "    ", fmt.Sprintf("%%s%d", i), fmt.Sprintf("%%u%d", i), fmt.Sprintf("%%u%d", i))
		fmt.Fprintf(b, "    scf.yield %%s%d : %s\n  }\n", i, vec)
	})
}

// list joins n texts.
func list(n int, text func(i int) string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = text(i)
	}
	return strings.Join(out, ", ")
}

func vecs(n int) string { return list(n, func(int) string { return vec }) }

func carried(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%n: index, %s) -> (%s) {\n  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n",
		list(n, func(i int) string { return fmt.Sprintf("%%a%d: %s", i, vec) }), vecs(n))
	fmt.Fprintf(&b, "  %%r:%d = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%s) -> (%s) {\n", n,
		list(n, func(i int) string { return fmt.Sprintf("%%x%d = %%a%d", i, i) }), vecs(n))
	for i := range n {
		add(&b, "    ", fmt.Sprintf("%%y%d", i), fmt.Sprintf("%%x%d", i), fmt.Sprintf("%%x%d", i))
	}
	fmt.Fprintf(&b, "    scf.yield %s : %s\n  }\n  return %s : %s\n}\n", list(n, func(i int) string { return fmt.Sprintf("%%y%d", i) }), vecs(n),
		list(n, func(i int) string { return fmt.Sprintf("%%r#%d", i) }), vecs(n))
	return b.String()
}

func arguments(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%s) -> (%s) {\n", list(n, func(i int) string { return fmt.Sprintf("%%a%d: %s", i, vec) }), vecs(n))
	for i := range n {
		add(&b, "  ", fmt.Sprintf("%%y%d", i), fmt.Sprintf("%%a%d", i), fmt.Sprintf("%%a%d", (i+1)%n))
	}
	fmt.Fprintf(&b, "  return %s : %s\n}\n", list(n, func(i int) string { return fmt.Sprintf("%%y%d", i) }), vecs(n))
	return b.String()
}

// private is a function that chains call.
func private(name, body string) string {
	return fmt.Sprintf("func.func private @%s(%%x: %s) -> %s {\n%s}\n", name, vec, vec, body)
}

func double(result string) string {
	var b strings.Builder
	add(&b, "  ", result, "%x", "%x")
	return b.String() + fmt.Sprintf("  return %s : %s\n", result, vec)
}

func callsOfOne(n int) string {
	return private("g", double("%y")) + chain(n, func(b *strings.Builder, _ int, x, y string) {
		fmt.Fprintf(b, "  %s = call @g(%s) : (%s) -> %s\n", y, x, vec, vec)
	})
}

func functionsInChain(n int) string {
	var b strings.Builder
	for i := range n {
		body := fmt.Sprintf("  %%y = call @g%d(%%x) : (%s) -> %s\n  return %%y : %s\n", i+1, vec, vec, vec)
		b.WriteString(private(fmt.Sprintf("g%d", i), body))
	}
	b.WriteString(private(fmt.Sprintf("g%d", n), double("%y")))
	return b.String() + fmt.Sprintf("func.func @f(%%x: %s) -> %s {\n  %%y = call @g0(%%x) : (%s) -> %s\n  return %%y : %s\n}\n", vec, vec, vec, vec, vec)
}

// recursive is a ring of functions, each of which calls the next one unless it is done.
func recursive(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "func.func private @g%d(%%x: %s, %%c: i1) -> %s {\n  %%r = scf.if %%c -> %s {\n    %%y = func.call @g%d(%%x, %%c) : (%s, i1) -> %s\n    scf.yield %%y : %s\n  } else {\n",
			i, vec, vec, vec, (i+1)%n, vec, vec, vec)
		add(&b, "    ", "%z", "%x", "%x")
		fmt.Fprintf(&b, "    scf.yield %%z : %s\n  }\n  return %%r : %s\n}\n", vec, vec)
	}
	return b.String() + fmt.Sprintf("func.func @f(%%x: %s, %%c: i1) -> %s {\n  %%y = call @g0(%%x, %%c) : (%s, i1) -> %s\n  return %%y : %s\n}\n", vec, vec, vec, vec, vec)
}

func inserts(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, "  %%s%d = tensor.extract_slice %s[0] [4] [1] : %s to tensor<4xf32>\n  %s = tensor.insert_slice %%s%d into %s[%d] [4] [1] : tensor<4xf32> into %s\n",
			i, x, vec, y, i, x, 4+i*4%12, vec)
	})
}

func rotations(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, `  %%l%[1]d = tensor.extract_slice %[2]s[0] [8] [1] : %[4]s to tensor<8xf32>
  %%h%[1]d = tensor.extract_slice %[2]s[8] [8] [1] : %[4]s to tensor<8xf32>
  %%e%[1]d = tensor.empty() : %[4]s
  %%i%[1]d = tensor.insert_slice %%h%[1]d into %%e%[1]d[0] [8] [1] : tensor<8xf32> into %[4]s
  %[3]s = tensor.insert_slice %%l%[1]d into %%i%[1]d[8] [8] [1] : tensor<8xf32> into %[4]s
`, i, x, y, vec)
	})
}

func reshapes(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, "  %%s%d = tensor.expand_shape %s [[0, 1]] output_shape [4, 4] : %s into tensor<4x4xf32>\n  %s = tensor.collapse_shape %%s%d [[0, 1]] : tensor<4x4xf32> into %s\n",
			i, x, vec, y, i, vec)
	})
}

func concats(n int) string {
	types := vecs(n)
	all := fmt.Sprintf("tensor<%dxf32>", 16*n)
	values := list(n, func(i int) string { return fmt.Sprintf("%%a%d", i) })
	return fmt.Sprintf("func.func @f(%s) -> %s {\n  %%r = tensor.concat dim(0) %s : (%s) -> %s\n  return %%r : %s\n}\n",
		list(n, func(i int) string { return fmt.Sprintf("%%a%d: %s", i, vec) }), all, values, types, all, all)
}

// nested is a nest of loops.
func nested(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%t0: %s, %%lb: index, %%ub: index, %%st: index) -> %s {\n", vec, vec)
	for i := range n {
		fmt.Fprintf(&b, "%%r%d = scf.for %%i%d = %%lb to %%ub step %%st iter_args(%%t%d = %%t%d) -> %s {\n", i, i, i+1, i, vec)
	}
	add(&b, "", "%z", fmt.Sprintf("%%t%d", n), fmt.Sprintf("%%t%d", n))
	fmt.Fprintf(&b, "scf.yield %%z : %s\n}\n", vec)
	for i := n - 1; i > 0; i-- {
		fmt.Fprintf(&b, "scf.yield %%r%d : %s\n}\n", i, vec)
	}
	fmt.Fprintf(&b, "return %%r0 : %s\n}\n", vec)
	return b.String()
}

func constants(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		values := make([]string, 16)
		for k := range values {
			values[k] = fmt.Sprintf("%d.5", i*16+k)
		}
		fmt.Fprintf(b, "  %%k%d = arith.constant dense<[%s]> : %s\n", i, strings.Join(values, ", "), vec)
		add(b, "  ", y, x, fmt.Sprintf("%%k%d", i))
	})
}

// switches computes something else in each case.
func switches(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%x: %s, %%k: index) -> %s {\n  %%r = scf.index_switch %%k -> %s\n", vec, vec, vec)
	for i := range n {
		fmt.Fprintf(&b, "  case %d {\n", i)
		add(&b, "    ", fmt.Sprintf("%%s%d", i), "%x", "%x")
		fmt.Fprintf(&b, "    scf.yield %%s%d : %s\n  }\n", i, vec)
	}
	fmt.Fprintf(&b, "  default {\n    scf.yield %%x : %s\n  }\n  return %%r : %s\n}\n", vec, vec)
	return b.String()
}

// ladder is a chain of else-if, each with a condition of its own.
func ladder(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%x: %s, %s) -> %s {\n", vec, list(n, func(i int) string { return fmt.Sprintf("%%c%d: i1", i) }), vec)
	for i := range n {
		fmt.Fprintf(&b, "%%r%d = scf.if %%c%d -> %s {\n", i, i, vec)
		add(&b, "  ", fmt.Sprintf("%%s%d", i), "%x", "%x")
		fmt.Fprintf(&b, "  scf.yield %%s%d : %s\n} else {\n", i, vec)
	}
	fmt.Fprintf(&b, "scf.yield %%x : %s\n}\n", vec)
	for i := n - 1; i > 0; i-- {
		fmt.Fprintf(&b, "scf.yield %%r%d : %s\n}\n", i, vec)
	}
	fmt.Fprintf(&b, "return %%r0 : %s\n}\n", vec)
	return b.String()
}

// deepIfs is a nest of conditionals, each of which adds a tensor to what those in it make.
func deepIfs(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%x: %s, %s) -> %s {\n", vec, list(n, func(i int) string { return fmt.Sprintf("%%c%d: i1", i) }), vec)
	for i := range n {
		fmt.Fprintf(&b, "%%r%d = scf.if %%c%d -> %s {\n", i, i, vec)
	}
	fmt.Fprintf(&b, "scf.yield %%x : %s\n} else {\nscf.yield %%x : %s\n}\n", vec, vec)
	for i := n - 1; i > 0; i-- {
		add(&b, "", fmt.Sprintf("%%s%d", i), fmt.Sprintf("%%r%d", i), "%x")
		fmt.Fprintf(&b, "scf.yield %%s%d : %s\n} else {\nscf.yield %%x : %s\n}\n", i, vec, vec)
	}
	fmt.Fprintf(&b, "return %%r0 : %s\n}\n", vec)
	return b.String()
}

func manyResults(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%c: i1, %s) -> (%s) {\n  %%r:%d = scf.if %%c -> (%s) {\n",
		list(n, func(i int) string { return fmt.Sprintf("%%a%d: %s", i, vec) }), vecs(n), n, vecs(n))
	for i := range n {
		add(&b, "    ", fmt.Sprintf("%%y%d", i), fmt.Sprintf("%%a%d", i), fmt.Sprintf("%%a%d", i))
	}
	fmt.Fprintf(&b, "    scf.yield %s : %s\n  } else {\n    scf.yield %s : %s\n  }\n  return %s : %s\n}\n",
		list(n, func(i int) string { return fmt.Sprintf("%%y%d", i) }), vecs(n),
		list(n, func(i int) string { return fmt.Sprintf("%%a%d", i) }), vecs(n),
		list(n, func(i int) string { return fmt.Sprintf("%%r#%d", i) }), vecs(n))
	return b.String()
}

// mixedViews makes a tensor another one by the sum of two slices of it, of which one is reshaped.
func mixedViews(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, `  %%l%[1]d = tensor.extract_slice %[2]s[0] [4] [1] : %[4]s to tensor<4xf32>
  %%w%[1]d = tensor.expand_shape %[2]s [[0, 1]] output_shape [4, 4] : %[4]s into tensor<4x4xf32>
  %%h%[1]d = tensor.extract_slice %%w%[1]d[%[5]d, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
  %%e%[1]d = tensor.empty() : tensor<4xf32>
  %%s%[1]d = linalg.add ins(%%l%[1]d, %%h%[1]d : tensor<4xf32>, tensor<4xf32>) outs(%%e%[1]d : tensor<4xf32>) -> tensor<4xf32>
  %[3]s = tensor.insert_slice %%s%[1]d into %[2]s[%[6]d] [4] [1] : tensor<4xf32> into %[4]s
`, i, x, y, vec, i%4, i%3*4)
	})
}

// chainOfCalls is a chain of functions, each of which adds something to what the next one makes. They stay functions.
func chainOfCalls(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "func.func private @g%d(%%x: %s) -> %s attributes {no_inline} {\n", i, vec, vec)
		if i+1 == n {
			add(&b, "  ", "%y", "%x", "%x")
		} else {
			fmt.Fprintf(&b, "  %%y = call @g%d(%%x) : (%s) -> %s\n", i+1, vec, vec)
		}
		add(&b, "  ", "%z", "%x", "%y")
		fmt.Fprintf(&b, "  return %%z : %s\n}\n", vec)
	}
	return b.String() + fmt.Sprintf("func.func @f(%%x: %s) -> %s {\n  %%y = call @g0(%%x) : (%s) -> %s\n  return %%y : %s\n}\n", vec, vec, vec, vec, vec)
}

func selects(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		add(b, "  ", fmt.Sprintf("%%a%d", i), x, "%v0")
		fmt.Fprintf(b, "  %s = arith.select %%c, %%a%d, %%v0 : %s\n", y, i, vec)
	})
}

func externalCalls(n int) string {
	return fmt.Sprintf("func.func private @g(%s) -> %s\n", vec, vec) + chain(n, func(b *strings.Builder, _ int, x, y string) {
		fmt.Fprintf(b, "  %s = func.call @g(%s) : (%s) -> %s\n", y, x, vec, vec)
	})
}

func pads(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, `  %%z%d = arith.constant 0.0 : f32
  %%p%d = tensor.pad %s low[1] high[1] {
  ^bb0(%%k: index):
    tensor.yield %%z%d : f32
  } : %s to tensor<18xf32>
  %%s%d = tensor.extract_slice %%p%d[2] [16] [1] : tensor<18xf32> to %s
`, i, i, x, i, vec, i, i, vec)
		add(b, "  ", y, fmt.Sprintf("%%s%d", i), "%v0")
	})
}

func foralls(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, `  %%e%d = tensor.empty() : %s
  %s = scf.forall (%%i) in (16) shared_outs(%%o = %%e%d) -> (%s) {
    %%s = tensor.extract_slice %s[%%i] [1] [1] : %s to tensor<1xf32>
    %%d = tensor.extract_slice %%o[%%i] [1] [1] : %s to tensor<1xf32>
    %%t = linalg.exp ins(%%s : tensor<1xf32>) outs(%%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %%t into %%o[%%i] [1] [1] : tensor<1xf32> into %s
    }
  }
`, i, vec, y, i, vec, x, vec, vec, vec)
	})
}

func inlinedCalls(n int) string {
	var b strings.Builder
	for i := range n {
		visibility := "private "
		if i == 0 {
			visibility = ""
		}
		fmt.Fprintf(&b, "func.func %s@f%d(%%v: %s) -> %s {\n", visibility, i, vec, vec)
		add(&b, "  ", "%x", "%v", "%v")
		fmt.Fprintf(&b, "  %%r = func.call @f%d(%%x) : (%s) -> %s\n", i+1, vec, vec)
		add(&b, "  ", "%y", "%r", "%v")
		fmt.Fprintf(&b, "  return %%y : %s\n}\n", vec)
	}
	fmt.Fprintf(&b, "func.func private @f%d(%%v: %s) -> %s {\n  return %%v : %s\n}\n", n, vec, vec, vec)
	return b.String()
}

func productsOfOne(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, "  %%k%d = arith.constant dense<%d.5> : %s\n  %%p%d = arith.mulf %%v0, %%k%d : %s\n", i, i, vec, i, i, vec)
		add(b, "  ", y, x, fmt.Sprintf("%%p%d", i))
	})
}

func sumsFromLast(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%v0: %s) -> %s {\n", vec, vec)
	for i := range n {
		add(&b, "  ", fmt.Sprintf("%%v%d", i+1), fmt.Sprintf("%%v%d", i), "%v0")
	}
	sum := "%v0"
	for i := n; i > 0; i-- {
		add(&b, "  ", fmt.Sprintf("%%s%d", i), sum, fmt.Sprintf("%%v%d", i))
		sum = fmt.Sprintf("%%s%d", i)
	}
	fmt.Fprintf(&b, "  return %s : %s\n}\n", sum, vec)
	return b.String()
}

func gathered(n int) string {
	var b strings.Builder
	all := fmt.Sprintf("tensor<%dxf32>", 16*n)
	fmt.Fprintf(&b, "func.func @f(%%v0: %s) -> %s {\n", vec, all)
	for i := range n {
		add(&b, "  ", fmt.Sprintf("%%v%d", i+1), fmt.Sprintf("%%v%d", i), "%v0")
	}
	fmt.Fprintf(&b, "  %%r = tensor.concat dim(0) %s : (%s) -> %s\n  return %%r : %s\n}\n", list(n, func(i int) string { return fmt.Sprintf("%%v%d", i+1) }), vecs(n), all, all)
	return b.String()
}

func alternatives(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, "  %s = scf.index_switch %%lb -> %s\n", y, vec)
		for k := range 3 {
			fmt.Fprintf(b, "  case %d {\n", k)
			add(b, "    ", fmt.Sprintf("%%s%d_%d", i, k), x, "%v0")
			fmt.Fprintf(b, "    scf.yield %%s%d_%d : %s\n  }\n", i, k, vec)
		}
		fmt.Fprintf(b, "  default {\n    scf.yield %s : %s\n  }\n", x, vec)
	})
}

func earlyReturns(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		add(b, "  ", y, x, "%v0")
		fmt.Fprintf(b, "  cf.cond_br %%c, ^r%d, ^n%d\n^r%d:\n  return %s : %s\n^n%d:\n", i, i, i, y, vec, i)
	})
}

func carriedByWhile(n int) string {
	var b strings.Builder
	types := vecs(n)
	values := func(name string) string { return list(n, func(i int) string { return fmt.Sprintf("%%%s%d", name, i) }) }
	typed := func(name string) string {
		return list(n, func(i int) string { return fmt.Sprintf("%%%s%d: %s", name, i, vec) })
	}
	fmt.Fprintf(&b, "func.func @f(%%c: i1, %s) -> (%s) {\n", typed("a"), types)
	fmt.Fprintf(&b, "  %%r:%d = scf.while (%s) : (%s) -> (%s) {\n    scf.condition(%%c) %s : %s\n  } do {\n  ^bb0(%s):\n", n,
		list(n, func(i int) string { return fmt.Sprintf("%%x%d = %%a%d", i, i) }), types, types, values("x"), types, typed("u"))
	for i := range n {
		add(&b, "    ", fmt.Sprintf("%%y%d", i), fmt.Sprintf("%%u%d", i), fmt.Sprintf("%%u%d", (i+1)%n))
	}
	fmt.Fprintf(&b, "    scf.yield %s : %s\n  }\n  return %s : %s\n}\n", values("y"), types, list(n, func(i int) string { return fmt.Sprintf("%%r#%d", i) }), types)
	return b.String()
}

func manyOuts(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%s) -> (%s) {\n", list(n, func(i int) string { return fmt.Sprintf("%%a%d: %s", i, vec) }), vecs(n))
	fmt.Fprintf(&b, "  %%r:%d = scf.forall (%%i) in (16) shared_outs(%s) -> (%s) {\n", n, list(n, func(i int) string { return fmt.Sprintf("%%o%d = %%a%d", i, i) }), vecs(n))
	for i := range n {
		fmt.Fprintf(&b, "    %%s%[1]d = tensor.extract_slice %%o%[1]d[%%i] [1] [1] : %[2]s to tensor<1xf32>\n    %%t%[1]d = linalg.exp ins(%%s%[1]d : tensor<1xf32>) outs(%%s%[1]d : tensor<1xf32>) -> tensor<1xf32>\n", i, vec)
	}
	b.WriteString("    scf.forall.in_parallel {\n")
	for i := range n {
		fmt.Fprintf(&b, "      tensor.parallel_insert_slice %%t%d into %%o%d[%%i] [1] [1] : tensor<1xf32> into %s\n", i, i, vec)
	}
	fmt.Fprintf(&b, "    }\n  }\n  return %s : %s\n}\n", list(n, func(i int) string { return fmt.Sprintf("%%r#%d", i) }), vecs(n))
	return b.String()
}

func transposes(n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%v0: tensor<4x8xf32>) -> tensor<4x8xf32> {\n")
	for i := range n {
		fmt.Fprintf(&b, `  %%e%[1]d = tensor.empty() : tensor<8x4xf32>
  %%t%[1]d = linalg.transpose ins(%%v%[1]d : tensor<4x8xf32>) outs(%%e%[1]d : tensor<8x4xf32>) permutation = [1, 0]
  %%k%[1]d = tensor.collapse_shape %%t%[1]d [[0, 1]] : tensor<8x4xf32> into tensor<32xf32>
  %%v%[2]d = tensor.expand_shape %%k%[1]d [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
`, i, i+1)
	}
	fmt.Fprintf(&b, "  return %%v%d : tensor<4x8xf32>\n}\n", n)
	return b.String()
}

// mixed has loops around conditions, in whose branches are loops of two kinds.
func mixed(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		fmt.Fprintf(b, "  %s = scf.for %%i = %%lb to %%ub step %%st iter_args(%%p = %s) -> (%s) {\n    %%t = scf.if %%c -> (%s) {\n", y, x, vec, vec)
		fmt.Fprintf(b, "      %%q = scf.for %%j = %%lb to %%ub step %%st iter_args(%%s = %%p) -> (%s) {\n", vec)
		add(b, "        ", "%u", "%s", "%v0")
		fmt.Fprintf(b, "        scf.yield %%u : %[1]s\n      }\n      scf.yield %%q : %[1]s\n    } else {\n", vec)
		fmt.Fprintf(b, "      %%w = scf.while (%%a = %%p) : (%[1]s) -> %[1]s {\n        scf.condition(%%c) %%a : %[1]s\n      } do {\n      ^bb0(%%d: %[1]s):\n", vec)
		add(b, "        ", "%z", "%d", "%p")
		fmt.Fprintf(b, "        scf.yield %%z : %[1]s\n      }\n      scf.yield %%w : %[1]s\n    }\n    scf.yield %%t : %[1]s\n  }\n", vec)
	})
}

// chosenTensors chooses, n times, between a tensor that is made of what was chosen before and that.
func chosenTensors(n int) string {
	return chain(n, func(b *strings.Builder, i int, x, y string) {
		add(b, "  ", fmt.Sprintf("%%a%d", i), x, "%v0")
		fmt.Fprintf(b, "  %%k%[1]d = arith.constant %[1]d : index\n  %%c%[1]d = arith.cmpi slt, %%lb, %%k%[1]d : index\n  %[2]s = arith.select %%c%[1]d, %%a%[1]d, %[3]s : %[4]s\n", i, y, x, vec)
	})
}

// web has blocks that hand four tensors on, in other places: to the next block, or to the one after that.
func web(n int) string {
	const four = vec + ", " + vec + ", " + vec + ", " + vec
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%a: %s, %%b: %s, %%c: i1) -> %s {\n  cf.br ^b0(%%a, %%b, %%a, %%b : %s)\n", vec, vec, vec, four)
	head := func(i int) {
		fmt.Fprintf(&b, "^b%[1]d(%%p%[1]d: %[2]s, %%q%[1]d: %[2]s, %%r%[1]d: %[2]s, %%s%[1]d: %[2]s):\n", i, vec)
	}
	for i := range n {
		head(i)
		add(&b, "  ", fmt.Sprintf("%%n%d", i), fmt.Sprintf("%%p%d", i), fmt.Sprintf("%%s%d", i))
		fmt.Fprintf(&b, "  cf.cond_br %%c, ^b%[2]d(%%q%[1]d, %%r%[1]d, %%s%[1]d, %%n%[1]d : %[4]s), ^b%[3]d(%%n%[1]d, %%p%[1]d, %%q%[1]d, %%r%[1]d : %[4]s)\n", i, i+1, min(i+2, n), four)
	}
	head(n)
	fmt.Fprintf(&b, "  return %%p%d : %s\n}\n", n, vec)
	return b.String()
}
