package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"freehold/compile"
	"freehold/dialect/funcd"
	"freehold/driver"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
)

// tally is how many models agree.
type tally struct {
	agree, differ           int
	ours, theirs, refusedBy int // refused by us alone, by LiteRT alone, by both
	far                     uint64
}

func (t *tally) join(o tally) {
	t.agree, t.differ, t.far = t.agree+o.agree, t.differ+o.differ, max(t.far, o.far)
	t.ours, t.theirs, t.refusedBy = t.ours+o.ours, t.theirs+o.theirs, t.refusedBy+o.refusedBy
}

// String is a line of the report.
func (t tally) String() string {
	s := fmt.Sprintf("%5d agree, %d differ", t.agree, t.differ)
	if t.far > 0 {
		s += fmt.Sprintf(" (%d units of the last place at most)", t.far)
	}
	for _, r := range []struct {
		n   int
		who string
	}{{t.ours, "freehold alone"}, {t.theirs, "LiteRT alone"}, {t.refusedBy, "both"}} {
		if r.n > 0 {
			s += fmt.Sprintf(", %d refused by %s", r.n, r.who)
		}
	}
	return s
}

// trial is a model to compare.
type trial struct {
	name string
	// about is what the model is, or "".
	about      string
	file       []byte
	executions [][][]byte
	// within is how far integers may be from LiteRT's.
	within uint64
	// deep says that numbers in single precision went through several functions: they may differ by a part of the largest one.
	deep bool
}

// add executes a model with both and compares. Its error is one that ends the program.
func (t *tally) add(o *options, p *peer, m trial) error {
	theirs, refused := p.execute(m.file, m.executions)
	if refused != nil && !errors.Is(refused, errRefused) {
		return refused
	}
	ours, err := execute(o, m.file, m.executions)
	switch {
	case err != nil && refused != nil:
		t.refusedBy++
	case err != nil:
		t.ours++
	case refused != nil:
		t.theirs++
		err = refused
	default:
		if err = t.compare(o, m, ours, theirs); err == nil {
			t.agree++
			return nil
		}
		t.differ++
		if o.keep != "" {
			if err := keep(filepath.Join(o.keep, filepath.Base(m.name)), m.file, m.executions); err != nil {
				return err
			}
		}
	}
	if o.verbose {
		fmt.Printf("%s: %v\n", m.name, err)
		if m.about != "" {
			fmt.Printf("\t%s\n", m.about)
		}
	}
	return nil
}

// keep writes a model and its arguments to files.
func keep(name string, file []byte, executions [][][]byte) error {
	if err := os.WriteFile(name+".tflite", file, 0o644); err != nil {
		return err
	}
	for i, inputs := range executions {
		for k, data := range inputs {
			if err := os.WriteFile(fmt.Sprintf("%s.%d.%d.bin", name, i, k), data, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// result is a result, as bytes, and the type of its elements.
type result struct {
	elem ir.Type
	data []byte
}

// execute executes a model as freehold reads it. All executions have the same arguments, and there are two at most.
func execute(o *options, file []byte, executions [][][]byte) ([][]result, error) {
	p, err := driver.Freehold().NewSession().Parse(file, "model.tflite")
	if err != nil {
		return nil, err
	}
	if o.compiled {
		if err := p.Run((compile.Options{}).Pipeline()); err != nil {
			return nil, err
		}
	}
	fn, err := interp.Entry(p.Module, "")
	if err != nil {
		return nil, err
	}
	args, err := arguments(fn, executions[0])
	if err != nil {
		return nil, err
	}
	res, err := interp.Run(p.Module, fn, args, interp.Options{Resources: interp.Resources(p.Document), Twice: len(executions) > 1})
	if err != nil {
		return nil, err
	}
	var out [][]result
	for ; res != nil; res = res.Again {
		for _, f := range res.Findings {
			return nil, fmt.Errorf("%v", f)
		}
		var list []result
		for _, v := range res.Values {
			list = append(list, result{v.Tensor.Elem.Type, contents(v.Tensor)})
		}
		out = append(out, list)
	}
	return out, nil
}

// arguments are the arguments of a function whose elements are bytes in a file.
func arguments(fn *ir.Op, inputs [][]byte) ([]interp.Value, error) {
	types := funcd.Type(fn).Inputs
	if len(types) != len(inputs) {
		return nil, fmt.Errorf("the function has %d arguments, and the model %d", len(types), len(inputs))
	}
	var args []interp.Value
	for i, t := range types {
		x, err := exec.TensorOfBytes(ir.ElementType(t), shapeOf(t), inputs[i])
		if err != nil {
			return nil, err
		}
		args = append(args, interp.Value{Type: t, Tensor: x})
	}
	return args, nil
}

// contents returns the elements of a tensor as bytes.
func contents(t *exec.Tensor) []byte {
	var out []byte
	size := ir.ElementBytes(t.Elem.Type)
	for i := range t.Elements() {
		w, _ := t.Word(i)
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], w)
		out = append(out, b[:size]...)
	}
	return out
}

// compare compares the results of all executions. Its error says what differs.
func (t *tally) compare(o *options, m trial, ours [][]result, theirs [][][]byte) error {
	if len(ours) != len(theirs) {
		return fmt.Errorf("there are %d executions, and of LiteRT %d", len(ours), len(theirs))
	}
	for i, list := range ours {
		if len(list) != len(theirs[i]) {
			return fmt.Errorf("there are %d results, and of LiteRT %d", len(list), len(theirs[i]))
		}
		for k, r := range list {
			if err := t.same(o, m, r, theirs[i][k]); err != nil {
				return fmt.Errorf("result %d of execution %d: %v", k, i, err)
			}
		}
	}
	return nil
}

// same compares a result.
func (t *tally) same(o *options, m trial, r result, theirs []byte) error {
	if bytes.Equal(r.data, theirs) {
		return nil
	}
	if len(r.data) != len(theirs) {
		return fmt.Errorf("it has %d bytes, and LiteRT's %d", len(r.data), len(theirs))
	}
	size := int(ir.ElementBytes(r.elem))
	if m.deep && r.elem == ir.F32 && near(r.data, theirs) {
		return nil
	}
	worst := uint64(0)
	at := 0
	for i := 0; i < len(theirs); i += size {
		d := uint64(math.MaxUint64)
		if r.elem == ir.F32 {
			d = distance(binary.LittleEndian.Uint32(r.data[i:]), binary.LittleEndian.Uint32(theirs[i:]))
		} else if n := integer(r.data[i:i+size]) - integer(theirs[i:i+size]); uint64(max(n, -n)) <= m.within {
			d = 0
		}
		if d > worst {
			worst, at = d, i
		}
	}
	if worst == 0 || r.elem == ir.F32 && worst <= o.ulps {
		t.far = max(t.far, worst)
		return nil
	}
	return fmt.Errorf("element %d is %s, and LiteRT's %s", at/size, element(r.elem, r.data[at:]), element(r.elem, theirs[at:]))
}

// near tells whether numbers differ by less than a hundred thousandth of the largest one.
func near(ours, theirs []byte) bool {
	apart, most := float32(0), float32(0)
	for i := 0; i < len(ours); i += 4 {
		a, b := math.Float32frombits(binary.LittleEndian.Uint32(ours[i:])), math.Float32frombits(binary.LittleEndian.Uint32(theirs[i:]))
		apart, most = max(apart, a-b, b-a), max(most, a, -a)
	}
	return apart < 1e-5*most
}

// distance returns how many numbers in single precision are between two. Those that aren't numbers are all the same.
func distance(a, b uint32) uint64 {
	x, y := math.Float32frombits(a), math.Float32frombits(b)
	if x != x || y != y {
		if x != x && y != y {
			return 0
		}
		return math.MaxUint64
	}
	ordered := func(n uint32) int64 {
		if n>>31 != 0 {
			return -int64(n&math.MaxInt32) - 1
		}
		return int64(n)
	}
	d := ordered(a) - ordered(b)
	return uint64(max(d, -d))
}

// element is the text of an element.
func element(t ir.Type, data []byte) string {
	data = data[:ir.ElementBytes(t)]
	if t == ir.F32 {
		return fmt.Sprint(math.Float32frombits(binary.LittleEndian.Uint32(data)))
	}
	return fmt.Sprint(integer(data))
}

// integer returns the number that bytes are.
func integer(data []byte) int64 {
	switch len(data) {
	case 1:
		return int64(int8(data[0]))
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(data)))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(data)))
	}
	return int64(binary.LittleEndian.Uint64(data))
}

func shapeOf(t ir.Type) []int64 {
	shape, _ := ir.ShapeOf(t)
	return shape
}
