package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"freehold/dialect/memref"
	"freehold/driver"
	"freehold/exec"
	"freehold/exec/difftest"
	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/proof/check"
	"freehold/tool/reduce"
)

// The kinds of failures.
const (
	kindGenerator  = "generator"  // the program itself is not valid, or does something wrong
	kindPanic      = "panic"      // a pass panics
	kindHang       = "hang"       // a program or a pipeline takes too long
	kindRejected   = "rejected"   // a pipeline fails that must not
	kindUnreadable = "unreadable" // what is printed can't be read, or changes when it is printed again
	kindMismatch   = "mismatch"   // the program computes something else
	kindFinding    = "finding"    // the program does something wrong with memory
	kindEngine     = "engine"     // the execution disagrees with one that is as simple as can be
	kindCheck      = "check"      // the checker disagrees with the execution
	kindPeak       = "peak"       // an execution needs more than the static peak
	kindOverlap    = "overlap"    // parts of an arena share memory while both are alive
	kindPeer       = "peer"       // mlir-opt rejects the program, or makes one of it that means something else
	kindWorse      = "worse"      // the program does more than it did with an earlier version
	kindNative     = "native"     // compiled by the peer's tools, or as C code, the program computes something else
	kindRefused    = "refused"    // a pipeline refuses a program, as it may: no failure
)

// problem is a failure without its program.
type problem struct{ kind, message string }

func problemf(kind, format string, args ...any) *problem {
	return &problem{kind, fmt.Sprintf(format, args...)}
}

// like tells whether q is the problem p of a smaller program. Programs can be rejected
// for many reasons.
func (p *problem) like(q *problem) bool {
	if q == nil || p.kind != q.kind {
		return false
	}
	_, a, _ := strings.Cut(p.message, ": ")
	_, b, _ := strings.Cut(q.message, ": ")
	return p.kind != kindRejected || a == b
}

// trial is one program and one pipeline.
type trial struct {
	o    *Options
	t    Trial
	g    irgen.Generator
	seed uint64
	// printed is what the pipeline made of the program; nil if it failed. refused is why, if
	// it failed as it may.
	printed []byte
	refused string
	// readable is what is printed when it is read again.
	readable []byte
	// measures is nil if that wasn't found out.
	measures *Measures
	// ran tells that the program was compiled and run.
	ran bool
	// batch collects what is executed as C code later; nil if that is done at once.
	batch *[]compiledJob
}

func (x *trial) testcase() Case { return Case{x.g.Name, x.seed, x.t.Pipeline} }

// digest hashes what the pipeline printed.
func (x *trial) digest() uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s\n%s%s", x.seed, x.t.Pipeline, x.printed, x.refused)
	return h.Sum64()
}

func parse(src []byte) (*ir.Op, error) {
	return parseIn(driver.Freehold().NewContext(), src)
}

func parseIn(ctx *ir.Context, src []byte) (*ir.Op, error) {
	m, err := asm.Parse(ctx, src, "program.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// program is a program that is sent through one pipeline after the other.
type program struct {
	module    *ir.Op
	reference *difftest.Reference
	// judged has what pipelines made of it and nothing was wrong with, by how it is printed
	// and whether memory may be left over: what is printed the same needs no second look.
	judged map[outcome]judgement
	// compiled holds what became of the program and was compiled.
	compiled map[string]bool
}

type outcome struct {
	printed string
	frees   bool
}

type judgement struct {
	readable []byte
	measures Measures
}

// newProgram makes a program ready to be sent through pipelines; nil if it must be lowered to be executed, and can't be.
func (o *Options) newProgram(g irgen.Generator, seed uint64, module *ir.Op) *program {
	d := difftest.Options{Inputs: o.Inputs, Seed: seed, Only: []string{"main"}, MaxSteps: 2_000_000}
	if g.Sizes != nil {
		d.Sizes = func(t ir.Type) []int64 { shape, _ := ir.ShapeOf(t); return g.Sizes(len(shape)) }
	}
	if g.Private {
		d.Only = nil
	}
	before := module
	if g.Lower != "" {
		var err error
		if before, err = o.lowered(g, module); err != nil {
			return nil
		}
	}
	p := &program{module: module, reference: difftest.NewReference(before, d), judged: map[outcome]judgement{}, compiled: map[string]bool{}}
	if g.Lower != "" && slices.ContainsFunc(p.reference.Compare(before, false).Functions, func(f difftest.Function) bool { return f.Skipped != nil || f.Inputs == 0 }) {
		return nil
	}
	return p
}

// lowered returns a copy of a program that can be executed.
func (o *Options) lowered(g irgen.Generator, module *ir.Op) (*ir.Op, error) {
	m, err := o.Registry.ParsePipeline(g.Lower)
	if err != nil {
		return nil, err
	}
	out := ir.CloneDetached(module)
	return out, (&pass.Runner{VerifyEach: true, Recycle: true, Threads: 1, Sink: func(*ir.Diagnostic) {}}).Run(m, out)
}

// try returns what goes wrong with a program, which it leaves alone, or nil.
func (x *trial) try(src *program) *problem {
	before := src.module
	m, err := x.o.Registry.ParsePipeline(x.t.Pipeline)
	if err != nil {
		return problemf(kindGenerator, "%v", err)
	}
	after := ir.CloneDetached(before)
	if err := (&pass.Runner{VerifyEach: true, Recycle: true, Threads: 1}).Run(m, after); err != nil {
		var crash *ir.CrashError
		switch {
		case errors.As(err, &crash):
			return problemf(kindPanic, "%v", err)
		case x.t.MayReject:
			x.refused = err.Error()
			x.measures = &Measures{Refused: true}
			if x.o.Unchanged != nil && x.o.Unchanged(x.testcase(), x.digest()) {
				return &problem{kind: kindRefused}
			}
			if x.shown() && x.o.PeerExact {
				if p := x.unknown(x.peerRefuses(before)); p != nil {
					return p
				}
			}
			if p := x.worse(); p != nil {
				return p
			}
			return &problem{kind: kindRefused}
		}
		return problemf(kindRejected, "%v", err)
	}
	x.printed = asm.Print(after, asm.PrintOptions{})
	if left := onTensors(after); x.t.Bufferized && left != nil {
		return problemf(kindRejected, "bufferization: %s is left", left.Name())
	}
	if x.o.Unchanged != nil && x.o.Unchanged(x.testcase(), x.digest()) {
		return nil
	}
	if p := x.judge(src, after); p != nil {
		return p
	}
	if x.compiles() {
		if p := x.unknown(x.asC(src, after)); p != nil {
			return p
		}
	}
	if x.shown() {
		if p := x.unknown(x.peer(src, after)); p != nil {
			return p
		}
		if x.o.PeerRun != "" {
			if p := x.native(src, after); p != nil {
				return p
			}
		}
	}
	return x.worse()
}

// onTensors returns an operation in a function that has tensors; nil if there is none.
func onTensors(module *ir.Op) (found *ir.Op) {
	module.Walk(func(op *ir.Op) bool {
		if found == nil && op != module && interfaces.HasTensorTypes(op) {
			found = op
		}
		return found == nil
	})
	return found
}

// judge asks all oracles but the peer about a transformed program.
func (x *trial) judge(src *program, after *ir.Op) *problem {
	key := outcome{string(x.printed), x.t.Frees}
	j, ok := src.judged[key]
	if !ok {
		var p *problem
		var ran executed
		if j.readable, p = readable(after); p != nil {
			return p
		}
		if p := x.compare(src, after, &ran); p != nil {
			return p
		}
		if p := x.simply(src, after); p != nil {
			return p
		}
		j.measures = measure(after, ran.stats)
		if p := x.bound(after, ran.peak); p != nil {
			return p
		}
		if x.t.Frees {
			for _, f := range check.Module(after, check.Options{Threads: 1}).Findings {
				return problemf(kindCheck, "the execution found nothing, but: %v", f.Diagnostic)
			}
			for _, a := range footprint.Arenas(after) {
				if d := a.Check(); d != nil {
					return problemf(kindOverlap, "%v", d)
				}
			}
		}
		src.judged[key] = j
	}
	x.readable, x.measures = j.readable, &j.measures
	return nil
}

// unknown returns a problem, or nil if it doesn't count, so that other oracles have
// their say.
func (x *trial) unknown(p *problem) *problem {
	if p == nil || x.o.Known != nil && x.o.Known(x.describe("", p)) {
		return nil
	}
	return p
}

// shown tells whether the program is shown to the peer.
func (x *trial) shown() bool { return x.o.Peer != "" && x.seed%max(1, x.o.PeerEvery) == 0 }

// executed is what the functions of a program did.
type executed struct {
	stats exec.Stats // of all
	peak  int64      // of @main alone
}

// compare executes the programs. What the second one does is noted in ran.
func (x *trial) compare(src *program, after *ir.Op, ran *executed) *problem {
	if x.g.Lower != "" {
		var err error
		if after, err = x.o.lowered(x.g, after); err != nil {
			return problemf(kindRejected, "what it makes can't be lowered: %v", err)
		}
	}
	rep := src.reference.Compare(after, x.t.Frees)
	for _, f := range rep.Functions {
		ran.stats.Add(&f.Stats)
		if f.Name == "main" {
			ran.peak = f.Stats.PeakBytes
		}
		for _, m := range f.Mismatches {
			return problemf(kindMismatch, "input %d: %s: %s", m.Input, m.What, m.Difference)
		}
		for _, m := range f.Findings {
			return problemf(kindFinding, "input %d: %v", m.Input, m.Diagnostic)
		}
		if f.Skipped != nil && f.Name == "main" {
			return problemf(kindGenerator, "@main is not executed: %v", f.Skipped)
		}
	}
	if len(rep.Functions) == 0 {
		return problemf(kindGenerator, "there is no @main")
	}
	return nil
}

// bound compares how many bytes executions of @main needed with its static peak.
func (x *trial) bound(after *ir.Op, needed int64) *problem {
	fn, err := interp.Entry(after, "main")
	if err != nil || x.g.Idle || x.g.Lower != "" {
		return nil
	}
	f := check.Footprint(after, 1).Of(fn)
	if f == nil {
		return nil // it is only declared, in a program that is made smaller
	}
	if peak := f.Peak(); peak.IsStatic() && !f.Unknown && peak.Bytes < needed {
		return problemf(kindPeak, "the static peak is %v, but an execution needs %d B", peak, needed)
	}
	return nil
}

// simplySteps limits the operations of the programs that are executed as simply as can be.
const simplySteps = 5000

// simply compares the execution of a transformed program, on one input, with one by the
// package naive. It says nothing of programs that are wrong or have operations which that
// doesn't know.
func (x *trial) simply(src *program, after *ir.Op) *problem {
	fn, err := interp.Entry(after, "main")
	if err != nil || x.g.Idle || x.g.Lower != "" {
		return nil
	}
	args, _, err := x.generator().Arguments(fn)
	if err != nil {
		return nil // out-parameters of no known size
	}
	want := naive.Execute(after, fn, args, simplySteps)
	if want.Unknown || want.Unended {
		return nil
	}
	arenas := arenaArguments(fn)
	want.DropLast(arenas)
	for _, oneByOne := range []bool{false, true} {
		got := naive.ExecuteChecked(after, fn, args, oneByOne)
		if got.Unknown || got.Wrong != "" {
			continue
		}
		got.DropLast(arenas)
		if d := naive.Differ(want, got); d != "" {
			return problemf(kindEngine, "one by one %v: %s", oneByOne, d)
		}
	}
	return nil
}

// arenaArguments returns how many of the last arguments are arenas, which hold nothing that means something in the end.
func arenaArguments(fn *ir.Op) int {
	n := 0
	args := fn.BodyBlock(0).Args()
	for n < len(args) && memref.IsArena(args[len(args)-1-n]) {
		n++
	}
	return n
}

// generator makes the input of the oracles that look at one.
func (x *trial) generator() interp.Generator {
	g := interp.Generator{Seed: x.seed, OneNaN: true, Special: []int{0, 1, 4}[x.seed%3], Turn: int(x.seed % 1000)}
	if x.g.Sizes != nil {
		g.Sizes = func(t ir.Type) []int64 { shape, _ := ir.ShapeOf(t); return x.g.Sizes(len(shape)) }
	}
	return g
}

// readable prints a program, in both forms, and reads it again, twice: affine
// expressions that passes made may be simplified, as in MLIR, when they are read
// for the first time.
func readable(m *ir.Op) (text []byte, p *problem) {
	for _, o := range []asm.PrintOptions{{Generic: true}, {}} {
		text = asm.Print(m, o)
		var last []byte
		for range 2 {
			last = text
			again, err := parseIn(m.Context(), text)
			if err != nil {
				return nil, problemf(kindUnreadable, "%v", err)
			}
			if text = asm.Print(again, o); bytes.Equal(text, last) {
				break
			}
		}
		if !bytes.Equal(text, last) {
			return nil, problemf(kindUnreadable, "printing again prints\n%s\ninstead of\n%s", text, last)
		}
	}
	return text, nil
}

// failure shrinks a program, whose module is nil if it is not valid, and describes
// what is wrong with it.
func (x *trial) failure(src string, m *ir.Op, p *problem) Failure {
	try := func(m *ir.Op) *problem {
		if p := x.o.newProgram(x.g, x.seed, m); p != nil {
			return x.try(p)
		}
		return nil
	}
	if m != nil && x.o.Shrink > 0 {
		small := reduce.Run(m, reduce.Options{MaxTests: x.o.Shrink, Interesting: func(m *ir.Op) bool {
			return p.like(try(m))
		}})
		if q := try(small.Module); p.like(q) {
			first := p.message
			f := x.describe(string(asm.Print(small.Module, asm.PrintOptions{})), q)
			if first != q.message {
				f.First = first
			}
			return f
		}
	}
	return x.describe(src, p)
}

// describe returns a failure of a program.
func (x *trial) describe(src string, p *problem) Failure {
	command := "freehold difftest FILE --pipeline '" + x.t.Pipeline + "'"
	if p.kind == kindPanic || p.kind == kindRejected || p.kind == kindUnreadable {
		command = "freehold opt FILE --verify-roundtrip --pass-pipeline='" + x.t.Pipeline + "'"
	}
	return Failure{Seed: x.seed, Generator: x.g.Name, Pipeline: x.t.Pipeline, Kind: p.kind, Message: p.message, Program: src, Command: command}
}
