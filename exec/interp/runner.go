package interp

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// The functions of MLIR's runner utilities (libmlir_runner_utils and libmlir_c_runner_utils), which programs
// declare to print what they compute. They print what the libraries do, but for what is no part of a
// program's meaning: addresses are those of package exec, and clocks tell how often they were asked.

// runnerFunction is a function of the runner utilities.
type runnerFunction struct {
	// takes tells whether a call has the arguments and results that the function has.
	takes func(call *Call) bool
	// signature is that in words, for who calls it otherwise.
	signature string
	do        func(call *Call) ([]Value, error)
	// prints tells that the function does nothing but print numbers and punctuation, as vector.print does.
	prints bool
}

// runnerElements are the types of elements that functions are made for, by the ends of their names.
var runnerElements = map[string]string{
	"I8": "i8", "I16": "i16", "I32": "i32", "I64": "i64", "Ind": "index", "F16": "f16", "BF16": "bf16", "F32": "f32", "F64": "f64",
	"C32": "complex<f32>", "C64": "complex<f64>", "Vector4x4xf32": "vector<4x4xf32>",
}

// todaysName returns the name that a function of the runner utilities has today: LLVM 15 and before called printMemrefF32
// print_memref_f32, and what a C interface is made for has a prefix.
func todaysName(name string) string {
	name = strings.TrimPrefix(name, "_mlir_ciface_")
	if name == "print_flops" {
		return "printFlops"
	}
	rest, ok := strings.CutPrefix(name, "print_memref_")
	if !ok {
		return name
	}
	out := "printMemref"
	for part := range strings.SplitSeq(rest, "_") {
		switch {
		case part == "shape" || part == "vector" || part == "ind":
			part = strings.ToUpper(part[:1]) + part[1:]
		case len(part) > 0 && part[0] > '9':
			part = strings.ToUpper(part)
		}
		out += part
	}
	return out
}

// runnerOf returns the function with a name, or nil.
func runnerOf(name string) *runnerFunction {
	name = todaysName(name)
	if rest, ok := strings.CutPrefix(name, "printMemrefShape"); ok {
		return printMemref(rest, anyRank, false)
	}
	if rest, ok := strings.CutPrefix(name, "printMemref"); ok {
		// A digit is a rank: printMemref2dF32.
		if len(rest) > 2 && rest[1] == 'd' && rest[0] >= '0' && rest[0] <= '9' {
			return printMemref(rest[2:], int(rest[0]-'0'), true)
		}
		if rest == "Vector4x4xf32" {
			return printMemref(rest, 2, true)
		}
		return printMemref(rest, anyRank, true)
	}
	if rest, ok := strings.CutPrefix(name, "verifyMemRef"); ok {
		return verifyMemRef(rest)
	}
	switch name {
	case "printI64":
		return printNumber("i64", func(w uint64) string { return strconv.FormatInt(int64(w), 10) })
	case "printU64":
		return printNumber("i64", func(w uint64) string { return strconv.FormatUint(w, 10) })
	case "printF32":
		return printNumber("f32", func(w uint64) string { return exec.FormatG(float64(math.Float32frombits(uint32(w)))) })
	case "printF64":
		return printNumber("f64", func(w uint64) string { return exec.FormatG(math.Float64frombits(w)) })
	case "printOpen":
		return printText("( ")
	case "printClose":
		return printText(" )")
	case "printComma":
		return printText(", ")
	case "printNewline":
		return printText("\n")
	case "printFlops":
		f := printNumber("f64", nil)
		f.prints = false
		f.do = func(call *Call) ([]Value, error) {
			x := math.Float64frombits(call.Args[0].Word) / 1e9
			text := strconv.FormatFloat(x, 'f', 6, 64)
			if math.IsInf(x, 0) || x != x {
				text = exec.FormatG(x)
			}
			call.PrintError(text + " GFLOPS\n")
			return nil, nil
		}
		return f
	case "rtclock":
		return clock("f64", func(n int) uint64 { return math.Float64bits(float64(n) * 1e-6) })
	case "nanoTime":
		return clock("i64", func(n int) uint64 { return uint64(n) * 1000 })
	}
	return nil
}

// IsRunnerFunction tells whether a declaration is one of a function of the runner utilities: such functions only
// read what they are passed.
func IsRunnerFunction(fn *ir.Op) bool {
	m, _ := interfaces.Function.Of(fn)
	name, named := ir.SymbolName(fn)
	if m == nil || !named || fn.BodyBlock(0) != nil {
		return false
	}
	r := runnerOf(name)
	if r == nil {
		return false
	}
	t := m.Type(fn)
	call := &Call{Name: name, Results: t.Results}
	for _, x := range t.Inputs {
		call.Args = append(call.Args, Value{Type: x})
	}
	return r.takes(call)
}

// anyRank stands for the rank of memrefs of unknown rank.
const anyRank = -1

// isBuffer tells whether a type is a memref of a rank, or of unknown rank, of elements of a type; or, in a program
// that isn't bufferized yet, such a tensor.
func isBuffer(t ir.Type, rank int, elem string) bool {
	if !ir.IsMemRef(t) && !ir.IsTensor(t) || ir.ElementType(t).String() != elem {
		return false
	}
	shape, ranked := ir.ShapeOf(t)
	return ranked == (rank != anyRank) && (!ranked || len(shape) == rank)
}

// isScalar tells whether a type has a spelling.
func isScalar(t ir.Type, text string) bool { return t.String() == text }

func printText(text string) *runnerFunction {
	return &runnerFunction{
		takes:     func(call *Call) bool { return len(call.Args) == 0 && len(call.Results) == 0 },
		signature: "()", prints: true,
		do: func(call *Call) ([]Value, error) {
			call.Print(text)
			return nil, nil
		},
	}
}

func printNumber(elem string, text func(w uint64) string) *runnerFunction {
	return &runnerFunction{
		takes: func(call *Call) bool {
			return len(call.Args) == 1 && len(call.Results) == 0 && isScalar(call.Args[0].Type, elem)
		},
		signature: "(" + elem + ")", prints: true,
		do: func(call *Call) ([]Value, error) {
			call.Print(text(call.Args[0].Word))
			return nil, nil
		},
	}
}

// clock returns a function that tells the time, of which a microsecond passes from one call to the next: an
// execution is the same whenever it takes place.
func clock(elem string, word func(n int) uint64) *runnerFunction {
	return &runnerFunction{
		takes: func(call *Call) bool {
			return len(call.Args) == 0 && len(call.Results) == 1 && isScalar(call.Results[0], elem)
		},
		signature: "() -> " + elem,
		do: func(call *Call) ([]Value, error) {
			return []Value{{Type: call.Results[0], Word: word(call.Number + 1)}}, nil
		},
	}
}

// printMemref returns the function that prints a buffer, or only what is said about it.
func printMemref(suffix string, rank int, data bool) *runnerFunction {
	elem, ok := runnerElements[suffix]
	if !ok {
		return nil
	}
	title, signature := "Unranked Memref ", "(memref<*x"+elem+">)"
	if rank != anyRank {
		title, signature = "Memref ", "(memref<"+strings.Repeat("?x", rank)+elem+">)"
	}
	return &runnerFunction{
		takes: func(call *Call) bool {
			return len(call.Args) == 1 && len(call.Results) == 0 && isBuffer(call.Args[0].Type, rank, elem)
		},
		signature: signature,
		do: func(call *Call) ([]Value, error) {
			var b strings.Builder
			b.WriteString(title + call.descriptor(0))
			if data {
				b.WriteString(" data = \n")
				if err := writeNested(&b, call, call.Args[0].Tensor); err != nil {
					return nil, err
				}
			}
			b.WriteByte('\n')
			call.Print(b.String())
			return nil, nil
		},
	}
}

// shapeOf returns the sizes of the buffer that is argument i, and how they lie in memory. A tensor lies in row-major
// order, as if it had just been made a buffer.
func (c *Call) shapeOf(i int) (sizes, strides []int64, offset int64) {
	if m, ok := c.raw.Args.O[i].(*exec.MemRef); ok {
		return m.Sizes, m.Strides, m.Offset
	}
	sizes = c.Args[i].Tensor.Sizes
	return sizes, exec.RowMajor(sizes), 0
}

// layout tells all about the buffer that is argument i but where it is.
func (c *Call) layout(i int) string {
	sizes, strides, offset := c.shapeOf(i)
	return fmt.Sprintf("rank = %d offset = %d sizes = [%s] strides = [%s]", len(sizes), offset, commas(sizes), commas(strides))
}

// descriptor tells about the buffer that is argument i.
func (c *Call) descriptor(i int) string {
	address := uint64(0)
	if m, ok := c.raw.Args.O[i].(*exec.MemRef); ok {
		address = m.Address()
	}
	return fmt.Sprintf("base@ = %#x %s", address, c.layout(i))
}

func commas(numbers []int64) string {
	var b strings.Builder
	for i, n := range numbers {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.FormatInt(n, 10))
	}
	return b.String()
}

// writeNested writes the elements in brackets, a line for each row.
func writeNested(b *strings.Builder, call *Call, t *exec.Tensor) error {
	rank := len(t.Sizes)
	if rank == 0 {
		b.WriteByte('[')
		err := writeElement(b, call, t, 0)
		b.WriteByte(']')
		return err
	}
	next := int64(0)
	var write func(d int) error
	write = func(d int) error {
		b.WriteByte('[')
		for i := range t.Sizes[d] {
			switch {
			case i > 0 && d == rank-1:
				b.WriteString("," + strings.Repeat(" ", rank+1))
			case i > 0:
				b.WriteString(", \n" + strings.Repeat(" ", d+1))
			}
			var err error
			if d < rank-1 {
				err = write(d + 1)
			} else {
				err = writeElement(b, call, t, next)
				next++
			}
			if err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	}
	return write(0)
}

// writeElement writes element i as C++ does: bytes are characters.
func writeElement(b *strings.Builder, call *Call, t *exec.Tensor, i int64) error {
	v, ok := t.Element(i)
	if !ok {
		return exec.Findf(exec.Uninitialized, call.raw.Op, "@%s prints an element that was never written", call.Name)
	}
	switch v := v.(type) {
	case *exec.Tensor:
		return writeRows(b, call, v)
	case exec.Complex:
		elem := t.Elem.Type.(*ir.ComplexType).Elem.(*ir.FloatType)
		fmt.Fprintf(b, "(%s,%s)", exec.FormatG(exec.Float64(elem, v.Re)), exec.FormatG(exec.Float64(elem, v.Im)))
	case uint64:
		switch n := exec.SignExtend(v, exec.Width(t.Elem.Type)); {
		case t.Elem.Float != nil:
			b.WriteString(exec.FormatG(exec.FloatOf(t.Elem.Float, v)))
		case t.Elem.Size == 1:
			b.WriteByte(byte(n))
		default:
			b.WriteString(strconv.FormatInt(n, 10))
		}
	}
	return nil
}

// writeRows writes a vector of two dimensions. The last row has one space less before it.
func writeRows(b *strings.Builder, call *Call, t *exec.Tensor) error {
	rows, columns := t.Sizes[0], t.Sizes[1]
	b.WriteByte('(')
	for i := range rows {
		switch {
		case i > 0 && i == rows-1:
			b.WriteString(",  ")
		case i > 0:
			b.WriteString(",   ")
		}
		b.WriteByte('(')
		for k := range columns {
			if k > 0 {
				b.WriteString(", ")
			}
			if err := writeElement(b, call, t, i*columns+k); err != nil {
				return err
			}
		}
		b.WriteByte(')')
	}
	b.WriteByte(')')
	return nil
}

// verifyMemRef returns the function that counts the elements of a buffer that aren't those of another one, and
// prints them, at most ten.
func verifyMemRef(suffix string) *runnerFunction {
	elem, ok := runnerElements[suffix]
	if !ok || strings.HasPrefix(suffix, "Vector") {
		return nil
	}
	return &runnerFunction{
		takes: func(call *Call) bool {
			return len(call.Args) == 2 && len(call.Results) == 1 && isScalar(call.Results[0], "i64") &&
				isBuffer(call.Args[0].Type, anyRank, elem) && isBuffer(call.Args[1].Type, anyRank, elem)
		},
		signature: "(memref<*x" + elem + ">, memref<*x" + elem + ">) -> i64",
		do: func(call *Call) ([]Value, error) {
			n, err := mismatches(call)
			return []Value{{Type: call.Results[0], Word: uint64(n)}}, err
		},
	}
}

// most is how many mismatches are printed.
const most = 10

// mismatches counts the elements of the first argument that aren't those of the second: numbers of floating point
// may be a little off. Where the shapes or the layouts differ, it is -1.
func mismatches(call *Call) (int64, error) {
	if call.layout(0) != call.layout(1) {
		call.PrintError(call.descriptor(0) + call.descriptor(1))
		return -1, nil
	}
	actual, expected := call.Args[0].Tensor, call.Args[1].Tensor
	_, strides, offset := call.shapeOf(0)
	found := int64(0)
	err := exec.Each(actual.Sizes, func(i int64, idx []int64) error {
		v, ok1 := actual.Element(i)
		w, ok2 := expected.Element(i)
		if !ok1 || !ok2 {
			return exec.Findf(exec.Uninitialized, call.raw.Op, "@%s compares an element that was never written", call.Name)
		}
		if isClose(actual.Elem, v, w) {
			return nil
		}
		if found++; found > most {
			return nil
		}
		var b strings.Builder
		writeElement(&b, call, actual, i)
		b.WriteString(" != ")
		writeElement(&b, call, expected, i)
		at := offset
		for d, x := range idx {
			at += x * strides[d]
		}
		fmt.Fprintf(&b, " offset = %d\n", at)
		call.PrintError(b.String())
		return nil
	})
	return found, err
}

// isClose tells whether a number is what it should be.
func isClose(e *exec.Elem, actual, expected any) bool {
	slack := 0.0
	switch e.Float {
	case ir.F32:
		slack = 1e-6
	case ir.F64:
		slack = 1e-12
	case nil:
		c, ok := actual.(exec.Complex)
		if !ok {
			return actual == expected
		}
		d, float := expected.(exec.Complex), e.Type.(*ir.ComplexType).Elem.(*ir.FloatType)
		return exec.Float64(float, c.Re) == exec.Float64(float, d.Re) && exec.Float64(float, c.Im) == exec.Float64(float, d.Im)
	}
	x, y := exec.Float64(e.Float, actual), exec.Float64(e.Float, expected)
	if slack == 0 {
		return x == y
	}
	return math.Abs(x-y) <= slack*math.Abs(y)
}
