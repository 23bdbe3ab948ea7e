package interp

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"freehold/exec"
	"freehold/ir"
)

// The functions of MLIR's runner utilities (libmlir_runner_utils and libmlir_c_runner_utils), which programs
// declare to print what they compute. They print what the libraries do, but for what is no part of a
// program's meaning: addresses are those of package exec, and clocks tell how often they were asked.

// runnerFunction is a function of the runner utilities.
type runnerFunction struct {
	exec.RunnerFunction
	do func(call *Call) ([]Value, error)
	// prints tells that the function does nothing but print numbers and punctuation, as vector.print does.
	prints bool
}

// runnerOf returns the function with a name, or nil.
func runnerOf(name string) *runnerFunction {
	f, ok := exec.RunnerFunctionNamed(name)
	if !ok || f.Name == "printString" { // texts are in memory that the dialect llvm knows
		return nil
	}
	r := &runnerFunction{RunnerFunction: f}
	switch f.Name {
	case "printMemref", "printMemrefShape":
		r.do = func(call *Call) ([]Value, error) {
			return nil, printMemref(call, f.Args[0].Rank, f.Name == "printMemref")
		}
	case "verifyMemRef":
		r.do = func(call *Call) ([]Value, error) {
			n, err := mismatches(call)
			return []Value{{Type: call.Results[0], Word: uint64(n)}}, err
		}
	case "printI64":
		r.printsNumber(func(w uint64) string { return strconv.FormatInt(int64(w), 10) })
	case "printU64":
		r.printsNumber(func(w uint64) string { return strconv.FormatUint(w, 10) })
	case "printF32":
		r.printsNumber(func(w uint64) string { return exec.FormatG(float64(math.Float32frombits(uint32(w)))) })
	case "printF64":
		r.printsNumber(func(w uint64) string { return exec.FormatG(math.Float64frombits(w)) })
	case "printF16":
		r.printsNumber(func(w uint64) string { return exec.FormatG(exec.FloatOf(ir.F16, w)) })
	case "printBF16":
		r.printsNumber(func(w uint64) string { return exec.FormatG(exec.FloatOf(ir.BF16, w)) })
	case "rtsrand":
		r.do = newGenerator
	case "rtrand":
		r.do = drawNumber
	case "rtdrand":
		r.do = deleteGenerator
	case "shuffle":
		r.do = shuffle
	case "printOpen":
		r.printsText("( ")
	case "printClose":
		r.printsText(" )")
	case "printComma":
		r.printsText(", ")
	case "printNewline":
		r.printsText("\n")
	case "printFlops":
		r.do = func(call *Call) ([]Value, error) {
			x := math.Float64frombits(call.Args[0].Word) / 1e9
			text := strconv.FormatFloat(x, 'f', 6, 64)
			if math.IsInf(x, 0) || x != x {
				text = exec.FormatG(x)
			}
			call.PrintError(text + " GFLOPS\n")
			return nil, nil
		}
	case "rtclock":
		r.do = clock(func(n int) uint64 { return math.Float64bits(float64(n) * 1e-6) })
	case "nanoTime":
		r.do = clock(func(n int) uint64 { return uint64(n) * 1000 })
	}
	return r
}

// takes tells whether a call has the arguments and results that the function has.
func (r *runnerFunction) takes(call *Call) bool {
	args := make([]ir.Type, len(call.Args))
	for i, a := range call.Args {
		args[i] = a.Type
	}
	return r.Takes(args, call.Results)
}

func (r *runnerFunction) printsText(text string) {
	r.prints = true
	r.do = func(call *Call) ([]Value, error) {
		call.Print(text)
		return nil, nil
	}
}

func (r *runnerFunction) printsNumber(text func(w uint64) string) {
	r.prints = true
	r.do = func(call *Call) ([]Value, error) {
		call.Print(text(call.Args[0].Word))
		return nil, nil
	}
}

// clock returns a function that tells the time, of which a microsecond passes from one call to the next: an
// execution is the same whenever it takes place.
func clock(word func(n int) uint64) func(call *Call) ([]Value, error) {
	return func(call *Call) ([]Value, error) {
		return []Value{{Type: call.Results[0], Word: word(call.Number + 1)}}, nil
	}
}

// printMemref prints a buffer, or only what is said about it.
func printMemref(call *Call, rank int, data bool) error {
	title := "Unranked Memref "
	if rank != exec.AnyRank {
		title = "Memref "
	}
	var b strings.Builder
	b.WriteString(title + call.descriptor(0))
	if data {
		b.WriteString(" data = \n")
		if err := writeNested(&b, call, call.Args[0].Tensor); err != nil {
			return err
		}
	}
	b.WriteByte('\n')
	call.Print(b.String())
	return nil
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
	return fmt.Sprintf("rank = %d offset = %d sizes = [%s] strides = [%s]", len(sizes), offset, ir.JoinInts(sizes), ir.JoinInts(strides))
}

// descriptor tells about the buffer that is argument i.
func (c *Call) descriptor(i int) string {
	address := uint64(0)
	if m, ok := c.raw.Args.O[i].(*exec.MemRef); ok {
		address = m.Address()
	}
	return fmt.Sprintf("base@ = %#x %s", address, c.layout(i))
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
