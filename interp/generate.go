package interp

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"freehold/exec"
	"freehold/iface"
	"freehold/ir"
)

// Generator makes up arguments for functions: the same ones for the same seed,
// types and settings. Numbers are small, so that sums are exact, unless Edges is
// set; sizes are small. The zero value is ready.
type Generator struct {
	Seed uint64
	// Size is the size of dynamic dimensions; 0 stands for 1 to 4, by the seed, the
	// same for all dimensions, so that what must be equal is equal.
	Size int64
	// Least and Most are the limits of index values; both 0 stands for 0 to 4.
	Least, Most int64
	// Natural makes integers that are not negative, which may be positions.
	Natural bool
	// Edges makes elements of extreme values likely: zeros of both signs, infinities,
	// NaN, denormal numbers, the least and the greatest integers.
	Edges bool
	// Aliases makes memrefs of equal types among the arguments likely to be the same
	// buffer.
	Aliases bool
	// Sizes gives the sizes of dynamic dimensions of a type, instead of Size; nil, or
	// a result of nil, leaves them to Size.
	Sizes func(t ir.Type) []int64
}

// Token is a value of a type that nothing is known about.
type Token struct {
	Type   string
	Number int
}

func (t Token) String() string { return fmt.Sprintf("%s #%d", t.Type, t.Number) }

// Arguments returns arguments for a function, and which of them are the same
// buffer as an earlier one: alias[i] is its position, or i.
func (g Generator) Arguments(fn *ir.Op) (args []Value, alias []int, err error) {
	m, ok := iface.Function.Of(fn)
	if !ok {
		return nil, nil, fn.PlainErrorf("'%s' is not a function", fn.Name())
	}
	choose := rand.New(rand.NewPCG(g.Seed, math.MaxUint64))
	g.Size = g.feasible(m.Type(fn).Inputs)
	for i, t := range m.Type(fn).Inputs {
		v, err := g.Value(t, rand.New(rand.NewPCG(g.Seed, uint64(i))))
		if err != nil {
			return nil, nil, fmt.Errorf("argument %d: %w", i, err)
		}
		args, alias = append(args, v), append(alias, i)
		for j := range i {
			if g.Aliases && ir.IsMemRef(t) && args[j].Type == t && alias[j] == j && choose.IntN(2) == 0 {
				args[i], alias[i] = args[j], j
				break
			}
		}
	}
	return args, alias, nil
}

// maxStatic limits the number of elements that the type of a made-up argument may
// demand.
const maxStatic = 1 << 24

// maxGenerated limits the number of elements of a made-up argument, unless its
// type demands more.
const maxGenerated = 1 << 16

// feasible returns the size of dynamic dimensions, made smaller where arguments
// of the types would be very large.
func (g Generator) feasible(types []ir.Type) int64 {
	size := g.size()
	for _, t := range types {
		shape, _ := ir.ShapeOf(t)
		for size > 1 {
			n := int64(1)
			for _, d := range shape {
				if d == ir.Dynamic {
					d = size
				}
				n *= max(d, 1)
				if n > maxGenerated {
					break
				}
			}
			if n <= maxGenerated || ir.IsStaticShape(shape) {
				break
			}
			size /= 2
		}
	}
	return size
}

func (g Generator) size() int64 {
	if g.Size != 0 {
		return g.Size
	}
	return 1 + int64(rand.New(rand.NewPCG(g.Seed, 0)).IntN(4))
}

func (g Generator) index(rnd *rand.Rand) uint64 {
	if g.Least == 0 && g.Most == 0 {
		return uint64(rnd.IntN(5))
	}
	return uint64(g.Least + rnd.Int64N(g.Most-g.Least+1))
}

// Value returns a value of a type. The error tells why there is none.
func (g Generator) Value(t ir.Type, rnd *rand.Rand) (Value, error) {
	if !ir.IsShaped(t) {
		if t == ir.Type(ir.Index) {
			return Value{Type: t, Word: g.index(rnd)}, nil
		}
		o, err := g.element(t, rnd)
		if w, ok := o.(uint64); ok && exec.IsWord(t) {
			return Value{Type: t, Word: w}, err
		}
		return Value{Type: t, Object: o}, err
	}
	shape, ranked := ir.ShapeOf(t)
	size := g.size()
	sizes := append([]int64{}, shape...)
	if !ranked {
		for range rnd.IntN(4) {
			sizes = append(sizes, ir.Dynamic)
		}
	}
	var given []int64
	if g.Sizes != nil {
		given = g.Sizes(t)
	}
	for i, n := range sizes {
		if n == ir.Dynamic {
			if sizes[i] = size; i < len(given) {
				sizes[i] = given[i]
			}
		}
	}
	n, ok := ir.NumElements(sizes)
	if !ok || n > maxStatic {
		return Value{}, fmt.Errorf("a value of type '%s' is too large", t)
	}
	e := exec.ElemOf(ir.ElementType(t))
	out := exec.NewTensor(e, sizes, true)
	for i := range n {
		o, err := g.element(e.Type, rnd)
		if err != nil {
			return Value{}, err
		}
		out.SetAt(i, o)
	}
	return Value{Type: t, Tensor: out}, nil
}

// element returns a word (uint64) or object.
func (g Generator) element(t ir.Type, rnd *rand.Rand) (any, error) {
	edge := g.Edges && rnd.IntN(3) == 0
	switch t := t.(type) {
	case *ir.IndexType:
		return g.index(rnd), nil
	case *ir.FloatType:
		x := float64(rnd.IntN(33)-16) / 4
		if edge {
			tiny := math.Ldexp(1, 1-t.Format.Bias-t.Format.MantBits)
			big := math.Ldexp(1.5, min(t.Format.Bias, 1023))
			x = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), tiny, -3 * tiny, big, -big}[rnd.IntN(9)]
		}
		return exec.FloatValue(t, x), nil
	case *ir.ComplexType:
		re, err := g.element(t.Elem, rnd)
		if err != nil {
			return nil, err
		}
		im, err := g.element(t.Elem, rnd)
		return exec.Complex{Re: re, Im: im}, err
	case *ir.IntegerType:
		return g.integer(t, edge, rnd), nil
	case *ir.VectorType, *ir.RankedTensorType:
		v, err := g.Value(t, rnd)
		if err != nil {
			return nil, err
		}
		return v.Tensor.Share(), nil
	case *ir.FunctionType, *ir.MemRefType, *ir.UnrankedMemRefType, *ir.UnrankedTensorType:
		return nil, fmt.Errorf("there are no values of type '%s'", t)
	}
	if d, ok := t.(*ir.DialectType); ok {
		if m, ok := exec.ExampleOf.OfDialect(d.Dialect); ok {
			if v := m(d, rnd.IntN); v != nil {
				return v, nil
			}
		}
	}
	return Token{t.String(), rnd.IntN(100)}, nil
}

func (g Generator) integer(t *ir.IntegerType, edge bool, rnd *rand.Rand) any {
	v := big.NewInt(int64(rnd.IntN(17) - 8))
	if t.Signedness == ir.Unsigned || g.Natural {
		v.Abs(v)
	}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(t.Width))
	if edge {
		half := new(big.Int).Rsh(limit, 1)
		v = []*big.Int{big.NewInt(0), big.NewInt(-1), half, new(big.Int).Sub(half, big.NewInt(1))}[rnd.IntN(4)]
	}
	v = new(big.Int).Mod(v, limit)
	if t.Width > 64 {
		return v
	}
	return v.Uint64()
}
