package tosa

import (
	"freehold/dialect/tosa"
	"freehold/ir"
)

// Profile is a part of TOSA that a device has.
type Profile int

// The profiles: of integers only, of floating-point numbers, too, that for training; and none.
const (
	AnyProfile Profile = iota
	BaseInference
	MainInference
	MainTraining
)

// Level says how large parameters of operations may be.
type Level int

// The levels: what suffices for images of 8,192 pixels in each direction, and anything.
const (
	EightK Level = iota
	NoLevel
)

// The limits of [EightK].
const (
	maxRank   = 6
	maxKernel = 8192
	maxStride = 8192
	maxScale  = 256
)

// ValidateOptions are the options of [Validate].
type ValidateOptions struct {
	Profile Profile
	// Strict wants constants where the specification of TOSA does.
	Strict bool
	Level  Level

	anyTypes bool
}

// Validate reports the operations in op that a device for TOSA needn't have: their types, how large their parameters are,
// operands that aren't constant, and variables that aren't declared as they are used. It tells whether all is well. It is
// tosa-validate; linear time.
func Validate(op *ir.Op, o ValidateOptions, report func(*ir.Diagnostic)) bool {
	v := validator{o: o, report: report, variables: map[string]ir.Type{}, ok: true}
	// Operations are looked at after those in their regions.
	op.WalkPostOrder(v.check)
	return v.ok
}

type validator struct {
	o         ValidateOptions
	report    func(*ir.Diagnostic)
	variables map[string]ir.Type
	ok        bool
}

func (v *validator) fail(op *ir.Op, format string, args ...any) bool {
	v.ok = false
	if v.report != nil {
		v.report(op.Errorf(format, args...))
	}
	return false
}

func (v *validator) check(op *ir.Op) {
	for _, t := range append(op.Operands().Types(), op.Results().Types()...) {
		if elem := elementIn(t); !v.legal(elem) {
			v.fail(op, "is not profile-aligned: element type '%s' is not legal", elem)
			return
		}
	}
	if v.o.Strict {
		v.constants(op)
	}
	if v.o.Level == EightK && isTosa(op) {
		_ = v.ranks(op) && v.windows(op)
	}
	v.declared(op)
}

// legal tells whether a profile has a type.
func (v *validator) legal(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.FloatType:
		return v.o.Profile != BaseInference && (t == ir.F32 || t == ir.F16 || t == ir.BF16)
	case *ir.IntegerType:
		switch t.Width {
		case 1, 4, 32, 48, 64:
			return t.Signedness != ir.Unsigned
		case 8, 16:
			return true
		}
		return false
	}
	return true
}

// constants checks the operands that the specification wants to be constant.
func (v *validator) constants(op *ir.Op) {
	var names []string
	switch {
	case op.Is(tosa.Pad):
		names = []string{"padding of pad", "pad_const of pad"}
	case op.Is(tosa.Transpose):
		names = []string{"perms of transpose"}
	case op.Is(tosa.FullyConnected):
		names = []string{"weight of fully_connected", "bias of fully_connected"}
	}
	for i, name := range names {
		if i+1 < op.NumOperands() && tosa.ConstantOf(op.Operand(i+1)) == nil {
			v.fail(op, "%s is not constant", name)
			return
		}
	}
}

// ranks checks that tensors have shapes, and not too many dimensions.
func (v *validator) ranks(op *ir.Op) bool {
	for i, list := range [2][]ir.Type{op.Operands().Types(), op.Results().Types()} {
		for _, t := range list {
			if !ir.IsShaped(t) {
				continue
			}
			shape, ok := ir.ShapeOf(t)
			switch {
			case !ok:
				return v.fail(op, "failed level check: unranked tensor")
			case len(shape) > maxRank:
				return v.fail(op, "failed level check: %s rank(shape) <= MAX_RANK", [...]string{"operand", "result"}[i])
			}
		}
	}
	return true
}

// within checks a list of numbers against a limit.
func (v *validator) within(op *ir.Op, limit int64, what string, list ...int64) bool {
	for _, n := range list {
		if n > limit {
			return v.fail(op, "failed level check: %s", what)
		}
	}
	return true
}

// windows checks the sizes of windows on images, and scales.
func (v *validator) windows(op *ir.Op) bool {
	kernel := func(what string, list ...int64) bool { return v.within(op, maxKernel, what+" <= MAX_KERNEL", list...) }
	stride := func() bool { return v.within(op, maxStride, "stride <= MAX_STRIDE", intsOf(op, "stride")...) }
	switch {
	case op.Is(tosa.AvgPool2D), op.Is(tosa.MaxPool2D):
		return kernel("kernel", intsOf(op, "kernel")...) && stride() && kernel("pad", intsOf(op, "pad")...)
	case op.Is(tosa.Conv2D):
		return v.convolution(op, 1, "dilation_y * KH", "dilation_x * KW")
	case op.Is(tosa.Conv3D):
		return v.convolution(op, 1, "dilation_d * KD", "dilation_y * KH", "dilation_x * KW")
	case op.Is(tosa.DepthwiseConv2D):
		return v.convolution(op, 0, "dilation_y * KH", "dilation_x * KW")
	case op.Is(tosa.TransposeConv2D):
		if w := ranked(tosa.TransposeConv2DOp{Op: op}.Filter().Type()); w != nil && !(kernel("KH", w.Shape[1]) && kernel("KW", w.Shape[2])) {
			return false
		}
		return kernel("pad", intsOf(op, "out_pad")...) && stride()
	case op.Is(tosa.FFT2D), op.Is(tosa.RFFT2D):
		for _, t := range op.Operands().Types() {
			if r := ranked(t); r != nil && !(kernel("H", r.Shape[1]) && kernel("W", r.Shape[2])) {
				return false
			}
		}
	case op.Is(tosa.Resize):
		scale := intsOf(op, "scale")
		for i, name := range []string{"y", "x"} {
			if d := scale[2*i+1]; d != 0 && !v.within(op, maxScale, "scale_"+name+"_n/scale_"+name+"_d <= MAX_SCALE", scale[2*i]/d) {
				return false
			}
		}
	}
	return true
}

// convolution checks how far windows reach, whose sizes are those of the filter from a dimension on.
func (v *validator) convolution(op *ir.Op, first int, names ...string) bool {
	dilation := intsOf(op, "dilation")
	if !v.within(op, maxKernel, "dilation <= MAX_KERNEL", dilation...) || !v.within(op, maxKernel, "pad <= MAX_KERNEL", intsOf(op, "pad")...) ||
		!v.within(op, maxStride, "stride <= MAX_STRIDE", intsOf(op, "stride")...) {
		return false
	}
	w := ranked(tosa.ConvolutionOp{Op: op}.Weight().Type())
	for i, name := range names {
		// The parenthesis is in the reference's messages.
		if w != nil && !v.within(op, maxKernel, name+" <= MAX_KERNEL)", dilation[i]*w.Shape[first+i]) {
			return false
		}
	}
	return true
}

// declared checks that variables are declared once, and used with the type that they have.
func (v *validator) declared(op *ir.Op) {
	variable, read, write := op.Is(tosa.Variable), op.Is(tosa.VariableRead), op.Is(tosa.VariableWrite)
	if !variable && !read && !write {
		return
	}
	name := op.Attr("name").(*ir.StringAttr).Value
	t, known := v.variables[name]
	switch {
	case variable && known:
		v.fail(op, "name has already been declared")
	case variable:
		v.variables[name] = op.Attr("type").(*ir.TypeAttr).Type
	case !known:
		v.fail(op, "name has not been declared")
	case read && op.Result(0).Type() != t:
		v.fail(op, "result type does not equal variable type")
	case write && tosa.VariableWriteOp{Op: op}.Value().Type() != t:
		v.fail(op, "operand type does not equal variable type")
	}
}
