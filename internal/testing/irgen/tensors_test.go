package irgen_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"freehold/dialect"
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/pass"
	"freehold/transform"
)

var (
	programs = flag.Int("programs", 20, "the number of random programs of each property")
	out      = flag.String("programs-out", "", "write the random programs to files in this folder")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		flag.Set("rapid.checks", fmt.Sprint(*programs))
	}
	os.Exit(m.Run())
}

func chooser(t *rapid.T) irgen.Chooser {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") }
}

// context is that of all programs: to make one takes longer than to parse most of them.
var context = sync.OnceValue(func() *ir.Context { return ir.NewContext(dialect.All()...) })

// load parses and verifies a program.
func load(t rapid.TB, src string) *ir.Op {
	t.Helper()
	m, err := asm.Parse(context(), []byte(src), "random.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return m
}

// transformed parses a program and runs a pipeline on it.
func transformed(t rapid.TB, src, pipeline string) *ir.Op {
	t.Helper()
	m := load(t, src)
	r := &pass.Registry{}
	transform.Register(r)
	pm, err := r.ParsePipeline(pipeline)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&pass.Runner{VerifyEach: true}).Run(pm, m); err != nil {
		t.Fatalf("%s: %v\n%s", pipeline, err, src)
	}
	return m
}

// execute runs @main on random arguments.
func execute(t rapid.TB, module *ir.Op, seed uint64) *interp.Result {
	t.Helper()
	fn, err := interp.Entry(module, "main")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := interfaces.Function.Of(fn)
	var args []interp.Value
	for i, in := range m.Type(fn).Inputs {
		text := "random"
		if shape, ok := ir.ShapeOf(in); ok && ir.IsShaped(in) && !ir.IsStaticShape(shape) {
			text = dynamicArgument(shape)
		}
		v, err := interp.Parse(module.Context(), text, in, rand.New(rand.NewPCG(seed, uint64(i))))
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, v)
	}
	res, err := interp.Run(module, fn, args, interp.Options{MaxSteps: 10_000_000})
	if err != nil {
		t.Fatalf("%v\n%s", err, print(module))
	}
	return res
}

// dynamicArgument gives dynamic dimensions the sizes that the generator knows.
func dynamicArgument(shape []int64) string {
	if len(shape) == 1 {
		return "random:4"
	}
	return "random:2x3"
}

func print(m *ir.Op) string { return string(asm.Print(m, asm.PrintOptions{})) }

// noFindings fails if an execution did anything wrong; leaks count if told so.
func noFindings(t rapid.TB, res *interp.Result, leaks bool, text ...string) {
	t.Helper()
	for _, f := range res.Findings {
		if leaks || f.Kind != exec.Leak {
			t.Fatalf("%v\n%s", f.Diagnostic, text)
		}
	}
}

// save writes a program where the flag says.
func save(t *rapid.T, prefix, src string) {
	if *out == "" {
		return
	}
	f, err := os.CreateTemp(*out, prefix+"-*.mlir")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(src); err != nil {
		t.Fatal(err)
	}
}

var bufferizations = []string{
	"bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map",
	"bufferize-function-boundaries allow-return-allocs-from-loops",
	"bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=fully-dynamic-layout-map",
	"bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic=top-down",
	"bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic=bottom-up-from-terminators",
	"bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic=fuzzer analysis-fuzzer-seed=7",
	"bufferize-function-boundaries allow-return-allocs-from-loops copy-before-write",
}

var deallocations = []string{
	"buffer-deallocation-pipeline",
	"buffer-deallocation-pipeline{private-function-dynamic-ownership=true}",
	"ownership-based-buffer-deallocation,bufferization-lower-deallocations",
	"ownership-based-buffer-deallocation,buffer-deallocation-simplification,bufferization-lower-deallocations",
}

// A program on tensors and what bufferization and deallocation make of it compute
// the same, bit for bit; and the program on buffers frees every buffer once.
func TestTensorPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := irgen.Tensors(chooser(t), 30)
		save(t, "tensors", src)
		pipeline := "builtin.module(one-shot-bufferize{" + rapid.SampledFrom(bufferizations).Draw(t, "bufferization") + "},"
		if strings.Contains(src, "execute_region") {
			pipeline += "canonicalize," // ownership knows it only inlined
		}
		pipeline += rapid.SampledFrom(deallocations).Draw(t, "deallocation") + ")"
		before := load(t, src)
		want := execute(t, before, 1)
		noFindings(t, want, true, src)
		after := transformed(t, src, pipeline)
		if copiesLaidOut(after) {
			t.Skip("a view is copied to a new buffer of the view's layout, which MLIR's passes ask for and nothing allocates")
		}
		got := execute(t, after, 1)
		noFindings(t, got, true, pipeline, src, print(after))
		if !interp.Equal(want.Values, got.Values) {
			t.Fatalf("%s\ncomputes something else\n%s\n%s", pipeline, src, print(after))
		}
	})
}

// copiesLaidOut tells whether a clone is of a type with a layout that a new buffer doesn't have.
func copiesLaidOut(m *ir.Op) (found bool) {
	m.Walk(func(op *ir.Op) bool {
		found = found || op.Is(bufferization.Clone) && !memref.CanBeNew(op.Context(), op.Result(0).Type())
		return !found
	})
	return found
}

// What is printed parses to what is printed the same.
func TestPrintIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := irgen.Tensors(chooser(t), 30)
		for _, m := range []*ir.Op{load(t, src), transformed(t, src, "builtin.module(one-shot-bufferize{"+bufferizations[0]+"})")} {
			text := print(m)
			if again := print(load(t, text)); again != text {
				t.Fatalf("printed\n%s\nthen\n%s", text, again)
			}
			generic := string(asm.Print(m, asm.PrintOptions{Generic: true}))
			if again := print(load(t, generic)); again != text {
				t.Fatalf("printed\n%s\nthen, by way of the generic form,\n%s", text, again)
			}
		}
	})
}
