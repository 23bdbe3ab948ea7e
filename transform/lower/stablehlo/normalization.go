package stablehlo

import (
	"freehold/dialect/arith"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// normalizing writes batch normalization down by other operations of stablehlo, as the specification does.
type normalizing struct {
	l       *lowering
	f       *formula
	t       *ir.RankedTensorType
	like    *ir.Value
	feature int64
	epsilon float64
}

func (l *lowering) normalizing(op *ir.Op) *normalizing {
	v := op.Operand(0)
	t := ranked(v)
	n := &normalizing{l: l, t: t, like: v, feature: intAttr(op, "feature_index"), f: l.tensorFormula(v, t.Elem)}
	if e, ok := op.Attr("epsilon").(*ir.FloatAttr); ok {
		n.epsilon = e.Float64()
	}
	return n
}

// spread gives each feature's number to all its elements.
func (n *normalizing) spread(v *ir.Value) *ir.Value {
	return n.l.dynamicBroadcast(v, n.l.dimensions(n.like), n.t.Shape, []int64{n.feature})
}

// total sums the elements of each feature.
func (n *normalizing) total(v *ir.Value) *ir.Value {
	b := n.l.b
	c := b.Context()
	var dims []int64
	for d := range n.t.Shape {
		if int64(d) != n.feature {
			dims = append(dims, int64(d))
		}
	}
	scalar := c.RankedTensor(nil, n.t.Elem)
	zero := stablehlo.NewConstant(b, c.DenseElements(scalar, elementBytes(c.FloatAttr(n.t.Elem.(*ir.FloatType), 0))))
	s := b.State(stablehlo.Reduce)
	s.Operands, s.Types = []*ir.Value{v, zero}, []ir.Type{c.RankedTensor([]int64{n.t.Shape[n.feature]}, n.t.Elem)}
	s.SetAttr("dimensions", c.DenseI64Array(dims...))
	blk := s.AddRegion().AddBlock(scalar, scalar)
	op := b.Create(s)
	b.SetEnd(blk)
	sum := b.CreateOp(stablehlo.Add, []ir.Type{scalar}, blk.Args()).Result(0)
	b.CreateOp(stablehlo.Return, nil, one(sum))
	b.SetAfter(op)
	return op.Result(0)
}

// count is how many elements a feature has, for all of them.
func (n *normalizing) count(features *ir.Value) *ir.Value {
	b := n.l.b
	product := known(1)
	for d, s := range sizesOf(b, n.like) {
		if int64(d) != n.feature {
			product = times(b, product, s)
		}
	}
	g := n.l.tensorFormula(features, n.t.Elem)
	if k, ok := product.Int(); ok {
		return g.at(float64(k))
	}
	v := n.l.wrapped(n.l.fromIndex(value(b, product), n.t.Elem))
	return n.l.dynamicBroadcast(v, n.l.dimensions(features), ranked(features).Shape, nil)
}

func (n *normalizing) mean(v *ir.Value) *ir.Value {
	sum := n.total(v)
	return n.l.tensorFormula(sum, n.t.Elem).div(sum, n.count(sum))
}

func (n *normalizing) normalize(v, scale, offset, mean, variance *ir.Value) *ir.Value {
	f := n.f
	deviation := f.sqrt(f.add(n.spread(variance), f.at(n.epsilon)))
	return f.add(f.mul(n.spread(scale), f.div(f.sub(v, n.spread(mean)), deviation)), n.spread(offset))
}

func (l *lowering) batchNormInference(op *ir.Op) ([]*ir.Value, error) {
	v := op.Operands().Values()
	return one(l.normalizing(op).normalize(v[0], v[1], v[2], v[3], v[4])), nil
}

func (l *lowering) batchNormTraining(op *ir.Op) ([]*ir.Value, error) {
	v := op.Operands().Values()
	n := l.normalizing(op)
	mean := n.mean(v[0])
	variance := n.mean(n.f.square(n.f.sub(v[0], n.spread(mean))))
	return []*ir.Value{n.normalize(v[0], v[1], v[2], mean, variance), mean, variance}, nil
}

func (l *lowering) batchNormGrad(op *ir.Op) ([]*ir.Value, error) {
	v := op.Operands().Values()
	x, scale, mean, variance, grad := v[0], v[1], v[2], v[3], v[4]
	n := l.normalizing(op)
	f := n.f
	g := l.tensorFormula(mean, n.t.Elem)
	deviation := g.sqrt(g.add(variance, g.at(n.epsilon)))
	centered := f.sub(x, n.spread(mean))
	gradOffset := n.total(grad)
	products := n.total(f.mul(grad, centered))
	gradScale := g.div(products, deviation)
	count := n.count(mean)
	slope := g.div(products, g.add(variance, g.at(n.epsilon)))
	inner := f.sub(f.sub(f.mul(grad, n.spread(count)), n.spread(gradOffset)), f.mul(centered, n.spread(slope)))
	gradOperand := f.mul(n.spread(g.div(g.div(scale, deviation), count)), inner)
	return []*ir.Value{gradOperand, gradScale, gradOffset}, nil
}

// unchanged are collective operations on one process: each is alone in its group.
func (l *lowering) unchanged(op *ir.Op) ([]*ir.Value, error) {
	if err := l.alone(op); err != nil {
		return nil, err
	}
	return op.Operands().Values()[:op.NumResults()], nil
}

// alone tells whether one process is all that a collective operation is about.
func (l *lowering) alone(op *ir.Op) error {
	module := l.root
	for _, name := range []string{"mhlo.num_replicas", "mhlo.num_partitions"} {
		if n, ok := module.DiscardableAttr(name).(*ir.IntegerAttr); ok && n.Value > 1 {
			return errorf("it is about several processes, of which %s says %d, and one is executed here", name, n.Value)
		}
	}
	for _, name := range []string{"replica_groups", "source_target_pairs"} {
		if d, ok := op.Attr(name).(*ir.DenseElementsAttr); ok {
			ids := stablehlo.Ints(d)
			if ids == nil && d.Len() > 0 {
				return errorf("%s has too many numbers to be looked at", name)
			}
			for _, id := range ids {
				if id > 0 {
					return errorf("it is about several processes (%s has %d), and one is executed here", name, id)
				}
			}
		}
	}
	return nil
}

// permuted is what a process gets that is alone: its own data if it sends them to itself, else zeros.
func (l *lowering) permuted(op *ir.Op) ([]*ir.Value, error) {
	if err := l.alone(op); err != nil {
		return nil, err
	}
	v := stablehlo.CollectivePermuteOp{Op: op}.OperandValue()
	if d, ok := op.Attr("source_target_pairs").(*ir.DenseElementsAttr); ok && d.Len() > 0 {
		return one(v), nil
	}
	elem := ranked(v).Elem
	zero := enter(l.b, (&element{Builder: l.b}).number(plain(l.b.Context(), elem), 0), elem)
	return one(l.filled(sizesOf(l.b, v), zero)), nil
}

// identity is the number of the only process.
func (l *lowering) identity(op *ir.Op) ([]*ir.Value, error) {
	t := rankedResult(op, 0)
	zero := enter(l.b, arith.ConstantInt(l.b, plain(l.b.Context(), t.Elem), 0), t.Elem)
	return one(tensor.NewFromElements(l.b, l.b.Context().RankedTensor(nil, t.Elem), zero)), nil
}

// token is a value that orders nothing any more: what is left is in the order in which it stands.
func (l *lowering) token(op *ir.Op) ([]*ir.Value, error) {
	t := op.Result(0).Type()
	return one(enter(l.b, arith.ConstantBool(l.b, false), t)), nil
}
