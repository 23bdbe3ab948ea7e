package dialect_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// In the generic form, any operation can have any operands, attributes and regions, and is read before it is
// verified. Nothing of what any dialect does with it may panic, in today's and in earlier spellings.
func TestAnyGenericForm(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	names := genericNames()
	if len(names) < 500 {
		t.Fatalf("there are %d names of operations only", len(names))
	}
	valid := 0
	for n, name := range names {
		if ambiguous[name] {
			continue
		}
		ctx := ir.NewContext(dialect.All()...)
		ctx.AllowUnregistered = true
		for round := range rounds {
			g := &genericForm{ctx: ctx, names: names, rand: rand.New(rand.NewPCG(uint64(n), uint64(round)))}
			src := g.program(name)
			func() {
				defer func() {
					if e := recover(); e != nil {
						t.Errorf("%v\n%s", e, src)
					}
				}()
				m, err := asm.Parse(ctx, []byte(src), "f", asm.ParseOptions{})
				if err != nil || ir.Verify(m) != nil {
					return
				}
				valid++
				for _, generic := range []bool{false, true} {
					out := asm.Print(m, asm.PrintOptions{Generic: generic})
					if _, err := asm.Parse(ctx, []byte(out), "printed", asm.ParseOptions{}); err != nil {
						t.Errorf("%v\n%s\nof\n%s", err, out, src)
					}
				}
			}()
		}
	}
	if valid == 0 {
		t.Error("no program is valid")
	}
}

// ambiguous are operations with an optional attribute before their dictionary of attributes, which is read in its place. mlir-opt-19
// can't read what it prints of them, either.
var ambiguous = map[string]bool{"test.format_opt_attr_op_b": true}

// genericNames returns the names of all operations, those of earlier versions too.
func genericNames() (names []string) {
	for _, d := range dialect.All() {
		for _, def := range d.OpDefs() {
			names = append(names, def.ID.String())
			for _, s := range slices.Concat(def.Earlier, def.Later) {
				if s.Name != "" {
					names = append(names, s.Name)
				}
			}
		}
	}
	return names
}

// genericForm makes random operations.
type genericForm struct {
	ctx   *ir.Context
	names []string
	rand  *rand.Rand
	b     strings.Builder
}

var (
	genericTypes = []string{"index", "i1", "f32", "i32", "tensor<4xf32>", "tensor<?x?xf32>", "tensor<*xf32>", "memref<4xf32>",
		"memref<?x?xf32>", "memref<*xf32>", "vector<4xf32>", "vector<f32>", "vector<4294967296x2147483648xi8>", "complex<f32>", "none",
		"() -> ()", "tuple<>", "memref<?xi8, 1>", "tensor<4x!shape.size>", "!shape.shape"}
	genericAttrs = []string{"unit", "0", "-1 : i64", "1 : index", "true", `""`, "[]", "[0]", "@f", "@f::@g", "i32", "() -> ()", "{}",
		"dense<1> : tensor<2xi64>", "dense<> : tensor<0xi32>", "array<i64>", "array<i64: 0>", "array<i32: 1>", "array<i64: -9223372036854775808>",
		"array<i1: true>", "affine_map<() -> ()>", "affine_map<(d0) -> (d0)>", "affine_map<(d0, d1)[s0] -> (d1 + s0)>",
		"[affine_map<(d0) -> (d0)>]", "affine_set<(d0) : (d0 >= 0)>", "[#linalg.iterator_type<parallel>]", `["parallel"]`, "1.0 : f32"}
)

func (g *genericForm) pick(list []string) string { return list[g.rand.IntN(len(list))] }

func (g *genericForm) program(name string) string {
	g.b.WriteString("\"func.func\"() ({\n^bb0(")
	for i, t := range genericTypes {
		if i > 0 {
			g.b.WriteString(", ")
		}
		fmt.Fprintf(&g.b, "%%%d: %s", i, t)
	}
	g.b.WriteString("):\n")
	g.op(name, 0)
	fmt.Fprintf(&g.b, "  \"func.return\"() : () -> ()\n}) {sym_name = \"f\", function_type = (%s) -> ()} : () -> ()\n", strings.Join(genericTypes, ", "))
	return g.b.String()
}

func (g *genericForm) op(name string, depth int) {
	var operands, operandTypes, results []string
	for range g.rand.IntN(4) {
		i := g.rand.IntN(len(genericTypes))
		operands, operandTypes = append(operands, fmt.Sprintf("%%%d", i)), append(operandTypes, genericTypes[i])
	}
	for range g.rand.IntN(3) {
		results = append(results, g.pick(genericTypes))
	}
	if len(results) > 0 {
		fmt.Fprintf(&g.b, "  %%r%d:%d = ", g.b.Len(), len(results))
	}
	fmt.Fprintf(&g.b, "  %q(%s)", name, strings.Join(operands, ", "))
	if n := g.rand.IntN(3); n > 0 && depth < 2 {
		g.b.WriteString(" (")
		for i := range n {
			if i > 0 {
				g.b.WriteString(", ")
			}
			g.region(depth + 1)
		}
		g.b.WriteString(")")
	}
	var attrs []string
	if n := g.ctx.OpName(name); n != nil {
		for _, a := range n.Def().Attrs {
			if g.rand.IntN(3) == 0 {
				attrs = append(attrs, fmt.Sprintf("%q = %s", a.Name, g.attr(a.Name, len(operands), len(n.Def().Operands))))
			}
		}
	}
	for _, earlier := range []string{"operand_segment_sizes", "static_offsets", "static_sizes"} {
		if g.rand.IntN(4) == 0 {
			attrs = append(attrs, fmt.Sprintf("%q = %s", earlier, g.attr(earlier, len(operands), 2+g.rand.IntN(4))))
		}
	}
	if len(attrs) > 0 {
		fmt.Fprintf(&g.b, " {%s}", strings.Join(attrs, ", "))
	}
	fmt.Fprintf(&g.b, " : (%s) -> (%s)\n", strings.Join(operandTypes, ", "), strings.Join(results, ", "))
}

// attr returns the value of an attribute. Sizes of groups are often of as many groups as there are.
func (g *genericForm) attr(name string, operands, groups int) string {
	if !strings.Contains(strings.ToLower(name), "segment") || g.rand.IntN(4) == 0 {
		return g.pick(genericAttrs)
	}
	var sizes []string
	for range groups {
		n := g.rand.IntN(operands + 2)
		operands = max(operands-n, 0)
		sizes = append(sizes, fmt.Sprint(n-g.rand.IntN(8)/7*2))
	}
	return "array<i32: " + strings.Join(sizes, ", ") + ">"
}

// region writes a region of no block, of an empty one, or of one with an operation.
func (g *genericForm) region(depth int) {
	g.b.WriteString("{\n")
	if g.rand.IntN(4) > 0 {
		var args []string
		for i := range g.rand.IntN(3) {
			args = append(args, fmt.Sprintf("%%a%d_%d: %s", g.b.Len(), i, g.pick(genericTypes)))
		}
		g.b.WriteString("^bb0")
		if len(args) > 0 {
			g.b.WriteString("(" + strings.Join(args, ", ") + ")")
		}
		g.b.WriteString(":\n")
		for range g.rand.IntN(3) {
			g.op(g.pick(g.names), depth)
		}
	}
	g.b.WriteString("}")
}
