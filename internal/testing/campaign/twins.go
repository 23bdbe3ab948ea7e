package campaign

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"freehold/compile"
	"freehold/internal/testing/irgen"
	"freehold/internal/testing/twin"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/proof/check"
	"freehold/tool/reduce"
)

// kindMetamorphic is that of a program and another form of it that are not judged the same, or don't compute the same.
const kindMetamorphic = "metamorphic"

// kindForm is that of a program and another form of it that need other memory once they are compiled.
const kindForm = "form"

// twinned are the generators of programs that have twins: they are executed, and bufferized.
var twinned = []string{"tensors", "loops", "calls", "buffers", "corners"}

// TwinMeasures are those of a program and of a twin of it after both were compiled. They should be the same.
type TwinMeasures struct {
	Twin           string
	Program, Other Measures
}

// twinTrial is one program and one way to write it in another form.
type twinTrial struct {
	o    *Options
	g    irgen.Generator
	seed uint64
	twin twin.Twin
	// changes is how many there were, measures are nil if one of the programs isn't compiled.
	changes  int
	measures *TwinMeasures
}

// twinOf returns what is tried with the twin of a program, or nil.
func (o *Options) twinOf(g irgen.Generator, seed uint64) *twinTrial {
	if len(o.Twins) == 0 || !slices.Contains(twinned, g.Name) {
		return nil
	}
	// Each generator gets all twins.
	k := seed / uint64(len(o.Generators))
	return &twinTrial{o: o, g: g, seed: seed, twin: o.Twins[k%uint64(len(o.Twins))]}
}

// compiled is what compile makes of a program.
type compiled struct {
	module  *ir.Op
	refused error
	judged  string
}

// compile compiles a copy of a module and has it judged.
func (x *twinTrial) compile(module *ir.Op) (compiled, *problem) {
	m, err := x.o.Registry.ParsePipeline(compile.Options{}.Pipeline())
	if err != nil {
		return compiled{}, problemf(kindGenerator, "%v", err)
	}
	out := compiled{module: ir.CloneDetached(module)}
	out.refused = (&pass.Runner{VerifyEach: true, Threads: 1}).Run(m, out.module)
	var crash *ir.CrashError
	switch {
	case errors.As(out.refused, &crash):
		return out, problemf(kindPanic, "%v", out.refused)
	case out.refused == nil:
		out.judged = verdict(check.Module(out.module, check.Options{Threads: 1}))
	}
	return out, nil
}

// safe is the verdict on a program that is proved.
const safe = "safe"

// verdict says in a word what is proved of a program.
func verdict(r *check.Report) string {
	switch {
	case len(r.Findings) > 0:
		return "unsafe"
	case !r.Safe():
		return "not judged"
	}
	return safe
}

// try returns what is wrong with a program and its twin, or nil. The program is left alone.
func (x *twinTrial) try(src *program) *problem {
	other := ir.CloneDetached(src.module)
	var err error
	x.changes, err = x.twin.Rewrite(x.o.Registry, other, chooser(x.seed))
	switch {
	case errors.Is(err, twin.ErrNone):
		return nil
	case err != nil:
		return problemf(kindMetamorphic, "%s: %v", x.twin.Name, err)
	case x.changes == 0:
		return nil
	}
	if err := ir.Verify(other); err != nil {
		return problemf(kindMetamorphic, "%s: %v", x.twin.Name, err)
	}
	t := &trial{o: x.o, g: x.g, seed: x.seed}
	metamorphic := func(p *problem, what string) *problem {
		if p == nil || p.kind == kindGenerator {
			return nil // the program itself is wrong, which other trials say
		}
		return problemf(kindMetamorphic, "%s: %s: %s", x.twin.Name, what, p.message)
	}
	if p := metamorphic(t.compare(src, other, &executed{}), "the twin"); p != nil {
		return p
	}
	a, p := x.compile(src.module)
	if p != nil {
		return p
	}
	b, p := x.compile(other)
	switch {
	case p != nil:
		return p
	case (a.refused == nil) != (b.refused == nil):
		err := errors.Join(a.refused, b.refused)
		return problemf(kindMetamorphic, "%s: only one of the two is compiled: %v", x.twin.Name, err)
	case a.refused != nil:
		return nil
	case a.judged != b.judged && (a.judged == safe || b.judged == safe): // the search for a path that goes wrong has limits
		return problemf(kindMetamorphic, "%s: compiled, the program is %s, and the twin %s", x.twin.Name, a.judged, b.judged)
	}
	var before, after executed
	t.t.Frees = a.judged == safe
	if p := metamorphic(t.compare(src, a.module, &before), "the compiled program"); p != nil {
		return p
	}
	if p := metamorphic(t.compare(src, b.module, &after), "the compiled twin"); p != nil {
		return p
	}
	if p := t.bound(src.module, before.peak); p != nil && !hasSpaces(src.module) {
		return problemf(kindPeak, "before it is compiled, %s", p.message)
	}
	x.measures = &TwinMeasures{x.twin.Name, measure(a.module, before.stats), measure(b.module, after.stats)}
	if what := x.measures.differ(); what != "" && x.o.Forms {
		return problemf(kindForm, "%s: memory: %s", x.twin.Name, what)
	}
	return nil
}

// hasSpaces tells whether a program has buffers in memory spaces: copies between these are made before tensors become buffers, of which the peak
// knows nothing.
func hasSpaces(module *ir.Op) (found bool) {
	module.Walk(func(op *ir.Op) bool {
		for _, v := range op.Results().Values() {
			m, ok := v.Type().(*ir.MemRefType)
			found = found || ok && m.Space != nil
		}
		return !found
	})
	return found
}

// differ tells how much more or less memory the twin needs: another peak, by more than a hundredth, or another number of copies; empty if neither.
func (m *TwinMeasures) differ() string {
	p, q := m.Program, m.Other
	if gap := max(p.PeakBytes, q.PeakBytes) - min(p.PeakBytes, q.PeakBytes); 100*gap <= p.PeakBytes && p.Copies == q.Copies {
		return ""
	}
	return fmt.Sprintf("%d bytes and %d copies instead of %d and %d", q.PeakBytes, q.Copies, p.PeakBytes, p.Copies)
}

// failure describes what is wrong with a program, which is made smaller, and its twin.
func (x *twinTrial) failure(src string, module *ir.Op, p *problem) Failure {
	if x.o.Shrink > 0 {
		small := reduce.Run(module, reduce.Options{MaxTests: x.o.Shrink, Interesting: func(m *ir.Op) bool {
			q := x.try(x.o.newProgram(x.g, x.seed, m))
			return q != nil && q.kind == p.kind && about(q) == about(p)
		}})
		src = string(asm.Print(small.Module, asm.PrintOptions{}))
	}
	return x.describe(src, p)
}

func (x *twinTrial) describe(src string, p *problem) Failure {
	return Failure{Seed: x.seed, Generator: x.g.Name, Pipeline: "twin:" + x.twin.Name, Kind: p.kind, Message: p.message, Program: src,
		Command: fmt.Sprintf("freehold fuzz --seed %d --programs 1 --shrink 0", x.seed)}
}

// about returns what a message is about, without the details.
func about(p *problem) string {
	_, rest, _ := strings.Cut(p.message, ": ")
	what, _, _ := strings.Cut(rest, ": ")
	return what
}
