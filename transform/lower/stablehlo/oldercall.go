package stablehlo

import (
	"slices"

	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/shapes"
)

// olderForm is how JAX called a function of LAPACK or BLAS before 2024, when what isn't a tensor of numbers was an operand too.
type olderForm struct {
	// parameters are how many operands come before the tensors of numbers: sizes, which the tensors have, and what is computed.
	parameters int
	// says are the parameters that say what is computed, of which letters makes those of the newer form.
	says    []int
	letters func(p []int64) map[string]byte
	// order are the tensors of numbers in the order of the newer form.
	order []int
	// results are those of the newer form, by their numbers; others are room for the function to work in.
	results []int
}

// pick is one of two letters.
func pick(p int64, yes, no byte) byte {
	if p != 0 {
		return yes
	}
	return no
}

func triangleLetter(p []int64) map[string]byte {
	return map[string]byte{"uplo": pick(p[0], 'L', 'U')}
}

// olderFormOf is the form of a call of a function, whose name is without the letter for the type of the numbers; nil for others.
func olderFormOf(op *ir.Op, name string) *olderForm {
	switch name {
	case "potrf":
		return &olderForm{parameters: 3, says: []int{0}, letters: triangleLetter, order: []int{0}, results: []int{0, 1}}
	case "getrf":
		return &olderForm{parameters: 3, order: []int{0}, results: []int{0, 1, 2}}
	case "geqrf":
		return &olderForm{parameters: 4, order: []int{0}, results: []int{0, 1, 2}}
	case "orgqr", "ungqr":
		return &olderForm{parameters: 5, order: []int{0, 1}, results: []int{0, 1}}
	case "syevd", "heevd":
		return &olderForm{parameters: 3, says: []int{0}, letters: triangleLetter, order: []int{0}, results: []int{0, 1, 2}}
	case "gesdd":
		return &olderForm{parameters: 6, says: []int{0, 1}, order: []int{0}, results: []int{0, 1, 2, 3, 4},
			letters: func(p []int64) map[string]byte { return map[string]byte{"mode": pick(p[1], pick(p[0], 'A', 'S'), 'N')} }}
	case "geev":
		form := &olderForm{parameters: 4, says: []int{2, 3}, order: []int{0}, results: []int{3, 4, 5, 6, 7},
			letters: func(p []int64) map[string]byte {
				return map[string]byte{"compute_left": byte(p[0]), "compute_right": byte(p[1])}
			}}
		if isComplex(op, 4) {
			form.results = []int{2, 3, 4, 5}
		}
		return form
	case "gees":
		form := &olderForm{parameters: 4, says: []int{2, 3}, order: []int{0}, results: []int{0, 3, 1, 2, 4, 5},
			letters: func(p []int64) map[string]byte { return map[string]byte{"mode": byte(p[0]), "sort": byte(p[1])} }}
		if isComplex(op, 4) {
			form.results = []int{0, 3, 2, 4, 5}
		}
		return form
	case "gehrd":
		return &olderForm{parameters: 6, says: []int{1, 2}, order: []int{0}, results: []int{0, 1, 2},
			letters: func(p []int64) map[string]byte { return map[string]byte{"low": byte(p[0]), "high": byte(p[1])} }}
	case "sytrd", "hetrd":
		return &olderForm{parameters: 5, says: []int{1}, letters: triangleLetter, order: []int{0}, results: []int{0, 1, 2, 3, 4}}
	case "trsm":
		return &olderForm{parameters: 7, says: []int{0, 1, 2, 3}, order: []int{1, 2, 0}, results: []int{0},
			letters: func(p []int64) map[string]byte {
				return map[string]byte{"side": pick(p[0], 'L', 'R'), "uplo": pick(p[1], 'L', 'U'), "trans_x": pick(p[2], pick(p[2]-1, 'C', 'T'), 'N'), "diag": pick(p[3], 'U', 'N')}
			}}
	}
	return nil
}

// isComplex tells whether an operand that there may be consists of complex numbers.
func isComplex(op *ir.Op, operand int) bool {
	return op.NumOperands() > operand && complexOf(ir.ElementType(op.Operand(operand).Type())) != nil
}

// olderCall is the rule for a call in the older form, of a function that there is in that form: it becomes one in the newer form, and what was room for the function to work in is zero.
func olderCall(name string) rule {
	if libraryFunction(name) == nil {
		return nil
	}
	return func(l *lowering, op *ir.Op) ([]*ir.Value, error) {
		form := olderFormOf(op, name)
		if form == nil {
			return l.external(op, op.Attr("call_target_name").(*ir.StringAttr).Value)
		}
		return l.olderCall(op, form, libraryFunction(name))
	}
}

func (l *lowering) olderCall(op *ir.Op, form *olderForm, function rule) ([]*ir.Value, error) {
	b := l.b
	if op.NumOperands() < form.parameters+len(form.order) || op.NumResults() <= slices.Max(form.results) {
		return nil, errorf("it doesn't have the operands and results that the function has")
	}
	config, err := form.config(op)
	if err != nil {
		return nil, err
	}
	operands := make([]*ir.Value, len(form.order))
	for i, k := range form.order {
		operands[i] = op.Operand(form.parameters + k)
	}
	types := make([]ir.Type, len(form.results))
	for i, k := range form.results {
		types[i] = op.Result(k).Type()
	}
	call := b.CreateOp(stablehlo.CustomCall, types, operands,
		ir.NamedAttr{Name: "call_target_name", Value: op.Attr("call_target_name")}, ir.NamedAttr{Name: "backend_config", Value: config})
	values, err := function(l, call)
	call.Erase()
	if err != nil {
		return nil, err
	}
	out := make([]*ir.Value, op.NumResults())
	for i := range out {
		if k := slices.Index(form.results, i); k >= 0 {
			out[i] = values[k]
			continue
		}
		t := rankedResult(op, i)
		if t == nil || !ir.IsStaticShape(t.Shape) || !isNumeric(t.Elem) {
			return nil, errorf("result #%d is room for the function to work in, and its type '%s' doesn't say how much", i, op.Result(i).Type())
		}
		e := &element{Builder: b}
		out[i] = l.filled(shapes.ConstSizes(t.Shape), enter(b, e.number(plain(b.Context(), t.Elem), 0), t.Elem))
	}
	return out, nil
}

// config are the parameters of a call as the newer form has them.
func (f *olderForm) config(op *ir.Op) (ir.Attribute, error) {
	c := op.Context()
	if f.letters == nil {
		return c.DictAttr(), nil
	}
	p := make([]int64, len(f.says))
	for i, k := range f.says {
		d := constantOf(op.Operand(k))
		if d == nil || d.Len() != 1 || !isIntegers(op.Operand(k).Type()) {
			return nil, errorf("operand #%d says what it computes, and isn't a constant", k)
		}
		p[i] = stablehlo.Ints(d)[0]
	}
	var list []ir.NamedAttr
	for name, v := range f.letters(p) {
		list = append(list, ir.NamedAttr{Name: name, Value: c.IntegerAttr(c.Integer(8), int64(v))})
	}
	return c.DictAttr(list...), nil
}

// isNumeric tells whether elements are integers, floats or complex numbers.
func isNumeric(t ir.Type) bool {
	switch t.(type) {
	case *ir.IntegerType, *ir.FloatType, *ir.ComplexType:
		return true
	}
	return false
}
