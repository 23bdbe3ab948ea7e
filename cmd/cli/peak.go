package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"freehold/dialect/memref"
	"freehold/internal/printable"
	"freehold/internal/terminal"
	"freehold/internal/textwrap"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/memory/trace"
	"freehold/proof/check"
	"freehold/transform/import/tflite/model"
)

// peakOptions are the flags of peak.
type peakOptions struct {
	entry   string
	rows    int
	json    bool
	trace   string
	format  string
	sizes   sizeFlags
	reading reading
	limit   int64 // of bytes that a function may need; below zero is none
}

func newPeakCommand(s invocation) *cobra.Command {
	var o peakOptions
	c := &cobra.Command{
		Use:   "peak [flags] FILE",
		Short: "Tell the peak of memory without executing, and what is alive there",
		Long: `peak says how much memory each function needs at most at a time, where that is,
and which buffers are alive there: their sizes, what made them, and in which
line. In a program on tensors, each tensor counts as a buffer.

A call adds the peak of what it calls. Of several branches, the largest counts;
the body of a loop counts once, with what it gets from the iteration before. A
buffer that nothing frees is alive to the end; in a loop, there is one for each
iteration. Arguments and constants are counted separately, since they are there
before and after. Sizes that are not known stay in the answer, under the names
that they have in the program: x[1] is dimension 1 of %x, and n the number %n.
If there is no name, arg0 is argument 0, n@7:12 is a number, or size, that
appears in line 7, column 12, and times@7:12 is how often that place is
executed. With --size n=128, n is known.

Below an arena are those of its parts that are alive at the peak.

A model of TensorFlow Lite (model.tflite) is compiled first, as the command
compile does it. peak says how large one arena for all its buffers has to be,
and how much the planner of TensorFlow Lite Micro would need for the model's
tensors, without what its kernels and its interpreter need in addition.

With --limit, the exit status is 1 if a function needs more than that size, and
2 if that depends on sizes that are not known. It is 2, too, if no function
has a body.`,
		Example: `  freehold peak model.mlir
  freehold peak --entry forward --rows 0 --json model.mlir
  freehold peak --limit 8MiB model.mlir`,
		Args: takes(1, false, "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return peak(s, &o, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&o.entry, "entry", "", "tell about this `function` only")
	f.IntVar(&o.rows, "rows", 10, "list so many of what is alive; 0 is all")
	f.BoolVar(&o.json, "json", false, "print everything as JSON")
	f.StringVar(&o.trace, "trace", "", "write when what is alive to this `file`, for the function with the largest peak")
	f.StringVar(&o.format, "trace-format", "chrome", "`format` of the trace: chrome (Perfetto opens it), pytorch (its memory viewer), or pprof (what is alive at the peak)")
	o.limit = -1
	f.Var((*byteLimit)(&o.limit), "limit", "fail if a function needs more than this `size`, such as 65536 or 64KiB")
	o.sizes.declare(f)
	o.reading.declare(f)
	return c
}

func peak(s invocation, o *peakOptions, path string) error {
	in, err := readModule(s, path, o.reading)
	if err != nil {
		return err
	}
	names, err := o.sizes.names(in)
	if err != nil {
		return err
	}
	isModel := model.Is(in.src)
	if isModel {
		if err := compileModel(in); err != nil {
			return err
		}
	}
	functions := check.Footprint(in.module, 0).Functions
	if len(functions) == 0 {
		if o.json {
			if err := printPeaksJSON(s.Out, functions, names, nil); err != nil {
				return err
			}
		}
		return noBody(in.name, "tell about")
	}
	if o.entry != "" {
		functions = slices.DeleteFunc(functions, func(f *footprint.Function) bool { return f.Name != o.entry })
		if len(functions) == 0 {
			return noFunction(in.name, in.module, o.entry)
		}
	}
	if o.trace != "" {
		format, err := trace.ParseFormat(o.format)
		if err != nil {
			return err
		}
		var largest *footprint.Function
		for _, f := range functions {
			if largest == nil || f.Peak().Bytes > largest.Peak().Bytes {
				largest = f
			}
		}
		t, err := traceOfText(largest)
		if err == nil {
			err = writeTrace(o.trace, t, format)
		}
		if err != nil {
			return err
		}
	}
	var network *modelMemory
	if isModel && functions[0].Op == in.entry() {
		if network, err = newModelMemory(in, functions[0]); err != nil {
			return err
		}
	}
	for _, f := range functions {
		f.Each(names.in(f.Name))
	}
	if o.json {
		err = printPeaksJSON(s.Out, functions, names, network)
	} else {
		err = printPeaks(s.Out, in, functions, names, network, o.rows)
	}
	if err != nil || o.limit < 0 {
		return err
	}
	return within(in, functions, o.limit)
}

// within reports the functions that need more than limit bytes, or may.
func within(in *input, functions []*footprint.Function, limit int64) error {
	status := 0
	for _, f := range functions {
		// Sizes that aren't known can only add to the least that is needed.
		least, known := int64(0), !f.Unknown
		for _, p := range f.Peaks {
			least, known = max(least, p.Size.Bytes), known && p.Size.IsStatic()
		}
		d := &ir.Diagnostic{Severity: ir.Error, Loc: f.Op.Loc()}
		switch {
		case least > limit:
			d.Message = fmt.Sprintf("@%s needs %d bytes, and the limit is %d", f.Name, least, limit)
			if !known {
				d.Message = fmt.Sprintf("@%s needs at least %d bytes, and the limit is %d", f.Name, least, limit)
			}
			status = statusWrong
		case !known:
			d.Severity = ir.Warning
			d.Message = fmt.Sprintf("whether @%s needs more than %d bytes depends on what isn't known", f.Name, limit)
			if status == 0 {
				status = statusNotJudged
			}
		default:
			continue
		}
		in.Report(d)
	}
	if status == 0 {
		return nil
	}
	return exitStatus(status)
}

// printPeaks says what functions need; network is what is to be said of the first one, if it is that of a model.
func printPeaks(w io.Writer, in *input, functions []*footprint.Function, names *sizeNames, network *modelMemory, rows int) error {
	arenas := footprint.Arenas(in.module)
	for i, f := range functions {
		if i > 0 {
			fmt.Fprintln(w)
		}
		p := peakPrinter{w, f, names.in(f.Name), arenas, rows, model.Is(in.src)}
		p.print()
		if i == 0 && network != nil {
			network.print(w, f, rows)
		}
	}
	return nil
}

// peakPrinter says what a function needs, in at most 80 columns where names are short. The sizes of the function have the names of the source already;
// named gives them to those of what is alive. Nothing is named twice, since a name may be another one's own, such as arg0 of argument 1.
type peakPrinter struct {
	w      io.Writer
	f      *footprint.Function
	named  func(footprint.Size) footprint.Size
	arenas []*footprint.Arena
	rows   int
	// isModel tells that the program is a model of TensorFlow Lite, whose places are operators.
	isModel bool
}

// line writes what there is under a label, with what doesn't fit below.
func (p *peakPrinter) line(label, text string) {
	for i, line := range textwrap.Lines(text, terminal.PlainWidth-12) {
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(p.w, "%-10s %s\n", label, line)
	}
}

func (p *peakPrinter) print() {
	f := p.f
	fmt.Fprintln(p.w, shownName(f.Name))
	peaks := slices.Clone(f.Peaks)
	for i, x := range peaks {
		peaks[i] = f.Fullest(x, p.arenas)
	}
	for i, x := range peaks {
		label := "peak"
		if i > 0 {
			label = "or"
		}
		exact := ""
		if x.Size.IsStatic() && x.Size.Bytes >= 1<<10 {
			exact = fmt.Sprintf(" (%d bytes)", x.Size.Bytes)
		}
		p.line(label, x.Size.String()+exact+p.where(x.Op, x.Size))
	}
	if f.Unknown {
		fmt.Fprintf(p.w, "%-10s with what calls itself, or isn't known, more\n", "")
	}
	p.line("arguments", f.Arguments.String())
	p.line("constants", f.Constants.String())
	for i, x := range peaks {
		items := f.At(x.Time)
		for k := range items {
			items[k].Size = p.named(items[k].Size)
		}
		if len(items) == 0 && !slices.ContainsFunc(p.arenas, p.isOutside) {
			continue
		}
		if len(peaks) > 1 {
			fmt.Fprintf(p.w, "alive at peak %d\n", i+1)
		}
		p.table(items, x.Time)
	}
}

// widestSize is how wide the column of sizes is at most; what is wider has a line of its own.
const widestSize = 30

// table lists what is alive, and below an arena which of its parts are.
func (p *peakPrinter) table(items []footprint.Item, time int64) {
	shown := items
	if p.rows > 0 && len(items) > p.rows {
		shown = items[:p.rows]
	}
	var rest footprint.Size
	for _, x := range items[len(shown):] {
		rest = rest.Plus(x.Size)
	}
	width := len(rest.String())
	for _, x := range shown {
		width = max(width, len(x.Size.String()))
	}
	for _, a := range p.arenas {
		if p.isOutside(a) {
			width = max(width, len(p.named(a.Size).String()))
		}
	}
	width = min(width, widestSize) + 2
	place := "line"
	if p.isModel {
		place = "op"
	}
	fmt.Fprintf(p.w, "%*s %6s  %s\n", width, "size", place, "what")
	for _, x := range shown {
		p.row(width, x.Size.String(), lineOf(x.Op), whatIs(x, 70-width))
		for _, a := range p.arenas {
			if x.Value != nil && a.Buffer == x.Value {
				p.parts(a, time, width)
			}
		}
	}
	if more := len(items) - len(shown); more > 0 {
		p.row(width, rest.String(), "", fmt.Sprintf("%d more", more))
	}
	for _, a := range p.arenas {
		if p.isOutside(a) {
			what := "the arena that callers pass, which is among the arguments"
			if !a.Buffer.IsBlockArg() {
				what = "the arena, a global, which is among the constants"
			}
			p.row(width, p.named(a.Size).String(), "", what)
			p.parts(a, time, width)
		}
	}
}

// isOutside tells whether an arena is one that the function doesn't allocate.
func (p *peakPrinter) isOutside(a *footprint.Arena) bool {
	return a.Function == p.f.Op && (a.Buffer.IsBlockArg() || !interfaces.HasEffect(a.Buffer.DefiningOp(), interfaces.Allocate, a.Buffer))
}

func (p *peakPrinter) row(width int, size, line, what string) {
	if len(size) > width {
		for _, part := range textwrap.Lines(size, terminal.PlainWidth-4) {
			fmt.Fprintf(p.w, "  %s\n", part)
		}
		size = ""
	}
	fmt.Fprintf(p.w, "%*s %6s  %s\n", width, size, line, what)
}

// parts lists the parts of an arena that are alive at a time, the largest first.
func (p *peakPrinter) parts(a *footprint.Arena, time int64, width int) {
	alive := a.At(time)
	var rest footprint.Size
	for n, i := range alive {
		size := p.named(a.Sizes[i])
		if p.rows > 0 && n >= p.rows {
			rest = rest.Plus(size)
			continue
		}
		op := a.Parts[i].DefiningOp()
		p.row(width, size.String(), lineOf(op), "  in it "+a.Parts[i].Type().String())
	}
	if more := len(alive) > p.rows; p.rows > 0 && more {
		p.row(width, rest.String(), "", fmt.Sprintf("  in it %d more", len(alive)-p.rows))
	}
}

// where tells at which operation a peak is.
func (p *peakPrinter) where(op *ir.Op, s footprint.Size) string {
	if s.IsStatic() && s.Bytes == 0 {
		return ""
	}
	pos, ok := ir.SourcePos(op.Loc())
	switch {
	case ok && p.isModel:
		return fmt.Sprintf(", at operator %d", pos.Line)
	case ok:
		return fmt.Sprintf(", at %s in line %d", op.Name(), pos.Line)
	}
	return ", at " + op.Name()
}

func lineOf(op *ir.Op) string {
	if p, ok := ir.SourcePos(op.Loc()); ok {
		return fmt.Sprint(p.Line)
	}
	return ""
}

// whatIs tells what something that is alive is, with its type where that fits.
func whatIs(x footprint.Item, width int) string {
	if x.Callee != "" && x.Leaked {
		return "what calls of " + shownName(x.Callee) + " never free"
	}
	if x.Callee != "" {
		return "call of " + shownName(x.Callee)
	}
	if x.Value != nil && memref.IsArena(x.Value) {
		return "arena, a " + x.Value.Type().String()
	}
	text, after := x.Op.Name(), ""
	if layer := layerOf(x.Op.Loc()); layer != "" {
		text = layer
	}
	if x.Copy {
		text = "copy for " + text
	}
	switch {
	case x.Leaked && x.Freed:
		after = ", perhaps not freed"
	case x.Leaked:
		after = ", never freed"
	}
	if t := x.Value.Type().String(); len(text)+len(t)+len(after) < width {
		text += " " + t
	}
	return text + after
}

// layerOf returns the name that a location gives what it is the location of, such as that of a layer of a network; "" if it
// gives none. Of several that a converter has joined it is the first.
func layerOf(loc ir.Location) (name string) {
	ir.WalkLocation(loc, func(l ir.Location) bool {
		if n, ok := l.(*ir.NameLoc); ok {
			name, _, _ = strings.Cut(n.Name, ";")
		}
		return name == ""
	})
	return printable.Text(name)
}

// The types of the JSON report.
type (
	jsonFootprint struct {
		Function    string     `json:"function"`
		Allocations int        `json:"allocations"`
		Tensors     int        `json:"tensors"`
		Copies      int        `json:"copies"`
		Copied      jsonSize   `json:"copied"`
		Arguments   jsonSize   `json:"arguments"`
		Constants   jsonSize   `json:"constants"`
		Peak        jsonSize   `json:"peak"`
		Unknown     bool       `json:"unknown,omitempty"`
		Peaks       []jsonPeak `json:"peaks"`
		Model       *jsonModel `json:"model,omitempty"`
	}
	jsonPeak struct {
		jsonSize
		jsonPlace
		Alive []jsonItem `json:"alive"`
	}
	jsonItem struct {
		jsonSize
		jsonPlace
		Type   string `json:"type,omitempty"`
		Callee string `json:"callee,omitempty"`
		Leaked bool   `json:"leaked,omitempty"`
		Copy   bool   `json:"copy,omitempty"`
	}
	jsonPlace struct {
		Operation string `json:"operation,omitempty"`
		File      string `json:"file,omitempty"`
		Line      uint32 `json:"line,omitempty"`
		Column    uint32 `json:"column,omitempty"`
	}
	// jsonSize is bytes, and products of unknown sizes.
	jsonSize struct {
		Bytes int64      `json:"bytes"`
		Terms []jsonTerm `json:"terms,omitempty"`
	}
	jsonTerm struct {
		Bytes int64    `json:"bytes"`
		Sizes []string `json:"sizes"`
	}
)

func sizeJSON(s footprint.Size) jsonSize {
	out := jsonSize{Bytes: s.Bytes}
	for _, t := range s.Terms {
		out.Terms = append(out.Terms, jsonTerm{t.Bytes, t.Sizes})
	}
	return out
}

func placeJSON(op *ir.Op) jsonPlace {
	out := jsonPlace{Operation: op.Name()}
	if p, ok := ir.SourcePos(op.Loc()); ok {
		out.File, out.Line, out.Column = p.File(), p.Line, p.Col
	}
	return out
}

func footprintJSON(f *footprint.Function, named func(footprint.Size) footprint.Size) jsonFootprint {
	out := jsonFootprint{
		Function: f.Name, Allocations: f.Allocations, Tensors: f.Tensors, Copies: f.Copies, Copied: sizeJSON(named(f.Copied)),
		Arguments: sizeJSON(f.Arguments), Constants: sizeJSON(f.Constants), Peak: sizeJSON(f.Peak()), Unknown: f.Unknown, Peaks: []jsonPeak{},
	}
	for _, p := range f.Peaks {
		x := jsonPeak{jsonSize: sizeJSON(p.Size), jsonPlace: placeJSON(p.Op), Alive: []jsonItem{}}
		for _, i := range f.At(p.Time) {
			item := jsonItem{jsonSize: sizeJSON(named(i.Size)), jsonPlace: placeJSON(i.Op), Callee: i.Callee, Leaked: i.Leaked, Copy: i.Copy}
			if i.Value != nil {
				item.Type = i.Value.Type().String()
			}
			x.Alive = append(x.Alive, item)
		}
		out.Peaks = append(out.Peaks, x)
	}
	return out
}

func printPeaksJSON(w io.Writer, functions []*footprint.Function, names *sizeNames, network *modelMemory) error {
	out := []jsonFootprint{}
	for _, f := range functions {
		out = append(out, footprintJSON(f, names.in(f.Name)))
	}
	if network != nil {
		out[0].Model = network.json()
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
