package semantics_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/proof/check"
	"freehold/proof/semantics"
	"freehold/proof/verify"
)

// program has an operation %r = o.p(%a, %i), of which it is stated what it does; then %a is freed.
const program = `func.func @f(%%i: index) {
  %%a = memref.alloc() : memref<4xi32>
  %s"o.p"(%%a, %%i) : (memref<4xi32>, index) -> %s
  memref.dealloc %%a : memref<4xi32>
  return
}`

// judge checks and certifies the program, in which o.p has a result of a type ("()" is none) and models.
func judge(t *testing.T, result string, models ...ir.Model) string {
	t.Helper()
	p := ir.NewOpID("o.p")
	def := &ir.OpDef{ID: p, Operands: []ir.OperandDef{{Name: "a"}, {Name: "i"}}, Models: models}
	name := ""
	if result != "()" {
		def.Results, name = []ir.ResultDef{{Name: "r"}}, "%r = "
	}
	c := ir.NewContext(append(dialect.All(), &ir.Dialect{Name: "o", Ops: func() []*ir.OpDef { return []*ir.OpDef{def} }})...)
	m, err := asm.Parse(c, fmt.Appendf(nil, program, name, result), "f.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(m); err != nil {
		t.Fatal(err)
	}
	r, _, err := check.Certify(m, check.Options{})
	switch {
	case len(r.Findings) > 0:
		return r.Findings[0].Diagnostic.Message
	case len(r.Unjudged) > 0:
		return r.Unjudged[0].Message
	case err != nil:
		return "safe, " + err.Error()
	}
	return "safe"
}

// What an operation states decides how a program is judged; a rule that can't be right is none.
func TestStatedRules(t *testing.T) {
	read, write := interfaces.OnOperand(interfaces.Read, 0), interfaces.OnOperand(interfaces.Write, 0)
	allocate, free := interfaces.OnResult(interfaces.Allocate, 0), interfaces.OnOperand(interfaces.Free, 0)
	viewOfFirst := interfaces.ViewLike.Model(func(op *ir.Op) *ir.Value { return op.Operand(0) })
	const buffer, wrong = "memref<4xi32>", "'o.p' op can't be judged: the rule that it states can't be right: "
	for _, test := range []struct {
		name    string
		rule    semantics.Rule
		effects []interfaces.Effect // nil: not known
		result  string
		model   []ir.Model
		want    string
	}{
		{"asks", semantics.Rule{Does: semantics.Asks}, []interfaces.Effect{}, "index", nil, "safe"},
		{"reads", semantics.Rule{Does: semantics.Accesses, Reads: []int{0}}, []interfaces.Effect{read}, "i32", nil, "safe"},
		{"writes", semantics.Rule{Does: semantics.Accesses, Writes: []int{0}}, []interfaces.Effect{write}, "()", nil, "safe"},
		{"view", semantics.Rule{Does: semantics.Views}, []interfaces.Effect{}, buffer, []ir.Model{viewOfFirst}, "safe"},
		{"allocates", semantics.Rule{Does: semantics.Allocates, Reads: []int{0}}, []interfaces.Effect{read, allocate}, buffer, nil,
			"leak: the buffer allocated here is not freed"},
		{"on the stack", semantics.Rule{Does: semantics.Reserves}, []interfaces.Effect{allocate.In(interfaces.AutomaticAllocationScopeResource)}, buffer, nil, "safe"},
		{"frees", semantics.Rule{Does: semantics.Frees}, []interfaces.Effect{free}, "()", nil, "double free: the buffer was freed before"},
		{"unknown effects", semantics.Rule{Does: semantics.Accesses, Reads: []int{0}}, nil, "()", nil,
			"safe, f.mlir:3:3: 'o.p' op not certified: there is no rule for what it does with buffers"},

		{"no kind", semantics.Rule{Reads: []int{0}}, []interfaces.Effect{read}, "()", nil, wrong + "there is no rule of kind 0"},
		{"no such kind", semantics.Rule{Does: 99}, []interfaces.Effect{}, "()", nil, wrong + "there is no rule of kind 99"},
		{"no such operand", semantics.Rule{Does: semantics.Accesses, Writes: []int{2}}, nil, "()", nil, wrong + "it accesses operand #2, which there isn't"},
		{"computes from buffers", semantics.Rule{Does: semantics.Computes}, nil, "i32", nil, wrong + "it computes from numbers, but operand #0 is a buffer"},
		{"asks and reads", semantics.Rule{Does: semantics.Asks, Reads: []int{0}}, nil, "i32", nil, wrong + "it accesses memory, but does nothing that could"},
		{"no destination", semantics.Rule{Does: semantics.Accesses, Destination: true}, nil, "()", nil,
			wrong + "it accesses destinations, but the operation has none, or the rule lists operands"},
		{"allocates nothing", semantics.Rule{Does: semantics.Allocates}, nil, "i32", nil, wrong + "it is about the buffer that is the first result, which there isn't"},
		{"unsaid buffer", semantics.Rule{Does: semantics.Accesses}, nil, buffer, nil, wrong + "it doesn't say which buffer result #0 is"},
		{"view of nobody's", semantics.Rule{Does: semantics.Views}, nil, buffer, nil,
			wrong + "either the rule says that the operation is a view, or a model of ViewLikeOpInterface"},
		{"view after all", semantics.Rule{Does: semantics.Allocates}, nil, buffer, []ir.Model{viewOfFirst},
			wrong + "either the rule says that the operation is a view, or a model of ViewLikeOpInterface"},
		{"view of another", semantics.Rule{Does: semantics.Views}, nil, buffer, []ir.Model{interfaces.ViewLike.Model(func(op *ir.Op) *ir.Value { return op.Operand(1) })},
			wrong + "its result is a view of the first operand, but by ViewLikeOpInterface of another one"},
		{"sometimes frees", semantics.Rule{Does: semantics.Frees}, nil, "()", []ir.Model{interfaces.ConditionalFree.Model(func(*ir.Op) (int, int) { return 0, 1 })},
			wrong + "no rule can be stated for what frees under conditions, returns global buffers, or passes buffers on"},
		{"reads by its effects", semantics.Rule{Does: semantics.Asks}, []interfaces.Effect{read}, "i32", nil, wrong + "by its effects the operation reads operand #0"},
		{"writes by its effects", semantics.Rule{Does: semantics.Accesses, Reads: []int{0}}, []interfaces.Effect{read, write}, "()", nil,
			wrong + "by its effects the operation writes operand #0"},
		{"doesn't read", semantics.Rule{Does: semantics.Accesses, Reads: []int{0}}, []interfaces.Effect{}, "()", nil,
			wrong + "it reads operand #0, but by its effects the operation doesn't"},
		{"frees by its effects", semantics.Rule{Does: semantics.Asks}, []interfaces.Effect{free}, "()", nil, wrong + "by its effects the operation allocates or frees something else"},
		{"on the heap", semantics.Rule{Does: semantics.Reserves}, []interfaces.Effect{allocate}, buffer, nil, wrong + "by its effects the operation allocates or frees something else"},
		{"memory at large", semantics.Rule{Does: semantics.Asks}, []interfaces.Effect{{Kind: interfaces.Write}}, "()", nil,
			wrong + "by its effects the operation accesses memory at large"},
	} {
		t.Run(test.name, func(t *testing.T) {
			models := append([]ir.Model{semantics.Stated.Model(test.rule)}, test.model...)
			if test.effects != nil {
				models = append(models, interfaces.FixedEffects(test.effects...))
			}
			if got := judge(t, test.result, models...); got != test.want {
				t.Errorf("%s; want %s", got, test.want)
			}
		})
	}
}

// Nobody knows which elements a view that is stated sees: what is written through it may be what the buffer's
// first element was, or not.
func TestViewsMayBeginAnywhere(t *testing.T) {
	view := &ir.OpDef{ID: ir.NewOpID("o.second"), Operands: []ir.OperandDef{{Name: "a"}}, Results: []ir.ResultDef{{Name: "r"}}, Traits: ir.TraitPure,
		Models: []ir.Model{semantics.Stated.Model(semantics.Rule{Does: semantics.Views}), interfaces.ViewLike.Model(func(op *ir.Op) *ir.Value { return op.Operand(0) })}}
	c := ir.NewContext(append(dialect.All(), &ir.Dialect{Name: "o", Ops: func() []*ir.OpDef { return []*ir.OpDef{view} }})...)
	m, err := asm.Parse(c, []byte(`func.func @f() {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %true = arith.constant true
  %b = memref.alloc() : memref<4xf32>
  %flags = memref.alloca() : memref<2xi1>
  memref.store %false, %flags[%c0] : memref<2xi1>
  %second = "o.second"(%flags) : (memref<2xi1>) -> memref<1xi1>
  memref.store %true, %second[%c0] : memref<1xi1>
  %0 = memref.load %flags[%c0] : memref<2xi1>
  scf.if %0 {
    memref.dealloc %b : memref<4xf32>
  }
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r := check.Module(m, check.Options{}); r.Safe() {
		t.Error("a leak is called safe")
	}
}

// What has regions can't state what it does.
func TestRegions(t *testing.T) {
	def := &ir.OpDef{ID: ir.NewOpID("o.p"), Regions: []ir.RegionDef{{Name: "body"}}, Models: []ir.Model{semantics.Stated.Model(semantics.Rule{Does: semantics.Accesses})}}
	c := ir.NewContext(append(dialect.All(), &ir.Dialect{Name: "o", Ops: func() []*ir.OpDef { return []*ir.OpDef{def} }})...)
	m, err := asm.Parse(c, []byte(`func.func @f(%a: memref<4xf32>) {
  "o.p"() ({
    memref.dealloc %a : memref<4xf32>
  }) : () -> ()
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := "'o.p' op can't be judged: the rule that it states can't be right: no rule can be stated for what has regions, or passes control on"
	if r := check.Module(m, check.Options{}); len(r.Unjudged) != 1 || r.Unjudged[0].Message != want {
		t.Errorf("%v; want %s", r.Unjudged, want)
	}
}

// Without a rule, an operation on buffers isn't judged.
func TestUnstated(t *testing.T) {
	want := "'o.p' op can't be judged: there is no rule for what it does with buffers and addresses"
	if got := judge(t, "()", interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 0))); got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

// What is attached to an operation that the check knows changes nothing: a free stays one.
func TestKnownOperationsKeepTheirRules(t *testing.T) {
	c := ir.NewContext(dialect.All()...)
	c.Attach(memref.Dealloc, semantics.Stated.Model(semantics.Rule{Does: semantics.Asks}))
	m, err := asm.Parse(c, []byte(`func.func @f() {
  %a = memref.alloc() : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r := check.Module(m, check.Options{}); len(r.Findings) != 1 || r.Findings[0].Kind != check.DoubleFree {
		t.Errorf("%v, %v", r.Findings, r.Unjudged)
	}
	for _, r := range check.Rules(c) {
		if strings.HasSuffix(r.Does, "as it states") {
			t.Errorf("%s: %s", r.Operation, r.Does)
		}
	}
}

// A certificate is verified by the effects of operations, with which what they state must agree.
func TestCertificatesStandOnBoth(t *testing.T) {
	module := func(r semantics.Rule, effects ...interfaces.Effect) *ir.Op {
		def := &ir.OpDef{ID: ir.NewOpID("o.p"), Operands: []ir.OperandDef{{Name: "a"}, {Name: "i"}}, Models: []ir.Model{semantics.Stated.Model(r), interfaces.FixedEffects(effects...)}}
		c := ir.NewContext(append(dialect.All(), &ir.Dialect{Name: "o", Ops: func() []*ir.OpDef { return []*ir.OpDef{def} }})...)
		m, err := asm.Parse(c, fmt.Appendf(nil, program, "", "()"), "f.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	reads, read := semantics.Rule{Does: semantics.Accesses, Reads: []int{0}}, interfaces.OnOperand(interfaces.Read, 0)
	right := module(reads, read)
	r, proof, err := check.Certify(right, check.Options{})
	if !r.Safe() || err != nil {
		t.Fatal(r.Unjudged, err)
	}
	const contradiction = "f.mlir:3:3: 'o.p' op not certified: the rule that it states can't be right: "
	for _, test := range []struct {
		module *ir.Op
		want   string
	}{
		{right, "<nil>"},
		{module(semantics.Rule{Does: semantics.Asks}, read), contradiction + "by its effects the operation reads operand #0"},
		{module(reads), contradiction + "it reads operand #0, but by its effects the operation doesn't"},
		{module(semantics.Rule{}, read), contradiction + "there is no rule of kind 0"},
		{module(semantics.Rule{Does: semantics.Frees}, interfaces.OnOperand(interfaces.Free, 0)), "f.mlir:4:3: 'memref.dealloc' op not certified: double free"},
	} {
		if err := verify.Program(test.module, proof, 0); fmt.Sprint(err) != test.want {
			t.Errorf("%v; want %s", err, test.want)
		}
	}
}

// What is stated for proofs is asked for by no pass, and by no analysis that passes use: these have models of their own.
func TestNoPassAsks(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "../../transform/...", "../../ir/...", "../../ir/interfaces", "../../memory/plan", "../../memory/footprint").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); slices.Contains(f, "freehold/proof/semantics") {
			t.Errorf("%s imports it", f[0])
		}
	}
}

// Rules are printed with those of the check.
func Example() {
	rotate := &ir.OpDef{ID: ir.NewOpID("ring.rotated"), Models: []ir.Model{
		semantics.Stated.Model(semantics.Rule{Does: semantics.Allocates, Reads: []int{0}}),
	}}
	c := ir.NewContext(append(dialect.All(), &ir.Dialect{Name: "ring", Ops: func() []*ir.OpDef { return []*ir.OpDef{rotate} }})...)
	for _, r := range check.Rules(c) {
		if r.Operation == "ring.rotated" {
			fmt.Println(r.Does)
		}
	}
	// Output: allocates, reads #0, as it states
}
