package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"freehold/compile"
	"freehold/internal/fileio"
	"freehold/internal/terminal"
	"freehold/internal/textwrap"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/tool/explain"
	"freehold/transform/import/tflite/model"
)

// explainOptions are the flags of explain.
type explainOptions struct {
	json    bool
	all     bool
	reading reading
	value   string
	passes  fittingPasses
	most    int
	line    uint32 // only this one; 0 for all
	peak    bool
	noTry   bool
	tries   int
	apply   bool
	output  string
}

func newExplainCommand(s invocation) *cobra.Command {
	var o explainOptions
	c := &cobra.Command{
		Use:   "explain [flags] FILE[:LINE]",
		Short: "Say why a program copies and allocates, and what would change that",
		Long: `explain compiles a program on tensors as the command compile does, and says for
every copy and every buffer that is left why it is there, and what would need
less. Copies and buffers with the same cause are one entry, with its places.

A tensor never changes, so an operation makes a new one. On buffers it can
overwrite the old tensor's buffer instead, if the old contents are no longer
needed and the buffer may be written. Otherwise there is a copy: explain shows
the write that would destroy the contents, the read that still needs them, and
where they come from.

Advice is tried on the program before it is printed. Only what helps is printed,
with what it changes: fewer copies, a lower peak. With --no-try, nothing is
tried, and everything that might help is printed. With --apply, the advice that
doesn't change what the program computes is followed, and the program written.

The largest entry comes first. With --peak, only what is alive at the peak
counts. Operations stay in the order in which they are written; with
--max-memory, the program is compiled to fit into that limit, as the command
compile does it.

With a LINE, or with --op and the name of a value, explain looks at that place
only, and also says what the passes after bufferization removed there.

The exit status is 1 if the program can't be compiled; 2 if no function has a
body, or the passes leave the program on tensors, so that nothing is decided;
and 3 if nothing is in that line, or no value has that name.`,
		Example: `  freehold explain model.mlir
  freehold explain --peak model.mlir
  freehold explain model.mlir:120
  freehold explain --op %scores model.mlir
  freehold explain --apply -o better.mlir model.mlir
  freehold explain --json model.mlir | jq '.items[] | select(.copies > 0)'`,
		Args: takes(1, false, "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return runExplain(s, &o, args[0]) },
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print everything as JSON")
	f.BoolVar(&o.all, "all", false, "also what passes after bufferization removed")
	f.StringVar(&o.value, "op", "", "only what is about the value with this `name`, such as %x")
	o.passes.declare(c)
	f.BoolVar(&o.peak, "peak", false, "only what is there at the peak")
	f.BoolVar(&o.noTry, "no-try", false, "don't try advice: print all that might help")
	f.IntVar(&o.tries, "tries", 0, "how many pieces of advice are tried at most; 0 is as many as take some seconds")
	f.BoolVar(&o.apply, "apply", false, "write the program with the advice followed that keeps what it does")
	f.StringVarP(&o.output, "output", "o", "-", "with --apply, write the program to this `file`; - is standard output")
	c.MarkFlagsMutuallyExclusive("apply", "json")
	c.MarkFlagsMutuallyExclusive("apply", "no-try")
	f.IntVar(&o.most, "most", 20, "how many to show in full; 0 is no limit")
	o.reading.declare(f)
	return c
}

func runExplain(s invocation, o *explainOptions, arg string) error {
	path := arg
	if file, digits, ok := cutLast(arg, ":"); ok {
		if line, err := strconv.ParseUint(digits, 10, 32); err == nil && line > 0 {
			path, o.line = file, uint32(line)
		}
	}
	in, err := readModule(s, path, o.reading)
	if err != nil {
		return err
	}
	if !hasBody(in.module) {
		return noBody(in.name, "explain")
	}
	if err := o.exists(in); err != nil {
		return err
	}
	if o.passes.passes != "" {
		if _, err := in.session.Passes.ParsePipeline(o.passes.passes); err != nil {
			return err
		}
	}
	var given *ir.Op
	if !o.noTry {
		given = ir.CloneDetached(in.module)
	}
	// What is said is about the program as it is written.
	c, err := o.passes.compilation(in, compile.Options{KeepOrder: true})
	if err != nil {
		return err
	}
	e, err := c.Explain(in.module)
	if err != nil {
		in.ReportAll(err)
		return exitStatus(statusWrong)
	}
	if len(e.Items) == 0 && hasTensorOps(e.Module) {
		return nothing("%s: the program is still on tensors after the passes: whether anything is copied isn't decided yet", in.name)
	}
	shown := explain.Groups(o.choose(e))
	untried, more := 0, 0
	if !o.noTry {
		untried, more = c.Try(given, e, shown, o.limit(given))
	}
	if o.apply {
		return o.applied(s, in, c, given, shown)
	}
	if o.json {
		return explainJSON(s.Out, in.name, e, shown)
	}
	out := newReporter(s.Out, in.src, in.name)
	if err := o.print(in, out, e, shown); err != nil || untried == 0 {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "\n%s tried, since that takes long; --tries %d does it\n", counted(untried, "piece of advice wasn't", "pieces of advice weren't"), more+o.limit(given))
	return err
}

// limit returns how many pieces of advice are tried at most.
func (o *explainOptions) limit(module *ir.Op) int {
	if o.tries > 0 {
		return o.tries
	}
	return explain.Tries(module)
}

// applied writes the program with the advice followed, and says what was left to do.
func (o *explainOptions) applied(s invocation, in *input, c *explain.Compilation, module *ir.Op, groups []*explain.Group) error {
	n := c.Apply(module, groups)
	fmt.Fprintf(s.Err, "%s followed\n", counted(n, "piece of advice", "pieces of advice"))
	for _, g := range groups {
		for _, a := range g.First().Advice {
			if a.Name != "" {
				s.say(fmt.Sprintf("left to you: %s `%s`: %s", a.Kind, a.Name, a.Text))
			} else if a.NeedsYou() {
				s.say("left to you: " + a.Text)
			}
		}
	}
	doc := *in.doc
	doc.Module = module
	text, err := in.session.Print(&doc, asm.PrintOptions{})
	if err != nil {
		return err
	}
	return fileio.Write(o.output, text, s.Out)
}

// exists tells whether the place that is asked for is in the program.
func (o *explainOptions) exists(in *input) error {
	if !o.chosen() {
		return nil
	}
	names := asm.NewSourceNames(sourceOf(in.name, in.text()))
	var values []string
	atLine, named := false, false
	value := func(v *ir.Value) {
		name := strings.TrimPrefix(names.Value(v), "%")
		plain, _, _ := strings.Cut(name, "#")
		wanted := strings.TrimPrefix(o.value, "%")
		named = named || name != "" && (name == wanted || plain == wanted)
		values = append(values, plain)
		pos, ok := ir.SourcePos(v.Loc())
		atLine = atLine || ok && pos.Line == o.line
	}
	in.module.Walk(func(op *ir.Op) bool {
		pos, ok := ir.SourcePos(op.Loc())
		atLine = atLine || ok && pos.Line == o.line && op.Parent() != nil
		for _, v := range op.Results().Values() {
			value(v)
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, v := range b.Args() {
					value(v)
				}
			}
		}
		return true
	})
	if lines := bytes.Count(bytes.TrimSuffix(in.text(), []byte("\n")), []byte("\n")) + 1; o.line > 0 && !atLine {
		if int(o.line) > lines {
			return fmt.Errorf("%s has %s, and no line %d", in.name, counted(lines, "line", "lines"), o.line)
		}
		return fmt.Errorf("%s: no operation is in line %d", in.name, o.line)
	}
	if o.value != "" && !named {
		name := strings.TrimPrefix(o.value, "%")
		return fmt.Errorf("%s: no value is called %s%s", in.name, "%"+name, pass.Meant("%", name, values))
	}
	return nil
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// chosen tells whether one place is asked for.
func (o *explainOptions) chosen() bool { return o.line > 0 || o.value != "" }

// choose returns the items that are asked for.
func (o *explainOptions) choose(e *explain.Explanation) []*explain.Item {
	items := e.Items
	if o.peak {
		items = e.AtPeak()
	}
	return slices.DeleteFunc(slices.Clone(items), func(i *explain.Item) bool {
		if o.chosen() {
			return !o.about(i.At) && !slices.ContainsFunc(i.Notes, func(n explain.Note) bool { return o.about(n.Place) })
		}
		return !o.all && !i.Remains()
	})
}

func (o *explainOptions) about(p explain.Place) bool {
	if o.value != "" && strings.TrimPrefix(p.Name, "%") == strings.TrimPrefix(o.value, "%") {
		return true
	}
	pos, ok := ir.SourcePos(orUnknown(p.Loc))
	return o.line > 0 && ok && pos.Line == o.line
}

func orUnknown(l ir.Location) ir.Location {
	if l == nil {
		return ir.Unknown
	}
	return l
}

// print writes the summary, and then entry by entry.
func (o *explainOptions) print(in *input, r *reporter, e *explain.Explanation, shown []*explain.Group) error {
	var b strings.Builder
	w, unit := r.Err, "line"
	if model.Is(in.src) {
		unit = "operator"
	}
	style := terminal.StyleOf(w)
	if !o.chosen() {
		o.summary(&b, style, terminal.Width(w), e, shown)
	} else if len(shown) == 0 {
		b.WriteString("nothing is copied or allocated there\n")
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	for n, g := range shown {
		if o.most > 0 && n == o.most {
			_, err := fmt.Fprintf(w, "\n%s more; --most 0 shows all, FILE:LINE those of a line\n", strconv.Itoa(len(shown)-n))
			return err
		}
		if n > 0 || !o.chosen() {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		r.Show(remark(g.First()))
		if _, err := io.WriteString(w, places(g, unit)+advice(style, g.First())); err != nil {
			return err
		}
	}
	return nil
}

// mostLines is how many lines are listed of what is like an entry.
const mostLines = 8

// places tells where else there is what an entry is about, in lines or operators; "" if there is nothing.
func places(g *explain.Group, unit string) string {
	if len(g.Items) == 1 {
		return ""
	}
	var lines []string
	for _, i := range g.Items[1:] {
		if pos, ok := ir.SourcePos(orUnknown(i.At.Loc)); ok && !slices.Contains(lines, fmt.Sprint(pos.Line)) {
			lines = append(lines, fmt.Sprint(pos.Line))
		}
	}
	text := fmt.Sprintf("%d more like this", len(g.Items)-1)
	if g.Unknown == 0 {
		text += ", all together " + footprint.Bytes(g.Bytes)
	}
	if len(lines) > 0 {
		if len(lines) > 1 {
			unit += "s"
		}
		text += ": " + unit + " " + strings.Join(lines[:min(len(lines), mostLines)], ", ")
	}
	if more := len(lines) - mostLines; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return indented("  = ", text)
}

// indented breaks a text into lines that begin below its start.
func indented(mark, text string) string {
	var b strings.Builder
	for _, line := range textwrap.Lines(text, 74) {
		b.WriteString(mark + line + "\n")
		mark = "    "
	}
	return b.String()
}

// notesOfRole is how many reads, how many writes and so on are shown of an item, and advices how
// much advice.
const notesOfRole, advices = 2, 3

// remark shows an item as a compiler does.
func remark(i *explain.Item) *ir.Diagnostic {
	d := &ir.Diagnostic{Severity: ir.Remark, Loc: i.At.Loc, Message: i.Headline() + ": " + i.Title}
	shown := map[explain.Role]int{}
	for _, n := range i.Notes {
		if !isKnown(n.Loc) && isKnown(i.At.Loc) {
			continue // of an operation that isn't in the source
		}
		if shown[n.Role]++; shown[n.Role] <= notesOfRole {
			d.WithNote(n.Loc, "%s", n.Text)
		}
	}
	for _, r := range []struct {
		role      explain.Role
		one, many string
	}{{explain.TheRead, "read", "reads"}, {explain.TheWrite, "write", "writes"}, {explain.TheDefinition, "origin", "origins"}} {
		if more := shown[r.role] - notesOfRole; more > 0 {
			are := "are"
			if more == 1 {
				are = "is"
			}
			d.WithNote(i.At.Loc, "there "+are+" %s like that; --json lists them", counted(more, "more "+r.one, "more "+r.many))
		}
	}
	switch {
	case i.Once:
		d.WithNote(i.Loop.Loc, "it happens once, outside of this loop")
	case i.Loop.Known():
		d.WithNote(i.Loop.Loc, "it happens in each iteration of this loop")
	}
	return d
}

// isKnown tells whether a location is in a source.
func isKnown(l ir.Location) bool {
	_, ok := ir.SourcePos(orUnknown(l))
	return ok
}

// advice lists what would remove an item, and what that changed when it was tried.
func advice(style terminal.Style, i *explain.Item) string {
	var b strings.Builder
	for k, a := range i.Advice[:min(len(i.Advice), advices)] {
		text := "to avoid it: "
		if k > 0 {
			text = "or: "
		}
		switch {
		case a.Kind == "flag":
			text += "compile with `" + a.Name + "`: "
		case a.Name != "":
			text += a.Kind + " `" + a.Name + "`: "
		}
		text += a.Text
		if a.Effect != nil {
			text += " (tried: " + a.Effect.String() + ")"
		}
		b.WriteString(strings.Replace(indented("  = ", text), "to avoid it:", style.Good("to avoid it:"), 1))
	}
	return b.String()
}

// counted returns a number with a word in singular or plural.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// total sums what items have in common.
type total struct {
	cause               explain.Cause
	copies, allocations int
	bytes               int64
	unknown             bool // some have sizes that are known only when the program runs
}

func (t *total) add(i *explain.Item) {
	t.copies += i.Copies
	t.allocations += i.Allocations
	if !i.Size.IsStatic() {
		t.unknown = true
		return
	}
	t.bytes += i.Size.Bytes * int64(max(i.Copies, i.Allocations))
}

func (t *total) size() string {
	switch {
	case !t.unknown:
		return footprint.Bytes(t.bytes)
	case t.bytes == 0:
		return "dynamic"
	}
	return footprint.Bytes(t.bytes) + " +"
}

// summary writes how much there is, what is allocated in the end, and a table of the causes.
func (o *explainOptions) summary(b *strings.Builder, style terminal.Style, width int, e *explain.Explanation, shown []*explain.Group) {
	var all total
	var byCause []*total
	parts := 0
	for _, g := range shown {
		for _, i := range g.Items {
			if !i.Remains() {
				continue
			}
			all.add(i)
			parts += i.Parts
			k := slices.IndexFunc(byCause, func(t *total) bool { return t.cause == i.Cause && (t.copies > 0) == (i.Copies > 0) })
			if k < 0 {
				k = len(byCause)
				byCause = append(byCause, &total{cause: i.Cause})
			}
			byCause[k].add(i)
		}
	}
	text := counted(all.copies, "copy", "copies") + " and " + counted(all.allocations, "buffer", "buffers")
	if o.peak {
		text += " at the peak"
	}
	if parts > 0 && !o.peak {
		apart := all.allocations - parts
		text += ": " + counted(apart+e.Arenas, "allocation", "allocations") + ", of which " + counted(e.Arenas, "arena", "arenas") + " for " + counted(parts, "buffer", "buffers")
	}
	b.WriteString(style.Heading(text) + "\n")
	slices.SortStableFunc(byCause, func(x, y *total) int {
		return cmp.Or(cmp.Compare(min(y.copies, 1), min(x.copies, 1)), cmp.Compare(y.bytes, x.bytes))
	})
	if len(byCause) > 0 {
		b.WriteString("\n" + style.Aside(fmt.Sprintf("%7s %7s %10s  %s", "copies", "buffers", "size", "why")) + "\n")
	}
	for _, t := range byCause {
		for k, line := range textwrap.Lines(t.cause.Meaning(), min(width, 120)-30) {
			if k == 0 {
				fmt.Fprintf(b, "%7d %7d %10s  %s\n", t.copies, t.allocations, t.size(), line)
				continue
			}
			fmt.Fprintf(b, "%28s%s\n", "", line)
		}
	}
	removals(b, e)
	if m := e.OtherOrder; m != nil && !e.Ordered {
		fmt.Fprintf(b, "compile puts operations into another order, in which the peak is %s\n", m.PeakInNames())
	}
}

// removals tells which passes removed copies.
func removals(b *strings.Builder, e *explain.Explanation) {
	removed := map[string]int{}
	var removers []string
	for _, i := range e.Items {
		if gone := i.MadeCopies - i.Copies; gone > 0 && i.Removed != "" {
			if removed[i.Removed] == 0 {
				removers = append(removers, i.Removed)
			}
			removed[i.Removed] += gone
		}
	}
	for k, name := range removers {
		if k == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "%s removes %s\n", name, counted(removed[name], "copy", "copies"))
	}
}

// explainJSON writes all as JSON.
func explainJSON(w io.Writer, file string, e *explain.Explanation, shown []*explain.Group) error {
	type place struct {
		File   string `json:"file,omitempty"`
		Line   uint32 `json:"line,omitempty"`
		Column uint32 `json:"column,omitempty"`
		Name   string `json:"name,omitempty"`
	}
	type note struct {
		Role string `json:"role"`
		place
		Text string `json:"text"`
	}
	type measure struct {
		Copies      int      `json:"copies"`
		Copied      jsonSize `json:"copied"`
		Allocations int      `json:"allocations"`
		Peak        jsonSize `json:"peak"`
	}
	measured := func(m explain.Measure) *measure {
		return &measure{m.Copies, sizeJSON(m.Copied), m.Allocations, sizeJSON(m.Peak)}
	}
	type advice struct {
		Kind string `json:"kind"`
		Name string `json:"name,omitempty"`
		Text string `json:"text"`
		// Before and After are there if it was tried.
		Before *measure `json:"before,omitempty"`
		After  *measure `json:"after,omitempty"`
	}
	type item struct {
		place
		Op              string   `json:"op"`
		Function        string   `json:"function,omitempty"`
		Cause           string   `json:"cause"`
		Title           string   `json:"title"`
		Type            string   `json:"type"`
		Bytes           int64    `json:"bytes"`
		Factors         []string `json:"dynamicSizes,omitempty"`
		Copies          int      `json:"copies"`
		Allocations     int      `json:"allocations"`
		Parts           int      `json:"parts,omitempty"`
		Group           int      `json:"group"`
		MadeCopies      int      `json:"madeCopies"`
		MadeAllocations int      `json:"madeAllocations"`
		Removed         string   `json:"removedBy,omitempty"`
		Notes           []note   `json:"notes,omitempty"`
		Advice          []advice `json:"advice,omitempty"`
	}
	at := func(p explain.Place) place {
		pos, ok := ir.SourcePos(orUnknown(p.Loc))
		if !ok {
			return place{Name: p.Name}
		}
		return place{pos.File(), pos.Line, pos.Col, p.Name}
	}
	out := struct {
		File        string `json:"file"`
		Copies      int    `json:"copies"`
		Allocations int    `json:"allocations"`
		Items       []item `json:"items"`
	}{File: file, Items: []item{}}
	for _, i := range e.Items {
		out.Copies += i.Copies
		out.Allocations += i.Allocations
	}
	groups := map[*explain.Item]int{}
	var items []*explain.Item
	for n, g := range shown {
		for _, i := range g.Items {
			groups[i] = n
		}
	}
	for _, i := range e.Items {
		if _, ok := groups[i]; ok {
			items = append(items, i)
		}
	}
	for _, i := range items {
		x := item{
			place: at(i.At), Op: i.Op, Function: i.Function, Cause: string(i.Cause), Title: i.Title, Type: i.Type,
			Bytes: i.Size.Bytes, Copies: i.Copies, Allocations: i.Allocations, Parts: i.Parts, Group: groups[i],
			MadeCopies: i.MadeCopies, MadeAllocations: i.MadeAllocations, Removed: i.Removed,
		}
		for _, t := range i.Size.Terms { // one, of a buffer
			x.Bytes, x.Factors = t.Bytes, t.Sizes
		}
		for _, n := range i.Notes {
			x.Notes = append(x.Notes, note{string(n.Role), at(n.Place), n.Text})
		}
		for _, a := range i.Advice {
			said := advice{Kind: a.Kind, Name: a.Name, Text: a.Text}
			if a.Effect != nil {
				said.Before, said.After = measured(a.Effect.Before), measured(a.Effect.After)
			}
			x.Advice = append(x.Advice, said)
		}
		out.Items = append(out.Items, x)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
