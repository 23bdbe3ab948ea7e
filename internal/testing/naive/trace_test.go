package naive_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// allPrograms returns programs of one operation, and random ones.
func allPrograms() []program {
	out := slices.Concat(memoryPrograms(), tensorPrograms(), vectorPrograms(), controlPrograms())
	for _, g := range irgen.Generators {
		if g.Idle || g.Odd || g.Name == "limits" {
			continue
		}
		for k := range uint64(20) {
			out = append(out, program{g.Name, g.Generate(rand.New(rand.NewPCG(k, 5)).IntN, 20)})
		}
	}
	for _, elem := range []string{"i8", "i32", "f32", "f64"} {
		out = append(out, program{"bufferization.to_memref", strings.ReplaceAll(`func.func @f(%t: tensor<3xT>, %i: index) -> T {
  %m = bufferization.to_memref %t read_only : memref<3xT>
  %r = memref.load %m[%i] : memref<3xT>
  return %r : T
}`, "T", elem)})
	}
	return out
}

// simple returns a value of an execution as the simple interpreter has it; nil if it can't be compared.
func simple(t ir.Type, v any) (out any) {
	defer func() {
		if err, ok := recover().(error); ok && !errors.Is(err, naive.ErrUnknown) {
			panic(err)
		}
	}()
	if _, ok := v.(*exec.MemRef); ok || v == nil {
		return nil
	}
	return naive.Value(t, v)
}

// What each operation computes is what the simple interpreter says, whether or not that matters to the results; and
// as many buffers are allocated and freed.
func TestTracedPrograms(t *testing.T) {
	compared := 0
	for i, p := range allPrograms() {
		m, err := load(p.src)
		if err != nil {
			t.Fatal(err)
		}
		fn := entry(t, m)
		args, err := inputs(fn, uint64(i%9), nil)
		if err != nil {
			continue
		}
		var in []any
		for _, v := range args {
			in = append(in, naive.Argument(v))
		}
		want := map[*ir.Op][][]any{}
		machine := naive.Machine{Steps: 20_000, Trace: func(op *ir.Op, results []any) { want[op] = append(want[op], results) }}
		if _, err := machine.Run(m, fn, in); err != nil {
			line := ""
			if _, err := interp.Run(m, fn, args, interp.Options{MaxSteps: 20_000, Trace: func(r *exec.Traced) { line += lineDiffers(r) }}); err == nil && line != "" {
				t.Errorf("%s: %s\n%s", p.name, line, p.src)
			}
			continue
		}
		got := map[*ir.Op]int{}
		differs := ""
		last, depth := int64(-1), map[*ir.Op]int{}
		res, err := interp.Run(m, fn, args, interp.Options{Trace: func(r *exec.Traced) {
			if d := lineDiffers(r); d != "" && differs == "" {
				differs = d
			}
			if r.Op.Has(ir.TraitTerminator) {
				return // which the simple interpreter doesn't execute by themselves
			}
			if len(want[r.Op]) == 0 && r.Op.Parent().Has(ir.TraitTerminator) {
				return // nor what is in them
			}
			n := got[r.Op]
			got[r.Op]++
			if n >= len(want[r.Op]) {
				differs = fmt.Sprintf("%s is executed more than %d times", r.Op.Name(), len(want[r.Op]))
				return
			}
			for k, v := range r.Results {
				typ := r.Op.Result(k).Type()
				if x := simple(typ, v); x != nil && differs == "" {
					if compared++; !naive.Same(want[r.Op][n][k], x) {
						differs = fmt.Sprintf("result %d of %s is %s, not %s", k, r.Op.Name(), naive.Show(x), naive.Show(want[r.Op][n][k]))
					}
				}
			}
			// Operations with regions, and calls, are told of when they are left.
			_, call := interfaces.Call.Of(r.Op)
			inside := r.Op.NumRegions() > 0 || call
			if !inside && r.Step < last || len(r.Operands) != r.Op.NumOperands() || r.Err != nil {
				differs = fmt.Sprintf("%s comes at step %d after step %d, with %d operands", r.Op.Name(), r.Step, last, len(r.Operands))
			}
			if d, ok := depth[r.Op]; ok && d != r.Nesting {
				differs = fmt.Sprintf("%s is nested %d times, and %d times", r.Op.Name(), d, r.Nesting)
			}
			depth[r.Op] = r.Nesting
			if !inside {
				last = r.Step
			}
		}})
		if err != nil || res.Stopped() != nil {
			continue // which other tests compare
		}
		for op, n := range got {
			if n != len(want[op]) && differs == "" {
				differs = fmt.Sprintf("%s is executed %d times, not %d", op.Name(), n, len(want[op]))
			}
		}
		if differs == "" && (res.Stats.Allocations != machine.Allocations || res.Stats.Frees != machine.Frees) {
			differs = fmt.Sprintf("%d allocations and %d frees, not %d and %d", res.Stats.Allocations, res.Stats.Frees, machine.Allocations, machine.Frees)
		}
		if differs != "" {
			t.Errorf("%s: %s\n%s", p.name, differs, p.src)
		}
	}
	t.Logf("%d values are the same", compared)
	if compared < 1000 {
		t.Errorf("only %d values are compared", compared)
	}
}

// lineDiffers tells how the line that is written of an operation isn't what docs/traces.md says of it.
func lineDiffers(r *exec.Traced) string {
	var b strings.Builder
	interp.Trace(&b)(r)
	pos, _ := ir.SourcePos(r.Op.Loc())
	at := "-"
	if pos != nil {
		at = fmt.Sprintf("%s:%d:%d", pos.File(), pos.Line, pos.Col)
	}
	texts := func(values []any, of func(i int) *ir.Value) string {
		var list []string
		for i, v := range values {
			list = append(list, traced(of(i).Type(), v))
		}
		return strings.Join(list, ", ")
	}
	want := fmt.Sprintf("%d\t%d\t%s\t%s%s", r.Step, r.Depth, at, strings.Repeat("  ", r.Nesting), r.Op.Name())
	if len(r.Operands) > 0 {
		want += " " + texts(r.Operands, r.Op.Operand)
	}
	if len(r.Results) > 0 {
		want += " -> " + texts(r.Results, func(i int) *ir.Value { return r.Op.Result(i) })
	}
	if r.Err != nil {
		want += " !! " + strings.Join(strings.Split(r.Err.Error(), "\n"), " ")
	}
	if b.String() != want+"\n" {
		return fmt.Sprintf("the trace says %q, not %q", b.String(), want)
	}
	return ""
}

// traced is the text of a value in a trace.
func traced(t ir.Type, v any) string {
	times := func(sizes []int64) string {
		if len(sizes) == 0 {
			return "[]"
		}
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(sizes), "[]"), " ", "x")
	}
	switch v := v.(type) {
	case nil:
		return "?"
	case *exec.MemRef:
		if v.Alloc.Live() {
			return fmt.Sprintf("#%d+%d size %s", v.Alloc.ID, v.Offset, times(v.Sizes))
		}
		return fmt.Sprintf("#%d+%d (freed)", v.Alloc.ID, v.Offset)
	case *exec.Tensor:
		list := []string{}
		for i := range v.Elements() {
			if i == 8 {
				list = append(list, "...")
				break
			}
			list = append(list, strings.ReplaceAll(interp.ElementText(v, i), "\n", ""))
		}
		return times(v.Sizes) + " [" + strings.Join(list, ", ") + "]"
	case uint64:
		if exec.IsWord(t) {
			return interp.Value{Type: t, Word: v}.Text()
		}
		return fmt.Sprint(v)
	}
	if v == exec.PoisonValue {
		return "poison"
	}
	return interp.Value{Type: t, Object: v}.Text()
}

func entry(t *testing.T, m *ir.Op) *ir.Op {
	t.Helper()
	name := ""
	for op := range m.BodyBlock(0).Ops() {
		if n, _ := ir.SymbolName(op); n == "f" {
			name = n
		}
	}
	fn, err := interp.Entry(m, name)
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

// Arguments may be the same buffer.
func TestAliasedPrograms(t *testing.T) {
	compared, aliased := 0, 0
	for i, p := range slices.Concat(allPrograms(), allPrograms()) {
		m, err := load(p.src)
		if err != nil {
			t.Fatal(err)
		}
		fn := entry(t, m)
		g := interp.Generator{Seed: uint64(i), Natural: true, Size: 3, Most: 2, Aliases: true}
		args, places, err := g.Arguments(fn)
		if err != nil {
			continue
		}
		var in []any
		for k, v := range args {
			in = append(in, naive.Argument(v))
			if places[k].In != k {
				in[k] = in[places[k].In]
				aliased++
			}
		}
		want := naive.ExecuteOn(m, fn, in, 20_000)
		if want.Unknown || want.Unended {
			continue
		}
		res, err := interp.Run(m, fn, args, interp.Options{Places: places, MaxSteps: 200_000})
		if err != nil {
			continue // an operation that isn't executed on such types
		}
		compared++
		if d := naive.Differ(want, naive.OutcomeOf(res)); d != "" {
			t.Errorf("%s, aliases %v: %s\n%s", p.name, places, d, p.src)
		}
	}
	t.Logf("%d executions, %d arguments that are others", compared, aliased)
	if aliased < 20 {
		t.Errorf("only %d arguments are others", aliased)
	}
}

// What is told of memory adds up to the figures of an execution, can be read again, and is the same element by element;
// an execution that may do or use just as much as it does ends, and one that may not is stopped for that reason.
func TestLimitsAndMemoryOfPrograms(t *testing.T) {
	events, stopped := 0, map[exec.Kind]int{}
	for i, p := range allPrograms() {
		if i%3 != 0 && i < len(allKinds()) {
			continue
		}
		m, err := load(p.src)
		if err != nil {
			t.Fatal(err)
		}
		fn := entry(t, m)
		args, err := inputs(fn, uint64(i%9), nil)
		if err != nil {
			continue
		}
		trace := &interp.MemoryTrace{}
		run := func(o interp.Options) *interp.Result {
			if o.MaxSteps == 0 {
				o.MaxSteps = 200_000
			}
			res, err := interp.Run(m, fn, args, o)
			if err != nil {
				return nil
			}
			return res
		}
		res := run(interp.Options{Memory: trace})
		if res == nil || res.Stopped() != nil {
			continue
		}
		if d := addsUp(trace, &res.Stats); d != "" {
			t.Errorf("%s: %s\n%s", p.name, d, p.src)
		}
		events += len(trace.Events)
		data, err := trace.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := interp.ParseMemoryTrace(data); err != nil || !slices.Equal(again.Events, trace.Events) || again.PeakBytes != trace.PeakBytes || again.Steps != trace.Steps {
			t.Errorf("%s: %v: another trace is read\n%s", p.name, err, data)
		}
		if other := run(interp.Options{OneByOne: true}); other.Stats != res.Stats || !interp.Equal(other.Values, res.Values) || !interp.Equal(other.Buffers, res.Buffers) {
			t.Errorf("%s: %+v element by element, and %+v\n%s", p.name, other.Stats, res.Stats, p.src)
		}
		closed := make(chan struct{})
		close(closed)
		for _, limit := range []struct {
			o    interp.Options
			kind exec.Kind
			ends bool
		}{
			{interp.Options{MaxSteps: res.Stats.Steps}, exec.StepLimit, true},
			{interp.Options{MaxSteps: res.Stats.Steps - 1}, exec.StepLimit, res.Stats.Steps < 2},
			{interp.Options{MaxBytes: 1 << 24}, exec.MemoryLimit, true},
			{interp.Options{MaxBytes: res.Stats.PeakBytes - 1}, exec.MemoryLimit, res.Stats.PeakBytes < 2},
			{interp.Options{Interrupt: closed}, exec.Interrupted, false},
			{interp.Options{Interrupt: make(chan struct{})}, exec.Interrupted, true},
		} {
			if limit.o.MaxBytes < 0 || limit.o.MaxSteps < 0 || limit.kind != exec.MemoryLimit && res.Stats.Steps == 0 {
				continue
			}
			other := run(limit.o)
			switch {
			case other == nil:
				// The arguments don't fit.
				if limit.ends {
					t.Errorf("%s: can't be executed with %+v\n%s", p.name, limit.o, p.src)
				}
			case (other.Stopped() == nil) != limit.ends:
				t.Errorf("%s: %v with %+v, after %+v\n%s", p.name, other.Stopped(), limit.o, res.Stats, p.src)
			case !limit.ends:
				stopped[other.Stopped().Kind]++
				if other.Stopped().Kind != limit.kind {
					t.Errorf("%s: %v with %+v\n%s", p.name, other.Stopped().Kind, limit.o, p.src)
				}
			case other.Stats != res.Stats || !interp.Equal(other.Values, res.Values):
				t.Errorf("%s: %+v with %+v, not %+v\n%s", p.name, other.Stats, limit.o, res.Stats, p.src)
			}
		}
	}
	for _, src := range []string{"call @main() : () -> ()", "%c = arith.constant true scf.if %c { func.call @main() : () -> () }"} {
		m, err := load("func.func @main() { " + src + " return }")
		if err != nil {
			t.Fatal(err)
		}
		res, err := interp.Run(m, entry(t, m), nil, interp.Options{MaxSteps: 1 << 40})
		if err != nil || res.Stopped() == nil || res.Stopped().Kind != exec.StepLimit {
			t.Errorf("%s: %v, %+v", src, err, res)
		}
	}
	t.Logf("%d events, stopped %v", events, stopped)
	for _, k := range []exec.Kind{exec.StepLimit, exec.MemoryLimit, exec.Interrupted} {
		if stopped[k] < 10 {
			t.Errorf("%v only %d times", k, stopped[k])
		}
	}
}

// allKinds are the programs of one operation.
func allKinds() []program {
	return slices.Concat(memoryPrograms(), tensorPrograms(), vectorPrograms(), controlPrograms())
}

// origins are where memory is that operations allocate.
var origins = map[string]string{
	"memref.alloc": "heap", "memref.realloc": "heap", "bufferization.clone": "heap", "memref.alloca": "stack",
	"bufferization.to_memref": "tensor", "memref.get_global": "global", "memref.global": "global", "func.func": "argument",
}

// addsUp tells how a trace differs from the figures of its execution, or returns "".
func addsUp(trace *interp.MemoryTrace, s *exec.Stats) string {
	sum := exec.Stats{Steps: trace.Steps}
	alive := map[int]interp.MemoryEvent{}
	last := int64(0)
	for _, e := range trace.Events {
		counts := e.Origin == "heap" || e.Origin == "stack"
		switch e.Event {
		case "alloc":
			if o, ok := origins[e.Op]; ok && o != e.Origin {
				return fmt.Sprintf("%s allocates %s", e.Op, e.Origin)
			}
			if _, ok := alive[e.ID]; ok {
				return fmt.Sprintf("allocation %d is made twice", e.ID)
			}
			alive[e.ID] = e
			if counts {
				sum.LiveBytes += e.Bytes
			}
			switch e.Origin {
			case "heap":
				sum.Allocations++
				sum.BytesAllocated += e.Bytes
			case "stack":
				sum.StackAllocations++
			}
		case "free":
			if was := alive[e.ID]; was.Bytes != e.Bytes || was.Origin != e.Origin || was.Type != e.Type {
				return fmt.Sprintf("what is freed is %+v, and was %+v", e, was)
			}
			delete(alive, e.ID)
			sum.LiveBytes -= e.Bytes
			if e.Op != "" {
				sum.Frees++
			}
		case "copy":
			_, to := alive[e.ID]
			_, from := alive[e.From]
			if !to || !from {
				return fmt.Sprintf("%d is copied to %d", e.From, e.ID)
			}
			sum.Copies++
			sum.BytesCopied += e.Bytes
		}
		sum.PeakBytes = max(sum.PeakBytes, sum.LiveBytes)
		if e.Live != sum.LiveBytes || e.Time < last || e.Time > trace.Steps {
			return fmt.Sprintf("%d bytes at %d, not %d after %d: %+v", e.Live, e.Time, sum.LiveBytes, last, e)
		}
		last = e.Time
	}
	if trace.PeakBytes != sum.PeakBytes || sum != *s {
		return fmt.Sprintf("%+v, not %+v", sum, *s)
	}
	return ""
}
