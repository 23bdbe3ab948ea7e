package interp_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"freehold/exec/interp"
)

// A yieldPattern is a structured operation on elements x0 (read), o0, o1, ... (written),
// with all ways in which the body can pass its arguments on.
type yieldPattern struct {
	elem   string   // the element type
	sizes  []int    // of the iteration space
	iters  string   // p or r for each dimension
	maps   [][]int  // for each operand the dimensions of the elements, x0 first
	yields []string // names of arguments, joined by + where they are added, or numbers
	// same says for each operand the one before it that is the same buffer, or itself;
	// nil on tensors, which share nothing.
	same []int
}

// yieldPatterns returns what results can be made of, for two and three results and
// buffers that are the same in all ways.
func yieldPatterns() []yieldPattern {
	type space struct {
		sizes []int
		iters string
		maps  [3][]int // of x0 and of results that take turns
	}
	spaces := []space{
		{[]int{9}, "p", [3][]int{{0}, {0}, {0}}},
		{[]int{3, 5}, "pr", [3][]int{{0, 1}, {0}, {0}}},
		{[]int{5, 6}, "pp", [3][]int{{1, 0}, {0, 1}, {1, 0}}},
		{[]int{4, 3}, "rp", [3][]int{{1, 0}, {1}, {1}}},
	}
	var out []yieldPattern
	add := func(elem string, s space, results int, yields []string, same []int) {
		p := yieldPattern{elem: elem, sizes: s.sizes, iters: s.iters, maps: [][]int{s.maps[0]}, yields: slices.Clone(yields), same: same}
		for i := range results {
			p.maps = append(p.maps, s.maps[1+i%2])
		}
		for i, j := range same {
			if !slices.Equal(p.maps[i], p.maps[j]) && p.size(i) != p.size(j) {
				return // buffers of different sizes
			}
		}
		out = append(out, p)
	}
	elems := []string{"i32", "f32", "f64", "i8", "i100"}
	for i, s := range spaces {
		choices := []string{"x0", "o0", "o1", "7", "o0+o1", "x0+o1"}
		for k := range len(choices) * len(choices) {
			yields := []string{choices[k/len(choices)], choices[k%len(choices)]}
			for j, same := range [][]int{nil, {0, 1, 2}, {0, 0, 2}, {0, 1, 0}, {0, 1, 1}} {
				add(elems[(i+j+k)%len(elems)], s, 2, yields, same)
			}
		}
		for k := range 64 {
			choices := []string{"o0", "o1", "o2", "x0"}
			yields := []string{choices[k/16], choices[k/4%4], choices[k%4]}
			add(elems[(i+k)%len(elems)], s, 3, yields, nil)
			add(elems[(i+k+1)%len(elems)], s, 3, yields, []int{0, 1, 2, 1})
		}
	}
	return out
}

func (p *yieldPattern) name(i int) string {
	if i == 0 {
		return "x0"
	}
	return fmt.Sprintf("o%d", i-1)
}

// size returns the sizes of operand i as in its type.
func (p *yieldPattern) size(i int) string {
	var b strings.Builder
	for _, d := range p.maps[i] {
		fmt.Fprintf(&b, "%dx", p.sizes[d])
	}
	return b.String()
}

func (p *yieldPattern) typ(i int) string {
	kind := "memref"
	if p.same == nil {
		kind = "tensor"
	}
	return kind + "<" + p.size(i) + p.elem + ">"
}

// function returns a function with the operation, which takes the operands that are not
// the same as an earlier one.
func (p *yieldPattern) function(name string) string {
	var dims, args, maps, iters, body, init, inits, results []string
	for d := range p.sizes {
		dims = append(dims, fmt.Sprintf("d%d", d))
		iters = append(iters, map[byte]string{'p': `"parallel"`, 'r': `"reduction"`}[p.iters[d]])
	}
	operand := make([]string, len(p.maps))
	for i, m := range p.maps {
		operand[i] = "%" + p.name(i)
		if p.same != nil && p.same[i] != i {
			operand[i] = operand[p.same[i]]
		} else {
			args = append(args, operand[i]+": "+p.typ(i))
		}
		var exprs []string
		for _, d := range m {
			exprs = append(exprs, dims[d])
		}
		maps = append(maps, fmt.Sprintf("affine_map<(%s) -> (%s)>", strings.Join(dims, ", "), strings.Join(exprs, ", ")))
		body = append(body, fmt.Sprintf("%%%sv: %s", p.name(i), p.elem))
		if i > 0 {
			init, inits, results = append(init, operand[i]), append(inits, p.typ(i)), append(results, fmt.Sprintf("%%r#%d", i-1))
		}
	}
	var ops, yields, types []string
	add := "arith.addi"
	if p.elem[0] == 'f' {
		add = "arith.addf"
	}
	for i, y := range p.yields {
		v := fmt.Sprintf("%%y%d", i)
		if a, b, ok := strings.Cut(y, "+"); ok {
			ops = append(ops, fmt.Sprintf("%s = %s %%%sv, %%%sv : %s", v, add, a, b, p.elem))
		} else if y == "7" {
			number := y
			if p.elem[0] == 'f' {
				number += ".0"
			}
			ops = append(ops, fmt.Sprintf("%s = arith.constant %s : %s", v, number, p.elem))
		} else {
			v = "%" + y + "v"
		}
		yields, types = append(yields, v), append(types, p.elem)
	}
	types2 := strings.Join(inits, ", ")
	head, arrow, ret, sig := "", "", "return", ""
	if p.same == nil {
		head, arrow, sig = fmt.Sprintf("%%r:%d = ", len(inits)), " -> ("+types2+")", " -> ("+types2+")"
		ret = fmt.Sprintf("return %s : %s", strings.Join(results, ", "), types2)
	}
	return fmt.Sprintf("func.func @%s(%s)%s {\n  %slinalg.generic {indexing_maps = [%s], iterator_types = [%s]} ins(%s : %s) outs(%s : %s) {\n  ^bb0(%s):\n%s    linalg.yield %s : %s\n  }%s\n  %s\n}\n",
		name, strings.Join(args, ", "), sig, head, strings.Join(maps, ", "), strings.Join(iters, ", "), operand[0], p.typ(0),
		strings.Join(init, ", "), types2, strings.Join(body, ", "), lines(ops), strings.Join(yields, ", "), strings.Join(types, ", "), arrow, ret)
}

func lines(list []string) string {
	out := ""
	for _, l := range list {
		out += "    " + l + "\n"
	}
	return out
}

// elements returns what operand i holds before.
func (p *yieldPattern) elements(i int) []int64 {
	n := 1
	for _, d := range p.maps[i] {
		n *= p.sizes[d]
	}
	out := make([]int64, n)
	for k := range out {
		out[k] = int64((k*k + 3*k + 11*i) % 10)
	}
	return out
}

// expected computes what the operands hold afterwards, point by point: all elements of a
// point are read before the first is written.
func (p *yieldPattern) expected() [][]int64 {
	contents := make([][]int64, len(p.maps))
	for i := range p.maps {
		contents[i] = p.elements(i)
		if p.same != nil {
			contents[i] = contents[p.same[i]]
			if p.same[i] == i {
				contents[i] = p.elements(i)
			}
		}
	}
	idx := make([]int, len(p.sizes))
	var loop func(d int)
	loop = func(d int) {
		if d < len(idx) {
			for idx[d] = 0; idx[d] < p.sizes[d]; idx[d]++ {
				loop(d + 1)
			}
			return
		}
		at, args := make([]int, len(p.maps)), map[string]int64{"7": 7}
		for i, m := range p.maps {
			for _, d := range m {
				at[i] = at[i]*p.sizes[d] + idx[d]
			}
			args[p.name(i)] = contents[i][at[i]]
		}
		for k, y := range p.yields {
			a, b, _ := strings.Cut(y, "+")
			v := args[a] + args[b]
			if p.elem == "i8" {
				v = int64(int8(v))
			}
			contents[k+1][at[k+1]] = v
		}
	}
	loop(0)
	return contents
}

func literal(p *yieldPattern, i int, v []int64) string {
	shape := p.maps[i]
	if len(shape) == 1 {
		return strings.ReplaceAll(fmt.Sprint(v), " ", ", ")
	}
	n := p.sizes[shape[1]]
	var rows []string
	for k := 0; k < len(v); k += n {
		rows = append(rows, strings.ReplaceAll(fmt.Sprint(v[k:k+n]), " ", ", "))
	}
	return "[" + strings.Join(rows, ", ") + "]"
}

// results are the operands of which the contents are results: those that are written, of
// several names the first.
func (p *yieldPattern) results() []int {
	var out []int
	for i := range p.maps {
		if p.same == nil && i > 0 || p.same != nil && p.same[i] == i {
			out = append(out, i)
		}
	}
	return out
}

// TestYields executes operations with all patterns of what their region yields, in runs
// and element by element.
func TestYields(t *testing.T) {
	patterns := yieldPatterns()
	if len(patterns) < 512 {
		t.Fatalf("there are only %d patterns", len(patterns))
	}
	for _, p := range patterns {
		src, want := p.function("f"), p.expected()
		var args []string
		for i := range p.maps {
			if p.same == nil || p.same[i] == i {
				args = append(args, literal(&p, i, p.elements(i)))
			}
		}
		for _, oneByOne := range []bool{false, true} {
			res := runText(t, src, interp.Options{OneByOne: oneByOne}, args...)
			values := res.Values
			if p.same != nil {
				values = res.Buffers
			}
			for k, i := range p.results() {
				got := strings.ReplaceAll(values[k].Text(), "\n", "")
				if want := literal(&p, i, want[i]); got != want || len(res.Findings) > 0 {
					t.Errorf("one by one: %v\n%s%v\n%s is %s, not %s\n%s", oneByOne, src, args, p.name(i), got, want, describe(res.Findings))
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestYieldsOfOthers executes operations other than linalg.generic whose region yields
// its arguments, and such that pass on what is undefined.
func TestYieldsOfOthers(t *testing.T) {
	tests := []struct {
		name, src string
		args      []string
		want      string // "?" is undefined
	}{
		{"reduce", `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
			%r:2 = linalg.reduce ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%x, %y : tensor<f32>, tensor<f32>) dimensions = [0]
			(%p: f32, %q: f32, %o: f32, %o2: f32) {
				%s = arith.addf %p, %o2 : f32
				linalg.yield %s, %o : f32, f32
			}
			return %r#0, %r#1 : tensor<f32>, tensor<f32> }`, []string{"[1, 2, 3, 4]", "[5, 6, 7, 8]", "100", "200"}, "106 204"},
		{"reduce of rows", `func.func @f(%a: tensor<2x5xi32>, %x: tensor<5xi32>, %y: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>) {
			%r:2 = linalg.reduce ins(%a, %a : tensor<2x5xi32>, tensor<2x5xi32>) outs(%x, %y : tensor<5xi32>, tensor<5xi32>) dimensions = [0]
			(%p: i32, %q: i32, %o: i32, %o2: i32) {
				linalg.yield %p, %o : i32, i32
			}
			return %r#0, %r#1 : tensor<5xi32>, tensor<5xi32> }`, []string{"[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]", "zeros", "zeros"}, "[6, 7, 8, 9, 10] [1, 2, 3, 4, 5]"},
		{"map", `func.func @f(%a: tensor<5xi32>, %x: tensor<5xi32>) -> tensor<5xi32> {
			%r = linalg.map ins(%a : tensor<5xi32>) outs(%x : tensor<5xi32>)
			(%p: i32) {
				linalg.yield %p : i32
			}
			return %r : tensor<5xi32> }`, []string{"[1, 2, 3, 4, 5]", "zeros"}, "[1, 2, 3, 4, 5]"},
		{"undefined and exchanged", `func.func @f(%a: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>) {
			%e = tensor.empty() : tensor<5xi32>
			%r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a, %e : tensor<5xi32>, tensor<5xi32>) {
			^bb0(%o: i32, %u: i32):
				linalg.yield %u, %o : i32, i32
			} -> (tensor<5xi32>, tensor<5xi32>)
			return %r#0, %r#1 : tensor<5xi32>, tensor<5xi32> }`, []string{"[1, 2, 3, 4, 5]"}, "[?, ?, ?, ?, ?] [1, 2, 3, 4, 5]"},
		{"undefined, kept and passed on", `func.func @f(%a: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>) {
			%e = tensor.empty() : tensor<5xi32>
			%r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a, %e : tensor<5xi32>, tensor<5xi32>) {
			^bb0(%o: i32, %u: i32):
				linalg.yield %u, %u : i32, i32
			} -> (tensor<5xi32>, tensor<5xi32>)
			return %r#0, %r#1 : tensor<5xi32>, tensor<5xi32> }`, []string{"[1, 2, 3, 4, 5]"}, "[?, ?, ?, ?, ?] [?, ?, ?, ?, ?]"},
		{"undefined and kept", `func.func @f(%a: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>) {
			%e = tensor.empty() : tensor<5xi32>
			%r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a, %e : tensor<5xi32>, tensor<5xi32>) {
			^bb0(%o: i32, %u: i32):
				%s = arith.addi %o, %o : i32
				linalg.yield %s, %u : i32, i32
			} -> (tensor<5xi32>, tensor<5xi32>)
			return %r#0, %r#1 : tensor<5xi32>, tensor<5xi32> }`, []string{"[1, 2, 3, 4, 5]"}, "[2, 4, 6, 8, 10] [?, ?, ?, ?, ?]"},
		{"one buffer under two names", `func.func @f(%a: memref<5xi32>) -> i32 {
			%c0 = arith.constant 0 : index
			linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a, %a : memref<5xi32>, memref<5xi32>) {
			^bb0(%o: i32, %u: i32):
				%s = arith.addi %o, %o : i32
				linalg.yield %s, %u : i32, i32
			}
			%v = memref.load %a[%c0] : memref<5xi32>
			return %v : i32 }`, []string{"[1, 2, 3, 4, 5]"}, "1"},
	}
	for _, tt := range tests {
		for _, oneByOne := range []bool{false, true} {
			res := runText(t, tt.src, interp.Options{OneByOne: oneByOne}, tt.args...)
			var got []string
			for _, v := range res.Values {
				got = append(got, v.Text())
			}
			if got := strings.Join(got, " "); got != tt.want || len(res.Findings) > 0 {
				t.Errorf("%s, one by one %v: got %s, not %s %s", tt.name, oneByOne, got, tt.want, describe(res.Findings))
			}
		}
	}
}

// TestYieldsNatively compares with the same operations compiled by MLIR.
func TestYieldsNatively(t *testing.T) {
	for _, tool := range []string{"mlir-opt-19", "mlir-cpu-runner-19"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	var module, main strings.Builder
	var want []string
	module.WriteString(`llvm.mlir.global internal constant @format("%lld\0A\00")
llvm.func @printf(!llvm.ptr, ...) -> i32
func.func private @show(%v: i64) {
  %f = llvm.mlir.addressof @format : !llvm.ptr
  %r = llvm.call @printf(%f, %v) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  return
}
`)
	patterns := yieldPatterns()
	n := 0
	for k, p := range patterns {
		if k%5 != 0 || p.elem == "i100" {
			continue // what all have in common needs no compiler
		}
		name := fmt.Sprintf("p%d", k)
		module.WriteString(p.function(name))
		main.WriteString(p.driver(name))
		contents := p.expected()
		for _, i := range p.results() {
			for _, v := range contents[i] {
				want = append(want, fmt.Sprint(v))
			}
		}
		n++
	}
	text := module.String() + "func.func @main() {\n" + main.String() + "return\n}\n"
	pipe := func(in string, tool string, args ...string) string {
		c := exec.Command(tool, args...)
		var stdout, stderr bytes.Buffer
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &stdout, &stderr
		if err := c.Run(); err != nil {
			t.Fatalf("%s: %v\n%.2000s", tool, err, stderr.String())
		}
		return stdout.String()
	}
	lowered := pipe(text, "mlir-opt-19", "--pass-pipeline=builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-unknown-ops},func.func(convert-linalg-to-loops),"+
		"convert-scf-to-cf,finalize-memref-to-llvm,convert-arith-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)")
	got := strings.Fields(pipe(lowered, "mlir-cpu-runner-19", "-e", "main", "-entry-point-result=void", "-O0"))
	if !slices.Equal(got, want) {
		t.Errorf("natively %d patterns give\n%v\nnot\n%v", n, got, want)
	}
}

// driver returns operations that call the function and print what it computes.
func (p *yieldPattern) driver(name string) string {
	var b strings.Builder
	values := 0
	line := func(format string, args ...any) string {
		values++
		v := fmt.Sprintf("%%%s_%d", name, values)
		fmt.Fprintf(&b, "%s = %s\n", v, fmt.Sprintf(format, args...))
		return v
	}
	var args, types []string
	operands := make([]string, len(p.maps))
	for i := range p.maps {
		if p.same != nil && p.same[i] != i {
			continue
		}
		text := literal(p, i, p.elements(i))
		if p.elem[0] == 'f' {
			text = strings.ReplaceAll(strings.ReplaceAll(text, ",", ".0,"), "].0", "]")
			text = strings.ReplaceAll(text, "]", ".0]")
			text = strings.ReplaceAll(text, "].0]", "]]")
		}
		v := line("arith.constant dense<%s> : tensor<%s%s>", text, p.size(i), p.elem)
		if p.same != nil {
			m := line("bufferization.to_memref %s : memref<%s%s>", v, p.size(i), p.elem)
			v = line("memref.alloc() : %s", p.typ(i))
			fmt.Fprintf(&b, "memref.copy %s, %s : %s to %s\n", m, v, p.typ(i), p.typ(i))
		}
		operands[i] = v
		args, types = append(args, v), append(types, p.typ(i))
	}
	var outs []string
	for i := range p.maps[1:] {
		outs = append(outs, p.typ(i+1))
	}
	if p.same == nil {
		fmt.Fprintf(&b, "%%%s:%d = call @%s(%s) : (%s) -> (%s)\n", name, len(outs), name, strings.Join(args, ", "), strings.Join(types, ", "), strings.Join(outs, ", "))
	} else {
		fmt.Fprintf(&b, "call @%s(%s) : (%s) -> ()\n", name, strings.Join(args, ", "), strings.Join(types, ", "))
	}
	for _, i := range p.results() {
		for k := range p.elements(i) {
			idx := line("arith.constant %d : index", k)
			if n := len(p.maps[i]); n == 2 {
				columns := p.sizes[p.maps[i][1]]
				idx = line("arith.constant %d : index", k/columns) + ", " + line("arith.constant %d : index", k%columns)
			}
			v := ""
			if p.same == nil {
				v = line("tensor.extract %%%s#%d[%s] : %s", name, i-1, idx, p.typ(i))
			} else {
				v = line("memref.load %s[%s] : %s", operands[i], idx, p.typ(i))
			}
			switch {
			case p.elem[0] == 'f':
				v = line("arith.fptosi %s : %s to i64", v, p.elem)
			default:
				v = line("arith.extsi %s : %s to i64", v, p.elem)
			}
			fmt.Fprintf(&b, "call @show(%s) : (i64) -> ()\n", v)
		}
	}
	return b.String()
}

// TestYieldOfChanged yields an element that the body has changed in the meantime: what it got is what was there before.
func TestYieldOfChanged(t *testing.T) {
	for _, tt := range []struct{ changes, yields, want string }{
		{"%a", "%in", "[5 5]"},  // the operand that is read
		{"%b", "%out", "[7 7]"}, // and the one that is written
		{"%b", "%in", "[5 5]"},
	} {
		src := `func.func @main() -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  %seven = arith.constant 7 : i32
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  linalg.fill ins(%five : i32) outs(%a : memref<2xi32>)
  linalg.fill ins(%seven : i32) outs(%b : memref<2xi32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<2xi32>) outs(%b : memref<2xi32>) {
  ^bb0(%in: i32, %out: i32):
    %i = linalg.index 0 : index
    memref.store %zero, ` + tt.changes + `[%i] : memref<2xi32>
    linalg.yield ` + tt.yields + ` : i32
  }
  %x = memref.load %b[%c0] : memref<2xi32>
  %y = memref.load %b[%c1] : memref<2xi32>
  memref.dealloc %a : memref<2xi32>
  memref.dealloc %b : memref<2xi32>
  return %x, %y : i32, i32
}`
		v := runText(t, src, interp.Options{}).Values
		if got := fmt.Sprintf("%v", []uint64{v[0].Word, v[1].Word}); got != tt.want {
			t.Errorf("changes %s, yields %s: %s, not %s", tt.changes, tt.yields, got, tt.want)
		}
	}
}
