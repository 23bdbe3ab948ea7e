package linalg

import (
	"fmt"
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// The three steps of Winograd's algorithm for small convolutions: transforming
// filter and input, and, after a batched product of them, the output.
var (
	WinogradFilterTransform = ir.NewOpID("linalg.winograd_filter_transform")
	WinogradInputTransform  = ir.NewOpID("linalg.winograd_input_transform")
	WinogradOutputTransform = ir.NewOpID("linalg.winograd_output_transform")
)

func winogradFilterTransformDef() *ir.OpDef {
	return winograd(WinogradFilterTransform, "filter", 4, 4, verifyFilterTransform).With(ir.OpDef{
		Models: []ir.Model{
			exec.Executable.Model(executeWinograd),
		},
	})
}

func winogradInputTransformDef() *ir.OpDef {
	return winograd(WinogradInputTransform, "input", 4, 6, verifyInputTransform).With(ir.OpDef{
		Models: []ir.Model{
			exec.Executable.Model(executeWinograd),
		},
	})
}

func winogradOutputTransformDef() *ir.OpDef {
	return winograd(WinogradOutputTransform, "value", 6, 4, verifyOutputTransform).With(ir.OpDef{
		Models: []ir.Model{
			exec.Executable.Model(executeWinograd),
		},
	})
}

func winograd(id *ir.OpID, input string, inRank, outRank int, verify func(op *ir.Op) error) *ir.OpDef {
	tensorOfRank := func(n int) ir.TypeConstraint {
		return constraint.RankOf(string(rune('0'+n))+"D", "tensor", n, constraint.AnyType)
	}
	operands := " `ins` `(` $" + input + " `:` type($" + input + ") `)` `outs` `(` $output `:` type($output) `)` `->` type($result)"
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{{Name: input, Type: tensorOfRank(inRank)}, {Name: "output", Type: tensorOfRank(outRank)}},
		Results:  []ir.ResultDef{{Name: "result", Type: tensorOfRank(outRank)}},
		Verify:   verify,
		Attrs:    []ir.AttrDef{{Name: "m", Type: constraint.I64Attr}, {Name: "r", Type: constraint.I64Attr}},
		TypeRules: []ir.TypeRule{{Summary: "all of {" + input + ", output} have same element type", Check: func(op *ir.Op) bool {
			return ir.ElementType(WinogradOp{op}.Input().Type()) == ir.ElementType(WinogradOp{op}.Output().Type())
		}}},
		Format: "attr-dict `m` `(` $m `)` `r` `(` $r `)`" + operands,
		Later: []ir.Spelling{{Since: 22, Format: "attr-dict `fmr` `(` custom<WinogradSizes>($m, $r) `)`" + operands,
			Attrs: []ir.AttrDef{{Name: fmrAttr, Type: constraint.I32Attr}}, Discardable: []string{fmrAttr}, Without: []string{"m", "r"},
			Spelled: func(op *ir.Op) []ir.NamedAttr {
				m, r := winogradSizes(op)
				n := slices.Index(winogradKinds, [2]int64{m, r})
				return []ir.NamedAttr{{Name: fmrAttr, Value: op.Context().I32Attr(int64(n))}}
			},
			Upgrade: takeKind}},
	}
}

// fmrAttr says both sizes in LLVM 22: it is a position in winogradKinds.
const fmrAttr = "fmr"

// winogradKinds are the sides of a tile of the output, and of the kernel, that there are.
var winogradKinds = [][2]int64{{2, 3}, {4, 3}, {2, 5}}

// takeKind makes the sizes of what LLVM 22 has in their place.
func takeKind(b *ir.Builder, s *ir.OpState) error {
	kind, ok := s.Attr(fmrAttr).(*ir.IntegerAttr)
	if !ok || kind.Value < 0 || kind.Value >= int64(len(winogradKinds)) {
		return nil
	}
	s.Attrs = slices.DeleteFunc(slices.Clone(s.Attrs), func(a ir.NamedAttr) bool { return a.Name == fmrAttr })
	sizes := winogradKinds[kind.Value]
	s.SetAttr("m", b.Context().I64Attr(sizes[0]))
	s.SetAttr("r", b.Context().I64Attr(sizes[1]))
	return nil
}

// winogradSizesName is F_4_3, as LLVM 22 spells the sizes.
var winogradSizesName = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		pos := p.Pos()
		word, err := p.AnyKeyword()
		if err != nil {
			return err
		}
		for _, k := range winogradKinds {
			if word == winogradKind(k) {
				s.SetAttr(args[0].Name, p.Context().I64Attr(k[0]))
				s.SetAttr(args[1].Name, p.Context().I64Attr(k[1]))
				return nil
			}
		}
		return p.Errorf(pos, "expected a kind of Winograd's algorithm")
	},
	Print: func(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
		m, r := winogradSizes(op)
		p.Text(winogradKind([2]int64{m, r}))
	},
}

func winogradKind(sizes [2]int64) string { return fmt.Sprintf("F_%d_%d", sizes[0], sizes[1]) }

// Dimensions of the filter (one matrix for each output and input channel), of images,
// and of transformed images (a tile, the positions of the tiles, image and channel).
const (
	filterF, filterH, filterW, filterC = 0, 1, 2, 3
	imageN, imageH, imageW, imageC     = 0, 1, 2, 3

	alphaH, alphaW, tileH, tileW, tilesN, tilesC = 0, 1, 2, 3, 4, 5
)

// winogradSizes returns the side of a tile of the output, and the side of the kernel.
func winogradSizes(op *ir.Op) (m, r int64) {
	return op.Prop(0).(*ir.IntegerAttr).Value, op.Prop(1).(*ir.IntegerAttr).Value
}

func winogradShapes(op *ir.Op) (in, out []int64) {
	in, _ = ir.ShapeOf(WinogradOp{op}.Input().Type())
	out, _ = ir.ShapeOf(WinogradOp{op}.Output().Type())
	return in, out
}

func verifyTransformed(op *ir.Op, want, got []int64) error {
	for i, w := range want {
		if w != ir.Dynamic && got[i] != ir.Dynamic && w != got[i] {
			return op.Errorf("the output shape is not expected")
		}
	}
	return nil
}

func verifyFilterTransform(op *ir.Op) error {
	in, out := winogradShapes(op)
	m, r := winogradSizes(op)
	h, w := in[filterH], in[filterW]
	if h != r && h != 1 {
		return op.Errorf("expect filter height either equals to r or 1")
	}
	if w != r && w != 1 {
		return op.Errorf("expect filter width either equals to r or 1")
	}
	if h == 1 && w == 1 {
		return op.Errorf("expect either filter height or width equals to r")
	}
	side := func(size int64) int64 {
		if size == r {
			return m + r - 1
		}
		return 1
	}
	return verifyTransformed(op, []int64{side(h), side(w), in[filterC], in[filterF]}, out)
}

func verifyInputTransform(op *ir.Op) error {
	in, out := winogradShapes(op)
	m, r := winogradSizes(op)
	if m == 0 {
		return op.Errorf("the output shape is not expected")
	}
	// A side of the image that is 1 isn't transformed.
	side := func(size int64) (side, tiles int64) {
		switch size {
		case ir.Dynamic:
			return m + r - 1, ir.Dynamic
		case 1:
			return 1, 1
		}
		return m + r - 1, (size - (r - 1)) / m
	}
	want := make([]int64, 6)
	want[alphaH], want[tileH] = side(in[imageH])
	want[alphaW], want[tileW] = side(in[imageW])
	want[tilesN], want[tilesC] = in[imageN], in[imageC]
	return verifyTransformed(op, want, out)
}

func verifyOutputTransform(op *ir.Op) error {
	in, out := winogradShapes(op)
	m, r := winogradSizes(op)
	side := func(alpha, tiles int64, what string) (int64, error) {
		switch {
		case alpha == ir.Dynamic || tiles == ir.Dynamic:
			return ir.Dynamic, nil
		case alpha == 1:
			return tiles, nil
		case alpha != m+r-1:
			return 0, op.Errorf("expect input %s equals to input tile size", what)
		}
		return m * tiles, nil
	}
	h, err := side(in[alphaH], in[tileH], "height")
	if err != nil {
		return err
	}
	w, err := side(in[alphaW], in[tileW], "width")
	if err != nil {
		return err
	}
	return verifyTransformed(op, []int64{in[tilesN], h, w, in[tilesC]}, out)
}
