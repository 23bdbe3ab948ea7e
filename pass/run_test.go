package pass_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"freehold/ir"
	"freehold/pass"
)

// The dialect of the tests: a module of functions.
var (
	moduleDef = &ir.OpDef{ID: ir.NewOpID("builtin.module"), Regions: []ir.RegionDef{{Name: "body"}},
		Traits: ir.TraitIsolatedFromAbove | ir.TraitNoTerminator | ir.TraitSymbolTable | ir.TraitGraphRegion}
	funcDef = &ir.OpDef{ID: ir.NewOpID("func.func"), Regions: []ir.RegionDef{{Name: "body"}},
		Attrs:  []ir.AttrDef{{Name: ir.SymbolNameAttr, Type: ir.AttrConstraint{Match: func(ir.Attribute) bool { return true }}}},
		Traits: ir.TraitIsolatedFromAbove | ir.TraitSymbol | ir.TraitNoTerminator}
	looseDef = &ir.OpDef{ID: ir.NewOpID("func.loose")}
)

// program returns a module with functions f0, f1, ...
func program(functions int) *ir.Op {
	c := ir.NewContext(&ir.Dialect{Name: "builtin", Ops: func() []*ir.OpDef { return []*ir.OpDef{moduleDef} }}, &ir.Dialect{Name: "func", Ops: func() []*ir.OpDef { return []*ir.OpDef{funcDef, looseDef} }})
	b := ir.NewBuilder(c)
	m := b.CreateDetached(ir.OpState{Name: c.OpNameOf(moduleDef.ID), Loc: ir.FileLineCol("m.mlir", 1, 1), Regions: []*ir.Region{{}}})
	body := ir.NewBlock()
	m.RegionAt(0).Append(body)
	for i := range functions {
		b.SetEnd(body)
		f := b.Create(ir.OpState{Name: c.OpNameOf(funcDef.ID), Loc: ir.FileLineCol("m.mlir", uint32(i+2), 1), Regions: []*ir.Region{{}}})
		f.SetAttr(ir.SymbolNameAttr, c.StringAttr(fmt.Sprintf("f%d", i)))
	}
	return m
}

func name(op *ir.Op) string {
	n, _ := ir.SymbolName(op)
	return n
}

// print stands in for the printer, which ends only top-level operations with a line
// break.
func print(op *ir.Op) []byte {
	text := op.Name()
	if n := name(op); n != "" {
		text += " @" + n
	}
	if v := op.DiscardableAttr("mark"); v != nil {
		text += " marked"
	}
	if op.Block() == nil {
		text += "\n"
	}
	return []byte(text)
}

// onFunc returns a pass on functions without options.
func onFunc(name, title string, run func(c *pass.Context, fn *ir.Op) error) *pass.Pass {
	return simple(pass.Info{Name: name, Title: title, On: "func.func"}, run)
}

// simple returns a pass without options.
func simple(info pass.Info, run func(c *pass.Context, op *ir.Op) error) *pass.Pass {
	return pass.New(info, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error { return run(c, op) })).Pass
}

type marked struct{ marked pass.Counter }

func registry(extra ...*pass.Pass) *pass.Registry {
	odd := func(op *ir.Op) bool { n := name(op); return n[len(n)-1]%2 == 1 }
	r := &pass.Registry{}
	r.Register(
		onFunc("remark", "Remark", func(c *pass.Context, op *ir.Op) error {
			c.Emit(&ir.Diagnostic{Severity: ir.Remark, Loc: op.Loc(), Message: "saw " + name(op)})
			return nil
		}),
		pass.New(pass.Info{Name: "mark-odd", Title: "MarkOdd", On: "func.func"}, func(n *marked, d *pass.Decl) {
			d.Counter(&n.marked, "marked", "functions that were marked")
		}, pass.OnModule(func(_ *pass.Context, n *marked, op *ir.Op) error {
			if odd(op) {
				op.SetDiscardableAttr("mark", ir.Unit)
				n.marked.Add(1)
			}
			return nil
		})),
		onFunc("fail-odd", "FailOdd", func(_ *pass.Context, op *ir.Op) error {
			if odd(op) {
				return op.PlainErrorf("odd %s", name(op))
			}
			return nil
		}),
		onFunc("crash", "Crash", func(_ *pass.Context, op *ir.Op) error {
			if name(op) == "f1" {
				var none []int
				_ = none[len(name(op))]
			}
			return nil
		}),
		simple(pass.Info{Name: "anything", Title: "Anything"}, func(*pass.Context, *ir.Op) error { return nil }),
		simple(pass.Info{Name: "elsewhere", Title: "Elsewhere", CanSchedule: func(n *ir.OpName) bool { return n.String() == "func.func" }}, func(*pass.Context, *ir.Op) error { return nil }),
	)
	for _, p := range extra {
		r.Register(p)
	}
	return r
}

// run executes a pipeline and returns all that it says.
func run(t *testing.T, reg *pass.Registry, r *pass.Runner, pipeline string, op *ir.Op) (string, error) {
	t.Helper()
	m, err := reg.ParsePipeline(pipeline)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	r.Sink = func(d *ir.Diagnostic) {
		fmt.Fprintf(&b, "%s: %s\n", d.Severity, d.Message)
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "  %s: %s\n", n.Severity, n.Message)
		}
	}
	r.Text = func(text []byte) { b.Write(text) }
	r.Print = print
	err = r.Run(m, op)
	return b.String(), err
}

func TestOrderIsIndependentOfThreads(t *testing.T) {
	var want string
	for _, threads := range []int{1, 2, 7} {
		got, err := run(t, registry(), &pass.Runner{Threads: threads}, "builtin.module(func.func(remark,fail-odd),func.func(remark))", program(200))
		var ds ir.Diagnostics
		if !errors.As(err, &ds) || len(ds) != 100 || ds[0].Message != "odd f1" || ds[99].Message != "odd f199" {
			t.Fatalf("%d threads: errors are %v", threads, err)
		}
		if threads == 1 {
			want = got
			if !strings.HasPrefix(got, "remark: saw f0\nremark: saw f0\nremark: saw f1\nerror: odd f1\nremark: saw f2\n") {
				t.Errorf("unexpected order:\n%s", got[:200])
			}
		} else if got != want {
			t.Errorf("%d threads say something else than one", threads)
		}
	}
}

func TestScheduling(t *testing.T) {
	for _, c := range []struct{ pipeline, want string }{
		{"func.func(remark)", "error: can't run 'func.func' pass manager on 'builtin.module' op\n"},
		{"any(remark)", "error: 'builtin.module' op trying to schedule a pass on an unsupported operation\n"},
		{"builtin.module(elsewhere)", "error: unable to schedule pass 'Elsewhere' on a PassManager intended to run on 'builtin.module'!\n"},
		{"builtin.module(func.func(elsewhere))", ""},
		{"any(anything)", ""},
		{"builtin.module(any(remark))", "remark: saw f0\n"},
		{"builtin.module(func.nothing(remark))", "" /* no such operations */},
	} {
		if strings.Contains(c.pipeline, "func.nothing") {
			c.pipeline = strings.Replace(c.pipeline, "remark", "anything", 1)
		}
		got, err := run(t, registry(), &pass.Runner{}, c.pipeline, program(1))
		if got != c.want || (err != nil) != strings.HasPrefix(c.want, "error") {
			t.Errorf("%s: got %q, %v; want %q", c.pipeline, got, err, c.want)
		}
	}
	m := program(0)
	m.BodyBlock(0).Append(ir.NewBuilder(m.Context()).CreateDetached(ir.OpState{Name: m.Context().OpNameOf(looseDef.ID), Loc: ir.Unknown}))
	got, _ := run(t, registry(), &pass.Runner{}, "builtin.module(func.loose(anything))", m)
	if want := "error: 'func.loose' op trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPanicBecomesError(t *testing.T) {
	for _, threads := range []int{1, 4} {
		got, err := run(t, registry(), &pass.Runner{Threads: threads}, "builtin.module(func.func(crash,remark))", program(3))
		var p *ir.CrashError
		if !errors.As(err, &p) || p.Stage != "pass 'crash'" || !strings.Contains(string(p.Stack), "run_test.go") {
			t.Errorf("error is %v", err)
		}
		if want := "remark: saw f0\nerror: pass 'crash' crashed: runtime error: index out of range [2] with length 0\nremark: saw f2\n"; got != want {
			t.Errorf("got %s", got)
		}
	}
}

func TestPrintIR(t *testing.T) {
	always := func(string) bool { return true }
	for _, c := range []struct {
		name  string
		setup func(*pass.IRPrinting)
		want  string
	}{
		{"before", func(p *pass.IRPrinting) { p.Before = always },
			"// -----// IR Dump Before MarkOdd (mark-odd) //----- //\nfunc.func @f0\n\n// -----// IR Dump Before MarkOdd (mark-odd) //----- //\nfunc.func @f1\n\n"},
		{"change", func(p *pass.IRPrinting) { p.After, p.OnlyChange = always, true },
			"// -----// IR Dump After MarkOdd (mark-odd) //----- //\nfunc.func @f1 marked\n\n"},
		{"failure", func(p *pass.IRPrinting) { p.OnlyFailure = true }, ""},
		{"scope", func(p *pass.IRPrinting) { p.After, p.ModuleScope = always, true },
			"// -----// IR Dump After MarkOdd (mark-odd) ('func.func' operation: @f0) //----- //\nbuiltin.module\n\n\n" +
				"// -----// IR Dump After MarkOdd (mark-odd) ('func.func' operation: @f1) //----- //\nbuiltin.module\n\n\n"},
	} {
		p := pass.NewIRPrinting()
		c.setup(p)
		if got, err := run(t, registry(), &pass.Runner{Threads: 2, IR: p}, "builtin.module(func.func(mark-odd))", program(2)); err != nil || got != c.want {
			t.Errorf("%s: %v, got\n%s", c.name, err, got)
		}
	}
	p := pass.NewIRPrinting()
	p.OnlyFailure = true
	got, _ := run(t, registry(), &pass.Runner{IR: p}, "builtin.module(func.func(fail-odd))", program(2))
	if want := "error: odd f1\n// -----// IR Dump After FailOdd Failed (fail-odd) //----- //\nfunc.func @f1\n\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestStatistics(t *testing.T) {
	m, _ := registry().ParsePipeline("builtin.module(func.func(mark-odd,mark-odd))")
	if err := (&pass.Runner{}).Run(m, program(10)); err != nil {
		t.Fatal(err)
	}
	for tree, want := range map[bool]string{
		true:  "'func.func' Pipeline\n  MarkOdd\n    (S) 5 marked - functions that were marked\n  MarkOdd\n    (S) 5 marked - functions that were marked\n",
		false: "MarkOdd\n  (S) 10 marked - functions that were marked\n",
	} {
		if got := m.StatisticsReport(tree); !strings.Contains(got, want) {
			t.Errorf("got\n%s", got)
		}
	}
}

func TestTiming(t *testing.T) {
	timer := pass.NewTimer()
	timer.Measure("Parser", func() {})
	if _, err := run(t, registry(), &pass.Runner{Timing: timer}, "builtin.module(anything,func.func(remark))", program(4)); err != nil {
		t.Fatal(err)
	}
	for _, tree := range []bool{true, false} {
		got := timer.Report(1e9, tree, pass.TimingTable)
		for _, want := range []string{"Execution time report", "Total Execution Time: 1.0000 seconds", "  Parser\n", "  Anything\n", "'func.func' Pipeline\n", "Remark\n", "  Rest\n", "  Total\n"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
		type row struct {
			Wall   struct{ Duration, Percentage float64 }
			Name   string
			Passes []json.RawMessage
		}
		var rows []row
		if err := json.Unmarshal([]byte(timer.Report(1e9, tree, pass.TimingJSON)), &rows); err != nil {
			t.Fatal(err)
		}
		last := rows[len(rows)-1]
		if last.Name != "Total" || last.Wall.Duration != 1 || last.Wall.Percentage != 100 {
			t.Errorf("last row is %v", last)
		}
		nested := 0
		for _, r := range rows {
			nested += max(len(r.Passes)-1, 0)
		}
		if want := map[bool]int{true: 1, false: 0}[tree]; nested != want {
			t.Errorf("%d nested rows, want %d", nested, want)
		}
	}
}

func TestPrintToTree(t *testing.T) {
	p := pass.NewIRPrinting()
	p.TreeDir = filepath.Join(t.TempDir(), "tree")
	p.Before = func(string) bool { return true }
	p.After = p.Before
	if got, err := run(t, registry(), &pass.Runner{IR: p}, "builtin.module(anything,func.func(mark-odd))", program(2)); got != "" || err != nil || p.Err() != nil {
		t.Errorf("%q, %v, %v", got, err, p.Err())
	}
	var files []string
	filepath.WalkDir(p.TreeDir, func(path string, d fs.DirEntry, _ error) error {
		if !d.IsDir() {
			rel, _ := filepath.Rel(p.TreeDir, path)
			files = append(files, filepath.ToSlash(rel))
		}
		return nil
	})
	want := []string{
		"builtin_module_no-symbol-name/0_anything.mlir", "builtin_module_no-symbol-name/1_anything.mlir",
		"builtin_module_no-symbol-name/func_func_f0/1_0_mark-odd.mlir", "builtin_module_no-symbol-name/func_func_f0/1_1_mark-odd.mlir",
		"builtin_module_no-symbol-name/func_func_f1/1_0_mark-odd.mlir", "builtin_module_no-symbol-name/func_func_f1/1_1_mark-odd.mlir",
	}
	if !slices.Equal(files, want) {
		t.Errorf("got %q", files)
	}
	text, _ := os.ReadFile(filepath.Join(p.TreeDir, want[5]))
	if string(text) != "// -----// IR Dump After MarkOdd (mark-odd) //----- //\nfunc.func @f1 marked\n" {
		t.Errorf("got %q", text)
	}
	p.TreeDir = filepath.Join(p.TreeDir, want[0])
	if run(t, registry(), &pass.Runner{IR: p}, "builtin.module(anything)", program(2)); p.Err() == nil {
		t.Error("a file was taken for a folder")
	}
}

func TestReproducer(t *testing.T) {
	for _, local := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "r.mlir")
		got, err := run(t, registry(), &pass.Runner{Reproducer: &pass.Reproducer{Path: path, Local: local,
			Text: func(pipeline string, disableThreading, verifyEach bool) []byte {
				return fmt.Appendln(nil, pipeline, disableThreading, verifyEach)
			}}}, "builtin.module(anything,func.func(mark-odd,fail-odd))", program(2))
		if err == nil {
			t.Fatal("no error")
		}
		what, pipeline := "[`FailOdd` on 'func.func' operation: @f1]", "builtin.module(anything, func.func(mark-odd, fail-odd))"
		if local {
			what, pipeline = what[1:len(what)-1], "builtin.module(func.func(fail-odd))"
		}
		want := "error: odd f1\nerror: Failures have been detected while processing an MLIR pass pipeline\n" +
			"  note: Pipeline failed while executing " + what + ": reproducer generated at `" + path + "`\n"
		if got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
		text, _ := os.ReadFile(path)
		want = pipeline + " false false\n"
		if string(text) != want {
			t.Errorf("got\n%s", text)
		}
	}
}

func TestPreparedAndNestedRuns(t *testing.T) {
	var prepared, runs atomic.Int64
	inner := pass.New(pass.Info{Name: "inner", On: "func.func"}, nil,
		pass.Prepared(func(*ir.Context, *pass.None) func(*pass.Context, *ir.Op) error {
			prepared.Add(1)
			return func(*pass.Context, *ir.Op) error { runs.Add(1); return nil }
		}))
	outer := simple(pass.Info{Name: "outer", On: "builtin.module"}, func(c *pass.Context, op *ir.Op) error {
		m := pass.NewManager("builtin.module")
		m.AddNested(inner.Instance())
		return c.Run(m, op)
	})
	if _, err := run(t, registry(inner.Pass, outer), &pass.Runner{}, "builtin.module(outer,func.func(inner))", program(5)); err != nil {
		t.Fatal(err)
	}
	if prepared.Load() != 2 || runs.Load() != 10 {
		t.Errorf("prepared %d times, ran %d times", prepared.Load(), runs.Load())
	}
}
