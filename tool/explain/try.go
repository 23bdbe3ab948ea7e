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
}

// Effect is what a program needs as it is, and following an advice.
type Effect struct{ Before, After Measure }

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

// Try follows the advice about the first item of each group in copies of the module as it was given, one after the other, and leaves in the
// groups only what helps: for which there are fewer copies, or, where just room is allocated, fewer allocations or a lower peak. It adds the flags
// of compile that do so. It compiles the program at most as often as most says, and returns how many pieces of advice it didn't come to, which it leaves
// out, too.
func (c *Compilation) Try(module *ir.Op, e *Explanation, groups []*Group, most int) (untried int) {
	t := &trials{Compilation: c, module: module, names: asm.NewSourceNames(c.Source), left: most, flags: map[string][]*Effect{}}
	t.before = []Measure{measure(e.Module)}
	if c.Passes != "" {
		if same := t.follow(Advice{}); same != nil {
			t.before = t.measures(same)
		}
	}
	for _, g := range groups {
		i := g.First()
		if !i.Remains() {
			for _, i := range g.Items {
				i.Advice = nil
			}
			continue
		}
		var kept []Advice
		for _, a := range slices.Concat(t.flagsFor(i), i.Advice, t.tiles(i)) {
			if c.Passes == "" && isFlag(a) || a.Kind == "drop" && len(kept) > 0 {
				continue // there is a flag for that, or something that doesn't change what the program does
			}
			for _, x := range t.effects(a) {
				if x.helps(i, a.Kind == "flag") {
					a.Effect = x
					kept = append(kept, a)
					break
				}
			}
		}
		for _, other := range g.Items[1:] {
			other.Advice = slices.DeleteFunc(other.Advice, func(a Advice) bool {
				return !slices.ContainsFunc(kept, func(k Advice) bool { return k.Kind == a.Kind && k.Name == a.Name && k.change.kind == a.change.kind })
			})
		}
		i.Advice = kept
	}
	return t.untried
}

// operationsTried is how many operations are compiled to try advice, in all; fewestTries is how many pieces are tried in any case.
const operationsTried, fewestTries = 40_000, 3

// Tries returns how many pieces of advice about a module can be tried in some seconds. Linear.
func Tries(module *ir.Op) int {
	n := 0
	module.Walk(func(*ir.Op) bool { n++; return true })
	return max(fewestTries, operationsTried/max(n, 1))
}

// String says what changes: "1 copy of 32.0 KiB less, peak 512 B instead of 32.5 KiB".
func (x *Effect) String() string {
	var out []string
	b, a := x.Before, x.After
	if n := b.Copies - a.Copies; n != 0 {
		out = append(out, lessOrMore(n, "copy", "copies"))
	}
	if b.Copied.String() != a.Copied.String() {
		out = append(out, "copied are "+sizeText(a.Copied)+" instead of "+sizeText(b.Copied))
	}
	if n := b.Allocations - a.Allocations; n != 0 {
		out = append(out, lessOrMore(n, "allocation", "allocations"))
	}
	if b.Peak.String() != a.Peak.String() {
		out = append(out, "the peak is "+sizeText(a.Peak)+" instead of "+sizeText(b.Peak))
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
	return fmt.Sprint(n, " ", word, " ", than)
}

// NeedsYou tells whether an advice changes what the program does, or is a promise about it, so that nobody else can follow it.
func (a Advice) NeedsYou() bool { return !a.change.keepsMeaning() }

// helps tells whether an effect is what an advice about an item promises; a flag may make copies for a lower peak, which is said.
func (x *Effect) helps(i *Item, flag bool) bool {
	b, a := x.Before, x.After
	if flag && b.Peak.AtLeast(a.Peak) && !a.Peak.AtLeast(b.Peak) {
		return true
	}
	if i.Copies > 0 {
		return a.Copies < b.Copies || a.Copies == b.Copies && !a.Copied.AtLeast(b.Copied) && b.Copied.AtLeast(a.Copied)
	}
	return a.Copies <= b.Copies && b.Peak.AtLeast(a.Peak) && (a.Allocations < b.Allocations || !a.Peak.AtLeast(b.Peak))
}

// measure measures a compiled program.
func measure(module *ir.Op) Measure {
	s := footprint.Analyze(module).Summarize()
	return Measure{s.Copies, s.Allocations, s.Copied, s.Peak}
}

// measures returns the measure of a program, and, where passes were chosen by hand, also of what is left once copies to themselves are removed, which recommended ones do.
func (t *trials) measures(module *ir.Op) []Measure {
	out := []Measure{measure(module)}
	if t.Passes == "" {
		return out
	}
	m, err := t.Registry.ParsePipeline("builtin.module(cse,canonicalize)")
	if err != nil || t.quiet().Run(m, module) != nil {
		return out
	}
	return append(out, measure(module))
}

// quiet runs passes without a word.
func (t *trials) quiet() *pass.Runner {
	return &pass.Runner{LLVM: t.LLVM, Sink: func(*ir.Diagnostic) {}, Text: func([]byte) {}}
}

// trials tries advice in copies of a module.
type trials struct {
	*Compilation
	module        *ir.Op
	names         *asm.SourceNames
	before        []Measure
	left, untried int
	flags         map[string][]*Effect
	tiled         bool // whether tiles were tried
}

// The flags of compile that may help.
const (
	dropFlag      = "--drop-equivalent-results"
	resultsFlag   = "--results arguments"
	overwriteFlag = "--arguments overwrite"
	tilesFlag     = "--max-memory least --extra-work 0"
)

// isFlag tells whether an advice about a pass is followed by a flag of compile.
func isFlag(a Advice) bool {
	return a.Kind == "pass" && (strings.HasPrefix(a.Name, "drop-equivalent-buffer-results") || strings.HasPrefix(a.Name, "buffer-results-to-out-params"))
}

// flagsFor returns the flags of compile that may help with an item.
func (t *trials) flagsFor(i *Item) (out []Advice) {
	if t.Passes != "" {
		return nil
	}
	flag := func(name, text string) { out = append(out, Advice{Kind: "flag", Name: name, Text: text}) }
	if i.Cause == Ownership {
		flag(dropFlag, "functions don't return arguments of theirs, which callers have already")
	}
	if i.Cause == Ownership || i.returned {
		flag(resultsFlag, "callers give the memory for results, which then counts among the arguments")
	}
	if i.Cause == ruleCause(oneshot.ReadOnlyArgument) && t.Options.Arguments != compile.OverwriteArguments {
		flag(overwriteFlag, "functions may work in the buffers of arguments, whose contents are lost to callers")
	}
	return out
}

// tiles returns the flag of compile by which an item may be there in parts only, the first time that it is asked for: it is about the whole program.
func (t *trials) tiles(i *Item) []Advice {
	d := t.Options.Deallocation
	if t.tiled || i.Cause != Result || t.Passes != "" || t.Options.MaxMemory != 0 || d != "" && d != compile.Ownership {
		return nil
	}
	t.tiled = true
	return []Advice{{Kind: "flag", Name: tilesFlag, Text: "what is between operations is there for some rows at a time, as chains of them are computed in tiles, without extra work"}}
}

// effects tries an advice; there are none if it can't be followed, or there was no time for it.
func (t *trials) effects(a Advice) (out []*Effect) {
	if known, ok := t.flags[a.Name]; ok && a.Kind == "flag" {
		return known
	}
	if a.change.kind == noChange && a.Name == "" {
		return nil
	}
	if t.left == 0 {
		t.untried++
		return nil
	}
	t.left--
	if after := t.follow(a); after != nil {
		for k, m := range t.measures(after) {
			if k < len(t.before) {
				out = append(out, &Effect{t.before[k], m})
			}
		}
	}
	if a.Kind == "flag" {
		t.flags[a.Name] = out
	}
	return out
}

// follow returns the compiled program that follows an advice; nil if there is none.
func (t *trials) follow(a Advice) *ir.Op {
	o, text := t.Options, ""
	switch {
	case a.Kind == "flag" && a.Name == dropFlag:
		o.DropEquivalentResults = true
	case a.Kind == "flag" && a.Name == resultsFlag:
		o.Results = compile.ResultArguments
	case a.Kind == "flag" && a.Name == tilesFlag:
		o.MaxMemory, o.ExtraWork, o.KeepOrder = compile.LeastMemory, 0, false
	case a.Kind == "flag":
		o.Arguments = compile.OverwriteArguments
	case a.Name != "":
		if text = withAdvice(t.pipeline(o), a); text == "" {
			return nil
		}
	}
	if text == "" {
		text = t.pipeline(o)
	}
	m, err := t.Registry.ParsePipeline(text)
	if err != nil {
		return nil
	}
	module := ir.CloneDetached(t.module)
	if a.change.kind != noChange {
		e := &editor{module, t.names}
		if !e.apply(a.change) || ir.Verify(module) != nil {
			return nil
		}
	}
	if t.quiet().Run(m, module) != nil {
		return nil
	}
	return module
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
