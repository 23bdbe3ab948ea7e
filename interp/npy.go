package interp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"freehold/exec"
	"freehold/ir"
)

const npyMagic = "\x93NUMPY"

var errNpy = errors.New("this is not an array in NumPy's npy format")

// ReadNpy returns the array of an npy file, versions 1 to 3, as a tensor of the
// given element type. The kind of the array's elements must be that of the type,
// but need not have its width.
func ReadNpy(data []byte, elem ir.Type) (*exec.Tensor, error) {
	if len(data) < 12 || string(data[:6]) != npyMagic {
		return nil, errNpy
	}
	start, n := 10, int(binary.LittleEndian.Uint16(data[8:]))
	if data[6] >= 2 {
		start, n = 12, int(binary.LittleEndian.Uint32(data[8:]))
	}
	if n < 0 || n > len(data)-start {
		return nil, errNpy
	}
	header := string(data[start : start+n])
	data = data[start+n:]
	descr, ok1 := npyField(header, "descr")
	order, ok2 := npyField(header, "fortran_order")
	dims, ok3 := npyField(header, "shape")
	if !ok1 || !ok2 || !ok3 {
		return nil, errNpy
	}
	var sizes []int64
	count := int64(1)
	for _, d := range strings.Split(strings.Trim(dims, "() "), ",") {
		if d = strings.TrimSpace(d); d == "" {
			continue
		}
		v, err := strconv.ParseInt(strings.TrimSuffix(d, "L"), 10, 64)
		if err != nil || v < 0 || v != 0 && count > maxElements/v {
			return nil, errNpy
		}
		sizes = append(sizes, v)
		count *= v
	}
	descr = strings.Trim(descr, "'\" ")
	if len(descr) < 3 || descr[0] == '>' {
		return nil, fmt.Errorf("arrays of type %q are not supported", descr)
	}
	size, err := strconv.Atoi(descr[2:])
	kind := descr[1]
	if err != nil || !hasNpySize(kind, size) || count*int64(size) > int64(len(data)) {
		return nil, errNpy
	}
	e := exec.ElemOf(elem)
	isFloat := e.Float != nil
	if e.Size == 0 || isFloat != (kind == 'f') || !strings.ContainsRune("fiub", rune(kind)) {
		return nil, fmt.Errorf("an array of type %q has no elements of type '%s'", descr, elem)
	}
	t := exec.NewTensor(e, sizes, true)
	strides := exec.RowMajor(sizes)
	for i := range count {
		var raw [8]byte
		copy(raw[:], data[i*int64(size):(i+1)*int64(size)])
		w := binary.LittleEndian.Uint64(raw[:])
		switch {
		case kind == 'i':
			w = exec.Mask(uint64(exec.SignExtend(w, 8*size)), exec.Width(elem))
		case isFloat:
			w = exec.FloatWord(e.Float, npyFloat(w, size))
		default:
			w = exec.Mask(w, exec.Width(elem))
		}
		p := i
		if order == "True" {
			// The first index runs fastest.
			p = 0
			for d, r := 0, i; d < len(sizes); d++ {
				p += r % sizes[d] * strides[d]
				r /= sizes[d]
			}
		}
		t.SetWord(p, w)
	}
	return t, nil
}

// hasNpySize tells whether there are numbers of a kind with so many bytes, if it is one that can be read.
func hasNpySize(kind byte, size int) bool {
	switch kind {
	case 'b':
		return size == 1
	case 'f':
		return size == 2 || size == 4 || size == 8
	}
	return size == 1 || size == 2 || size == 4 || size == 8
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
		if strings.HasPrefix(rest, "(") {
			end = strings.IndexByte(rest, ')') + 1
		}
		if end <= 0 {
			return "", false
		}
		return strings.TrimSpace(rest[:end]), true
	}
	return "", false
}

// WriteNpy returns the value as an npy file. Types that NumPy doesn't have are
// widened.
func WriteNpy(v Value) ([]byte, error) {
	elem, sizes := ir.ElementType(v.Type), []int64(nil)
	if v.Tensor != nil {
		sizes = v.Tensor.Sizes
	}
	if !exec.IsWord(elem) {
		return nil, fmt.Errorf("values of type '%s' can't be written to a npy file", elem)
	}
	e := exec.ElemOf(elem)
	descr, size := "", e.Size
	switch {
	case e.Float == ir.F16:
		descr = "<f2"
	case e.Float == ir.F64:
		descr = "<f8"
	case e.Float != nil:
		descr, size = "<f4", 4
	case e.Mask == 1:
		descr = "|b1"
	default:
		kind := "i"
		if t, ok := elem.(*ir.IntegerType); ok && t.Signedness == ir.Unsigned {
			kind = "u"
		}
		descr = fmt.Sprintf("<%s%d", kind, size)
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
	put := func(w uint64) {
		if e.Float != nil && e.Float != ir.F16 && e.Float != ir.F64 {
			w = uint64(math.Float32bits(float32(exec.FloatOf(e.Float, w))))
		} else if e.Float == nil && e.Mask != 1 {
			if t, ok := elem.(*ir.IntegerType); !ok || t.Signedness != ir.Unsigned {
				w = uint64(exec.SignExtend(w, exec.Width(elem)))
			}
		}
		var raw [8]byte
		binary.LittleEndian.PutUint64(raw[:], w)
		out = append(out, raw[:size]...)
	}
	if v.Tensor == nil {
		put(v.Word)
		return out, nil
	}
	for i := range v.Tensor.Elements() {
		w, _ := v.Tensor.Word(i)
		put(w)
	}
	return out, nil
}
