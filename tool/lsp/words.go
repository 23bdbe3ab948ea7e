package lsp

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"freehold/dialect/bufferization"
	"freehold/dialect/linalg"
	"freehold/internal/lazyregexp"
	"freehold/ir"
	"freehold/ir/asm"
)

// completeWords adds the types, names of attributes, keywords of enumerations or words of the assembly format that may stand behind an offset
// within an operation, and tells whether anything but the name of an operation is what must stand there.
func (d *document) completeWords(p *piece, start int, prefix string, add func(completionItem)) bool {
	s, ok := d.statementAt(p, start)
	if !ok {
		return false
	}
	offer := func(i completionItem) {
		if strings.HasPrefix(i.Label, prefix) {
			add(i)
		}
	}
	if len(s.inside) == 0 && startsOperation(d.src[d.lineStart(d.position(start).Line):start]) {
		if s.groups && strings.TrimSpace(s.text) != "" { // which often stand on lines of their own
			s.offerWords(offer)
		}
		return false
	}
	if e := s.enumeration(); e != nil {
		for _, c := range e.Cases {
			offer(completionItem{Label: c.Keyword, Kind: itemEnumMember, Detail: "case of " + cmp.Or(e.Mnemonic, e.Name)})
		}
		return true
	}
	if s.quoted {
		return true // what else a string holds isn't known
	}
	if b, ok := s.dictionary(); ok && b == s.innermost() && s.key() == "" && s.isDictionary(b) {
		s.offerAttributes(offer)
		return len(s.def.Regions) == 0 || s.inArguments() || strings.HasSuffix(strings.TrimSpace(s.text[:b.open]), "attributes")
	}
	if a := s.first(); a != nil && strings.TrimSpace(s.text) == "" {
		s.offerValues(a.Name, offer)
		return true
	}
	if value, ok := s.attributeValue(); ok {
		s.offerValues(value, offer)
		return true
	}
	if shape := shapeInWord().FindString(prefix); shape != "" {
		// Editors take the sizes in front for a part of the word.
		if s, _ := d.statementAt(p, start+len(shape)); s.elementPosition() {
			in := d.span(start+len(shape), start+len(prefix))
			for _, name := range elements {
				if strings.HasPrefix(name, prefix[len(shape):]) {
					add(completionItem{Label: name, Kind: itemType, Edit: &textEdit{in, name}})
				}
			}
			return true
		}
	}
	if s.elementPosition() {
		offerElements(offer)
		return true
	}
	if s.typePosition() {
		d.offerTypes(p, offer)
		return true
	}
	return s.offerWords(offer) && !startsOperation(s.text)
}

// offerWords offers the words that may follow, and tells whether there are any.
func (s *statement) offerWords(offer func(completionItem)) bool {
	words := s.words()
	for _, w := range words {
		offer(completionItem{Label: w, Kind: itemKeyword, Detail: "word of " + s.name})
	}
	return len(words) > 0
}

// enumeration returns the enumeration one of whose keywords must stand at the cursor; nil if none must.
func (s *statement) enumeration() *ir.EnumDef {
	in := s.innermost()
	if in.kind == '<' && in.before != "" {
		for _, a := range s.def.Attrs {
			e := a.Type.Enum
			if e != nil && (a.Name == in.before || in.before == "#"+e.Dialect+"."+e.Mnemonic || strings.Contains(s.def.Format, "`"+in.before+"` `` $"+a.Name)) {
				return e
			}
		}
	}
	if key := s.key(); key != "" {
		if a := s.attribute(key); a != nil && a.Type.Enum != nil && a.Type.Enum.Mnemonic == "" {
			return a.Type.Enum
		}
	}
	if s.quoted && strings.Contains(s.text, "iterator_types") && in.kind == '[' && in.before == "" {
		return linalg.IteratorType
	}
	if a := s.first(); a != nil && (strings.TrimSpace(s.text) == "" || in.kind == '<' && strings.TrimSpace(s.text[:in.open]) == "") {
		return a.Type.Enum
	}
	return nil
}

// firstInFormat matches what assembly formats begin with that spell an attribute first.
var firstInFormat = lazyregexp.New(`^(?:attr-dict )?(?:custom<\w+>\()?\$(\w+)`)

// first returns the attribute that stands right behind the operation's name; nil if none does.
func (s *statement) first() *ir.AttrDef {
	if m := firstInFormat().FindStringSubmatch(s.def.Format); m != nil {
		return s.attribute(m[1])
	}
	return nil
}

// isDictionary tells whether what an open brace holds before the cursor are attributes, and not operations.
func (s *statement) isDictionary(b bracket) bool {
	line, _, broken := strings.Cut(s.text[b.open+1:], "\n")
	return (!broken || strings.TrimSpace(line) != "") && !strings.ContainsAny(b.item, "%^")
}

// inArguments tells whether the cursor is within parentheses: there, braces are attributes of an argument.
func (s *statement) inArguments() bool {
	return slices.ContainsFunc(s.inside, func(b bracket) bool { return b.kind == '(' })
}

// argumentAttributes are attributes of functions' arguments that compilation asks for, with what they say.
var argumentAttributes = [...]struct{ name, says string }{
	{bufferization.WritableAttr, "whether the buffer of the argument may be overwritten"},
	{bufferization.AccessAttr, "how a function without a body uses the buffer of the argument: none, read, write, or read-write"},
	{bufferization.BufferLayoutAttr, "the layout of the buffer that the argument becomes"},
	{"tf.aliasing_output", "the number of the result for which the argument is given away"},
}

// offerAttributes offers the attributes of the operation, or, within its arguments, those of an argument.
func (s *statement) offerAttributes(offer func(completionItem)) {
	if s.inArguments() {
		for _, a := range argumentAttributes {
			offer(completionItem{Label: a.name, Kind: itemProperty, Detail: a.says, InsertText: a.name + " = "})
		}
		return
	}
	for _, a := range s.def.Attrs {
		if a.Derived {
			continue
		}
		insert := a.Name + " = "
		if a.Type.Kind == ir.UnitKind {
			insert = a.Name
		}
		offer(completionItem{Label: a.Name, Kind: itemProperty, Detail: a.Type.Summary, InsertText: insert})
	}
}

// attributeValue tells whether the value of an attribute, or one of its list, must begin at the cursor, and returns the attribute's name.
func (s *statement) attributeValue() (string, bool) {
	b, ok := s.dictionary()
	if !ok || !s.isDictionary(b) {
		return "", false
	}
	if in := s.innermost(); in != b {
		return s.key(), in.kind == '[' && in.before == "" && strings.TrimSpace(in.item) == ""
	}
	name, value, ok := strings.Cut(b.item, "=")
	return strings.Trim(strings.TrimSpace(name), `"`), ok && strings.TrimSpace(value) == ""
}

// offerValues offers the words with which the value of an attribute may begin: true and false of one that is a boolean, none of a number or a string.
func (s *statement) offerValues(name string, offer func(completionItem)) {
	words := asm.AttributeWords()
	if a := s.attribute(name); a != nil {
		switch t := a.Type; {
		case t.Kind == ir.DenseArrayKind:
			words = []string{"array"}
		case strings.HasPrefix(t.Summary, "AffineMap"):
			words = []string{"affine_map"}
		case t.Kind == ir.TypeKind:
			words = elements[:]
		case slices.Contains([]ir.AttrKind{ir.StringKind, ir.SymbolNameKind, ir.SymbolRefKind}, t.Kind):
			words = nil
		case t.Summary == "bool attribute":
			words = []string{"false", "true"}
		case t.ValueType != nil:
			words = nil
		}
	}
	for _, w := range words {
		offer(completionItem{Label: w, Kind: itemKeyword})
	}
}

// beforeElement matches the shape in front of an element type.
var beforeElement = lazyregexp.New(`^\s*(?:(?:\[?\d+\]?|\?|\*)\s*x)*$`)

// shapeInWord matches sizes at the start of a word.
var shapeInWord = lazyregexp.New(`^(?:\d*x)+`)

// elementPosition tells whether the type of elements must stand at the cursor: memref<4x
func (s *statement) elementPosition() bool {
	in := s.innermost()
	return in.kind == '<' && slices.Contains([]string{"tensor", "memref", "vector", "complex"}, in.before) && beforeElement().MatchString(in.item)
}

// elements are types of numbers.
var elements = [...]string{"f32", "f16", "bf16", "f64", "i1", "i8", "i16", "i32", "i64", "index"}

func offerElements(offer func(completionItem)) {
	for _, name := range elements {
		offer(completionItem{Label: name, Kind: itemType})
	}
}

// typeList matches what may stand between the colon or the arrow in front of types and the one at the cursor.
var typeList = lazyregexp.New(`(?:^|[^:]):\s*[^:"%={}]*$`)

// typePosition tells whether a type must stand at the cursor.
func (s *statement) typePosition() bool {
	if in := s.innermost(); in.kind == '<' || in.kind == '[' || in.kind == '{' {
		return false
	}
	text := strings.TrimRight(s.text, " \t")
	if strings.HasSuffix(text, "->") || strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "::") {
		return true
	}
	// Further types of a list, and those behind a word.
	return typeList().MatchString(text) && (strings.HasSuffix(text, ",") || strings.HasSuffix(text, "(") || strings.HasSuffix(text, " to") || strings.HasSuffix(text, " into"))
}

// shaped are types with parameters.
var shaped = [...]string{"tensor", "memref", "vector", "complex", "tuple"}

// offerTypes offers the types that values of the program have, the most frequent first, and those that are builtin.
func (d *document) offerTypes(p *piece, offer func(completionItem)) {
	of := map[ir.Type]int{}
	for _, part := range d.parts(p) {
		for i := range part.tokens {
			if t := &part.tokens[i]; t.Kind == asm.ValueToken && t.Def && t.Value != nil {
				of[t.Value.Type()]++
			}
		}
	}
	times := map[string]int{}
	for t, n := range of {
		times[t.String()] += n
	}
	used := slices.SortedFunc(maps.Keys(times), func(a, b string) int { return cmp.Or(times[b]-times[a], cmp.Compare(a, b)) })
	for _, name := range used {
		offer(completionItem{Label: name, Kind: itemType, Detail: "in this program"})
	}
	for _, name := range elements {
		if times[name] == 0 {
			offer(completionItem{Label: name, Kind: itemType})
		}
	}
	for _, name := range shaped {
		offer(completionItem{Label: name, Kind: itemType, InsertText: name + "<"})
	}
}

// literal matches a word of an assembly format.
var literal = lazyregexp.New("`([a-z_]+)`")

// words returns the words of the operation's assembly format, and those before its groups of operands, which aren't there yet.
func (s *statement) words() (out []string) {
	if len(s.inside) > 0 {
		return nil
	}
	var all []string
	for _, m := range literal().FindAllStringSubmatch(s.def.Format, -1) {
		all = append(all, m[1])
	}
	if s.groups {
		all = append(all, "ins", "outs")
	}
	for _, w := range all {
		if !strings.Contains(s.text, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
