package campaign_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"

	"freehold/dialect/memref"
	"freehold/driver"
	"freehold/exec/interp"
	"freehold/exec/native"
	"freehold/internal/testing/campaign"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/proof/check"
	"freehold/transform"
)

// needCompiler skips a test where there is no C compiler.
func needCompiler(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no C compiler")
	}
}

// What pipelines make of programs is executed as C code, and what is wrong with that is a failure.
func TestCompiledPrograms(t *testing.T) {
	needCompiler(t)
	r := &pass.Registry{}
	transform.Register(r)
	o := campaign.Options{Registry: r, Generators: generators("buffers"), Programs: 2, Size: 20, CC: "cc -O0", CCEvery: 1,
		Trials: []campaign.Trial{{Pipeline: "builtin.module(buffer-deallocation-pipeline)", Frees: true}, {Pipeline: "builtin.module(canonicalize)"}}}
	rep := run(t, o)
	if len(rep.Failures) > 0 {
		t.Errorf("%+v", rep.Failures[0])
	}
	if n := rep.Generators["buffers"].Native; n < 2 {
		t.Errorf("%d programs are executed as C code", n)
	}
	o.CC, o.Programs = "cc --no-such-flag", 1
	if rep = run(t, o); len(rep.Failures) == 0 || rep.Failures[0].Kind != "native" {
		t.Errorf("a compiler that refuses everything gives %+v", rep.Failures)
	}
}

// spoil makes one of the frees of a program wrong, in one of three ways, and tells whether there is one.
func spoil(m *ir.Op, r *rand.Rand) bool {
	var frees []*ir.Op
	m.Walk(func(op *ir.Op) bool {
		if op.Is(memref.Dealloc) {
			frees = append(frees, op)
		}
		return true
	})
	if len(frees) == 0 {
		return false
	}
	op := frees[r.IntN(len(frees))]
	switch from := op.Operand(0).DefiningOp(); {
	case r.IntN(3) == 0:
		op.Erase()
	case r.IntN(2) == 0 && from != nil && from.Block() == op.Block():
		op.MoveAfter(from)
	default:
		b := ir.NewBuilder(op.Context())
		b.SetInsertionPoint(ir.InsertionPoint{Block: op.Block(), Before: op})
		b.Clone(op, ir.NewMapping())
	}
	return true
}

// What check calls safe has no error that the address sanitizer finds, and of what check calls wrong it finds some.
func TestSanitizedPrograms(t *testing.T) {
	needCompiler(t)
	o := native.Options{Compiler: "cc -O0", Sanitize: true, Leaks: true, Timeout: time.Minute}
	s := driver.Freehold().NewSession()
	pipeline, err := s.Passes.ParsePipeline("builtin.module(buffer-deallocation-pipeline)")
	if err != nil {
		t.Fatal(err)
	}
	var safe []native.Job
	wrong, confirmed := 0, 0
	for seed := range *programs {
		for k := range 3 {
			r := rand.New(rand.NewPCG(seed, uint64(k)))
			p, err := s.Parse([]byte(generators("buffers")[0].Generate(rand.New(rand.NewPCG(seed, 9)).IntN, 20)), "program.mlir")
			if err != nil {
				t.Fatal(err)
			}
			if (&pass.Runner{Sink: func(*ir.Diagnostic) {}}).Run(pipeline, p.Module) != nil || k > 0 && !spoil(p.Module, r) || ir.Verify(p.Module) != nil {
				continue
			}
			job, ok := jobOf(p.Module)
			if !ok {
				continue
			}
			report := check.Module(p.Module, check.Options{Threads: 1})
			switch {
			case report.Safe():
				safe = append(safe, job)
			case len(report.Findings) > 0 && wrong < 4:
				wrong++
				var crash *native.CrashError
				if _, err := native.Run(context.Background(), job.Module, job.Function, job.Args, o); errors.As(err, &crash) {
					confirmed++
				}
			}
		}
	}
	for i, out := range native.RunAll(context.Background(), safe, o) {
		var crash *native.CrashError
		if errors.As(out.Err, &crash) {
			t.Errorf("called safe, but %v\n%s", out.Err, asm.Print(safe[i].Module, asm.PrintOptions{}))
		}
	}
	if len(safe) == 0 || confirmed == 0 {
		t.Errorf("%d programs are safe, of %d that are wrong the sanitizer finds %d", len(safe), wrong, confirmed)
	}
}

// jobOf returns a call of the function @main of a program, with random arguments.
func jobOf(m *ir.Op) (native.Job, bool) {
	fn, err := interp.Entry(m, "main")
	if err != nil {
		return native.Job{}, false
	}
	args, _, err := interp.Generator{Seed: 5}.Arguments(fn)
	return native.Job{Module: m, Function: fn, Args: args}, err == nil
}
