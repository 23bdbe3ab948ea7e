package ir

// Writer appends the textual form of types, attributes, affine maps and
// locations to a buffer.
type Writer struct {
	Buf []byte
	// Alias is asked before a type or attribute that may have an alias (see
	// [MayAlias]) is written in full; if it returns true it has written one itself.
	// May be nil.
	Alias func(w *Writer, x any) bool
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

// Type appends a type.
func (w *Writer) Type(t Type) {}

// Attr appends an attribute with its type, where it has one that is not implied.
func (w *Writer) Attr(a Attribute) {}

// AttrWithoutType appends an attribute without its type.
func (w *Writer) AttrWithoutType(a Attribute) {}

// Location appends what stands between the parentheses of loc(...).
func (w *Writer) Location(l Location) {}
