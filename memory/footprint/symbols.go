package footprint

import (
	"fmt"
	"strings"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// symbols names the sizes of a function that are not known: arg1[0] is dimension 0 of
// argument 1, arg2 the number that is argument 2, n@7:12 the number that is computed, or
// the size of what appears, in line 7, column 12, and times@7:12 how often what is there is executed.
type symbols struct {
	names map[symbol]string
	taken map[string]symbol
	same  map[*ir.Value]*ir.Value // values that are others: arguments of another function that are those of this one, and what computes the same
	// computed are values by what computes them.
	computed map[string]*ir.Value
	sums     *Numbers // of numbers that are computed from sizes
}

// symbol is a dimension of a value; -1 is the value itself if it is a number, and else how
// many elements it has. Without a value, it is how often an operation is executed.
type symbol struct {
	value *ir.Value
	dim   int
	op    *ir.Op
}

func newSymbols() *symbols {
	return &symbols{names: map[symbol]string{}, taken: map[string]symbol{}, same: map[*ir.Value]*ir.Value{}, computed: map[string]*ir.Value{}}
}

// SizeOf returns the size of a tensor or buffer, with unknown sizes by names of their own; it is
// zero for other values.
func SizeOf(v *ir.Value) Size {
	if !ir.IsTensor(v.Type()) && !ir.IsMemRef(v.Type()) {
		return Size{}
	}
	return newSymbols().size(v)
}

// size returns the size of a tensor or buffer.
func (s *symbols) size(v *ir.Value) Size {
	size, _ := sizeOf(v.Type(), func(i int) factor { return s.dim(v, i) })
	return size
}

// contents returns the size of all elements of a tensor or buffer.
func (s *symbols) contents(v *ir.Value) Size {
	return contentsOf(v.Type(), func(i int) factor { return s.dim(v, i) })
}

// dim returns a dynamic dimension of a value; -1 is the number of its elements.
func (s *symbols) dim(v *ir.Value, i int) factor { return s.factor(SourceOfDim(v, i)) }

// factor returns a dimension by its source: what is computed from other sizes by these.
func (s *symbols) factor(d DimSource) factor {
	if d.Value == nil || d.Dim >= 0 || d.Value.Type() != ir.Type(ir.Index) {
		return s.atom(d)
	}
	if s.sums == nil {
		s.sums = newNumbers(s)
	}
	sums := s.sums.Of(d.Value)
	if len(sums) == 1 && sums[0].isAtom() {
		return factor{name: sums[0].Terms[0].Sizes[0]}
	}
	sum := atLeastAll(sums)
	return factor{sum: &sum}
}

// atom returns a dimension by the name of its source.
func (s *symbols) atom(d DimSource) factor {
	if d.Value == nil {
		return factor{number: d.Number}
	}
	d.Value = s.first(d.Value)
	return factor{name: s.name(symbol{value: d.Value, dim: d.Dim})}
}

// first returns a value that is the same, of those that were asked for the first: what computes the same from the same.
func (s *symbols) first(v *ir.Value) *ir.Value {
	if w := s.same[v]; w != nil {
		return w
	}
	op := v.DefiningOp()
	if op == nil || op.NumResults() != 1 || op.NumRegions() > 0 || op.NumSuccessors() > 0 || !interfaces.IsDim(op) && !interfaces.IsPure(op) || ir.IsShaped(v.Type()) {
		return v
	}
	// Where nothing comes to, values may be computed from themselves.
	s.same[v] = v
	var key strings.Builder
	fmt.Fprintf(&key, "%s %s", op.Name(), v.Type())
	for _, a := range op.AllAttrs() {
		fmt.Fprintf(&key, " %s=%s", a.Name, a.Value)
	}
	for _, x := range op.Operands().Values() {
		fmt.Fprintf(&key, " %p", s.first(x))
	}
	w := s.computed[key.String()]
	if w == nil {
		w = v
		s.computed[key.String()] = v
	}
	s.same[v] = w
	return w
}

// DimSource is what tells a dimension: a number that is known, if there is no value, the number that is a value, if Dim is -1 and the value is no tensor
// or buffer, or else dimension Dim of a value; dimension -1 is the number of its elements.
type DimSource struct {
	Value  *ir.Value
	Dim    int
	Number int64
}

// SourceOfDim returns what tells dimension i of a tensor or buffer: what it was made with, or what was cast to it. It takes time linear in the steps to there.
func SourceOfDim(v *ir.Value, i int) DimSource { return sourceOfDim(v, i, &ir.Trail{}) }

func sourceOfDim(v *ir.Value, i int, t *ir.Trail) DimSource {
	for !t.Returns(v) {
		shape, ranked := ir.ShapeOf(v.Type())
		if ranked && i >= 0 && i < len(shape) && shape[i] != ir.Dynamic {
			return DimSource{Number: shape[i]}
		}
		op := v.DefiningOp()
		if op == nil || !ranked || i < 0 {
			break
		}
		if u := interfaces.TiedInit(v); u != nil && sameRank(u.Value(), shape) {
			v = u.Value()
			continue
		}
		if interfaces.IsCast(op) && op.OnlyOperand() != nil && sameRank(op.OnlyOperand(), shape) {
			v = op.OnlyOperand()
			continue
		}
		if n, ok := sizeOperand(op, shape, i); ok {
			return sourceOfNumber(n, t)
		}
		break
	}
	return DimSource{Value: v, Dim: i}
}

func sameRank(v *ir.Value, shape []int64) bool {
	other, ranked := ir.ShapeOf(v.Type())
	return ranked && len(other) == len(shape)
}

// sizeOperand returns the operand that is dynamic dimension i of what an operation makes, if
// it makes something of the sizes that it is given.
func sizeOperand(op *ir.Op, shape []int64, i int) (*ir.Value, bool) {
	if interfaces.Call.Has(op) || op.NumRegions() > 0 || op.NumResults() != 1 {
		return nil, false
	}
	if op.Is(memref.View) {
		return memref.ViewOp{Op: op}.Sizes().At(ir.NumDynamic(shape[:i])), true
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
func (s *symbols) number(v *ir.Value) factor { return s.factor(sourceOfNumber(v, &ir.Trail{})) }

func sourceOfNumber(v *ir.Value, t *ir.Trail) DimSource {
	if n, ok := ir.ConstantInt(v); ok {
		return DimSource{Number: n}
	}
	if op := v.DefiningOp(); op != nil {
		if shaped, i, ok := interfaces.ConstantDim(op); ok {
			if shape, ranked := ir.ShapeOf(shaped.Type()); ranked && i < len(shape) {
				return sourceOfDim(shaped, i, t)
			}
		}
	}
	return DimSource{Value: v, Dim: -1}
}

// times returns a size times how often an operation is executed in a function that makes something of the
// size each time.
func (s *symbols) times(size Size, op *ir.Op, rounds analysis.Rounds) Size {
	if !rounds.Any() {
		return size
	}
	known, n := !rounds.Cycle, int64(1)
	for _, loop := range rounds.Loops {
		count, ok := int64(0), false
		if m, has := interfaces.TripCount.Of(loop); has {
			count, ok = m(loop)
		}
		known, n = known && ok, times(n, count)
	}
	f := factor{number: n}
	if !known {
		f = factor{name: s.name(symbol{dim: -1, op: op})}
	}
	out := product([]factor{{number: size.Bytes}, f})
	for _, t := range size.Terms {
		factors := []factor{{number: t.Bytes}, f}
		for _, name := range t.Sizes {
			factors = append(factors, factor{name: name})
		}
		out = out.Plus(product(factors))
	}
	return out
}

// isFunctionBody tells whether a block is the entry of a function.
func isFunctionBody(b *ir.Block) bool {
	_, ok := interfaces.Function.Of(b.ParentOp())
	return ok && b.IsEntry()
}

func (s *symbols) name(x symbol) string {
	if n := s.names[x]; n != "" {
		return n
	}
	base, loc := "n", ir.Location(nil)
	switch v := x.value; {
	case v == nil:
		base, loc = "times", x.op.Loc()
	case v.IsBlockArg() && isFunctionBody(v.ParentBlock()):
		base = fmt.Sprintf("arg%d", v.Index())
	default:
		loc = v.Loc()
	}
	if loc != nil {
		if p, ok := ir.SourcePos(loc); ok {
			base += fmt.Sprintf("@%d:%d", p.Line, p.Col)
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
			if v := x.value; v != nil && v.IsBlockArg() && isFunctionBody(v.ParentBlock()) && v.Index() < len(args) {
				if a := args.At(v.Index()); x.dim == -1 {
					f = s.number(a)
				} else {
					f = s.dim(a, x.dim)
				}
			}
			factors = append(factors, f)
		}
		out = out.Plus(product(factors))
	}
	return out
}
