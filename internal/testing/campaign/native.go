package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"strings"

	checked "freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// toLLVM are the passes with which mlir-opt lowers a program on buffers, so that
// mlir-cpu-runner can run it.
const toLLVM = "builtin.module(convert-bufferization-to-memref,expand-realloc,func.func(lower-vector-mask,convert-linalg-to-loops,scf-forall-to-for),convert-vector-to-scf," +
	"memref-expand,expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-vector-to-llvm,arith-expand,convert-math-to-llvm," +
	"convert-index-to-llvm,finalize-memref-to-llvm,convert-arith-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"

// errNotNative tells that a program isn't one that can be run natively: it has tensors
// left, or types that the driver doesn't print.
var errNotNative = errors.New("can't be run natively")

// native compiles a program with the peer's tools, runs it on one input, and compares
// with what the interpreter computes.
func (x *trial) native(src *program, after *ir.Op) *problem {
	a, err := interp.Entry(src.module, "main")
	if err != nil {
		return problemf(kindGenerator, "%v", err)
	}
	b, err := interp.Entry(after, "main")
	if err != nil {
		return nil
	}
	text := asm.Print(after, asm.PrintOptions{})
	if src.compiled[string(text)] {
		return nil
	}
	src.compiled[string(text)] = true
	args, _, err := x.generator().Arguments(a)
	if err != nil {
		return problemf(kindGenerator, "%v", err)
	}
	want, err := interp.Run(after, b, args, interp.Options{MaxSteps: 2_000_000})
	if err != nil || want.Stopped() != nil {
		return nil // the comparison of before and after has judged this
	}
	d := caller{ctx: after.Context()}
	source, err := d.program(text, b, args, want.Values)
	if err != nil {
		return nil
	}
	lowered, message := x.askPeer(source, "--pass-pipeline="+toLLVM)
	if message != "" {
		return nil // an operation that it can't lower
	}
	c := exec.Command(x.o.PeerRun, "-e", driverName, "-entry-point-result=void")
	for _, lib := range x.o.PeerLibs {
		c.Args = append(c.Args, "-shared-libs="+lib)
	}
	var stdout, stderr bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(lowered), &stdout, &stderr
	if err := c.Run(); err != nil {
		message, _, _ := strings.Cut(stderr.String(), "\n")
		for _, limit := range []string{
			"Symbols not found",       // a function of a library that is not given
			"not found for custom op", // an operation that the passes leave alone
		} {
			if strings.Contains(stderr.String(), limit) {
				return nil
			}
		}
		return problemf(kindNative, "the compiled program fails: %v: %s", err, message)
	}
	x.ran = true
	expected := append([]interp.Value{}, want.Values...)
	for i, v := range args {
		if ir.IsMemRef(v.Type) {
			expected = append(expected, want.Buffers[i])
		}
	}
	if d := differs(expected, strings.Fields(stdout.String())); d != "" {
		return problemf(kindNative, "the compiled program computes something else: %s", d)
	}
	return nil
}

// caller writes a function without arguments that calls @main and prints its results,
// and then the contents of the buffers among its arguments: in hexadecimal, element by
// element, one a line.
type caller struct {
	ctx   *ir.Context
	text  strings.Builder
	names int
}

const driverName = "freehold_driver"

func (d *caller) line(format string, args ...any) { fmt.Fprintf(&d.text, format+"\n", args...) }

func (d *caller) value(format string, args ...any) string {
	d.names++
	v := fmt.Sprintf("%%v%d", d.names)
	d.line("%s = %s", v, fmt.Sprintf(format, args...))
	return v
}

// program returns the module's text with the driver.
func (d *caller) program(module []byte, main *ir.Op, args, results []interp.Value) ([]byte, error) {
	m, _ := interfaces.Function.Of(main)
	t := m.Type(main)
	end := bytes.LastIndexByte(module, '}')
	if !bytes.Contains(module, []byte("module {\n")) || end < 0 || len(args) != len(t.Inputs) {
		return nil, errNotNative
	}
	d.line(`llvm.mlir.global internal constant @freehold_format("%%llx\0A\00")`)
	d.line("llvm.func @printf(!llvm.ptr, ...) -> i32")
	d.line("func.func @%s() {", driverName)
	var names, own, inputs, outputs []string
	for i, v := range args {
		from, name, err := d.argument(v, t.Inputs[i])
		if err != nil {
			return nil, err
		}
		names, own, inputs = append(names, name), append(own, from), append(inputs, t.Inputs[i].String())
	}
	for _, r := range t.Results {
		outputs = append(outputs, r.String())
	}
	call := fmt.Sprintf("func.call @main(%s) : (%s) -> (%s)", strings.Join(names, ", "), strings.Join(inputs, ", "), strings.Join(outputs, ", "))
	if len(outputs) == 0 {
		d.line("%s", call)
	} else {
		d.line("%%r:%d = %s", len(outputs), call)
	}
	for i, v := range results {
		if err := d.print(fmt.Sprintf("%%r#%d", i), t.Results[i], v); err != nil {
			return nil, err
		}
	}
	for i, v := range args {
		if ir.IsMemRef(v.Type) {
			if err := d.print(own[i], d.bufferType(v), v); err != nil {
				return nil, err
			}
		}
	}
	d.line("return\n}")
	return bytes.Join([][]byte{module[:end], []byte(d.text.String()), []byte("}\n")}, nil), nil
}

// bufferType is the type of a buffer of a value's sizes.
func (d *caller) bufferType(v interp.Value) ir.Type {
	return d.ctx.MemRefOf(v.Tensor.Sizes, ir.ElementType(v.Type), nil, nil)
}

// argument makes a value, as an argument of type t. own is the buffer before it is cast.
func (d *caller) argument(v interp.Value, t ir.Type) (own, arg string, err error) {
	if v.Tensor == nil {
		arg, err = d.number(t, v.Word)
		return arg, arg, err
	}
	if _, ok := bits(ir.ElementType(t)); !ok || !ir.IsMemRef(t) {
		return "", "", errNotNative
	}
	buffer := d.bufferType(v)
	own = d.value("memref.alloc() : %s", buffer)
	err = checked.Each(v.Tensor.Sizes, func(i int64, idx []int64) error {
		w, _ := v.Tensor.Word(i)
		x, err := d.number(v.Tensor.Elem.Type, w)
		if err == nil {
			d.line("memref.store %s, %s[%s] : %s", x, own, d.indices(idx), buffer)
		}
		return err
	})
	if buffer == t {
		return own, own, err
	}
	return own, d.value("memref.cast %s : %s to %s", own, buffer, t), err
}

func (d *caller) indices(idx []int64) string {
	list := make([]string, len(idx))
	for i, n := range idx {
		list[i] = d.value("arith.constant %d : index", n)
	}
	return strings.Join(list, ", ")
}

// bits returns the integer type that holds a number of type t, and whether there is one.
func bits(t ir.Type) (int, bool) {
	switch t := t.(type) {
	case *ir.IntegerType:
		return int(t.Width), t.Width <= 64 && t.Width > 0
	case *ir.FloatType:
		return int(t.Width), t.Width == 32 || t.Width == 64
	}
	return 64, t == ir.Type(ir.Index)
}

func (d *caller) number(t ir.Type, w uint64) (string, error) {
	width, ok := bits(t)
	if !ok {
		return "", errNotNative
	}
	switch f := t.(type) {
	case *ir.FloatType:
		n := math.Float64bits(checked.FloatOf(f, w))
		if width == 32 {
			n = uint64(math.Float32bits(float32(checked.FloatOf(f, w))))
		}
		x := d.value("arith.constant %d : i%d", checked.SignExtend(n, width), width)
		return d.value("arith.bitcast %s : i%d to %s", x, width, t), nil
	case *ir.IntegerType:
		if width == 1 {
			return d.value("arith.constant %t", w&1 == 1), nil
		}
	}
	return d.value("arith.constant %d : %s", checked.SignExtend(w, width), t), nil
}

// print prints the sizes and the elements of something of type t, of which v is known.
func (d *caller) print(name string, t ir.Type, v interp.Value) error {
	if v.Tensor == nil {
		return d.printNumber(name, t)
	}
	if !ir.IsMemRef(t) {
		return errNotNative
	}
	for i := range v.Tensor.Sizes {
		n := d.value("memref.dim %s, %s : %s", name, d.value("arith.constant %d : index", i), t)
		if err := d.printNumber(n, ir.Index); err != nil {
			return err
		}
	}
	return checked.Each(v.Tensor.Sizes, func(_ int64, idx []int64) error {
		x := d.value("memref.load %s[%s] : %s", name, d.indices(idx), t)
		return d.printNumber(x, ir.ElementType(t))
	})
}

func (d *caller) printNumber(x string, t ir.Type) error {
	width, ok := bits(t)
	if !ok {
		return errNotNative
	}
	switch t.(type) {
	case *ir.FloatType:
		x = d.value("arith.bitcast %s : %s to i%d", x, t, width)
	case *ir.IntegerType:
	default:
		x = d.value("arith.index_cast %s : index to i64", x)
	}
	if width < 64 {
		x = d.value("arith.extui %s : i%d to i64", x, width)
	}
	f := d.value("llvm.mlir.addressof @freehold_format : !llvm.ptr")
	d.value("llvm.call @printf(%s, %s) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32", f, x)
	return nil
}

// differs compares values with what a driver printed, and tells how they differ.
func differs(want []interp.Value, words []string) string {
	next := func() (uint64, bool) {
		if len(words) == 0 {
			return 0, false
		}
		w, err := strconv.ParseUint(words[0], 16, 64)
		words = words[1:]
		return w, err == nil
	}
	for i, v := range want {
		got := interp.Value{Type: v.Type}
		elem := v.Type
		if v.Tensor != nil {
			elem = v.Tensor.Elem.Type
			for k, n := range v.Tensor.Sizes {
				if w, ok := next(); !ok || int64(w) != n {
					return fmt.Sprintf("value %d: size %d is %d, not %d", i, k, w, n)
				}
			}
			got.Tensor = checked.NewTensor(v.Tensor.Elem, v.Tensor.Sizes, true)
			for k := range v.Tensor.Elements() {
				w, ok := next()
				if !ok {
					return fmt.Sprintf("value %d: element %d is missing", i, k)
				}
				got.Tensor.SetWord(k, encoded(elem, w))
			}
		} else if w, ok := next(); ok {
			got.Word = encoded(elem, w)
		} else {
			return fmt.Sprintf("value %d is missing", i)
		}
		if d := interp.Difference(v, got, interp.Tolerance{}); d != "" {
			return fmt.Sprintf("value %d: %s", i, d)
		}
	}
	if len(words) > 0 {
		return "it prints more"
	}
	return ""
}

// encoded returns the word of the package exec for the bits of a number.
func encoded(t ir.Type, w uint64) uint64 {
	switch t := t.(type) {
	case *ir.FloatType:
		if t.Width == 32 {
			return checked.FloatWord(t, float64(math.Float32frombits(uint32(w))))
		}
		return checked.FloatWord(t, math.Float64frombits(w))
	case *ir.IntegerType:
		return checked.Mask(w, int(t.Width))
	}
	return w
}
