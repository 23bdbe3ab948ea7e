package model

// Options are the options of an operator. Its methods take the place of an option in the operator's table of the schema, and
// return the option, or what the schema says for one that isn't there.
type Options struct{ t table }

// Flag returns an option that is true or false.
func (o Options) Flag(field int) bool { return o.t.flag(field, false) }

// Enum returns an option of an enumeration, such as [Padding].
func (o Options) Enum(field int) int { return int(o.t.int8(field)) }

// Int returns a number.
func (o Options) Int(field int) int { return int(o.t.int32(field, 0)) }

// IntOr returns a number whose value in the schema isn't 0 if it is absent.
func (o Options) IntOr(field, otherwise int) int { return int(o.t.int32(field, int32(otherwise))) }

// Float returns a number.
func (o Options) Float(field int) float32 { return o.t.float(field) }

// Ints returns a list of numbers.
func (o Options) Ints(field int) []int32 { return o.t.int32s(field) }

// Long returns a number of 64 bits.
func (o Options) Long(field int) int64 { return int64(o.t.uint64(field)) }

// Longs returns a list of numbers of 64 bits.
func (o Options) Longs(field int) []int64 { return o.t.int64s(field) }

// Floats returns a list of numbers in single precision.
func (o Options) Floats(field int) []float32 { return o.t.floats(field) }

// Text returns a string.
func (o Options) Text(field int) string { return o.t.text(field) }

// Err returns what is wrong with the options that were read so far.
func (o Options) Err() error {
	if o.t.f == nil {
		return nil
	}
	return o.t.f.err
}

// Padding is how the borders of images are treated.
type Padding int

// The paddings.
const (
	Same Padding = iota
	Valid
)

// Activation is what is applied to each element of a result at the end of an operator.
type Activation int

// The activations.
const (
	NoActivation Activation = iota
	Relu
	ReluN1To1
	Relu6
	TanhActivation
	SignBit
)

// String returns the name in the schema.
func (a Activation) String() string {
	names := [...]string{"NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"}
	if a < 0 || int(a) >= len(names) {
		return "an unknown activation"
	}
	return names[a]
}

// calls are the operators that call subgraphs, with the places of these among the options.
var calls = map[string][]int{"IF": {0, 1}, "WHILE": {0, 1}, "CALL_ONCE": {0}, "STABLEHLO_COMPOSITE": {1}, "STABLEHLO_REDUCE_WINDOW": {5}, "STABLEHLO_SCATTER": {6}}

// branches are the operators that call one of a list of subgraphs, with the place of the list among the options.
var branches = map[string]int{"STABLEHLO_CASE": 0}

// Subgraphs returns the positions of the subgraphs that an operator calls, as the file says: there may be no such ones.
func (o *Operator) Subgraphs() []int {
	var out []int
	for _, field := range calls[o.Code.String()] {
		out = append(out, o.Options.Int(field))
	}
	if field, ok := branches[o.Code.String()]; ok {
		for _, n := range o.Options.Ints(field) {
			out = append(out, int(n))
		}
	}
	return out
}
