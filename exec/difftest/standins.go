package difftest

import (
	"slices"

	"freehold/exec/interp"
	"freehold/ir"
)

// standIns returns functions that stand for those that the program afterwards declares with out parameters, where they returned results
// before: they write what the function would have returned, and as an effect the call has the arguments that it had. Linear time.
func standIns(before, after map[string]*ir.Op, seed uint64) map[string]interp.External {
	out := map[string]interp.External{}
	for name, a := range before {
		b := after[name]
		if b == nil || a.BodyBlock(0) != nil || b.BodyBlock(0) != nil {
			continue
		}
		if s, err := pair(a, b, nil); err == nil && len(s.extra) > 0 {
			out[name] = s.standIn(typeOf(b).Results, interp.Arbitrary(seed))
		}
	}
	return out
}

// standIn makes a function with the results before one that has out parameters for some of them, and results of these types.
func (s *signature) standIn(results []ir.Type, whole interp.External) interp.External {
	types := make([]ir.Type, len(s.from))
	for i, from := range s.from {
		if from < outParam {
			types[i] = results[from]
		} else {
			types[i] = s.extra[from-outParam]
		}
	}
	return func(call *interp.Call) ([]interp.Value, error) {
		first := *call
		first.Results = types
		values, err := whole(&first)
		if err != nil {
			return nil, err
		}
		out := make([]interp.Value, len(results))
		for i, from := range s.from {
			if from < outParam {
				out[from] = values[i]
			} else if err := call.Write(s.inputs+from-outParam, values[i].Tensor); err != nil {
				return nil, err
			}
		}
		call.Args = slices.Clip(call.Args[:s.inputs])
		return out, nil
	}
}
