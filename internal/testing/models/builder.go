package models

import (
	"fmt"
	"slices"
	"strings"
)

// tensor is a value of a program.
type tensor struct {
	name  string
	elem  string
	shape []int
}

func (t tensor) String() string { return t.name }

func (t tensor) typ() string { return typeOf(t.elem, t.shape...) }

func typeOf(elem string, shape ...int) string {
	var b strings.Builder
	b.WriteString("tensor<")
	for _, n := range shape {
		if n < 0 {
			b.WriteString("?x")
		} else {
			fmt.Fprintf(&b, "%dx", n)
		}
	}
	return b.String() + elem + ">"
}

// writer writes a function.
type writer struct {
	strings.Builder
	last      int
	arguments []string
}

// line writes a line.
func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// name returns a name that nothing has.
func (w *writer) name() string {
	w.last++
	return fmt.Sprintf("%%%d", w.last+1000)
}

// argument declares an argument of the function.
func (w *writer) argument(elem string, shape ...int) tensor { return w.argumentAs("", elem, shape...) }

// argumentAs declares an argument of the function with attributes.
func (w *writer) argumentAs(attributes, elem string, shape ...int) tensor {
	t := tensor{fmt.Sprintf("%%arg%d", len(w.arguments)), elem, shape}
	w.arguments = append(w.arguments, strings.TrimSpace(t.name+": "+t.typ()+" "+attributes))
	return t
}

// index declares an argument that is an index.
func (w *writer) index() string {
	name := fmt.Sprintf("%%arg%d", len(w.arguments))
	w.arguments = append(w.arguments, name+": index")
	return name
}

// function returns the program.
func (w *writer) function(results ...tensor) string {
	var types []string
	for _, r := range results {
		types = append(types, r.typ())
	}
	return fmt.Sprintf("func.func @main(%s) -> (%s) {\n%s  return %s : %s\n}\n",
		strings.Join(w.arguments, ", "), strings.Join(types, ", "), w.String(), names(results), strings.Join(types, ", "))
}

func names(list []tensor) string {
	var all []string
	for _, t := range list {
		all = append(all, t.name)
	}
	return strings.Join(all, ", ")
}

func types(list []tensor) string {
	var all []string
	for _, t := range list {
		all = append(all, t.typ())
	}
	return strings.Join(all, ", ")
}

// scalar is a constant number.
func (w *writer) scalar(value, elem string) string {
	n := w.name()
	w.line("  %s = arith.constant %s : %s", n, value, elem)
	return n
}

func zeroOf(elem string) string {
	if strings.HasPrefix(elem, "i") {
		return "0"
	}
	return "0.0"
}

// empty is a tensor without contents.
func (w *writer) empty(elem string, shape ...int) tensor {
	t := tensor{w.name(), elem, shape}
	w.line("  %s = tensor.empty() : %s", t, t.typ())
	return t
}

// filled is a tensor whose elements are all a number.
func (w *writer) filled(value, elem string, shape ...int) tensor {
	v, e := w.scalar(value, elem), w.empty(elem, shape...)
	t := tensor{w.name(), elem, shape}
	w.line("  %s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s", t, v, elem, e, e.typ(), t.typ())
	return t
}

func (w *writer) zeros(elem string, shape ...int) tensor {
	return w.filled(zeroOf(elem), elem, shape...)
}

// named is a structured operation with a name.
func (w *writer) named(op, attributes string, out tensor, ins ...tensor) tensor {
	t := tensor{w.name(), out.elem, out.shape}
	w.line("  %s = linalg.%s %s ins(%s : %s) outs(%s : %s) -> %s", t, op, attributes, names(ins), types(ins), out, out.typ(), t.typ())
	return t
}

// matmul is the product of two matrices, or of batches of them.
func (w *writer) matmul(a, b tensor) tensor {
	n := len(a.shape)
	shape := append(slices.Clone(a.shape[:n-1]), b.shape[n-1])
	op := "matmul"
	if n == 3 {
		op = "batch_matmul"
	}
	return w.named(op, "", w.zeros(a.elem, shape...), a, b)
}

// dims returns a list of dimensions as they are written in maps.
func dims(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("d%d", i))
	}
	return strings.Join(all, ", ")
}

// input is an operand with the dimensions of the iteration that its indices are.
type input struct {
	tensor
	at []int
}

// along makes an operand whose indices are some dimensions.
func along(t tensor, at ...int) input { return input{t, at} }

func (in input) mapOf(rank int) string {
	var all []string
	for i := range in.shape {
		d := i
		if in.at != nil {
			d = in.at[i]
		}
		if d < 0 {
			all = append(all, "0")
		} else {
			all = append(all, fmt.Sprintf("d%d", d))
		}
	}
	return fmt.Sprintf("affine_map<(%s) -> (%s)>", dims(rank), strings.Join(all, ", "))
}

// each computes each element of a new tensor from those of operands, which are %a, %b, … in
// the body, whose last line defines %r.
func (w *writer) each(elem string, shape []int, body string, ins ...any) tensor {
	return w.generic(w.empty(elem, shape...), len(shape), nil, body, ins...)
}

// generic is a structured operation; reduced are the dimensions that out doesn't have.
func (w *writer) generic(out tensor, rank int, reduced []int, body string, ins ...any) tensor {
	var list []tensor
	var maps, kinds, args []string
	for i, x := range ins {
		in, ok := x.(input)
		if !ok {
			in = input{x.(tensor), nil}
		}
		list = append(list, in.tensor)
		maps = append(maps, in.mapOf(rank))
		args = append(args, fmt.Sprintf("%%%c: %s", 'a'+i, in.elem))
	}
	var at []int
	for d := range rank {
		if slices.Contains(reduced, d) {
			kinds = append(kinds, `"reduction"`)
			continue
		}
		kinds = append(kinds, `"parallel"`)
		at = append(at, d)
	}
	maps = append(maps, input{out, at}.mapOf(rank))
	args = append(args, "%o: "+out.elem)
	t := tensor{w.name(), out.elem, out.shape}
	operands := ""
	if len(list) > 0 {
		operands = fmt.Sprintf("ins(%s : %s) ", names(list), types(list))
	}
	w.line("  %s = linalg.generic {indexing_maps = [%s], iterator_types = [%s]} %souts(%s : %s) {\n  ^bb0(%s):\n%s\n    linalg.yield %%r : %s\n  } -> %s",
		t, strings.Join(maps, ", "), strings.Join(kinds, ", "), operands, out, out.typ(), strings.Join(args, ", "), body, out.elem, t.typ())
	return t
}

// add, mul and sub work on elements of tensors of one shape.
func (w *writer) add(a, b any) tensor { return w.binary("arith.addf", a, b) }
func (w *writer) mul(a, b any) tensor { return w.binary("arith.mulf", a, b) }
func (w *writer) sub(a, b any) tensor { return w.binary("arith.subf", a, b) }

func (w *writer) binary(op string, a, b any) tensor {
	like, ok := a.(tensor)
	if !ok {
		like = b.(tensor)
	}
	return w.each(like.elem, like.shape, fmt.Sprintf("    %%r = %s %%a, %%b : %s", op, like.elem), a, b)
}

// unary works on elements.
func (w *writer) unary(op string, a tensor) tensor {
	return w.each(a.elem, a.shape, fmt.Sprintf("    %%r = %s %%a : %s", op, a.elem), a)
}

const reluBody = "    %z = arith.constant 0.0 : f32\n    %r = arith.maximumf %a, %z : f32"

func (w *writer) relu(a tensor) tensor { return w.each(a.elem, a.shape, reluBody, a) }

const sigmoidBody = `    %one = arith.constant 1.0 : f32
    %n = arith.negf %a : f32
    %e = math.exp %n : f32
    %d = arith.addf %e, %one : f32
    %r = arith.divf %one, %d : f32`

func (w *writer) sigmoid(a tensor) tensor { return w.each(a.elem, a.shape, sigmoidBody, a) }

// reduce joins the elements along the last dimension.
func (w *writer) reduce(op, start string, a tensor) tensor {
	n := len(a.shape)
	return w.generic(w.filled(start, a.elem, a.shape[:n-1]...), n, []int{n - 1}, fmt.Sprintf("    %%r = %s %%o, %%a : %s", op, a.elem), a)
}

// rows is an operand that has no last dimension, of which each element is taken for a row.
func rows(a tensor) input {
	at := make([]int, len(a.shape))
	for i := range at {
		at[i] = i
	}
	return input{a, at}
}

// softmax is that along the last dimension.
func (w *writer) softmax(a tensor) tensor {
	most := w.reduce("arith.maximumf", "0xFF800000", a)
	e := w.unary("math.exp", w.sub(a, rows(most)))
	return w.binary("arith.divf", e, rows(w.reduce("arith.addf", "0.0", e)))
}

// rmsNorm divides rows by their root mean square, and multiplies by weights.
func (w *writer) rmsNorm(a, weights tensor) tensor {
	n := len(a.shape)
	sums := w.reduce("arith.addf", "0.0", w.mul(a, a))
	scale := w.each(a.elem, sums.shape, fmt.Sprintf("    %%n = arith.constant %d.0 : f32\n    %%m = arith.divf %%a, %%n : f32\n    %%e = arith.constant 1.0e-5 : f32\n    %%s = arith.addf %%m, %%e : f32\n    %%r = math.rsqrt %%s : f32", a.shape[n-1]), sums)
	return w.mul(w.mul(a, rows(scale)), along(weights, n-1))
}

// permuted is a transpose.
func (w *writer) permuted(a tensor, order ...int) tensor {
	shape := make([]int, len(order))
	for i, d := range order {
		shape[i] = a.shape[d]
	}
	e := w.empty(a.elem, shape...)
	t := tensor{w.name(), a.elem, shape}
	w.line("  %s = linalg.transpose ins(%s : %s) outs(%s : %s) permutation = [%s]", t, a, a.typ(), e, e.typ(), list(order))
	return t
}

func list(numbers []int) string {
	var all []string
	for _, n := range numbers {
		all = append(all, fmt.Sprint(n))
	}
	return strings.Join(all, ", ")
}

// reshape expands or collapses; groups says which dimensions of the one with more are one of the other.
func (w *writer) reshape(a tensor, groups string, shape ...int) tensor {
	t := tensor{w.name(), a.elem, shape}
	if len(shape) > len(a.shape) {
		w.line("  %s = tensor.expand_shape %s %s output_shape [%s] : %s into %s", t, a, groups, list(shape), a.typ(), t.typ())
	} else {
		w.line("  %s = tensor.collapse_shape %s %s : %s into %s", t, a, groups, a.typ(), t.typ())
	}
	return t
}

// pad puts numbers around a tensor.
func (w *writer) pad(value string, a tensor, low, high []int) tensor {
	v := w.scalar(value, a.elem)
	shape := slices.Clone(a.shape)
	var args []string
	for i := range shape {
		shape[i] += low[i] + high[i]
		args = append(args, fmt.Sprintf("%%i%d: index", i))
	}
	t := tensor{w.name(), a.elem, shape}
	w.line("  %s = tensor.pad %s low[%s] high[%s] {\n  ^bb0(%s):\n    tensor.yield %s : %s\n  } : %s to %s", t, a, list(low), list(high), strings.Join(args, ", "), v, a.elem, a.typ(), t.typ())
	return t
}

// concat puts tensors behind each other.
func (w *writer) concat(dim int, parts ...tensor) tensor {
	shape := slices.Clone(parts[0].shape)
	for _, p := range parts[1:] {
		shape[dim] += p.shape[dim]
	}
	t := tensor{w.name(), parts[0].elem, shape}
	w.line("  %s = tensor.concat dim(%d) %s : (%s) -> %s", t, dim, names(parts), types(parts), t.typ())
	return t
}

// inserted is a tensor with a part replaced; offsets are numbers or names.
func (w *writer) inserted(part, into tensor, offsets []any, sizes ...int) tensor {
	t := tensor{w.name(), into.elem, into.shape}
	w.line("  %s = tensor.insert_slice %s into %s[%s] [%s] [%s] : %s into %s", t, part, into, anys(offsets), list(sizes), ones(len(sizes)), part.typ(), into.typ())
	return t
}

// slice is a part of a tensor; shape may leave dimensions of size 1 out.
func (w *writer) slice(a tensor, offsets []any, sizes []int, shape ...int) tensor {
	t := tensor{w.name(), a.elem, shape}
	w.line("  %s = tensor.extract_slice %s[%s] [%s] [%s] : %s to %s", t, a, anys(offsets), list(sizes), ones(len(sizes)), a.typ(), t.typ())
	return t
}

func anys(offsets []any) string {
	var all []string
	for _, o := range offsets {
		all = append(all, fmt.Sprint(o))
	}
	return strings.Join(all, ", ")
}

func ones(n int) string {
	return strings.TrimSuffix(strings.Repeat("1, ", n), ", ")
}
