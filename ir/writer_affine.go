package ir

import "math"

// AffineMap appends (dims)[symbols] -> (results).
func (w *Writer) AffineMap(m *AffineMap) {
	w.affineSpace(m.Dims, m.Syms)
	w.Text(" -> (")
	for i, r := range m.Results {
		if i > 0 {
			w.Text(", ")
		}
		w.AffineExpr(r, nil)
	}
	w.Byte(')')
}

// IntegerSet appends (dims)[symbols] : (constraints).
func (w *Writer) IntegerSet(s *IntegerSet) {
	w.affineSpace(s.Dims, s.Syms)
	w.Text(" : (")
	for i, c := range s.Constraints {
		if i > 0 {
			w.Text(", ")
		}
		w.AffineExpr(c, nil)
		if s.Eq[i] {
			w.Text(" == 0")
		} else {
			w.Text(" >= 0")
		}
	}
	w.Byte(')')
}

func (w *Writer) affineSpace(dims, syms int) {
	w.Byte('(')
	for i := range dims {
		if i > 0 {
			w.Text(", ")
		}
		w.Byte('d')
		w.Int(int64(i))
	}
	w.Byte(')')
	if syms == 0 {
		return
	}
	w.Byte('[')
	for i := range syms {
		if i > 0 {
			w.Text(", ")
		}
		w.Byte('s')
		w.Int(int64(i))
	}
	w.Byte(']')
}

// AffineExpr appends an expression. name writes a dimension or symbol; nil writes
// d<i> and s<i>.
func (w *Writer) AffineExpr(e *AffineExpr, name func(w *Writer, pos int, symbol bool)) {
	p := affinePrinter{w, name}
	p.expr(e, false)
}

type affinePrinter struct {
	w    *Writer
	name func(w *Writer, pos int, symbol bool)
}

// expr writes e, in parentheses if tight is set and e is a binary expression.
func (p *affinePrinter) expr(e *AffineExpr, tight bool) {
	w := p.w
	switch e.Kind {
	case AffineConst:
		w.Int(e.Value)
		return
	case AffineDim, AffineSymbol:
		symbol := e.Kind == AffineSymbol
		if p.name != nil {
			p.name(w, int(e.Value), symbol)
			return
		}
		if symbol {
			w.Byte('s')
		} else {
			w.Byte('d')
		}
		w.Int(e.Value)
		return
	}
	if tight {
		w.Byte('(')
		defer w.Byte(')')
	}
	if e.Kind == AffineAdd {
		p.sum(e.LHS, e.RHS)
		return
	}
	if e.Kind == AffineMul && e.RHS.IsConst(-1) {
		w.Byte('-')
		p.expr(e.LHS, true)
		return
	}
	p.expr(e.LHS, true)
	switch e.Kind {
	case AffineMul:
		w.Text(" * ")
	case AffineMod:
		w.Text(" mod ")
	case AffineFloorDiv:
		w.Text(" floordiv ")
	case AffineCeilDiv:
		w.Text(" ceildiv ")
	}
	p.expr(e.RHS, true)
}

// sum writes l + r, as a subtraction where r is a negative constant or a product
// with one.
func (p *affinePrinter) sum(l, r *AffineExpr) {
	w := p.w
	p.expr(l, false)
	switch {
	case r.Kind == AffineConst && r.Value < 0:
		w.Text(" - ")
		w.unsigned(-uint64(r.Value))
	case r.Kind == AffineMul && r.RHS.IsConst(-1):
		w.Text(" - ")
		p.expr(r.LHS, r.LHS.Kind == AffineAdd)
	case r.Kind == AffineMul && r.RHS.Kind == AffineConst && r.RHS.Value < -1 && r.RHS.Value > math.MinInt64:
		w.Text(" - ")
		p.expr(r.LHS, true)
		w.Text(" * ")
		w.unsigned(-uint64(r.RHS.Value))
	default:
		w.Text(" + ")
		p.expr(r, false)
	}
}
