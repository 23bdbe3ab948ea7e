package interp

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"freehold/exec"
	"freehold/internal/foreign"
	"freehold/ir"
	"freehold/ir/asm"
)

// sizesIn returns the sizes that an argument's text gives for random numbers or zeros, or
// nil.
func sizesIn(text string) []int64 {
	word, sizes, ok := strings.Cut(strings.TrimSpace(text), ":")
	if !ok || word != "random" && word != "zeros" {
		return nil
	}
	var dims []int64
	for _, d := range strings.Split(sizes, "x") {
		n, err := strconv.ParseInt(d, 10, 64)
		if err != nil || n < 0 {
			return nil
		}
		dims = append(dims, n)
	}
	return dims
}

// maxElements limits the size of tensors that are made for arguments.
const maxElements = 1 << 30

// Parse returns the value that an argument's text describes, for an argument of
// type t:
//
//	3, -2.5, true, nan, 2-1i  a number
//	[[1, 2], [3, 4]]          a tensor, vector or memref by its elements
//	dense<...>                likewise, in MLIR's syntax, for static sizes
//	random, random:4x8        random numbers, with the given sizes
//	zeros, zeros:4x8          zeros
//	@file.npy                 an array that NumPy saved
//	@file.csv                 numbers in row-major order, as text
func Parse(c *ir.Context, text string, t ir.Type, rnd *rand.Rand) (Value, error) {
	text = strings.TrimSpace(text)
	word, sizes, hasSizes := strings.Cut(text, ":")
	switch {
	case word == "random" || word == "zeros":
		var dims []int64
		if hasSizes {
			for _, d := range strings.Split(sizes, "x") {
				n, err := strconv.ParseInt(d, 10, 64)
				if err != nil || n < 0 {
					return Value{}, fmt.Errorf("%q is not a list of sizes such as 4x8", sizes)
				}
				dims = append(dims, n)
			}
		}
		if word == "zeros" {
			rnd = nil
		}
		return Random(t, dims, rnd)
	case strings.HasPrefix(text, "@"):
		data, err := os.ReadFile(text[1:])
		if err != nil {
			return Value{}, err
		}
		if isText(data) && foreign.Of(data) == nil {
			v, err := readNumbers(string(data), t)
			if err != nil {
				return Value{}, fmt.Errorf("%s: %w", text[1:], err)
			}
			return v, nil
		}
		v, err := ReadNpy(data, ir.ElementType(t))
		if err != nil {
			return Value{}, fmt.Errorf("%s: %w", text[1:], err)
		}
		if !ir.IsShaped(t) && len(v.Sizes) == 0 {
			if w, ok := v.At(0).(uint64); ok {
				return Value{Type: t, Word: w}, nil
			}
			return Value{Type: t, Object: v.At(0)}, nil
		}
		return Value{Type: t, Tensor: v}, nil
	case strings.HasPrefix(text, "dense"):
		return parseDense(c, text, t)
	}
	p := literalParser{text: text, elem: ir.ElementType(t)}
	if !ir.IsShaped(t) {
		return p.scalar(t)
	}
	return p.list(t)
}

func parseDense(c *ir.Context, text string, t ir.Type) (Value, error) {
	shape, ranked := ir.ShapeOf(t)
	if !ranked || !ir.IsStaticShape(shape) {
		return Value{}, fmt.Errorf("a dense literal needs a type with static sizes, not '%s'", t)
	}
	a, err := asm.ParseAttr(c, text+" : "+c.RankedTensor(shape, ir.ElementType(t)).String())
	if err != nil {
		return Value{}, err
	}
	d, ok := a.(*ir.DenseElementsAttr)
	if !ok {
		return Value{}, fmt.Errorf("%q is not a dense literal", text)
	}
	return Value{Type: t, Tensor: exec.TensorOf(d)}, nil
}

// defaultSize is the size of a dynamic dimension for which none is given.
const defaultSize = 4

// Random returns a value of type t with random elements: floating-point numbers
// from -1 to 1, integers from -8 to 7, index and unsigned numbers from 0 to 7 (a
// single index from 1 to 8, so that it may be a step). If rnd is nil they are zero. sizes gives all sizes of a shaped type; without them
// dynamic sizes are 4. Sizes of any other type are an error.
func Random(t ir.Type, sizes []int64, rnd *rand.Rand) (Value, error) {
	if !ir.IsShaped(t) {
		if len(sizes) > 0 {
			return Value{}, fmt.Errorf("a value of type '%s' has no sizes", t)
		}
		w, ok := randomWord(t, rnd)
		if t == ir.Type(ir.Index) && rnd != nil {
			w++
		}
		if ok {
			return Value{Type: t, Word: w}, nil
		}
		o, err := randomObject(t, rnd)
		return Value{Type: t, Object: o}, err
	}
	shape, ranked := ir.ShapeOf(t)
	if sizes == nil {
		for _, n := range shape {
			if n == ir.Dynamic {
				n = defaultSize
			}
			sizes = append(sizes, n)
		}
	}
	if ranked && len(sizes) != len(shape) {
		return Value{}, fmt.Errorf("a value of rank %d is needed, not %d", len(shape), len(sizes))
	}
	n := int64(1)
	for _, s := range sizes {
		if s != 0 && n > maxElements/s {
			return Value{}, fmt.Errorf("a value of type '%s' is too large", t)
		}
		n *= s
	}
	e := exec.ElemOf(ir.ElementType(t))
	v := exec.NewTensor(e, sizes, false)
	for i := range n {
		if e.Size == 0 {
			o, err := randomObject(e.Type, rnd)
			if err != nil {
				return Value{}, err
			}
			v.SetObject(i, o)
			continue
		}
		w, _ := randomWord(e.Type, rnd)
		v.SetWord(i, w)
	}
	v.SetAllWritten()
	return Value{Type: t, Tensor: v}, nil
}

func randomWord(t ir.Type, rnd *rand.Rand) (uint64, bool) {
	if !exec.IsWord(t) {
		return 0, false
	}
	if rnd == nil {
		return 0, true
	}
	switch t := t.(type) {
	case *ir.FloatType:
		return exec.FloatWord(t, 2*rnd.Float64()-1), true
	case *ir.IntegerType:
		switch {
		case t.Width == 1:
			return rnd.Uint64N(2), true
		case t.Signedness == ir.Unsigned:
			return exec.Mask(rnd.Uint64N(8), t.Width), true
		}
		return exec.Mask(uint64(rnd.Int64N(16)-8), t.Width), true
	}
	return rnd.Uint64N(8), true
}

// randomObject is randomWord for types whose values are objects.
func randomObject(t ir.Type, rnd *rand.Rand) (any, error) {
	switch t := t.(type) {
	case *ir.IntegerType:
		return randomBig(t, rnd), nil
	case *ir.FloatType:
		x := 0.0
		if rnd != nil {
			x = 2*rnd.Float64() - 1
		}
		return exec.FloatValue(t, x), nil
	case *ir.ComplexType:
		var parts [2]any
		for i := range parts {
			if w, ok := randomWord(t.Elem, rnd); ok {
				parts[i] = w
				continue
			}
			o, err := randomObject(t.Elem, rnd)
			if err != nil {
				return nil, err
			}
			parts[i] = o
		}
		return exec.Complex{Re: parts[0], Im: parts[1]}, nil
	case *ir.VectorType:
		v, err := Random(t, nil, rnd)
		if err != nil {
			return nil, err
		}
		return v.Tensor.Share(), nil
	}
	return nil, fmt.Errorf("there are no random values of type '%s'", t)
}

func randomBig(t ir.Type, rnd *rand.Rand) *big.Int {
	v := new(big.Int)
	if rnd != nil {
		v.SetInt64(rnd.Int64N(16))
	}
	return v.Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(exec.Width(t))))
}

// literalParser reads numbers and nested lists of numbers.
type literalParser struct {
	text string
	pos  int
	elem ir.Type
	// gap tells that there was nothing before a comma.
	gap bool
}

// skip goes on to the next number or bracket.
func (p *literalParser) skip() {
	empty := p.pos == 0 || p.text[p.pos-1] == '['
	for p.pos < len(p.text) && strings.IndexByte(" \t\n\r,", p.text[p.pos]) >= 0 {
		if p.text[p.pos] == ',' {
			p.gap = p.gap || empty
			empty = true
		}
		p.pos++
	}
}

func (p *literalParser) word() string {
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte(" \t\n\r,[]", p.text[p.pos]) < 0 {
		p.pos++
	}
	return p.text[start:p.pos]
}

// element returns the word or object of a number.
func (p *literalParser) element(text string) (uint64, any, error) {
	if p.gap {
		return 0, nil, fmt.Errorf("a number is missing before %q", text)
	}
	bad := fmt.Errorf("%q is not a value of type '%s'", text, p.elem)
	switch t := p.elem.(type) {
	case *ir.FloatType:
		if !exec.IsWord(t) {
			v, ok := exec.ParseWideFloat(t, text)
			if !ok {
				return 0, nil, bad
			}
			return 0, v, nil
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil && !math.IsInf(x, 0) {
			return 0, nil, bad
		}
		return exec.FloatWord(t, x), nil, nil
	case *ir.IntegerType, *ir.IndexType:
		width := exec.Width(t)
		if text == "true" || text == "false" {
			if width != 1 {
				return 0, nil, bad
			}
			if text == "true" {
				return 1, nil, nil
			}
			return 0, nil, nil
		}
		v, ok := new(big.Int).SetString(text, 0)
		limit := new(big.Int).Lsh(big.NewInt(1), uint(width))
		low := new(big.Int).Neg(new(big.Int).Rsh(limit, 1))
		if !ok || v.Cmp(limit) >= 0 || v.Cmp(low) < 0 {
			return 0, nil, bad
		}
		v.Mod(v, limit)
		if width > 64 {
			return 0, v, nil
		}
		return v.Uint64(), nil, nil
	}
	if t, ok := p.elem.(*ir.ComplexType); ok {
		e, ok := t.Elem.(*ir.FloatType)
		x, err := strconv.ParseComplex(text, 128)
		if !ok || err != nil {
			return 0, nil, bad
		}
		return 0, exec.Complex{Re: exec.FloatValue(e, real(x)), Im: exec.FloatValue(e, imag(x))}, nil
	}
	return 0, nil, fmt.Errorf("there are no literals of type '%s'", p.elem)
}

func (p *literalParser) scalar(t ir.Type) (Value, error) {
	w, o, err := p.element(p.text)
	return Value{Type: t, Word: w, Object: o}, err
}

func (p *literalParser) list(t ir.Type) (Value, error) {
	shape, ranked := ir.ShapeOf(t)
	var words []uint64
	var objects []any
	sizes := []int64{}
	known := map[int]bool{}
	leaf := -1
	var read func(depth int) error
	read = func(depth int) error {
		p.skip()
		if p.pos >= len(p.text) {
			return fmt.Errorf("a list is not closed")
		}
		if p.text[p.pos] != '[' {
			if leaf >= 0 && leaf != depth {
				return fmt.Errorf("lists are nested unevenly")
			}
			leaf = depth
			w, o, err := p.element(p.word())
			words, objects = append(words, w), append(objects, o)
			return err
		}
		if depth > 64 {
			return fmt.Errorf("lists are nested too deep")
		}
		p.pos++
		n := int64(0)
		for p.skip(); p.pos < len(p.text) && p.text[p.pos] != ']'; p.skip() {
			if err := read(depth + 1); err != nil {
				return err
			}
			n++
		}
		if p.pos >= len(p.text) {
			return fmt.Errorf("a list is not closed")
		}
		p.pos++
		for len(sizes) <= depth {
			sizes = append(sizes, 0)
		}
		if known[depth] && sizes[depth] != n {
			return fmt.Errorf("lists at one level have different lengths, %d and %d", sizes[depth], n)
		}
		sizes[depth], known[depth] = n, true
		return nil
	}
	if err := read(0); err != nil {
		return Value{}, err
	}
	if p.skip(); p.pos < len(p.text) {
		return Value{}, fmt.Errorf("%q follows the value", p.text[p.pos:])
	}
	if len(words) == 0 && ranked {
		// Inner sizes of an empty list are those of the type.
		for d := len(sizes); d < len(shape); d++ {
			sizes = append(sizes, max(shape[d], 0))
		}
	}
	if len(words) > 0 && leaf != len(sizes) {
		return Value{}, fmt.Errorf("lists are nested unevenly")
	}
	return p.tensor(t, sizes, words, objects), nil
}

// tensor is the value of a shaped type whose elements were read, in row-major order.
func (p *literalParser) tensor(t ir.Type, sizes []int64, words []uint64, objects []any) Value {
	e := exec.ElemOf(p.elem)
	v := exec.NewTensor(e, sizes, false)
	for i := range words {
		if e.Size == 0 {
			v.SetObject(int64(i), objects[i])
		} else {
			v.SetWord(int64(i), words[i])
		}
	}
	return Value{Type: t, Tensor: v}
}
