package emitc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// WriteWhole writes header and source as one file.
func (u *Unit) WriteWhole(to io.Writer) error {
	if err := u.WriteHeader(to); err != nil {
		return err
	}
	return u.writeSource(to, "")
}

// WriteSource writes the source. It needs memory for one constant at a time.
func (u *Unit) WriteSource(to io.Writer) error {
	return u.writeSource(to, fmt.Sprintf("#include \"%s.h\"\n", u.m.o.Name))
}

func (u *Unit) writeSource(to io.Writer, include string) error {
	w := bufio.NewWriterSize(to, 1<<16)
	m := u.m
	free := ""
	if name := m.deallocator(); name != "" {
		free = fmt.Sprintf("\nvoid %s(void *memory) { fh_free(memory); }\n", name)
	}
	texts := [][]byte{[]byte(free)}
	for _, f := range m.functions {
		texts = append(texts, f.text.Bytes())
	}
	m.helpers.dropUnused(texts...)
	fmt.Fprintf(w, "/* Written by freehold%s. Compile it with -ffp-contract=off -fno-strict-aliasing. */\n%s", m.from(), include)
	for _, h := range slices.Sorted(keys(m.helpers.headers)) {
		fmt.Fprintf(w, "#include <%s>\n", h)
	}
	if m.usesDouble() {
		w.WriteString(doubleCheck)
	}
	if len(m.helpers.list)+len(m.globals.list) > 0 {
		w.WriteByte('\n')
	}
	if len(m.globals.list) > 0 {
		m.alignMacro()
	}
	for _, h := range m.helpers.list {
		if m.o.Suffix != "" {
			w.WriteString(h.guarded())
		} else {
			w.WriteString(h.text)
		}
	}
	m.helpers.written = true
	if m.globals.size > 0 {
		fmt.Fprintf(w, "static const unsigned char *%s;\nvoid %s(const void *weights) { %[1]s = weights; }\n", m.weightsName(), m.setWeightsName())
	}
	if err := m.globals.write(w); err != nil {
		return err
	}
	for _, f := range m.functions {
		if !m.inHeader(f) {
			w.WriteString(f.resultsType())
			fmt.Fprintf(w, "%s;\n", f.signature)
		}
	}
	for _, f := range m.functions {
		w.WriteByte('\n')
		w.Write(f.text.Bytes())
	}
	w.WriteString(free)
	return w.Flush()
}

// from tells what the program comes from.
func (m *module) from() string {
	if m.o.Source == "" {
		return ""
	}
	return " from " + comment(m.o.Source)
}

// doubleCheck is an error for compilers whose double has fewer bits, such as those for processors of 8 bits: they would compute other numbers, without a word.
const doubleCheck = `
/* Doubles have to have 64 bits. */
typedef char fh_double_has_64_bits[sizeof(double) == 8 ? 1 : -1];
`

// usesDouble tells whether the source computes with doubles.
func (m *module) usesDouble() bool {
	double := []byte("double")
	for _, h := range m.helpers.list {
		if strings.Contains(h.text, "double") {
			return true
		}
	}
	return slices.ContainsFunc(m.functions, func(f *function) bool { return bytes.Contains(f.text.Bytes(), double) })
}

// WriteHeader writes the header: the types of what functions take and return, the sizes of arguments, results and arenas, and the functions
// that the program has and needs.
func (u *Unit) WriteHeader(to io.Writer) error {
	w := bufio.NewWriter(to)
	m := u.m
	macros := m.scope.macros()
	guard := macros.fresh(strings.ToUpper(identifier(m.o.Name)) + "_H")
	fmt.Fprintf(w, "/* Written by freehold%s. */\n#ifndef %s\n#define %s\n#include <stdint.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n", m.from(), guard, guard)
	for _, t := range m.types.text {
		w.WriteString(t)
	}
	if n := m.globals.size; n > 0 {
		fmt.Fprintf(w, "/* The size in bytes of the file of weights, which must be in memory, at an address that is a multiple of 64, before\n   anything else is called. */\n")
		fmt.Fprintf(w, "#define %s %d\nvoid %s(const void *weights);\n\n", macros.fresh(strings.ToUpper(m.weightsName())+"_SIZE"), n, m.setWeightsName())
	}
	for _, g := range m.globals.list {
		if n, _ := ir.NumElements(g.t.Shape); g.op.Attr(memref.ArenaAttr) != nil {
			fmt.Fprintf(w, "/* The size in bytes of the arena @%s, which is in the program. */\n#define %s %d\n", g.name, macros.fresh(strings.ToUpper(g.name)+"_SIZE"), n)
		}
	}
	if name := m.deallocator(); name != "" {
		fmt.Fprintf(w, "\n/* Frees what a function returned: the memory of a result that is a pointer, and the member allocated of one that is a structure. */\nvoid %s(void *memory);\n", name)
	}
	for _, f := range slices.Concat(m.functions, m.external) {
		if !m.inHeader(f) {
			continue
		}
		w.WriteString("\n")
		m.describe(w, f, macros)
		w.WriteString(f.resultsType())
		fmt.Fprintf(w, "%s;\n", f.signature)
	}
	w.WriteString("\n#ifdef __cplusplus\n}\n#endif\n#endif\n")
	return w.Flush()
}

// describe tells what a function takes and returns, and defines macros for the sizes.
func (m *module) describe(w *bufio.Writer, f *function, macros *names) {
	word := "@" + f.Symbol
	if f.op.BodyBlock(0) == nil {
		word += " is defined elsewhere"
	}
	fmt.Fprintf(w, "/* %s", comment(word))
	var sizes []string
	slot := func(name, macro string, s Slot, more string) {
		fmt.Fprintf(w, "\n   %s: %s%s", name, comment(s.Type.String()), more)
		if t, ok := s.Type.(*ir.MemRefType); ok && s.Plain {
			n, _ := ir.NumElements(t.Shape)
			macro = macros.fresh(strings.ToUpper(f.Name) + "_" + macro + "_SIZE")
			sizes = append(sizes, fmt.Sprintf("#define %s %d\n", macro, n*m.storageBytes(t.Elem)))
		}
	}
	for i, p := range f.Params {
		more := ""
		a, arena := interfaces.ArgAttr(f.op, i, memref.ArenaAttr).(*ir.IntegerAttr)
		if arena {
			more = ", the memory that the function works in, which means nothing between calls"
		}
		ref, dynamic := interfaces.ArgAttr(f.op, i, memref.ArenaSizeAttr).(*ir.SymbolRefAttr)
		if arena && dynamic {
			more += fmt.Sprintf("; it needs as many bytes as @%s returns for the arguments before", comment(ref.Root))
		}
		slot(f.params[i], fmt.Sprintf("ARG%d", i), p, more)
		if arena {
			name := strings.ToUpper(f.Name) + "_ARENA"
			if t, ok := p.Type.(*ir.MemRefType); ok && spaceWord(t.Space) != "" {
				name += "_" + spaceWord(t.Space)
			}
			if n, static := ir.NumElementsOf(p.Type); static && !dynamic {
				sizes = append(sizes, fmt.Sprintf("#define %s %d\n", macros.fresh(name+"_SIZE"), n))
			}
			sizes = append(sizes, fmt.Sprintf("#define %s %d\n", macros.fresh(name+"_ALIGNMENT"), a.Value))
		}
	}
	freed := m.freed(f)
	for i, r := range f.Results {
		name := "returns"
		if len(f.Results) > 1 {
			name = fmt.Sprintf("returns r%d", i)
		}
		slot(name, fmt.Sprintf("RES%d", i), r, freed[i])
	}
	if len(sizes) > 0 {
		w.WriteString("\n   Sizes are in bytes.")
	}
	w.WriteString(" */\n")
	for _, s := range sizes {
		w.WriteString(s)
	}
}

// comment returns text of a program as it can be in a comment, in which a trigraph may be seen as the end of a line that goes on.
func comment(text string) string {
	return strings.NewReplacer("*/", "* /", "/*", "/ *", "\n", " ", "??/", "? ?/").Replace(text)
}

// WriteWeights writes the contents of large constants, if [Options.Weights] asks for a file of them.
func (u *Unit) WriteWeights(to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	if err := u.m.globals.writeWeights(w); err != nil {
		return err
	}
	return w.Flush()
}

// inHeader tells whether a function is declared in the header.
func (m *module) inHeader(f *function) bool { return !f.static }

func keys(set map[string]bool) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range set {
			if !yield(k) {
				return
			}
		}
	}
}
