package stablehlo

import (
	"freehold/ir"
	"freehold/ir/asm"
)

const convName = "conv"

// ConvDims says which dimension of the operands and of the result of a convolution is what.
type ConvDims struct {
	InputBatch, InputFeature   int64
	InputSpatial               []int64
	KernelInput, KernelOutput  int64
	KernelSpatial              []int64
	OutputBatch, OutputFeature int64
	OutputSpatial              []int64
}

// Attr returns the attribute #stablehlo.conv of the dimensions.
func (d *ConvDims) Attr(c *ir.Context) ir.Attribute {
	return Struct(c, convName,
		c.I64Attr(d.InputBatch), c.I64Attr(d.InputFeature), c.DenseI64Array(d.InputSpatial...),
		c.I64Attr(d.KernelInput), c.I64Attr(d.KernelOutput), c.DenseI64Array(d.KernelSpatial...),
		c.I64Attr(d.OutputBatch), c.I64Attr(d.OutputFeature), c.DenseI64Array(d.OutputSpatial...))
}

// ConvDimsOf reads the attribute; nil if it is another one.
func ConvDimsOf(a ir.Attribute) *ConvDims {
	d, ok := a.(*ir.DialectAttr)
	if !ok || d.Mnemonic != convName || len(d.Params) != 9 {
		return nil
	}
	n := func(i int) int64 { return d.Params[i].(*ir.IntegerAttr).Value }
	l := func(i int) []int64 { return Ints(d.Params[i]) }
	return &ConvDims{n(0), n(1), l(2), n(3), n(4), l(5), n(6), n(7), l(8)}
}

// rawFields are the names of the parts in the raw form, in the order of the attribute's.
var rawFields = []field{
	{name: "input_batch_dimension"}, {name: "input_feature_dimension"}, {name: "input_spatial_dimensions", kind: listField},
	{name: "kernel_input_feature_dimension"}, {name: "kernel_output_feature_dimension"}, {name: "kernel_spatial_dimensions", kind: listField},
	{name: "output_batch_dimension"}, {name: "output_feature_dimension"}, {name: "output_spatial_dimensions", kind: listField},
}

// parseConvAttr reads <[b, f, 0]x[o, i, 0]->[b, f, 0]>, or <raw input_batch_dimension = 0, ...>.
func parseConvAttr(p *asm.Parser) (ir.Attribute, error) {
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	if p.OptionalKeyword("raw") {
		params, err := parseFields(p, rawFields, ">")
		if err != nil {
			return nil, err
		}
		return Struct(p.Context(), convName, params...), p.Expect(">")
	}
	a, err := parseDims(p)
	if err != nil {
		return nil, err
	}
	return a, p.Expect(">")
}

// parseDims reads [b, f, 0]x[o, i, 0]->[b, f, 0].
func parseDims(p *asm.Parser) (ir.Attribute, error) {
	var d ConvDims
	var err error
	if d.InputBatch, d.InputFeature, d.InputSpatial, err = parseLayout(p, "b", "f"); err != nil {
		return nil, err
	}
	if err := p.Keyword("x"); err != nil {
		return nil, err
	}
	if d.KernelInput, d.KernelOutput, d.KernelSpatial, err = parseLayout(p, "i", "o"); err != nil {
		return nil, err
	}
	if err := p.Expect("->"); err != nil {
		return nil, err
	}
	if d.OutputBatch, d.OutputFeature, d.OutputSpatial, err = parseLayout(p, "b", "f"); err != nil {
		return nil, err
	}
	return d.Attr(p.Context()), nil
}

// parseLayout reads the roles of the dimensions of a tensor: two letters, and the numbers of the spatial dimensions.
func parseLayout(p *asm.Parser, first, second string) (a, b int64, spatial []int64, err error) {
	start := p.Pos()
	if err = p.Expect("["); err != nil {
		return
	}
	a, b = -1, -1
	places := map[int64]int64{}
	dim := int64(0)
	for ; !p.At("]"); dim++ {
		if dim > 0 {
			if err = p.Expect(","); err != nil {
				return
			}
		}
		switch pos := p.Pos(); {
		case p.OptionalKeyword(first) && a < 0:
			a = dim
		case p.OptionalKeyword(second) && b < 0:
			b = dim
		case p.Optional("?"):
			// A dimension without a role: unknown to convolutions, kept by none.
			err = p.Errorf(pos, "dimensions without a role are not supported")
			return
		default:
			var n int64
			if n, err = p.Integer(); err != nil {
				return
			}
			if _, twice := places[n]; twice || n < 0 {
				err = p.Errorf(pos, "duplicate or negative entry in convolution dimension numbers")
				return
			}
			places[n] = dim
		}
	}
	if err = p.Expect("]"); err != nil {
		return
	}
	if a < 0 || b < 0 {
		err = p.Errorf(start, "expected dimensions %s and %s in convolution dimension numbers", first, second)
		return
	}
	spatial = make([]int64, len(places))
	for n, at := range places {
		if n >= int64(len(spatial)) {
			err = p.Errorf(start, "expected spatial dimensions 0 to %d in convolution dimension numbers", len(spatial)-1)
			return
		}
		spatial[n] = at
	}
	return
}

// printDims writes the attribute without what encloses it: in the raw form if the other one can't say it.
func printDims(w *ir.Writer, a *ir.DialectAttr) {
	d := ConvDimsOf(a)
	in, ok1 := layoutOf(d.InputBatch, d.InputFeature, d.InputSpatial, "b", "f")
	kernel, ok2 := layoutOf(d.KernelInput, d.KernelOutput, d.KernelSpatial, "i", "o")
	out, ok3 := layoutOf(d.OutputBatch, d.OutputFeature, d.OutputSpatial, "b", "f")
	if !ok1 || !ok2 || !ok3 {
		w.Text("raw ")
		printFields(w, rawFields, a.Params)
		return
	}
	for i, l := range [][]any{in, kernel, out} {
		w.Text([]string{"[", "x[", "->["}[i])
		for k, x := range l {
			if k > 0 {
				w.Text(", ")
			}
			switch x := x.(type) {
			case string:
				w.Text(x)
			case int64:
				w.Int(x)
			}
		}
		w.Byte(']')
	}
}

// layoutOf returns the role of each dimension; false if one has none, or several.
func layoutOf(a, b int64, spatial []int64, first, second string) ([]any, bool) {
	out := make([]any, len(spatial)+2)
	put := func(at int64, x any) bool {
		if at < 0 || at >= int64(len(out)) || out[at] != nil {
			return false
		}
		out[at] = x
		return true
	}
	if !put(a, first) || !put(b, second) {
		return nil, false
	}
	for i, at := range spatial {
		if !put(at, int64(i)) {
			return nil, false
		}
	}
	return out, true
}

// windowDirective is the syntax of the window of a convolution: {stride = [1], pad = [[0, 0]], ...}.
func windowDirective() asm.Directive {
	return asm.Directive{Parse: parseWindow, Print: printWindow}
}

// windowParts are the parts of a window, and the attributes that hold them.
var windowParts = []struct{ word, attr string }{
	{"stride", windowStrides}, {"pad", paddingName}, {"lhs_dilate", "lhs_dilation"}, {"rhs_dilate", "rhs_dilation"}, {"reverse", "window_reversal"},
}

const (
	windowStrides    = "window_strides"
	windowDimensions = "window_dimensions"
	paddingName      = "padding"
)

func parseWindow(p *asm.Parser, s *asm.FormatState, _ []asm.DirectiveArg) error {
	if err := p.Expect("{"); err != nil {
		return err
	}
	for first := true; !p.At("}"); first = false {
		if !first {
			if err := p.Expect(","); err != nil {
				return err
			}
		}
		pos := p.Pos()
		word, err := p.AnyKeyword()
		if err != nil {
			return err
		}
		if err := p.Expect("="); err != nil {
			return err
		}
		if err := parseWindowPart(p, s, word, pos); err != nil {
			return err
		}
	}
	return p.Expect("}")
}

func parseWindowPart(p *asm.Parser, s *asm.FormatState, word string, pos asm.Pos) error {
	c := p.Context()
	for _, part := range windowParts {
		if part.word != word {
			continue
		}
		if s.Attr(part.attr) != nil {
			return p.Errorf(pos, "`%s` is given twice", word)
		}
		var a ir.Attribute
		var err error
		switch word {
		case "pad":
			a, err = parsePairs(p)
		case "reverse":
			a, err = parseFlags(p)
		default:
			var list []int64
			list, err = parseList(p)
			a = c.DenseI64Array(list...)
		}
		if err != nil {
			return err
		}
		s.SetAttr(part.attr, a)
		return nil
	}
	return p.Errorf(pos, "unexpected window attribute `%s`", word)
}

// parsePairs reads [[0, 1], [2, 3]] as a constant of pairs.
func parsePairs(p *asm.Parser) (ir.Attribute, error) {
	var all []int64
	if err := p.Expect("["); err != nil {
		return nil, err
	}
	for !p.At("]") {
		if len(all) > 0 {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		pos := p.Pos()
		pair, err := parseList(p)
		if err != nil {
			return nil, err
		}
		if len(pair) != 2 {
			return nil, p.Errorf(pos, "expected a pair of paddings")
		}
		all = append(all, pair...)
	}
	return Pairs(p.Context(), all), p.Expect("]")
}

// Pairs is the constant of paddings: the low and the high one of each dimension in turn.
func Pairs(c *ir.Context, list []int64) ir.Attribute {
	data := make([]byte, 0, 8*len(list))
	for _, n := range list {
		for k := range 8 {
			data = append(data, byte(n>>(8*k)))
		}
	}
	return c.DenseElements(c.RankedTensor([]int64{int64(len(list) / 2), 2}, ir.I64), data)
}

// parseFlags reads [true, false], or [1, 0].
func parseFlags(p *asm.Parser) (ir.Attribute, error) {
	var list []bool
	if err := p.Expect("["); err != nil {
		return nil, err
	}
	for !p.At("]") {
		if len(list) > 0 {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		switch {
		case p.OptionalKeyword("true"):
			list = append(list, true)
		case p.OptionalKeyword("false"):
			list = append(list, false)
		default:
			n, err := p.Integer()
			if err != nil {
				return nil, err
			}
			list = append(list, n != 0)
		}
	}
	return p.Context().DenseBoolArray(list...), p.Expect("]")
}

func printWindow(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
	p.Text("{")
	first := true
	for _, part := range windowParts {
		a := op.Attr(part.attr)
		if a == nil {
			continue
		}
		if !first {
			p.Text(", ")
		}
		first = false
		p.Text(part.word + " = ")
		list := Ints(a)
		switch part.word {
		case "pad":
			p.Text("[")
			for i := 0; i+1 < len(list); i += 2 {
				if i > 0 {
					p.Text(", ")
				}
				printList(p.Writer(), list[i:i+2])
			}
			p.Text("]")
		case "reverse":
			p.Text("[")
			for i, n := range list {
				if i > 0 {
					p.Text(", ")
				}
				p.Text(map[bool]string{true: "true", false: "false"}[n != 0])
			}
			p.Text("]")
		default:
			printList(p.Writer(), list)
		}
	}
	p.Text("}")
}

// dimsDirective is the syntax of the dimensions of a convolution, without the attribute around it.
var dimsDirective = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		a, err := parseDims(p)
		if err == nil {
			s.SetAttr(args[0].Name, a)
		}
		return err
	},
	Print: func(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
		if d, ok := op.Attr(args[0].Name).(*ir.DialectAttr); ok {
			printDims(p.Writer(), d)
		}
	},
}
