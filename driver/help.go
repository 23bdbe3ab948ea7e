package driver

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"freehold/internal/textwrap"
	"freehold/pass"
)

// helpColumn is where the descriptions start.
const helpColumn = 46

// helpWidth is the number of columns.
const helpWidth = 100

// printOptHelp writes the help text of opt: its flags by group, then the passes
// and pipelines with their options.
func printOptHelp(w io.Writer, t *Tool, flags map[string]*flag, reg *pass.Registry) {
	var b strings.Builder
	b.WriteString("OVERVIEW: freehold, drop-in for the MLIR modular optimizer driver\n\n")
	for n, line := range textwrap.Lines("Available Dialects: "+strings.Join(t.dialectNames(), ", "), helpWidth-4) {
		b.WriteString(strings.Repeat("    ", min(n, 1)) + line + "\n")
	}
	fmt.Fprintf(&b, "USAGE: %s [options] <input file>\n\nOPTIONS:\n", t.Name)
	for _, g := range []string{groupGeneral, groupPrint, groupWatch} {
		b.WriteString("\n" + g + ":\n\n")
		var in []*flag
		for n, f := range flags {
			if f.group == g && f.name == n && f.missing == "" {
				in = append(in, f)
			}
		}
		sort.Slice(in, func(i, j int) bool { return in[i].name < in[j].name })
		for _, f := range in {
			head := dashed(f.name)
			switch {
			case f.kind == optionalFlag:
				head += "[=<" + f.meta + ">]"
			case f.meta != "" && len(f.name) == 1:
				head += " <" + f.meta + ">"
			case f.meta != "":
				head += "=<" + f.meta + ">"
			}
			helpLine(&b, 2, head, f.help)
			for _, c := range f.cases {
				helpLine(&b, 4, "="+c.Name, "  "+c.Help)
			}
		}
	}
	b.WriteString("\nPasses (they run in the order in which they are given):\n\n")
	for _, p := range reg.Passes() {
		helpPass(&b, p.Name, p.Summary, p.Options())
	}
	b.WriteString("\nPass Pipelines:\n\n")
	for _, p := range reg.Pipelines() {
		helpPass(&b, p.Name, p.Summary, p.Options())
	}
	io.WriteString(w, b.String())
}

func helpPass(b *strings.Builder, name, summary string, options []*pass.Option) {
	helpLine(b, 2, "--"+name, summary)
	for _, o := range options {
		meta := o.Kind.String()
		switch o.Kind {
		case pass.BoolKind:
			meta = ""
		case pass.EnumKind:
			meta = "=<value>"
		case pass.ListKind:
			meta = "=<string>,..."
		default:
			meta = "=<" + meta + ">"
		}
		helpLine(b, 4, o.Name+meta, o.Help)
		for _, c := range o.Cases {
			if c.Help == "" {
				continue
			}
			helpLine(b, 6, "="+c.Name, "  "+c.Help)
		}
	}
}

func helpLine(b *strings.Builder, indent int, head, text string) {
	pad := strings.Repeat(" ", indent)
	head = pad + head
	if len(head) >= helpColumn {
		b.WriteString(head + "\n")
		head = ""
	}
	lead := len(text) - len(strings.TrimLeft(text, " "))
	for n, line := range textwrap.Lines(text[lead:], helpWidth-helpColumn-3-lead) {
		mark := "-"
		if n > 0 {
			head, mark = "", " "
		}
		fmt.Fprintf(b, "%-*s %s %s%s\n", helpColumn, head, mark, text[:lead], line)
	}
}

// printPassList writes one line a pass.
func printPassList(w io.Writer, reg *pass.Registry) {
	var b strings.Builder
	for _, p := range reg.Passes() {
		on := p.On
		if on == "" {
			on = pass.AnyOp
		}
		fmt.Fprintf(&b, "%-45s %-16s %s\n", p.Name, on, p.Summary)
	}
	for _, p := range reg.Pipelines() {
		fmt.Fprintf(&b, "%-45s %-16s %s\n", p.Name, "(pipeline)", p.Summary)
	}
	io.WriteString(w, b.String())
}
