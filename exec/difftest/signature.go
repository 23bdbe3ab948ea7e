package difftest

import (
	"fmt"
	"slices"

	"freehold/dialect/memref"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// signature relates the results of a function before and after it was
// transformed. Some of them may have become arguments, in order: buffers that the
// caller provides. The last arguments may be memory that the caller brings, arenas.
type signature struct {
	inputs int
	extra  []ir.Type // of the arguments that were added for results
	arenas []ir.Type
	// from says for each result before where it is: a result, or, from outParam on, an
	// argument that was added.
	from []int
	// dropped tells that there are fewer results, and from is nothing: the others are arguments.
	dropped bool
	want    *interp.Result
}

const outParam = 1 << 20

// pair relates two functions, the first of which had the results want. The error
// tells why they can't be compared.
func pair(a, b *ir.Op, want *interp.Result) (*signature, error) {
	x, y := typeOf(a), typeOf(b)
	s := &signature{inputs: len(x.Inputs), want: want}
	inputs := y.Inputs
	for n := len(inputs); n > len(x.Inputs) && interfaces.ArgAttr(b, n-1, memref.ArenaAttr) != nil; n-- {
		inputs = inputs[:n-1]
	}
	s.arenas = y.Inputs[len(inputs):]
	if len(inputs) < len(x.Inputs) {
		return nil, fmt.Errorf("it has %d arguments, and %d afterwards", len(x.Inputs), len(inputs))
	}
	for i, t := range x.Inputs {
		if !alike(t, inputs[i]) {
			return nil, fmt.Errorf("argument %d has type '%s', and '%s' afterwards", i, t, inputs[i])
		}
	}
	s.extra = inputs[len(x.Inputs):]
	if len(s.extra) == 0 && len(y.Results) < len(x.Results) {
		s.dropped = true
		return s, nil
	}
	moved, kept := 0, 0
	before, after := interp.Returned(x), interp.Returned(y)
	for i, t := range before {
		rest := len(before) - i
		switch {
		case len(s.extra)-moved > 0 && alike(t, s.extra[moved]) && hasElements(t) && (rest > len(after)-kept || ir.IsMemRef(s.extra[moved])):
			s.from = append(s.from, outParam+moved)
			moved++
		case kept < len(after) && alike(t, after[kept]):
			s.from = append(s.from, kept)
			kept++
		default:
			return nil, fmt.Errorf("its results have other types afterwards")
		}
	}
	if moved != len(s.extra) || kept != len(after) {
		return nil, fmt.Errorf("it has other arguments or results afterwards")
	}
	return s, nil
}

func typeOf(fn *ir.Op) *ir.FunctionType {
	m, _ := interfaces.Function.Of(fn)
	return m.Type(fn)
}

// alike tells whether values of the types can be the same: types of different
// contexts, or a tensor and a buffer.
func alike(a, b ir.Type) bool {
	if hasElements(a) && hasElements(b) {
		return ir.ElementType(a).String() == ir.ElementType(b).String()
	}
	return a.String() == b.String()
}

// hasElements tells whether a type is one of tensors or buffers. Vectors are numbers here: no pass makes a buffer of one.
func hasElements(t ir.Type) bool { return ir.IsTensor(t) || ir.IsMemRef(t) }

// added returns the arguments that were added: buffers of the sizes of the results that they
// take, and arenas for the other arguments of the function after that, of at most so many bytes.
func (s *signature) added(after *ir.Op, args []interp.Value, limit int64) ([]interp.Value, error) {
	out := make([]interp.Value, len(s.extra), len(s.extra)+len(s.arenas))
	for i, from := range s.from {
		if from < outParam {
			continue
		}
		k := from - outParam
		v, err := interp.Random(s.extra[k], s.want.Values[i].Tensor.Sizes, nil)
		if err != nil {
			return nil, err
		}
		out[k] = v
	}
	for _, t := range s.arenas {
		before := slices.Concat(args, out)
		v, dynamic, err := interp.Arena(after, len(before), before, limit)
		if !dynamic {
			v, err = interp.Random(t, nil, nil)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// result returns what was result i before.
func (s *signature) result(i int, got *interp.Result) interp.Value {
	if k, ok := s.argument(i); ok {
		return got.Buffers[k]
	}
	return got.Values[s.from[i]]
}

// argument returns which argument result i became, if it became one.
func (s *signature) argument(i int) (k int, ok bool) {
	from := s.from[i]
	return s.inputs + from - outParam, from >= outParam
}
