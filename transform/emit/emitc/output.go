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
	fmt.Fprintf(w, "/* Written by freehold. Compile it with -ffp-contract=off -fno-strict-aliasing. */\n%s", include)
	for _, h := range slices.Sorted(keys(m.helpers.headers)) {
		fmt.Fprintf(w, "#include <%s>\n", h)
	}
	if m.usesDouble() {
		w.WriteString(doubleCheck)
	}
	if len(m.helpers.text)+len(m.globals.list) > 0 {
		w.WriteByte('\n')
	}
	if len(m.globals.list) > 0 {
		m.alignMacro()
	}
	for _, t := range m.helpers.text {
		w.WriteString(t)
	}
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
	return w.Flush()
}

// doubleCheck is an error for compilers whose double has fewer bits, such as those for processors of 8 bits: they would compute other numbers, without a word.
const doubleCheck = `
/* Doubles have to have 64 bits. */
typedef char fh_double_has_64_bits[sizeof(double) == 8 ? 1 : -1];
`

// usesDouble tells whether the source computes with doubles.
func (m *module) usesDouble() bool {
	double := []byte("double")
	for _, t := range m.helpers.text {
		if strings.Contains(t, "double") {
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
	fmt.Fprintf(w, "/* Written by freehold. */\n#ifndef %s\n#define %s\n#include <stdint.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n", guard, guard)
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
	slot := func(what string, i int, s Slot) {
		fmt.Fprintf(w, "\n   %s %d: %s", what, i, comment(s.Type.String()))
		if t, ok := s.Type.(*ir.MemRefType); ok && s.Plain {
			n, _ := ir.NumElements(t.Shape)
			name := macros.fresh(fmt.Sprintf("%s_%s%d_SIZE", strings.ToUpper(f.Name), strings.ToUpper(what[:3]), i))
			sizes = append(sizes, fmt.Sprintf("#define %s %d\n", name, n*ir.StorageBytes(t.Elem)))
		}
	}
	for i, p := range f.Params {
		slot("argument", i, p)
		if a, ok := interfaces.ArgAttr(f.op, i, memref.ArenaAttr).(*ir.IntegerAttr); ok {
			fmt.Fprintf(w, ", the arena")
			name := strings.ToUpper(f.Name) + "_ARENA"
			if t, ok := p.Type.(*ir.MemRefType); ok && spaceWord(t.Space) != "" {
				name += "_" + spaceWord(t.Space)
			}
			if ref, ok := interfaces.ArgAttr(f.op, i, memref.ArenaSizeAttr).(*ir.SymbolRefAttr); ok {
				fmt.Fprintf(w, ", which needs as many bytes as @%s returns for the arguments before", comment(ref.Root))
			} else if n, static := ir.NumElementsOf(p.Type); static {
				sizes = append(sizes, fmt.Sprintf("#define %s %d\n", macros.fresh(name+"_SIZE"), n))
			}
			sizes = append(sizes, fmt.Sprintf("#define %s %d\n", macros.fresh(name+"_ALIGNMENT"), a.Value))
		}
	}
	for i, r := range f.Results {
		slot("result", i, r)
	}
	w.WriteString(" */\n")
	for _, s := range sizes {
		w.WriteString(s)
	}
}

// comment returns text of a program as it can be in a comment.
func comment(text string) string {
	return strings.NewReplacer("*/", "* /", "/*", "/ *", "\n", " ").Replace(text)
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
