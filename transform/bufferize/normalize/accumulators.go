package normalize

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// FuseAccumulators computes what is only converted to smaller elements, such as the sums of a quantized convolution, where the converted element is written: loops in the body of what converts compute a
// sum, in the same order, with a scalar as accumulator. Sizes of what is reduced must be known. What is widened element by element for several such conversions, such as the operand of quantized sums, is widened in
// each of them. It returns how many operations it moved. Linear time.
func FuseAccumulators(fn *ir.Op) (n int) {
	if hasBuffers(fn) {
		return 0
	}
	b := ir.NewBuilder(fn.Context())
	for _, op := range structuredIn(fn) {
		for f := fusionInto(op); f != nil; f = fusionInto(op) {
			op = f.rewrite(b)
			n++
		}
	}
	return n
}

// fusion is an operation whose result another one converts.
type fusion struct {
	made, conversion linalg.StructuredOp
	operand          int // of the conversion, the result of the other one
	// view drops dimensions of size 1 from the result before it is converted; nil if nothing does.
	view *ir.Op
}

// fusionInto returns how an operation can be the conversion of a fusion, or nil.
func fusionInto(op *ir.Op) *fusion {
	o, _ := linalg.AsStructured(op)
	maps := interfaces.IndexingMaps(op)
	inits := interfaces.DpsInits(op)
	if op.Is(linalg.Map) || op.NumRegions() != 1 || op.NumResults() != 1 || len(maps) != op.NumOperands() || !interfaces.HasTensorSemantics(op) ||
		!interfaces.AllParallel(op) || !maps[inits[0].Index()].IsPermutation() || hasMeaning(op) {
		return nil
	}
	for i := range interfaces.DpsInputs(op) {
		if !readsOnce(op, i) || !narrows(op, op.Operand(i)) {
			continue
		}
		def, view := makerOf(op.Operand(i))
		if def == nil || def.Block() != op.Block() {
			continue
		}
		if made, ok := linalg.AsStructured(def); ok && canMove(made) && (def.Result(0).HasOneUse() || view == nil && isWidened(made)) {
			return &fusion{made, o, i, view}
		}
	}
	return nil
}

// readsOnce tells whether an operation on elements reads each element of an operand for one element of its result: in a dimension of size 1, there is only one.
func readsOnce(op *ir.Op, operand int) bool {
	m := interfaces.IndexingMaps(op)[operand]
	shape, _ := ir.ShapeOf(op.Operand(operand).Type())
	seen := make([]bool, m.Dims)
	for i, r := range m.Results {
		switch {
		case r.Kind == ir.AffineDim && !seen[r.Value]:
			seen[r.Value] = true
		case !r.IsConst(0) || shape[i] != 1:
			return false
		}
	}
	sizes, _ := ir.ShapeOf(op.Result(0).Type())
	for i, r := range interfaces.IndexingMaps(op)[interfaces.DpsInits(op)[0].Index()].Results {
		if r.Kind != ir.AffineDim || !seen[r.Value] && sizes[i] != 1 {
			return false
		}
	}
	return m.Syms == 0
}

// narrows tells whether the elements of a result are smaller than those of a tensor.
func narrows(op *ir.Op, v *ir.Value) bool {
	return ir.StorageBytes(ir.ElementType(op.Result(0).Type())) < ir.StorageBytes(ir.ElementType(v.Type()))
}

// makerOf returns the operation that computes a tensor, and the view of it if that is all that the tensor is, without some dimensions of size 1.
func makerOf(v *ir.Value) (def, view *ir.Op) {
	if view = v.DefinedBy(tensor.CollapseShape); view == nil || !v.HasOneUse() || !dropsUnits(view) {
		return v.DefiningOp(), nil
	}
	return tensor.CollapseShapeOp{Op: view}.Source().DefiningOp(), view
}

// dropsUnits tells whether at most one of the dimensions that become one isn't of size 1.
func dropsUnits(view *ir.Op) bool {
	shape, _ := ir.ShapeOf(tensor.CollapseShapeOp{Op: view}.Source().Type())
	for _, group := range interfaces.Reassociation(view) {
		others := 0
		for _, d := range group {
			if shape[d] != 1 {
				others++
			}
		}
		if others > 1 {
			return false
		}
	}
	return true
}

// mostWidening is how many scalar operations an element may take that is widened again for each conversion: as many as rescaling it takes.
const mostWidening = 32

// isWidened tells whether an operation only makes larger elements of those that it reads, for operations that all make smaller ones again: then less is kept if each
// of them does it for itself.
func isWidened(o linalg.StructuredOp) bool {
	n, ok := scalarOperations(o.RegionAt(0))
	if !ok || n > mostWidening || !interfaces.AllParallel(o.Op) || o.Body().Arg(o.Inits()[0].Index()).HasUses() {
		return false
	}
	v := o.Result(0)
	var read int64
	for _, x := range o.Inputs().Values() {
		read += bytesOf(x.Type())
	}
	if read >= bytesOf(v.Type()) {
		return false
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !isNarrowed(u, o.Block()) {
			return false
		}
	}
	return true
}

// isNarrowed tells whether an operation that computes elements one by one, or the only one that uses its result, and so on, makes smaller elements of a tensor.
func isNarrowed(u *ir.Use, in *ir.Block) bool {
	v := u.Value()
	for range mostWidening {
		op := u.Owner()
		if op.Block() != in || !op.Is(linalg.Generic) || op.NumResults() != 1 || interfaces.IsInit(u) || !interfaces.AllParallel(op) || !readsOnce(op, u.Index()) {
			return false
		}
		if narrows(op, v) {
			return true
		}
		if u = op.Result(0).FirstUse(); u == nil || !op.Result(0).HasOneUse() {
			return false
		}
	}
	return false
}

// canMove tells whether an operation computes each element of its result from what some dimensions of known sizes have, or from one point.
func canMove(o linalg.StructuredOp) bool {
	if o.Is(linalg.Map) || o.Is(linalg.Fill) || o.NumRegions() != 1 || o.NumResults() != 1 || !interfaces.HasTensorSemantics(o.Op) {
		return false
	}
	maps, iterators := o.IndexingMaps(), o.Iterators()
	if len(maps) != o.NumOperands() {
		return false
	}
	kept := 0
	for d, kind := range iterators {
		if kind == interfaces.Parallel {
			kept++
		} else if _, known := sizeOfDim(o, d); kind != interfaces.Reduction || !known {
			return false
		}
	}
	out := maps[o.Inits()[0].Index()]
	if len(out.Results) != kept || !out.IsProjectedPermutation(false) {
		return false
	}
	for _, m := range maps {
		if m.Syms > 0 || slices.ContainsFunc(m.Results, func(e *ir.AffineExpr) bool { return !isLinear(e) }) {
			return false
		}
	}
	return !slices.ContainsFunc(out.Results, func(e *ir.AffineExpr) bool { return iterators[e.Value] != interfaces.Parallel })
}

// sizeOfDim returns the size of a dimension that an operand of known size has as one of its own.
func sizeOfDim(r linalg.StructuredOp, d int) (int64, bool) {
	for i, m := range r.IndexingMaps() {
		shape, _ := ir.ShapeOf(r.Operand(i).Type())
		for k, e := range m.Results {
			if e.Kind == ir.AffineDim && e.Value == int64(d) && shape[k] != ir.Dynamic {
				return shape[k], true
			}
		}
	}
	return 0, false
}

// isLinear tells whether an expression only adds and multiplies.
func isLinear(e *ir.AffineExpr) bool {
	switch e.Kind {
	case ir.AffineConst, ir.AffineDim:
		return true
	case ir.AffineAdd, ir.AffineMul:
		return isLinear(e.LHS) && isLinear(e.RHS)
	}
	return false
}

// rewrite replaces both operations by one, and returns that. Inputs of an operation without reductions become inputs of it; others are read in its body.
func (f *fusion) rewrite(b *ir.Builder) *ir.Op {
	conversion := f.conversion
	inputs, maps := slices.Clone(conversion.Inputs().Values()), slices.Clone(conversion.IndexingMaps())
	at := f.point(b.Context(), maps[f.operand])
	inputs, maps = slices.Delete(inputs, f.operand, f.operand+1), slices.Delete(maps, f.operand, f.operand+1)
	own := len(inputs)
	elementwise := interfaces.AllParallel(f.made.Op)
	if elementwise {
		for i, v := range f.made.Inputs().Values() {
			inputs = append(inputs, v)
			maps = slices.Insert(maps, own+i, b.Context().AffineMap(maps[0].Dims, 0, resultsOf(b.Context(), f.made.IndexingMaps()[i], at)...))
		}
	}
	b.SetBefore(conversion.Op)
	b.Loc = conversion.Loc()
	op := linalg.NewGeneric(b, inputs, conversion.Inits().Values(), maps, conversion.Iterators(), func(b *ir.Builder, args []*ir.Value) []*ir.Value {
		var element *ir.Value
		if elementwise {
			element = f.element(b, at, args[own:len(inputs)])
		} else {
			element = f.sum(b, at)
		}
		args = append(slices.Insert(slices.Clone(args[:own]), f.operand, element), args[len(inputs):]...)
		m := ir.NewMapping()
		for i, a := range args {
			m.Map(conversion.Body().Arg(i), a)
		}
		return cloneBody(b, conversion, m, nil)
	})
	conversion.ReplaceAllUsesWith(op.Results().Values())
	conversion.Erase()
	if f.view != nil {
		f.view.Erase()
	}
	if !f.made.HasUses() {
		f.made.Erase()
	}
	return op
}

// point returns what the dimensions of the operation that is moved are in the conversion, which reads the result by a map; nil for those that are reduced.
func (f *fusion) point(c *ir.Context, by *ir.AffineMap) []*ir.AffineExpr {
	out, to := make([]*ir.AffineExpr, len(f.made.Iterators())), f.made.IndexingMaps()[f.made.Inits()[0].Index()].Results
	if f.view == nil {
		for i, e := range to {
			out[e.Value] = by.Results[i]
		}
		return out
	}
	shape, _ := ir.ShapeOf(tensor.CollapseShapeOp{Op: f.view}.Source().Type())
	for i, group := range interfaces.Reassociation(f.view) {
		for _, d := range group {
			if out[to[d].Value] = by.Results[i]; shape[d] == 1 {
				out[to[d].Value] = c.AffineConstant(0)
			}
		}
	}
	return out
}

// element computes an element of an operation without reductions from those that its inputs have there.
func (f *fusion) element(b *ir.Builder, at []*ir.AffineExpr, inputs []*ir.Value) *ir.Value {
	m, body := ir.NewMapping(), f.made.Body()
	for i, v := range inputs {
		m.Map(body.Arg(i), v)
	}
	point := indicesOf(b, at)
	if init := f.made.Inits()[0]; body.Arg(init.Index()).HasUses() {
		m.Map(body.Arg(init.Index()), elementAt(b, init.Value(), f.place(point)))
	}
	return cloneBody(b, f.made, m, point)[0]
}

// indicesOf returns the dimensions of the iteration around as values.
func indicesOf(b *ir.Builder, dims []*ir.AffineExpr) []*ir.Value {
	out := make([]*ir.Value, len(dims))
	for i, e := range dims {
		switch {
		case e == nil:
		case e.Kind == ir.AffineConst:
			out[i] = arith.ConstantIndex(b, e.Value)
		case e.Kind == ir.AffineDim:
			out[i] = linalg.NewIndex(b, int(e.Value))
		default:
			out[i] = appliedTo(b, e)
		}
	}
	return out
}

// appliedTo computes an expression of the dimensions of the iteration around.
func appliedTo(b *ir.Builder, e *ir.AffineExpr) *ir.Value {
	var dims []*ir.Value
	var by []*ir.AffineExpr // what a dimension of the iteration is in the map; nil for those that the expression hasn't
	e.Walk(func(x *ir.AffineExpr) {
		if x.Kind != ir.AffineDim {
			return
		}
		by = append(by, make([]*ir.AffineExpr, max(0, int(x.Value)+1-len(by)))...)
		if by[x.Value] == nil {
			by[x.Value] = b.Context().AffineDim(len(dims))
			dims = append(dims, linalg.NewIndex(b, int(x.Value)))
		}
	})
	return affine.NewApply(b, b.Context().AffineMap(len(dims), 0, b.Context().AffineReplace(e, by, nil)), dims...)
}

// place returns the place of the result at a point of the operation that is moved.
func (f *fusion) place(point []*ir.Value) (out []*ir.Value) {
	for _, e := range f.made.IndexingMaps()[f.made.Inits()[0].Index()].Results {
		out = append(out, point[e.Value])
	}
	return out
}

// sum computes an element of a reduction.
func (f *fusion) sum(b *ir.Builder, at []*ir.AffineExpr) *ir.Value {
	point := indicesOf(b, at)
	return f.loops(b, point, 0, elementAt(b, f.made.Inits()[0].Value(), f.place(point)))
}

// loops adds what the dimensions from d on have to a sum.
func (f *fusion) loops(b *ir.Builder, point []*ir.Value, d int, sum *ir.Value) *ir.Value {
	for d < len(point) && point[d] != nil {
		d++
	}
	if d == len(point) {
		return f.step(b, point, sum)
	}
	size, _ := sizeOfDim(f.made, d)
	loop := scf.NewFor(b, arith.ConstantIndex(b, 0), arith.ConstantIndex(b, size), arith.ConstantIndex(b, 1), []*ir.Value{sum}, func(b *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value {
		inner := slices.Clone(point)
		inner[d] = iv
		return []*ir.Value{f.loops(b, inner, d+1, args[0])}
	})
	return loop.Result(0)
}

// step does what the reduction does with one point.
func (f *fusion) step(b *ir.Builder, point []*ir.Value, sum *ir.Value) *ir.Value {
	r, m := f.made, ir.NewMapping()
	maps := r.IndexingMaps()
	for i, v := range r.Inputs().Values() {
		if ir.IsTensor(v.Type()) {
			v = tensor.NewExtract(b, v, placeOf(b, maps[i], point)...)
		}
		m.Map(r.Body().Arg(i), v)
	}
	m.Map(r.Body().Arg(r.Inits()[0].Index()), sum)
	return cloneBody(b, r, m, point)[0]
}

// cloneBody puts what a body does in another place, and returns what it yields. The iteration is at a point, or at the one of the operation around it.
func cloneBody(b *ir.Builder, o linalg.StructuredOp, m *ir.Mapping, point []*ir.Value) (out []*ir.Value) {
	for op := o.Body().First(); op != o.Body().Last(); op = op.Next() {
		if op.Is(linalg.Index) && point != nil {
			m.Map(op.Result(0), point[linalg.IndexOp{Op: op}.Dim()])
			continue
		}
		b.Clone(op, m)
	}
	for _, v := range o.Yielded().Values() {
		out = append(out, m.Value(v))
	}
	return out
}

// elementAt returns the element of a tensor at a place, without the tensor if it is filled, or computed element by element for this alone or cheaply.
func elementAt(b *ir.Builder, v *ir.Value, at []*ir.Value) *ir.Value {
	def := v.DefiningOp()
	if def == nil {
		return tensor.NewExtract(b, v, at...)
	}
	if def.Is(linalg.Fill) && (linalg.FillOp{Op: def}).Value().Type() == ir.ElementType(v.Type()) {
		return linalg.FillOp{Op: def}.Value()
	}
	o, ok := linalg.AsStructured(def)
	if !ok || !interfaces.AllParallel(def) || !canMove(o) || o.Body().Arg(o.Inits()[0].Index()).HasUses() || !v.HasOneUse() && !isCheap(def) {
		return tensor.NewExtract(b, v, at...)
	}
	point := make([]*ir.Value, len(o.Iterators()))
	for i, e := range o.IndexingMaps()[o.Inits()[0].Index()].Results {
		point[e.Value] = at[i]
	}
	m := ir.NewMapping()
	for i, x := range o.Inputs().Values() {
		if ir.IsTensor(x.Type()) {
			x = elementAt(b, x, placeOf(b, o.IndexingMaps()[i], point))
		}
		m.Map(o.Body().Arg(i), x)
	}
	return cloneBody(b, o, m, point)[0]
}

// isCheap tells whether making a tensor again costs no more than reading it.
func isCheap(op *ir.Op) bool {
	_, cheap := CostOf(op)
	return cheap
}

// placeOf computes the results of a map.
func placeOf(b *ir.Builder, m *ir.AffineMap, point []*ir.Value) (out []*ir.Value) {
	for _, e := range m.Results {
		out = append(out, valueOf(b, e, point))
	}
	return out
}

// valueOf computes a linear expression of dimensions.
func valueOf(b *ir.Builder, e *ir.AffineExpr, dims []*ir.Value) *ir.Value {
	switch e.Kind {
	case ir.AffineDim:
		return dims[e.Value]
	case ir.AffineConst:
		return arith.ConstantIndex(b, e.Value)
	}
	op := arith.AddI
	if e.Kind == ir.AffineMul {
		op = arith.MulI
	}
	return arith.New(b, op, valueOf(b, e.LHS, dims), valueOf(b, e.RHS, dims))
}
