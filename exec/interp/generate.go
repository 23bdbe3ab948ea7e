package interp

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Generator makes up arguments for functions: the same ones for the same seed,
// types and settings. Numbers are small, so that sums are exact, unless Special is
// set; sizes are small. The zero value is ready.
type Generator struct {
	Seed uint64
	// Size is the size of dynamic dimensions; 0 stands for 1 to 4, by the seed, the
	// same for all dimensions, so that what must be equal is equal; a negative one for 0.
	Size int64
	// Least and Most are the limits of index values; both 0 stands for 0 to 4.
	Least, Most int64
	// Natural makes integers that are not negative, which may be positions.
	Natural bool
	// Special makes one in so many numbers a special one: zeros, infinities and NaNs of both
	// signs, denormal numbers, the least and the greatest ones, and those at which narrower types end. 1 makes all
	// of them special, 0 none.
	Special int
	// SpecialIndices makes index values special, too, which then seldom are positions: those up to this one, and, without Natural, the
	// negative ones from its opposite on. 0 makes none.
	SpecialIndices uint64
	// OneNaN makes NaNs of one sign only, for who tells no NaN from another, whatever is done to its bits.
	OneNaN bool
	// Turn chooses among the special numbers: with as many turns as there are of them, each argument gets each.
	Turn int
	// Aliases makes memrefs of equal types among the arguments likely to be the same
	// buffer.
	Aliases bool
	// Overlaps makes memrefs of equal element types among the arguments likely to be parts of the same
	// memory, which share some of it.
	Overlaps bool
	// Layouts gives buffers offsets, and strides that are not those of row-major order, as far as their types leave
	// them open.
	Layouts bool
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

// Arguments returns arguments for a function, and where the buffers among them are.
func (g Generator) Arguments(fn *ir.Op) (args []Value, places []Place, err error) {
	m, ok := interfaces.Function.Of(fn)
	if !ok {
		return nil, nil, fn.PlainErrorf("'%s' is not a function", fn.Name())
	}
	choose := rand.New(rand.NewPCG(g.Seed, math.MaxUint64))
	if g.Size >= 0 {
		g.Size = g.feasible(m.Type(fn).Inputs)
	}
	for i, t := range m.Type(fn).Inputs {
		v, err := g.value(t, rand.New(rand.NewPCG(g.Seed, uint64(i))), g.specials(i))
		if err != nil {
			return nil, nil, fmt.Errorf("argument %d: %w", i, err)
		}
		args, places = append(args, v), append(places, Place{In: i})
		if ir.IsMemRef(t) {
			g.place(args, places, choose)
		}
	}
	return args, places, nil
}

// specials returns what hands out special numbers for argument i. Which ones it begins with depends on the turn; their order doesn't.
func (g Generator) specials(i int) *specials {
	return &specials{rnd: rand.New(rand.NewPCG(uint64(i), 0)), start: g.Turn}
}

// place decides where the last argument is, a buffer.
func (g Generator) place(args []Value, places []Place, choose *rand.Rand) {
	i := len(args) - 1
	t := args[i].Type
	if g.Layouts {
		places[i].Offset, places[i].Strides = g.layout(args[i], choose)
	}
	for j := range i {
		if !ir.IsMemRef(args[j].Type) || places[j].In != j {
			continue
		}
		switch {
		case g.Aliases && args[j].Type == t && choose.IntN(2) == 0:
			args[i], places[i] = args[j], places[j]
			return
		case g.Overlaps && ir.ElementType(args[j].Type) == ir.ElementType(t):
			// Somewhere from the first to the last element.
			places[i].In, places[i].Shift = j, choose.Int64N(max(args[j].Tensor.Elements(), 1))
			return
		}
	}
}

// layout returns an offset and strides with which no two elements of a value are at the same place: dimensions in any order, each
// with room behind it, one of them perhaps backwards.
func (g Generator) layout(v Value, choose *rand.Rand) (offset int64, strides []int64) {
	sizes := v.Tensor.Sizes
	said, at, ok := stridesOf(v.Type)
	if !ok {
		return 0, nil
	}
	strides, next := slices.Clone(said), int64(1)
	for d, n := range said {
		if n != ir.Dynamic {
			next = max(next, max(n, -n)*max(sizes[d], 1))
		}
	}
	offset = choose.Int64N(4)
	for _, d := range choose.Perm(len(said)) {
		if said[d] != ir.Dynamic {
			continue
		}
		next *= 1 + choose.Int64N(3)
		strides[d] = next
		next *= max(sizes[d], 1)
		if at == ir.Dynamic && choose.IntN(4) == 0 {
			offset += strides[d] * max(sizes[d]-1, 0)
			strides[d] = -strides[d]
		}
	}
	return offset, strides
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
		return max(g.Size, 0)
	}
	return 1 + int64(rand.New(rand.NewPCG(g.Seed, 0)).IntN(4))
}

func (g Generator) index(rnd *rand.Rand) uint64 {
	if g.Least == 0 && g.Most == 0 {
		return uint64(rnd.IntN(5))
	}
	return uint64(g.Least + rnd.Int64N(g.Most-g.Least+1))
}

// specialIndex returns the next special number that an index may be; there always is one.
func (g Generator) specialIndex(s *specials) uint64 {
	for {
		n := s.of(ir.Index).(uint64)
		if negative := int64(n) < 0; negative && !g.Natural && -n <= g.SpecialIndices || !negative && n <= g.SpecialIndices {
			return n
		}
	}
}

// Value returns a value of a type. The error tells why there is none.
func (g Generator) Value(t ir.Type, rnd *rand.Rand) (Value, error) {
	return g.value(t, rnd, g.specials(0))
}

func (g Generator) value(t ir.Type, rnd *rand.Rand, s *specials) (Value, error) {
	if !ir.IsShaped(t) {
		o, err := g.element(t, rnd, s)
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
	if s.lists == nil {
		s.start = g.Turn * int(max(n, 1)) // others than those of the turn before
	}
	for i := range n {
		o, err := g.element(e.Type, rnd, s)
		if err != nil {
			return Value{}, err
		}
		out.SetAt(i, o)
	}
	return Value{Type: t, Tensor: out}, nil
}

// element returns a word (uint64) or object.
func (g Generator) element(t ir.Type, rnd *rand.Rand, s *specials) (any, error) {
	special := g.Special > 0 && rnd.IntN(g.Special) == 0
	switch t := t.(type) {
	case *ir.IndexType:
		if special && g.SpecialIndices > 0 {
			return g.specialIndex(s), nil
		}
		return g.index(rnd), nil
	case *ir.FloatType:
		if special {
			v := s.of(t)
			if g.OneNaN && math.IsNaN(exec.Float64(t, v)) {
				v = exec.FloatValue(t, math.NaN())
			}
			return v, nil
		}
		return exec.FloatValue(t, float64(rnd.IntN(33)-16)/4), nil
	case *ir.ComplexType:
		re, err := g.element(t.Elem, rnd, s)
		if err != nil {
			return nil, err
		}
		im, err := g.element(t.Elem, rnd, s)
		return exec.Complex{Re: re, Im: im}, err
	case *ir.IntegerType:
		if special {
			return s.of(t), nil
		}
		v := big.NewInt(int64(rnd.IntN(17) - 8))
		if t.Signedness == ir.Unsigned || g.Natural {
			v.Abs(v)
		}
		return integerOf(v.Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(t.Width))), t.Width), nil
	case *ir.VectorType, *ir.RankedTensorType:
		v, err := g.value(t, rnd, s)
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
