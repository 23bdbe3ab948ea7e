package explain

import (
	"cmp"
	"slices"
	"sync"

	"freehold/compile"
	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/transform/memory/rematerialize"
)

// trials tries advice in copies of a module.
type trials struct {
	*Compilation
	module *ir.Op
	before []Measure
	left   int
	known  map[trial]*outcome
	tiled  bool // whether tiles are among the candidates
	// untried counts what there was no time for, of which flags are the flags of compile, and more what it would cost.
	untried, more int
	flags         []string
	// copying is held while the module is copied, which marks its values.
	copying sync.Mutex
}

// trial is what tells one way to follow an advice from another.
type trial struct {
	kind, name string
	after      bool
	change     change
}

// otherOrder is the trial of the other order of operations.
var otherOrder = trial{kind: "order"}

func trialOf(a Advice) trial {
	if a.Kind == "flag" {
		return trial{kind: a.Kind, name: a.Name}
	}
	return trial{a.Kind, a.Name, a.After, a.change}
}

// outcome is what a program needs that follows an advice; it has no measures if the advice can't be followed.
type outcome struct {
	measures []Measure
	extra    float64
}

// costOf is how many programs could be compiled instead of one that follows an advice: a choice of tiles takes longer.
func costOf(a Advice) int {
	if a.LimitsMemory() {
		return 4
	}
	return 1
}

// candidates returns the advice about an item that can be tried.
func (t *trials) candidates(i *Item) []Advice {
	return slices.DeleteFunc(slices.Concat(t.flagsFor(i), i.Advice, t.together(i), t.tiles(i)), func(a Advice) bool {
		return t.Passes == "" && isFlag(a) || a.change.kind == noChange && a.Name == "" // there is a flag for that, or nobody can do it
	})
}

// ahead tries what is to be tried in any case, as far as there is time: all but what changes what the program does, the quick ones first, and then the other
// order, if there is one.
func (t *trials) ahead(all [][]Advice, order bool) {
	var list []func()
	var mu sync.Mutex
	try := func(k trial, cost int, follow func() *outcome) {
		if t.left < cost || t.known[k] != nil {
			return
		}
		t.left -= cost
		t.known[k] = &outcome{}
		list = append(list, func() {
			x := follow()
			mu.Lock()
			defer mu.Unlock()
			t.known[k] = x
		})
	}
	quickFirst := slices.SortedStableFunc(slices.Values(slices.Concat(all...)), func(a, b Advice) int { return cmp.Compare(costOf(a), costOf(b)) })
	for _, a := range quickFirst {
		if a.Kind != "drop" {
			try(trialOf(a), costOf(a), func() *outcome { return t.outcome(a) })
		}
	}
	if order && t.Passes == "" {
		try(otherOrder, 1, func() *outcome {
			o := t.Options
			o.KeepOrder = !o.KeepOrder
			module, _ := t.compile(t.pipeline(o), t.copy())
			if module == nil {
				return &outcome{}
			}
			return &outcome{measures: []Measure{t.measure(module)}}
		})
	}
	parallel.For(len(list), 0, func() func(i int) { return func(i int) { list[i]() } })
}

// kept returns the advice about an item that helps, with its effect.
func (t *trials) kept(i *Item, advice []Advice) (kept []Advice) {
	for _, a := range advice {
		if a.Kind == "drop" && len(kept) > 0 {
			continue // there is something that doesn't change what the program does
		}
		for _, x := range t.effects(a) {
			if x.helps(i, a.Kind == "flag") && t.isWorth(a, x) {
				a.Effect = x
				kept = append(kept, a)
				break
			}
		}
	}
	return kept
}

// isWorth tells whether what asks for more, extra work or that results are gone, needs less than what was tried without that.
func (t *trials) isWorth(a Advice, x *Effect) bool {
	less, ok := map[string]string{workFlag: tilesFlag, bothFlags: overwriteFlag}[a.Name]
	if !ok {
		return true
	}
	without := t.known[trial{kind: "flag", name: less}]
	return without == nil || !slices.ContainsFunc(without.measures, func(m Measure) bool {
		return m.Peaks.Within(x.After.Peaks) && (a.Name == workFlag || m.Copies <= x.After.Copies)
	})
}

// effects returns what an advice leads to; nothing if it can't be followed, or there was no time for it.
func (t *trials) effects(a Advice) (out []*Effect) {
	x := t.known[trialOf(a)]
	if x == nil {
		if t.left < costOf(a) {
			t.untried++
			if a.Kind == "flag" {
				t.flags = append(t.flags, a.Name)
			}
			t.more += costOf(a)
			return nil
		}
		t.left -= costOf(a)
		x = t.outcome(a)
		t.known[trialOf(a)] = x
	}
	for k, m := range x.measures[:min(len(x.measures), len(t.before))] {
		out = append(out, &Effect{t.before[k], m, x.extra})
	}
	return out
}

// outcome follows an advice.
func (t *trials) outcome(a Advice) *outcome {
	module, extra := t.follow(a)
	if module == nil {
		return &outcome{}
	}
	return &outcome{t.measures(module), extra}
}

// measures returns the measure of a program, and, where passes were chosen by hand, also of what is left once copies to themselves are removed, which recommended ones do.
func (t *trials) measures(module *ir.Op) []Measure {
	out := []Measure{t.measure(module)}
	if t.Passes == "" {
		return out
	}
	m, err := t.Registry.ParsePipeline("builtin.module(cse,canonicalize)")
	if err != nil || t.quiet().Run(m, module) != nil {
		return out
	}
	return append(out, t.measure(module))
}

// quiet runs passes without a word.
func (t *trials) quiet() *pass.Runner {
	return &pass.Runner{LLVM: t.LLVM, Sink: func(*ir.Diagnostic) {}, Text: func([]byte) {}}
}

// follow returns the compiled program that follows an advice, and the extra work that it does; nil if there is none.
func (t *trials) follow(a Advice) (*ir.Op, float64) {
	o, text := t.Options, ""
	switch {
	case a.Kind == "flag":
		o = followed(o, a.Name)
	case a.Name != "":
		if text = withAdvice(t.pipeline(o), a); text == "" {
			return nil, 0
		}
	}
	if text == "" {
		text = t.pipeline(o)
	}
	module := t.copy()
	if a.change.kind != noChange {
		e := &editor{module, asm.NewSourceNames(t.Source)}
		if !e.apply(a.change) || ir.Verify(module) != nil {
			return nil, 0
		}
	}
	return t.compile(text, module)
}

// followed returns the options of compile with a flag.
func followed(o compile.Options, flag string) compile.Options {
	switch flag {
	case dropFlag:
		o.DropEquivalentResults = true
	case resultsFlag:
		o.Results = compile.ResultArguments
	case tilesFlag:
		o.MaxMemory, o.ExtraWork, o.KeepOrder = compile.LeastMemory, 0, false
	case workFlag:
		o.MaxMemory, o.ExtraWork, o.KeepOrder = compile.LeastMemory, extraWork, false
	case overwriteFlag:
		o.Arguments = compile.OverwriteArguments
	case bothFlags:
		o.Arguments, o.DropEquivalentResults = compile.OverwriteArguments, true
	}
	return o
}

// copy returns a copy of the module.
func (t *trials) copy() *ir.Op {
	t.copying.Lock()
	defer t.copying.Unlock()
	return ir.CloneDetached(t.module)
}

// compile runs a pipeline on a module, and returns that with the extra work that it does; nil if the pipeline doesn't take it.
func (t *trials) compile(pipeline string, module *ir.Op) (*ir.Op, float64) {
	m, err := t.Registry.ParsePipeline(pipeline)
	if err != nil || t.quiet().Run(m, module) != nil {
		return nil, 0
	}
	extra := 0.0
	for _, i := range m.Instances() {
		if p := rematerialize.Pass.OptionsOf(i); p != nil {
			extra += p.Extra()
		}
	}
	return module, extra
}
