package ir

// Location appends what stands between the parentheses of loc(...).
func (w *Writer) Location(l Location) { w.location(l, false) }

// PrettyLocation appends a location the way mlir-opt's pretty debug info does:
// file:line:col, without loc(...).
func (w *Writer) PrettyLocation(l Location) { w.location(l, true) }

func (w *Writer) location(l Location, pretty bool) {
	switch l := l.(type) {
	case *UnknownLoc:
		if pretty {
			w.Text("[unknown]")
		} else {
			w.Text("unknown")
		}
	case *FileLineColLoc:
		if pretty {
			w.Text(l.File())
		} else {
			w.Quoted(l.File())
		}
		w.Byte(':')
		w.unsigned(uint64(l.Line))
		w.Byte(':')
		w.unsigned(uint64(l.Col))
	case *NameLoc:
		w.Quoted(l.Name)
		if l.Child != Location(Unknown) {
			w.Byte('(')
			w.nestedLocation(l.Child, pretty)
			w.Byte(')')
		}
	case *FusedLoc:
		if !pretty {
			w.Text("fused")
		}
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
			w.nestedLocation(x, pretty)
		}
		w.Byte(']')
	case *CallSiteLoc:
		w.callSite(l, pretty)
	}
}

func (w *Writer) callSite(l *CallSiteLoc, pretty bool) {
	if !pretty {
		w.Text("callsite(")
	}
	w.nestedLocation(l.Callee, pretty)
	_, named := l.Callee.(*NameLoc)
	if _, ok := l.Caller.(*FileLineColLoc); pretty && !(ok && named) {
		w.Byte('\n')
	}
	w.Text(" at ")
	w.nestedLocation(l.Caller, pretty)
	if !pretty {
		w.Byte(')')
	}
}

func (w *Writer) nestedLocation(l Location, pretty bool) {
	if !w.aliased(l) {
		w.location(l, pretty)
	}
}
