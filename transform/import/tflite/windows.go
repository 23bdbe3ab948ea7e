package tflite

import (
	gomath "math"
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// spread is where the elements of a tensor are along a dimension of another one: so many places behind its start, and so many apart.
type spread struct{ size, start, step int64 }

// spreadOf returns the elements of an input whose elements are spread, and another number everywhere else.
func (k *kernel) spreadOf(v, other *ir.Value, dims []spread) func(at []*ir.Value) *ir.Value {
	return func(at []*ir.Value) *ir.Value {
		there, zero := k.int(ir.I1, 1), k.index(0)
		and := func(c *ir.Value) { there = k.op2(arith.AndI, there, c) }
		from := make([]*ir.Value, len(at))
		for d, i := range at {
			n := dims[d]
			if n.start != 0 {
				i = k.sub(i, k.index(n.start))
				and(k.cmp(arith.SGE, i, zero))
			}
			if n.step != 1 {
				and(k.cmp(arith.EQ, k.op2(arith.RemSI, i, k.index(n.step)), zero))
				i = k.op2(arith.DivSI, i, k.index(n.step))
			}
			and(k.cmp(arith.SLT, i, k.index(n.size)))
			from[d] = k.max(k.min(i, k.index(n.size-1)), zero)
		}
		return k.pick(there, k.at(v, from...), other)
	}
}

// length is how many places the elements take, and the borders around them, which may be below 0.
func (s spread) length(low, high int64) int64 {
	if s.size == 0 {
		return low + high
	}
	return low + (s.size-1)*s.step + 1 + high
}

// far is how large numbers of places may be.
const far = gomath.MaxInt32

// within tells whether numbers are between two.
func within(list []int64, low, high int64) bool {
	return !slices.ContainsFunc(list, func(n int64) bool { return n < low || n > high })
}

// stablehloPad is STABLEHLO_PAD: borders, which may be below 0, and places between elements.
func stablehloPad(k *kernel) error {
	const low, high, interior = 0, 1, 2
	in, out, o := k.in[0], k.out[0], k.op.Options
	if in.Type != out.Type || in.Type != k.in[1].Type {
		return k.unsupported()
	}
	lows, highs, between, rank := o.Longs(low), o.Longs(high), o.Longs(interior), len(in.Shape)
	if len(lows) != rank || len(highs) != rank || len(between) != rank || len(out.Shape) != rank || ir.ElementCount(k.in[1].Shape) != 1 ||
		!within(lows, -far, far) || !within(highs, -far, far) || !within(between, 0, far) || isEmpty(in) {
		return k.malformed()
	}
	dims := make([]spread, rank)
	for d, n := range in.Shape {
		dims[d] = spread{n, lows[d], between[d] + 1}
		if out.Shape[d] != dims[d].length(lows[d], highs[d]) {
			return k.malformed()
		}
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	k.computed(k.spreadOf(values[0], k.at(k.reshape(values[1], nil)), dims))
	return nil
}

// windowed is what joins the elements of windows, and where these are.
type windowed struct {
	join func(acc, x *ir.Value) *ir.Value
	// sizes, steps and apart are those of windows, and of the elements in one.
	sizes, steps, apart []int64
	dims                []spread
	highs               []int64
}

// reduceWindow is REDUCE_WINDOW.
func reduceWindow(k *kernel) error {
	const function = 0
	// The functions, in the order of the schema.
	names := []string{"", "ADD", "MUL", "MINIMUM", "MAXIMUM", "LOGICAL_AND", "LOGICAL_OR"}
	n := k.op.Options.Int(function)
	if n <= 0 || n >= len(names) {
		return k.errorf("%s has no function that is known", k.code)
	}
	w := &windowed{highs: make([]int64, len(k.in[0].Shape))}
	for i, list := range []*[]int64{&w.sizes, &w.steps, &w.apart} {
		var err error
		if *list, err = k.constants(2 + i); err != nil {
			return err
		}
	}
	for _, size := range k.in[0].Shape {
		w.dims = append(w.dims, spread{size, 0, 1})
	}
	return k.joinWindows(w, names[n])
}

// stablehloReduceWindow is STABLEHLO_REDUCE_WINDOW. Its function is the one operator of a subgraph.
func stablehloReduceWindow(k *kernel) error {
	const sizes, steps, base, apart, padding, body = 0, 1, 2, 3, 4, 5
	o, rank := k.op.Options, len(k.in[0].Shape)
	w := &windowed{sizes: o.Longs(sizes), steps: o.Longs(steps), apart: o.Longs(apart)}
	between, borders := o.Longs(base), o.Longs(padding)
	if len(between) != rank || len(borders) != 2*rank || !within(between, 1, far) || !within(borders, -far, far) {
		return k.malformed()
	}
	for d, size := range k.in[0].Shape {
		w.dims = append(w.dims, spread{size, borders[2*d], between[d]})
		w.highs = append(w.highs, borders[2*d+1])
	}
	n := o.Int(body)
	if n < 0 || n >= len(k.model.Subgraphs) || len(k.model.Subgraphs[n].Operators) != 1 {
		return k.errorf("%s has no function of one operator in subgraph %d", k.code, n)
	}
	names := map[string]string{"STABLEHLO_ADD": "ADD", "STABLEHLO_MULTIPLY": "MUL", "STABLEHLO_MINIMUM": "MINIMUM", "STABLEHLO_MAXIMUM": "MAXIMUM",
		"STABLEHLO_AND": "LOGICAL_AND", "STABLEHLO_OR": "LOGICAL_OR"}
	code := k.model.Subgraphs[n].Operators[0].Code.String()
	if name, ok := names[code]; ok {
		code = name
	}
	return k.joinWindows(w, code)
}

// joinWindows computes the elements of output 0 of those of windows on input 0, beginning with input 1, which is also outside of input 0.
func (k *kernel) joinWindows(w *windowed, code string) error {
	in, out, rank := k.in[0], k.out[0], len(k.in[0].Shape)
	if in.Type != out.Type || in.Type != k.in[1].Type {
		return k.unsupported()
	}
	if w.join = k.windowJoin(code); w.join == nil {
		return k.errorf("%s by %s from %s isn't supported", k.code, code, in.Type)
	}
	for _, list := range [][]int64{w.sizes, w.steps, w.apart} {
		if len(list) != rank || !within(list, 1, far) {
			return k.malformed()
		}
	}
	if len(out.Shape) != rank || ir.ElementCount(k.in[1].Shape) != 1 || isEmpty(in) {
		return k.malformed()
	}
	for d, n := range w.dims {
		room := n.length(n.start, w.highs[d]) - ((w.sizes[d]-1)*w.apart[d] + 1)
		if room < 0 && out.Shape[d] != 0 || room >= 0 && out.Shape[d] != room/w.steps[d]+1 {
			return k.malformed()
		}
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	start := k.at(k.reshape(values[1], nil))
	element := k.spreadOf(values[0], start, w.dims)
	spans := k.over(w.sizes)
	k.computed(func(at []*ir.Value) *ir.Value {
		return k.nest(spans, start, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			place := make([]*ir.Value, rank)
			for d := range place {
				place[d] = k.add(k.mul(at[d], k.index(w.steps[d])), k.mul(i[d], k.index(w.apart[d])))
			}
			return w.join(acc, element(place))
		})
	})
	return nil
}

// windowJoin returns what joins two elements as an operator does, or nil.
func (k *kernel) windowJoin(code string) func(a, b *ir.Value) *ir.Value {
	t := k.in[0].Type
	float := t == model.Float32 || t == model.Float64
	choose := func(float, integer, truth *ir.OpID) func(a, b *ir.Value) *ir.Value {
		id := integer
		switch {
		case t == model.Bool:
			id = truth
		case ir.IsFloat(k.elementType(t)):
			id = float
		}
		if id == nil {
			return nil
		}
		return func(a, b *ir.Value) *ir.Value { return k.op2(id, a, b) }
	}
	switch {
	case !float && t != model.Bool && t != model.Int8 && t != model.Int16 && t != model.Int32 && t != model.Int64 && t != model.Uint8:
		return nil
	case code == "ADD":
		return choose(arith.AddF, arith.AddI, nil)
	case code == "MUL":
		return choose(arith.MulF, arith.MulI, nil)
	case code == "LOGICAL_AND":
		return choose(nil, nil, arith.AndI)
	case code == "LOGICAL_OR":
		return choose(nil, nil, arith.OrI)
	case t == model.Bool:
		return nil
	case code == "MAXIMUM":
		return func(a, b *ir.Value) *ir.Value { return k.pick(k.notLess(t, a, b), a, b) }
	case code == "MINIMUM":
		return func(a, b *ir.Value) *ir.Value { return k.pick(k.notLess(t, b, a), a, b) }
	}
	return nil
}

// notLess compares two elements of a type: a NaN is neither less nor not.
func (f *function) notLess(t model.Type, a, b *ir.Value) *ir.Value {
	switch {
	case ir.IsFloat(a.Type()):
		return f.cmpf(arith.OGE, a, b)
	case unsigned(t):
		return f.cmp(arith.UGE, a, b)
	}
	return f.cmp(arith.SGE, a, b)
}
