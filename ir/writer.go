package ir

import "strconv"

// Writer appends the textual form of types, attributes, affine maps and
// locations to a buffer.
type Writer struct {
	Buf []byte
	// Alias is asked before a type or attribute that may have an alias (see
	// [MayAlias]) is written in full; if it returns true it has written one itself.
	// May be nil.
	Alias func(w *Writer, x any) bool
	// Number writes the number of a distinct attribute; nil stands for counting them in
	// the order in which they are written.
	Number  func(w *Writer, a *DistinctAttr)
	numbers map[*DistinctAttr]int64
	// ElideLargerThan, if positive, writes dense elements with more elements as
	// dense_resource<__elided__>; HexLargerThan as a hex string (-1: never).
	ElideLargerThan int
	HexLargerThan   int
}

// NewWriter returns a writer with mlir-opt's defaults.
func NewWriter() *Writer { return &Writer{HexLargerThan: 100} }

func typeString(t Type) string {
	w := NewWriter()
	w.Type(t)
	return string(w.Buf)
}

func attrString(a Attribute) string {
	w := NewWriter()
	w.Attr(a)
	return string(w.Buf)
}

// Text appends s as it is.
func (w *Writer) Text(s string) { w.Buf = append(w.Buf, s...) }

// Byte appends one character.
func (w *Writer) Byte(c byte) { w.Buf = append(w.Buf, c) }

// Int appends a number in decimal.
func (w *Writer) Int(v int64) { w.Buf = strconv.AppendInt(w.Buf, v, 10) }

const hexDigits = "0123456789ABCDEF"

// Quoted appends s as a string literal.
func (w *Writer) Quoted(s string) {
	b := append(w.Buf, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			b = append(b, '\\', '\\')
		case c < ' ' || c > '~' || c == '"':
			b = append(b, '\\', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	w.Buf = append(b, '"')
}

// IsBareWord tells whether s can be written without quotes where a name is
// expected: a letter or underscore, then letters, digits, '_', '$' and '.'.
func IsBareWord(s string) bool {
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		case i > 0 && (c >= '0' && c <= '9' || c == '$' || c == '.'):
		default:
			return false
		}
	}
	return true
}

// KeywordOrString appends s bare if it is a valid bare word, else quoted.
func (w *Writer) KeywordOrString(s string) {
	if IsBareWord(s) {
		w.Text(s)
	} else {
		w.Quoted(s)
	}
}

// SymbolName appends @name, quoted where needed.
func (w *Writer) SymbolName(name string) {
	if name == "" {
		w.Text("@<<INVALID EMPTY SYMBOL>>")
		return
	}
	w.Byte('@')
	w.KeywordOrString(name)
}

// aliased writes an alias of x, if it has one.
func (w *Writer) aliased(x any) bool {
	return w.Alias != nil && MayAlias(x) && w.Alias(w, x)
}

// dialectSymbol writes the text of an opaque type or attribute after its prefix:
// as prefix.text if that can be read back, else as prefix<text>.
func (w *Writer) dialectSymbol(prefix byte, dialect, text string) {
	w.Byte(prefix)
	w.Text(dialect)
	if prettySymbol(text) {
		w.Byte('.')
		w.Text(text)
		return
	}
	w.Byte('<')
	w.Text(text)
	w.Byte('>')
}

// prettySymbol tells whether the text is a word, or a word followed by something
// in angle brackets.
func prettySymbol(s string) bool {
	if s == "" || !(s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z') {
		return false
	}
	i := 0
	for i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || s[i] >= '0' && s[i] <= '9' || s[i] == '.' || s[i] == '_') {
		i++
	}
	return i == len(s) || s[i] == '<' && s[len(s)-1] == '>'
}
