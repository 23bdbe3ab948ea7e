package footprint

import (
	"fmt"

	"freehold/iface"
	"freehold/ir"
)

// symbols names the sizes of a function that are not known: arg1[0] is dimension 0 of
// argument 1, arg2 the number that is argument 2, and n@7:12 the number that is computed, or
// the size of what appears, in line 7, column 12.
type symbols struct {
	names map[symbol]string
	taken map[string]symbol
}

// symbol is a dimension of a value; -1 is the value itself if it is a number, and else how
// many elements it has.
type symbol struct {
	value *ir.Value
	dim   int
}

func newSymbols() *symbols { return &symbols{map[symbol]string{}, map[string]symbol{}} }

// SizeOf returns the size of a tensor or buffer, with unknown sizes by names of their own; it is
// zero for other values.
func SizeOf(v *ir.Value) Size {
	if !ir.IsTensor(v.Type()) && !ir.IsMemRef(v.Type()) {
		return Size{}
	}
	s, _ := newSymbols().size(v)
	return s
}

// size returns the size of a tensor or buffer; false if its elements have none.
func (s *symbols) size(v *ir.Value) (Size, bool) {
	return sizeOf(v.Type(), func(i int) factor { return s.dim(v, i) })
}

// dim returns a dynamic dimension of a value; -1 is the number of its elements.
func (s *symbols) dim(v *ir.Value, i int) factor {
	for {
		shape, ranked := ir.ShapeOf(v.Type())
		if ranked && i >= 0 && i < len(shape) && shape[i] != ir.Dynamic {
			return factor{number: shape[i]}
		}
		op := v.DefiningOp()
		if op == nil || !ranked || i < 0 {
			break
		}
		if u := iface.TiedInit(v); u != nil && sameRank(u.Value(), shape) {
			v = u.Value()
			continue
		}
		if iface.IsCast(op) && op.NumOperands() == 1 && sameRank(op.Operand(0), shape) {
			v = op.Operand(0)
			continue
		}
		if n, ok := sizeOperand(op, shape, i); ok {
			return s.number(n)
		}
		break
	}
	return factor{name: s.name(symbol{v, i})}
}

func sameRank(v *ir.Value, shape []int64) bool {
	other, ranked := ir.ShapeOf(v.Type())
	return ranked && len(other) == len(shape)
}

// sizeOperand returns the operand that is dynamic dimension i of what an operation makes, if
// it makes something of the sizes that it is given.
func sizeOperand(op *ir.Op, shape []int64, i int) (*ir.Value, bool) {
	if _, call := iface.Call.Of(op); call || op.NumRegions() > 0 || op.NumResults() != 1 {
		return nil, false
	}
	at, dynamic := 0, 0
	for j, d := range shape {
		if d == ir.Dynamic {
			if dynamic++; j < i {
				at++
			}
		}
	}
	if dynamic > op.NumOperands() {
		return nil, false
	}
	for j := range dynamic {
		if op.Operand(j).Type() != ir.Type(ir.Index) {
			return nil, false
		}
	}
	return op.Operand(at), true
}

// number returns a number.
func (s *symbols) number(v *ir.Value) factor {
	if n, ok := ir.ConstantInt(v); ok {
		return factor{number: n}
	}
	if op := v.DefiningOp(); op != nil && iface.IsDim(op) {
		if i, ok := ir.ConstantInt(op.Operand(1)); ok && i >= 0 {
			if shape, ranked := ir.ShapeOf(op.Operand(0).Type()); ranked && i < int64(len(shape)) {
				return s.dim(op.Operand(0), int(i))
			}
		}
	}
	return factor{name: s.name(symbol{v, -1})}
}

func (s *symbols) name(x symbol) string {
	if n := s.names[x]; n != "" {
		return n
	}
	base := "n"
	v := x.value
	if v.IsBlockArg() {
		if _, ok := iface.Function.Of(v.ParentBlock().ParentOp()); ok && v.ParentBlock().IsEntry() {
			base = fmt.Sprintf("arg%d", v.Index())
		}
	}
	if base == "n" {
		if p, ok := ir.SourcePos(v.Loc()); ok {
			base = fmt.Sprintf("n@%d:%d", p.Line, p.Col)
		}
	}
	if x.dim >= 0 {
		base += fmt.Sprintf("[%d]", x.dim)
	}
	name := base
	for i := 2; s.taken[name] != (symbol{}); i++ {
		name = fmt.Sprintf("%s#%d", base, i)
	}
	s.names[x], s.taken[name] = name, x
	return name
}

// inCall returns what a size of a callee is at a call.
func (s *symbols) inCall(size Size, callee *symbols, name string, args ir.Operands) Size {
	out := bytes(size.Bytes)
	for _, t := range size.Terms {
		factors := []factor{{number: t.Bytes}}
		for _, n := range t.Sizes {
			x := callee.taken[n]
			f := factor{name: "@" + name + ":" + n}
			if v := x.value; v != nil && v.IsBlockArg() && v.ParentBlock().IsEntry() && v.ParentBlock().ParentOp().Parent() != nil && v.Index() < len(args) {
				if _, fn := iface.Function.Of(v.ParentBlock().ParentOp()); fn {
					if a := args.At(v.Index()); x.dim == -1 {
						f = s.number(a)
					} else {
						f = s.dim(a, x.dim)
					}
				}
			}
			factors = append(factors, f)
		}
		out = out.Plus(product(factors))
	}
	return out
}
