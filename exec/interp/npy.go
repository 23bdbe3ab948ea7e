package interp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"freehold/exec"
	"freehold/internal/foreign"
	"freehold/ir"
)

const npyMagic = "\x93NUMPY"

var errNpy = errors.New("this is not an array in NumPy's npy format")

// ReadNpy returns the array of an npy file, versions 1 to 3, as a tensor of the
// given element type. The kind of the array's elements must be that of the type,
// but need not have its width: numbers of floating point are rounded, integers have
// to fit. Elements of ml_dtypes, which NumPy knows by their sizes only, are taken for
// those of the type.
func ReadNpy(data []byte, elem ir.Type) (*exec.Tensor, error) {
	a, err := parseNpy(data)
	if err != nil {
		return nil, err
	}
	d, err := a.kind(elem)
	if err != nil {
		return nil, err
	}
	count := int64(1)
	for _, n := range a.sizes {
		count *= n
	}
	if size := int64(d.size * d.parts); count*size > int64(len(a.data)) {
		return nil, fmt.Errorf("the file ends too early: an array of %s elements of %d bytes is announced, and %d bytes are there", a.shape, size, len(a.data))
	}
	e := exec.ElemOf(elem)
	t := exec.NewTensor(e, a.sizes, true)
	strides := exec.RowMajor(a.sizes)
	for i := range count {
		v, ok := d.element(a.data, i)
		p := i
		if a.fortran {
			// The first index runs fastest.
			p = 0
			for d, r := 0, i; d < len(a.sizes); d++ {
				p += r % a.sizes[d] * strides[d]
				r /= a.sizes[d]
			}
		}
		if !ok {
			return nil, fmt.Errorf("element %s of the array is no '%s'", position(a.sizes, p), elem)
		}
		t.SetAt(p, v)
	}
	return t, nil
}

// npyArray is what an npy file says, and its data.
type npyArray struct {
	descr   string // the type of elements, as NumPy writes it
	fortran bool
	shape   string
	sizes   []int64
	data    []byte
}

// parseNpy reads the header of an npy file.
func parseNpy(data []byte) (*npyArray, error) {
	if len(data) < 12 || string(data[:6]) != npyMagic {
		if f := foreign.Of(data); f != nil && !bytes.HasPrefix(data, []byte(npyMagic)) {
			return nil, fmt.Errorf("%w, but %s", errNpy, f)
		}
		return nil, errNpy
	}
	start, n := 10, int(binary.LittleEndian.Uint16(data[8:]))
	if data[6] >= 2 {
		start, n = 12, int(binary.LittleEndian.Uint32(data[8:]))
	}
	if data[6] < 1 || data[6] > 3 {
		return nil, fmt.Errorf("version %d of the npy format is not known", data[6])
	}
	if n < 0 || n > len(data)-start {
		return nil, errNpy
	}
	header := string(data[start : start+n])
	descr, ok1 := npyField(header, "descr")
	order, ok2 := npyField(header, "fortran_order")
	dims, ok3 := npyField(header, "shape")
	if !ok1 || !ok2 || !ok3 {
		return nil, errNpy
	}
	a := &npyArray{descr: descr, fortran: order == "True", shape: dims, data: data[start+n:]}
	if !strings.HasPrefix(descr, "[") && !strings.HasPrefix(descr, "(") {
		a.descr = strings.Trim(descr, "'\" ")
	}
	count := int64(1)
	for _, d := range strings.Split(strings.Trim(dims, "() "), ",") {
		if d = strings.TrimSpace(d); d == "" {
			continue
		}
		v, err := strconv.ParseInt(strings.TrimSuffix(d, "L"), 10, 64)
		if err != nil || v < 0 || v != 0 && count > maxElements/v {
			return nil, errNpy
		}
		a.sizes = append(a.sizes, v)
		count *= v
	}
	return a, nil
}

// npyKind is how elements of an array are read.
type npyKind struct {
	size, parts int // bytes of a number, and how many an element has
	big         bool
	number      func(w uint64) (any, bool) // false if it doesn't fit the element type
}

// kind returns how elements of a type are read, or why there are none.
func (a *npyArray) kind(elem ir.Type) (*npyKind, error) {
	none := func(what, help string) error {
		return fmt.Errorf("an array of %s (%s) has no elements of type '%s'%s", what, a.descr, elem, help)
	}
	if strings.HasPrefix(a.descr, "[") || strings.HasPrefix(a.descr, "(") {
		return nil, none("structures", "; save one field of it: a['name']")
	}
	if len(a.descr) < 2 || !strings.ContainsRune("<>|=", rune(a.descr[0])) {
		return nil, errNpy
	}
	letter, rest := a.descr[1], a.descr[2:]
	switch letter {
	case 'O':
		return nil, none("Python's objects", "; save a.astype('float32') or the like")
	case 'S', 'U', 'a':
		return nil, none("texts", "")
	case 'M', 'm':
		return nil, none("dates", "; save a.astype('int64')")
	}
	size, err := strconv.Atoi(rest)
	if err != nil || size < 1 {
		return nil, errNpy
	}
	k := &npyKind{size: size, parts: 1, big: a.descr[0] == '>'}
	scalar := elem
	if c, ok := elem.(*ir.ComplexType); ok {
		scalar = c.Elem
	}
	float, isFloat := scalar.(*ir.FloatType)
	integer := ir.IsIntOrIndex(scalar)
	width := exec.Width(scalar)
	if !isFloat && (!integer || width > 64) {
		return nil, fmt.Errorf("elements of type '%s' can't be read from npy files", elem)
	}
	known := false
	what := ""
	switch letter {
	case 'c':
		k.parts, k.size = 2, size/2
		what, known = "complex numbers", scalar != elem && isFloat && (size == 8 || size == 16)
		k.number = func(w uint64) (any, bool) { return exec.FloatValue(float, npyFloat(w, k.size)), true }
		if size > 16 {
			return nil, none("complex numbers with more than 64 bits each", "; save a.astype('complex128')")
		}
	case 'f':
		what, known = "floating-point numbers", scalar == elem && isFloat && (size == 2 || size == 4 || size == 8)
		k.number = func(w uint64) (any, bool) { return exec.FloatValue(float, npyFloat(w, size)), true }
		if size > 8 {
			return nil, none("floating-point numbers with more than 64 bits", "; save a.astype('float64')")
		}
	case 'b':
		what, known = "truth values", scalar == elem && integer && size == 1
		k.number = func(w uint64) (any, bool) {
			if w != 0 {
				w = 1
			}
			return w, true
		}
	case 'i', 'u':
		what, known = "integers", scalar == elem && integer && size <= 8 && size&(size-1) == 0
		k.number = func(w uint64) (any, bool) {
			// What either kind of integer of that width has fits: -1 and 255 are the same i8.
			if letter == 'u' {
				n := exec.Mask(w, width)
				return n, n == w
			}
			v := exec.SignExtend(w, 8*size)
			n := exec.Mask(uint64(v), width)
			return n, exec.SignExtend(n, width) == v || v >= 0 && n == uint64(v)
		}
	case 'V':
		// The types of ml_dtypes: bfloat16, and floats and integers of at most 8 bits.
		what = "raw bytes"
		known = scalar == elem && (isFloat && float != ir.F16 && size == (width+7)/8 && width <= 16 || integer && width <= 8 && size == 1)
		k.number = func(w uint64) (any, bool) { return exec.Mask(w, width), true }
	default:
		return nil, fmt.Errorf("arrays of type %q are not supported", a.descr)
	}
	if !known {
		return nil, none(what, "")
	}
	return k, nil
}

// element returns element i in the order of the file.
func (k *npyKind) element(data []byte, i int64) (any, bool) {
	part := func(p int) (any, bool) {
		at := (i*int64(k.parts) + int64(p)) * int64(k.size)
		var raw [8]byte
		copy(raw[:], data[at:at+int64(k.size)])
		if k.big {
			slices.Reverse(raw[:k.size])
		}
		return k.number(binary.LittleEndian.Uint64(raw[:]))
	}
	re, ok := part(0)
	if k.parts == 1 {
		return re, ok
	}
	im, _ := part(1)
	return exec.Complex{Re: re, Im: im}, true
}

func npyFloat(w uint64, size int) float64 {
	switch size {
	case 2:
		return ir.F16.Format.ToFloat64(w)
	case 4:
		return float64(math.Float32frombits(uint32(w)))
	}
	return math.Float64frombits(w)
}

// npyField returns the text of an entry of the header, which is a Python
// dictionary.
func npyField(header, name string) (string, bool) {
	for _, quote := range []string{"'", "\""} {
		_, rest, ok := strings.Cut(header, quote+name+quote)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, ": ")
		end := strings.IndexAny(rest, ",}")
		if strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") {
			// A tuple, or a list of them.
			depth := 0
			end = strings.IndexFunc(rest, func(r rune) bool {
				switch r {
				case '(', '[':
					depth++
				case ')', ']':
					depth--
				}
				return depth == 0
			}) + 1
		}
		if end <= 0 {
			return "", false
		}
		return strings.TrimSpace(rest[:end]), true
	}
	return "", false
}

// WriteNpy returns the value as an npy file. Types that NumPy doesn't have are
// widened. Elements that are undefined become NaN, or 0 where there is no NaN; see [Undefined].
func WriteNpy(v Value) ([]byte, error) {
	elem, sizes := ir.ElementType(v.Type), []int64(nil)
	if v.Tensor != nil {
		sizes = v.Tensor.Sizes
	}
	descr, put, err := npyWriter(elem)
	if err != nil {
		return nil, err
	}
	var dims strings.Builder
	for i, n := range sizes {
		if i > 0 {
			dims.WriteString(", ")
		}
		dims.WriteString(strconv.FormatInt(n, 10))
	}
	if len(sizes) == 1 {
		dims.WriteString(",")
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, dims.String())
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	out := append([]byte(npyMagic), 1, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(header)))
	out = append(out, header...)
	if v.Tensor == nil {
		return put(out, numberOf(v)), nil
	}
	for i := range v.Tensor.Elements() {
		out = put(out, v.Tensor.At(i))
	}
	return out, nil
}

// Undefined counts the elements of a value that are undefined.
func Undefined(v Value) (n int64) {
	if v.Tensor == nil {
		return 0
	}
	for i := range v.Tensor.Elements() {
		if _, ok := v.Tensor.Element(i); !ok {
			n++
		}
	}
	return n
}

// npyWriter returns NumPy's name of an element type, and what appends an element.
func npyWriter(elem ir.Type) (descr string, put func(out []byte, v any) []byte, err error) {
	switch t := elem.(type) {
	case *ir.ComplexType:
		float, ok := t.Elem.(*ir.FloatType)
		if !ok {
			break
		}
		_, part, err := npyWriter(wider(float))
		if err != nil {
			break
		}
		size := 8
		if float == ir.F64 {
			size = 16
		}
		return fmt.Sprintf("<c%d", size), func(out []byte, v any) []byte {
			c, ok := v.(exec.Complex)
			if !ok {
				return part(part(out, exec.PoisonValue), exec.PoisonValue)
			}
			to := wider(float)
			return part(part(out, exec.FloatWord(to, exec.Float64(float, c.Re))), exec.FloatWord(to, exec.Float64(float, c.Im)))
		}, nil
	case *ir.FloatType:
		if t.Width > 64 {
			break
		}
		size, to := t.Width/8, t
		if t != ir.F16 {
			to = wider(t)
			size = to.Width / 8
		}
		return fmt.Sprintf("<f%d", size), func(out []byte, v any) []byte {
			x := math.NaN()
			if w, ok := v.(uint64); ok {
				x = exec.FloatOf(t, w)
			}
			return littleEndian(out, exec.FloatWord(to, x), size)
		}, nil
	case *ir.IntegerType, *ir.IndexType:
		if !exec.IsWord(elem) {
			break
		}
		width, kind, order := exec.Width(elem), "i", "<"
		integer, ok := elem.(*ir.IntegerType)
		unsigned := ok && integer.Signedness == ir.Unsigned
		size := int(exec.ElemOf(elem).Size)
		switch {
		case width == 1:
			kind, unsigned = "b", true
		case unsigned:
			kind = "u"
		}
		if size == 1 {
			order = "|"
		}
		return fmt.Sprintf("%s%s%d", order, kind, size), func(out []byte, v any) []byte {
			w, _ := v.(uint64)
			if !unsigned {
				w = uint64(exec.SignExtend(w, width))
			}
			return littleEndian(out, w, size)
		}, nil
	}
	return "", nil, fmt.Errorf("NumPy has no elements of type '%s'", elem)
}

// wider returns the type of NumPy's that has the numbers of a floating-point type, other than f16.
func wider(t *ir.FloatType) *ir.FloatType {
	if t.Width > 32 {
		return t
	}
	return ir.F32
}

func littleEndian(out []byte, w uint64, size int) []byte {
	for range size {
		out = append(out, byte(w))
		w >>= 8
	}
	return out
}
