package explain

import (
	"fmt"
	"slices"
	"strings"

	"freehold/compile"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/transform/bufferize/oneshot"
)

// Measure is what a compiled program does with memory: its copies with what they copy, the allocations that it makes, and the largest peak of a function.
type Measure struct {
	Copies, Allocations int
	Copied, Peak        footprint.Size
	// Peaks are those of the function with the largest one; Peak is a size that all of them keep within.
	Peaks footprint.Sizes
	// named are the names that the program has for sizes that aren't known; nil if all are.
	named func(string) string
}

// InNames returns a size of a measure in the names of the program. Sizes of two measures are compared without them, since a value may have a name in one of
// two programs only.
func (m Measure) InNames(s footprint.Size) footprint.Size {
	if m.named == nil {
		return s
	}
	return s.Rename(m.named)
}

// PeakInNames returns the peaks in the names of the program.
func (m Measure) PeakInNames() footprint.Sizes { return m.Peaks.Each(m.InNames) }

// Effect is what a program needs as it is, and following an advice.
type Effect struct {
	Before, After Measure
	// ExtraWork is how many operations on numbers are executed again then, as a share of those of the program.
	ExtraWork float64
}

// Way is a way to compile for less memory: the flags of compile, and what the program needs then.
type Way struct {
	Flags  string
	Effect Effect
}

// Compilation is how programs are compiled to be explained.
type Compilation struct {
	// Options choose the steps of compile; Passes are others instead, in the syntax of textual pipelines, if they aren't "".
	Options compile.Options
	Passes  string
	// Registry knows the passes.
	Registry *pass.Registry
	// Source returns the text of a file by its name, as in [Options]; LLVM is the version of LLVM whose programs passes take.
	Source func(file string) []byte
	LLVM   int
}

// Explain compiles a module, and explains what that makes, as [Module] does. The module is changed.
func (c *Compilation) Explain(module *ir.Op) (*Explanation, error) {
	m, err := c.Registry.ParsePipeline(c.pipeline(c.Options))
	if err != nil {
		return nil, err
	}
	return Module(module, m, Options{c.Source, c.LLVM})
}

func (c *Compilation) pipeline(o compile.Options) string {
	if c.Passes != "" {
		return c.Passes
	}
	return o.Pipeline()
}

// Try follows the advice about the first item of each group in copies of the module as it was given, several at a time, and leaves in the
// groups only what helps: for which there are fewer copies, or, where just room is allocated, fewer allocations or a lower peak. It adds the flags
// of compile that do so. It compiles the program at most as often as most says, of which what takes longer counts more, and returns how many pieces of advice it didn't come
// to, which it leaves out, too, and how much higher most would have to be for these.
func (c *Compilation) Try(module *ir.Op, e *Explanation, groups []*Group, most int) (untried, more int) {
	t := &trials{Compilation: c, module: module, left: most, known: map[trial]*outcome{}}
	t.before = []Measure{t.measure(e.Module)}
	if c.Passes != "" {
		if same, _ := t.follow(Advice{}); same != nil {
			t.before = t.measures(same)
		}
	}
	all := make([][]Advice, len(groups))
	for k, g := range groups {
		if g.First().Remains() {
			all[k] = t.candidates(g.First())
		}
	}
	t.ahead(all, e.Reordered || !e.Ordered && c.Options.KeepOrder)
	for _, flag := range []string{tilesFlag, workFlag} {
		if x := t.known[trial{kind: "flag", name: flag}]; x != nil && len(x.measures) > 0 {
			e.Ways = append(e.Ways, Way{flag, Effect{t.before[0], x.measures[0], x.extra}})
		}
	}
	if x := t.known[otherOrder]; x != nil && len(x.measures) > 0 && x.measures[0].Peaks.String() != t.before[0].Peaks.String() {
		e.OtherOrder = &x.measures[0]
	}
	for k, g := range groups {
		i := g.First()
		if !i.Remains() {
			for _, i := range g.Items {
				i.Advice = nil
			}
			continue
		}
		kept := t.kept(i, all[k])
		for _, other := range g.Items[1:] {
			other.Advice = slices.DeleteFunc(other.Advice, func(a Advice) bool {
				return !slices.ContainsFunc(kept, func(k Advice) bool { return k.Kind == a.Kind && k.Name == a.Name && k.change.kind == a.change.kind })
			})
		}
		i.Advice = kept
	}
	e.Untried = t.flags
	return t.untried, t.more
}

// operationsTried is how many operations are compiled to try advice, in all; fewestTries is how many pieces are tried in any case.
const operationsTried, fewestTries = 30_000, 3

// Tries returns how many pieces of advice about a module can be tried in some seconds. Linear.
func Tries(module *ir.Op) int {
	return max(fewestTries, operationsTried/module.CountOps())
}

// String says what changes: "1 fewer copy, 0 B copied instead of 32.0 KiB, peak 512 B instead of 32.5 KiB".
func (x *Effect) String() string {
	var out []string
	b, a := x.Before, x.After
	if n := b.Copies - a.Copies; n != 0 {
		out = append(out, lessOrMore(n, "copy", "copies"))
	}
	if b.Copied.String() != a.Copied.String() {
		out = append(out, sizeText(a.InNames(a.Copied))+" copied instead of "+sizeText(b.InNames(b.Copied)))
	}
	if n := b.Allocations - a.Allocations; n != 0 {
		out = append(out, lessOrMore(n, "allocation", "allocations"))
	}
	if b.Peaks.String() != a.Peaks.String() {
		out = append(out, "peak "+a.PeakInNames().Text(sizeText)+" instead of "+b.PeakInNames().Text(sizeText))
	}
	if x.ExtraWork > 0 {
		out = append(out, fmt.Sprintf("%.2g %% of the arithmetic is done again", 100*x.ExtraWork))
	}
	return strings.Join(out, ", ")
}

// lessOrMore says how much there is less, or, if the number is below zero, more.
func lessOrMore(n int, one, many string) string {
	word, than := many, "fewer"
	if n < 0 {
		n, than = -n, "more"
	}
	if n == 1 {
		word = one
	}
	return fmt.Sprint(n, " ", than, " ", word)
}

// NeedsYou tells whether an advice changes what the program does, or is a promise about it, so that nobody else can follow it.
func (a Advice) NeedsYou() bool { return !a.change.keepsMeaning() }

// LimitsMemory tells whether an advice is a flag that compiles the program for less memory, as little as possible, where the flag may as well name a limit.
func (a Advice) LimitsMemory() bool {
	return a.Kind == "flag" && (a.Name == tilesFlag || a.Name == workFlag)
}

// helps tells whether an effect is what an advice about an item promises; a flag may make copies for a lower peak, which is said.
func (x *Effect) helps(i *Item, flag bool) bool {
	b, a := x.Before, x.After
	if flag && a.Peaks.Within(b.Peaks) && !b.Peaks.Within(a.Peaks) {
		return true
	}
	if i.Copies > 0 {
		return a.Copies < b.Copies || a.Copies == b.Copies && !a.Copied.AtLeast(b.Copied) && b.Copied.AtLeast(a.Copied)
	}
	return a.Copies <= b.Copies && a.Peaks.Within(b.Peaks) && (a.Allocations < b.Allocations || !b.Peaks.Within(a.Peaks))
}

// measure measures a compiled program.
func (c *Compilation) measure(module *ir.Op) Measure {
	p := footprint.Analyze(module)
	s := p.Summarize()
	m := Measure{Copies: s.Copies, Allocations: s.Allocations, Copied: s.Copied, Peak: s.Peak, Peaks: s.Peaks}
	if s.Peak.IsStatic() && s.Copied.IsStatic() {
		return m
	}
	for _, f := range p.Functions {
		if f.Name == s.Function {
			m.named = f.Named(asm.NewSourceNames(c.Source).Value)
		}
	}
	return m
}

// withAdvice returns the pipeline with an option, or with a pass before or after bufferization; "" if there is none of that.
func withAdvice(pipeline string, a Advice) string {
	start := strings.Index(pipeline, oneshot.Pass.Name)
	if start < 0 {
		return ""
	}
	end := start + len(oneshot.Pass.Name)
	options := ""
	if strings.HasPrefix(pipeline[end:], "{") {
		n := strings.IndexByte(pipeline[end:], '}')
		if n < 0 {
			return ""
		}
		options = pipeline[end+1 : end+n]
		end += n + 1
	}
	before, this, after := pipeline[:start], pipeline[start:end], pipeline[end:]
	switch {
	case a.Kind == "option":
		name, _, _ := strings.Cut(a.Name, "=")
		kept := slices.DeleteFunc(strings.Fields(options), func(o string) bool {
			n, _, _ := strings.Cut(o, "=")
			return n == name
		})
		return before + oneshot.Pass.Name + "{" + strings.Join(append(kept, a.Name), " ") + "}" + after
	case a.Kind == "pass" && a.After:
		return before + this + "," + a.Name + after
	case a.Kind == "pass":
		return before + a.Name + "," + this + after
	}
	return ""
}

// Apply changes a module as it was given by the advice in groups that keeps what the program does, about all their items, and returns how many pieces that was. Advice that
// is a promise about the program, or changes what it does, or how it is compiled, is left to whoever wrote it.
func (c *Compilation) Apply(module *ir.Op, groups []*Group) (applied int) {
	for _, g := range groups {
		for _, i := range g.Items {
			k := slices.IndexFunc(i.Advice, func(a Advice) bool { return a.change.keepsMeaning() })
			if k < 0 {
				continue
			}
			// A change after others may be none that is valid.
			tried := ir.CloneDetached(module)
			names := asm.NewSourceNames(c.Source)
			if e := (&editor{tried, names}); !e.apply(i.Advice[k].change) || ir.Verify(tried) != nil {
				continue
			}
			if e := (&editor{module, names}); e.apply(i.Advice[k].change) {
				applied++
			}
		}
	}
	return applied
}
