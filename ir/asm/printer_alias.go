package asm

import (
	"slices"
	"sort"
	"strconv"

	"freehold/ir"
)

// aliasTable collects the types, attributes and locations that are printed by
// alias. The names can be given only when all of them are known, so that until
// then the text just remembers where an alias belongs.
type aliasTable struct {
	entries []*alias
	weaks   []*alias // those that were weak when they were found
	numbers []*alias // those that stand for the numbers of distinct attributes
	byKey   map[any]*alias
	refs    []aliasRef // in the operation's text
	sink    *[]aliasRef
	owner   *alias // whose definition is being written
	// deferrable is set while a location is visited whose definition may follow the
	// operation.
	deferrable bool
	// weak is set while something is written that does not make aliases, but uses
	// those that are made elsewhere.
	weak bool
	// pretty is set if locations are printed for people.
	pretty bool
}

type alias struct {
	key      any
	same     *alias // the one of another part that this one was merged with
	base     string // suggested name
	name     string // final name with # or !
	isType   bool
	deferred bool
	weak     bool // so far there is no definition
	depth    int
	body     []byte
	refs     []aliasRef
	children []*alias
	// next is the next free number, for an alias that is named when it is first printed
	// with the number of a distinct attribute.
	next *int
}

// aliasRef is a place in a text where an alias's name belongs.
type aliasRef struct {
	off int
	a   *alias
}

// locKey identifies source positions, which are not uniqued.
type locKey struct {
	file      string
	line, col uint32
}

func newAliasTable(w *ir.Writer, pretty bool) *aliasTable {
	t := &aliasTable{byKey: map[any]*alias{}, pretty: pretty}
	t.sink = &t.refs
	w.Number = t.number
	w.Alias = func(w *ir.Writer, x any) bool { return t.use(w, x, t.deferrable) }
	return t
}

// use writes a reference to the alias of x, and returns false if it has none.
func (t *aliasTable) use(w *ir.Writer, x any, deferrable bool) bool {
	a := t.lookup(w, x, deferrable)
	if a == nil {
		return false
	}
	*t.sink = append(*t.sink, aliasRef{len(w.Buf), a})
	if t.owner != nil {
		t.owner.children = append(t.owner.children, a)
	}
	return true
}

// lookup returns the alias of x, made if need be, or nil if x has none.
func (t *aliasTable) lookup(w *ir.Writer, x any, deferrable bool) *alias {
	key := x
	if l, ok := x.(*ir.FileLineColLoc); ok {
		key = locKey{l.File(), l.Line, l.Col}
	}
	a, seen := t.byKey[key]
	if seen {
		switch {
		case a == nil:
		case a.weak && !t.weak:
			a.weak = false
			a.refs, a.children = nil, nil
			t.entries = append(t.entries, a)
			t.define(w, a, x)
		case !deferrable:
			a.keepInFront()
		}
		return a
	}
	base := aliasBase(x)
	if base == "" {
		t.byKey[key] = nil
		return nil
	}
	_, isType := x.(ir.Type)
	a = &alias{key: key, base: base, isType: isType, deferred: deferrable, depth: 1}
	t.byKey[key] = a
	if a.weak = t.weak; a.weak {
		t.weaks = append(t.weaks, a)
	} else {
		t.entries = append(t.entries, a)
	}
	t.define(w, a, x)
	return a
}

// numberKey identifies the number of a distinct attribute.
type numberKey struct{ *ir.DistinctAttr }

// number leaves a place for the number of a distinct attribute, which depends on those
// before it in the text.
func (t *aliasTable) number(w *ir.Writer, x *ir.DistinctAttr) {
	key := numberKey{x}
	a := t.byKey[key]
	if a == nil {
		a = &alias{key: key}
		t.byKey[key] = a
		t.numbers = append(t.numbers, a)
	}
	*t.sink = append(*t.sink, aliasRef{len(w.Buf), a})
}

// define writes the definition of an alias, which finds those inside of it.
func (t *aliasTable) define(w *ir.Writer, a *alias, x any) {
	sink, owner, buf, deferrable := t.sink, t.owner, w.Buf, t.deferrable
	t.sink, t.owner, w.Buf, t.deferrable = &a.refs, a, nil, a.deferred
	// The writer asks for an alias of x once more, which must be refused.
	ask := w.Alias
	w.Alias = func(w *ir.Writer, y any) bool {
		w.Alias = ask
		return false
	}
	switch x := x.(type) {
	case ir.Type:
		w.Type(x)
	case ir.Location:
		w.Alias = ask
		if t.pretty {
			w.PrettyLocation(x)
			break
		}
		w.Text("loc(")
		w.Location(x)
		w.Text(")")
	case ir.Attribute:
		w.Attr(x)
	}
	w.Alias = ask
	a.body = w.Buf
	t.sink, t.owner, w.Buf, t.deferrable = sink, owner, buf, deferrable
	for _, c := range a.children {
		a.depth = max(a.depth, c.depth+1)
	}
}

// keepInFront makes the definitions of an alias and of those in it precede the
// operation.
func (a *alias) keepInFront() {
	if a = a.canonical(); a.deferred {
		a.deferred = false
		for _, c := range a.children {
			c.keepInFront()
		}
	}
}

// visit finds the aliases in x without writing it.
func (t *aliasTable) visit(w *ir.Writer, x any, deferrable bool) {
	if !ir.MayAlias(x) {
		return
	}
	if a := t.lookup(w, x, deferrable); a != nil {
		return
	}
	sink, buf := t.sink, w.Buf
	var ignored []aliasRef
	t.sink, w.Buf = &ignored, nil
	switch x := x.(type) {
	case ir.Type:
		w.Type(x)
	case ir.Attribute:
		w.Attr(x)
	}
	t.sink, w.Buf = sink, buf
}

// aliasBase returns the name from which the aliases of x are made, or "".
func aliasBase(x any) string {
	switch x := x.(type) {
	case *ir.AffineMapAttr:
		return "map"
	case *ir.IntegerSetAttr:
		return "set"
	case ir.Location:
		return "loc"
	case *ir.DistinctAttr:
		if x.Referenced != ir.Attribute(ir.Unit) {
			return "distinct"
		}
	case *ir.TupleType:
		if len(x.Types) > ir.MaxInlineTuple {
			return "tuple"
		}
	case *ir.DialectType:
		return dialectAlias(x.Dialect, x)
	case *ir.DialectAttr:
		return dialectAlias(x.Dialect, x)
	}
	return ""
}

func dialectAlias(d *ir.Dialect, x any) string {
	name, ok := AliasNames.OfDialect(d)
	if !ok {
		return ""
	}
	s := name(x)
	if s == "" {
		return ""
	}
	s = validName(s)
	// A number follows the names of all but the first.
	if c := s[len(s)-1]; c >= '0' && c <= '9' {
		s += "_"
	}
	return s
}

// canonical returns the alias that this one was merged with in the end.
func (a *alias) canonical() *alias {
	for a.same != nil {
		a = a.same
	}
	return a
}

// merge adds the aliases of the part of the text that follows.
func (t *aliasTable) merge(u *aliasTable) {
	for _, a := range u.numbers {
		if b := t.byKey[a.key]; b != nil {
			a.same = b
			continue
		}
		t.byKey[a.key] = a
		t.numbers = append(t.numbers, a)
	}
	for _, list := range [...][]*alias{u.entries, u.weaks} {
		for _, a := range list {
			b := t.byKey[a.key]
			switch {
			case a == b:
				continue // weak at first
			case b == nil:
				t.byKey[a.key] = a
				if !a.weak {
					t.entries = append(t.entries, a)
				}
				continue
			case b.weak && !a.weak:
				b.weak, b.depth = false, a.depth
				b.body, b.refs, b.children = a.body, a.refs, a.children
				t.entries = append(t.entries, b)
			}
			if !a.deferred {
				b.keepInFront()
			}
			a.same = b
		}
	}
}

// printed is a text of which all parts are there, with the aliases in it.
type printed struct {
	parts   []*part
	aliases *aliasTable // nil if there are none
	end     []byte      // what follows the last definition
}

func newPrinted(parts []*part) *printed {
	t := &printed{parts: parts}
	for _, x := range parts {
		switch {
		case x.aliases == nil:
		case t.aliases == nil:
			t.aliases = x.aliases
		default:
			t.aliases.merge(x.aliases)
		}
	}
	if t.aliases != nil {
		t.aliases.name()
	}
	return t
}

// pieceSize is the length, in bytes, of the pieces in which a text is written.
const pieceSize = 1 << 16

// each hands out the text in long pieces, with the references to aliases and their
// definitions. A piece is valid until the next one.
func (t *printed) each(f func(text []byte) error) error {
	if t.aliases == nil {
		for _, x := range t.parts {
			if err := f(x.text); err != nil {
				return err
			}
		}
		return f(t.end)
	}
	piece := append(make([]byte, 0, pieceSize+pieceSize/4), t.aliases.definitions(false)...)
	for _, x := range t.parts {
		piece = splice(piece, x.text, x.aliases.refs)
		if len(piece) < pieceSize {
			continue
		}
		if err := f(piece); err != nil {
			return err
		}
		piece = piece[:0]
	}
	if err := f(append(piece, t.aliases.definitions(true)...)); err != nil {
		return err
	}
	return f(t.end)
}

// appendTo appends the text to b.
func (t *printed) appendTo(b []byte) []byte {
	if len(t.parts) == 1 && t.aliases == nil && len(t.end) == 0 && cap(b) == 0 {
		return t.parts[0].text
	}
	size := len(t.end)
	for _, x := range t.parts {
		size += len(x.text)
		if x.aliases != nil {
			size += 8 * len(x.aliases.refs)
		}
	}
	b = slices.Grow(b, size)
	t.each(func(text []byte) error {
		b = append(b, text...)
		return nil
	})
	return b
}

// name names the aliases.
func (t *aliasTable) name() {
	sort.SliceStable(t.entries, func(i, j int) bool {
		a, b := t.entries[i], t.entries[j]
		if a.depth != b.depth {
			return a.depth < b.depth
		}
		if a.isType != b.isType {
			return a.isType
		}
		return a.base < b.base
	})
	counts := map[string]int{}
	for _, a := range t.entries {
		prefix := "#"
		if a.isType {
			prefix = "!"
		}
		a.name = prefix + a.base
		if n := counts[a.base]; n > 0 {
			a.name += strconv.Itoa(n)
		}
		counts[a.base]++
	}
	next := 0
	for _, a := range t.numbers {
		a.next = &next
	}
}

// definitions returns the definitions of the aliases that follow the operation, or
// of those before it.
func (t *aliasTable) definitions(deferred bool) (out []byte) {
	for _, a := range t.entries {
		if a.deferred == deferred {
			out = append(out, a.name...)
			out = append(out, " = "...)
			out = splice(out, a.body, a.refs)
			out = append(out, '\n')
		}
	}
	return out
}

// splice appends text with the aliases' names, or what they stand for where they
// have no definition, at their places.
func splice(out, text []byte, refs []aliasRef) []byte {
	at := 0
	for _, r := range refs {
		out = append(out, text[at:r.off]...)
		if a := r.a.canonical(); a.weak {
			out = splice(out, a.body, a.refs)
		} else {
			if a.next != nil && a.name == "" {
				a.name = strconv.Itoa(*a.next)
				*a.next++
			}
			out = append(out, a.name...)
		}
		at = r.off
	}
	return append(out, text[at:]...)
}

// previsit finds all aliases in an operation that is printed in the generic form,
// in the order in which mlir-opt names them: those of the regions first, then the
// types, then the attributes. What is printed on the way is dropped.
func (p *Printer) previsit(op *ir.Op) {
	t, w := p.aliases, p.w
	if op.NumRegions() > 0 {
		sink, buf, visiting := t.sink, w.Buf, p.visiting
		var ignored []aliasRef
		t.sink, w.Buf, p.visiting = &ignored, nil, true
		for _, r := range op.Regions() {
			p.Region(r, true, true, true)
		}
		t.sink, w.Buf, p.visiting = sink, buf, visiting
	}
	for i := range op.NumOperands() {
		t.visit(w, op.Operand(i).Type(), false)
	}
	for i := range op.NumResults() {
		t.visit(w, op.Result(i).Type(), false)
	}
	mayAlias := false
	for _, a := range op.Props() {
		mayAlias = mayAlias || ir.MayAlias(a)
	}
	for _, a := range op.DiscardableAttrs() {
		mayAlias = mayAlias || ir.MayAlias(a.Value)
	}
	if mayAlias {
		for _, a := range op.AllAttrs() {
			t.visit(w, a.Value, false)
		}
	}
	if d := op.PropertiesDict(); d != nil {
		t.visit(w, d, false)
	}
}
