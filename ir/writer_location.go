package ir

// Location appends what stands between the parentheses of loc(...).
func (w *Writer) Location(l Location) {
	switch l := l.(type) {
	case *UnknownLoc:
		w.Text("unknown")
	case *FileLineColLoc:
		w.Quoted(l.File())
		w.Byte(':')
		w.unsigned(uint64(l.Line))
		w.Byte(':')
		w.unsigned(uint64(l.Col))
	case *NameLoc:
		w.Quoted(l.Name)
		if l.Child != Location(Unknown) {
			w.Byte('(')
			w.nestedLocation(l.Child)
			w.Byte(')')
		}
	case *FusedLoc:
		w.Text("fused")
		if l.Metadata != nil {
			w.Byte('<')
			w.Attr(l.Metadata)
			w.Byte('>')
		}
		w.Byte('[')
		for i, x := range l.Locs {
			if i > 0 {
				w.Text(", ")
			}
			w.nestedLocation(x)
		}
		w.Byte(']')
	case *CallSiteLoc:
		w.Text("callsite(")
		w.nestedLocation(l.Callee)
		w.Text(" at ")
		w.nestedLocation(l.Caller)
		w.Byte(')')
	}
}

func (w *Writer) nestedLocation(l Location) {
	if !w.aliased(l) {
		w.Location(l)
	}
}

// PrettyLocation appends a location the way mlir-opt's pretty debug info does:
// file:line:col, without loc(...).
func (w *Writer) PrettyLocation(l Location) {
	switch l := l.(type) {
	case *UnknownLoc:
		w.Text("[unknown]")
	case *FileLineColLoc:
		w.Text(l.File())
		w.Byte(':')
		w.unsigned(uint64(l.Line))
		w.Byte(':')
		w.unsigned(uint64(l.Col))
	case *NameLoc:
		w.Quoted(l.Name)
		if l.Child != Location(Unknown) {
			w.Byte('(')
			w.nestedPretty(l.Child)
			w.Byte(')')
		}
	case *FusedLoc:
		if l.Metadata != nil {
			w.Byte('<')
			w.Attr(l.Metadata)
			w.Byte('>')
		}
		w.Byte('[')
		for i, x := range l.Locs {
			if i > 0 {
				w.Text(", ")
			}
			w.nestedPretty(x)
		}
		w.Byte(']')
	case *CallSiteLoc:
		w.nestedPretty(l.Callee)
		_, named := l.Callee.(*NameLoc)
		if _, ok := l.Caller.(*FileLineColLoc); ok && named {
			w.Text(" at ")
		} else {
			w.Text("\n at ")
		}
		w.nestedPretty(l.Caller)
	}
}

func (w *Writer) nestedPretty(l Location) {
	if !w.aliased(l) {
		w.PrettyLocation(l)
	}
}
