package ir

// DistinctAttr is distinct[n]<Referenced>: an attribute that differs from all others,
// also from those with the same contents. The number stands for its identity in the
// text only. Without contents, Referenced is [Unit].
type DistinctAttr struct {
	attrBase
	Referenced Attribute
}

// Distinct returns a new attribute that no other call returns.
func (c *Context) Distinct(referenced Attribute) *DistinctAttr {
	k := newKey(kDistinct)
	k.uint(c.distinct.Add(1))
	return c.uniquer.get(k, func() uniqued { return &DistinctAttr{attrFlags(mayAlias), referenced} }).(*DistinctAttr)
}

func (a *DistinctAttr) String() string { return attrString(a) }

// distinct appends a distinct attribute. Their numbers count them in the order of the
// text.
func (w *Writer) distinct(a *DistinctAttr) {
	w.Text("distinct[")
	if w.Number != nil {
		w.Number(w, a)
	} else {
		n, seen := w.numbers[a]
		if !seen {
			if w.numbers == nil {
				w.numbers = map[*DistinctAttr]int64{}
			}
			n = int64(len(w.numbers))
			w.numbers[a] = n
		}
		w.Int(n)
	}
	w.Text("]<")
	if a.Referenced != Attribute(Unit) {
		w.Attr(a.Referenced)
	}
	w.Byte('>')
}
