package interp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
)

// npy returns a file of NumPy.
func npy(descr, shape, fortran, data string) []byte {
	header := "{'descr': " + descr + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }"
	return []byte("\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header + data)
}

// Arrays of all kinds of numbers are read, whatever their order of bytes; of others is said what they are.
func TestReadNpy(t *testing.T) {
	c := ir.NewContext(dialect.All()...)
	for _, tt := range []struct {
		name, elem  string
		file        []byte
		text, wrong string
	}{
		{"big-endian", "f32", npy("'>f4'", "(2,)", "False", "\x3f\x80\x00\x00\xc0\x00\x00\x00"), "[1, -2]", ""},
		{"big-endian integers", "i16", npy("'>i2'", "(2,)", "False", "\x01\x00\xff\xfe"), "[256, -2]", ""},
		{"complex", "complex<f32>", npy("'<c8'", "(1,)", "False", "\x00\x00\x80\x3f\x00\x00\x00\xc0"), "[(1, -2)]", ""},
		{"complex, big-endian, of other width", "complex<f64>", npy("'>c8'", "(1,)", "False", "\x3f\x80\x00\x00\xc0\x00\x00\x00"), "[(1, -2)]", ""},
		{"bf16 of ml_dtypes", "bf16", npy("'<V2'", "(2,)", "False", "\x80\x3f\x00\xc0"), "[1, -2]", ""},
		{"bf16, without order", "bf16", npy("'|V2'", "()", "False", "\x80\x3f"), "1", ""},
		{"f8E5M2", "f8E5M2", npy("'|V1'", "(2,)", "False", "\x3c\xc0"), "[1, -2]", ""},
		{"f8E4M3FN", "f8E4M3FN", npy("'|V1'", "(1,)", "False", "\x38"), "[1]", ""},
		{"i4", "i4", npy("'|V1'", "(2,)", "False", "\x07\xf8"), "[7, -8]", ""},
		{"truth values", "i1", npy("'|b1'", "(3,)", "False", "\x00\x01\x02"), "[false, true, true]", ""},
		{"no dimension", "i32", npy("'<i4'", "()", "False", "\x05\x00\x00\x00"), "5", ""},
		{"no element", "i32", npy("'<i4'", "(0,)", "False", ""), "[]", ""},
		{"the first index first", "i8", npy("'|i1'", "(2, 3)", "True", "\x01\x02\x03\x04\x05\x06"), "[[1, 3, 5],\n [2, 4, 6]]", ""},
		{"what fits", "i8", npy("'<i8'", "(1,)", "False", "\x80\xff\xff\xff\xff\xff\xff\xff"), "[-128]", ""},
		{"what doesn't fit", "i8", npy("'<i8'", "(1,)", "False", "\x00\x01\x00\x00\x00\x00\x00\x00"), "", "element [0] of the array is no 'i8'"},
		{"structures", "f32", npy("[('a', '<f4'), ('b', '<i4')]", "(1,)", "False", "\x00\x00\x80\x3f\x00\x00\x00\x00"), "",
			"an array of structures ([('a', '<f4'), ('b', '<i4')]) has no elements of type 'f32'; save one field of it: a['name']"},
		{"objects", "f32", npy("'|O'", "(1,)", "False", "\x80\x02"), "", "an array of Python's objects (|O) has no elements of type 'f32'"},
		{"texts", "f32", npy("'<U3'", "(1,)", "False", "abcabcabcabc"), "", "an array of texts (<U3)"},
		{"dates", "i64", npy("'<M8[ns]'", "(1,)", "False", "\x00\x00\x00\x00\x00\x00\x00\x00"), "", "an array of dates (<M8[ns])"},
		{"long double", "f64", npy("'<f16'", "(1,)", "False", strings.Repeat("\x00", 16)), "", "save a.astype('float64')"},
		{"complex into real", "f32", npy("'<c8'", "(1,)", "False", strings.Repeat("\x00", 8)), "", "an array of complex numbers (<c8) has no elements of type 'f32'"},
		{"real into complex", "complex<f32>", npy("'<f4'", "(1,)", "False", strings.Repeat("\x00", 4)), "", "an array of floating-point numbers (<f4) has no elements of type 'complex<f32>'"},
		{"raw bytes into f32", "f32", npy("'|V4'", "(1,)", "False", strings.Repeat("\x00", 4)), "", "an array of raw bytes (|V4)"},
		{"cut off", "f32", npy("'<f4'", "(2,)", "False", "\x00\x00\x80\x3f"), "", "the file ends too early: an array of (2,) elements of 4 bytes is announced, and 4 bytes are there"},
		{"another format", "f32", []byte("\x89HDF\r\n\x1a\n0000000"), "", "npy format, but a file of HDF5"},
		{"a later version", "f32", []byte("\x93NUMPY\x04\x00\x00\x00\x00\x00"), "", "version 4 of the npy format is not known"},
	} {
		elem, err := asm.ParseType(c, tt.elem)
		if err != nil {
			t.Fatal(err)
		}
		got, err := interp.ReadNpy(tt.file, elem)
		switch {
		case err != nil && (tt.wrong == "" || !strings.Contains(err.Error(), tt.wrong)):
			t.Errorf("%s: %v", tt.name, err)
		case err == nil && tt.wrong != "":
			t.Errorf("%s is read", tt.name)
		case err == nil:
			if text := (interp.Value{Type: c.RankedTensor(got.Sizes, elem), Tensor: got}).Text(); text != tt.text {
				t.Errorf("%s: %s, not %s", tt.name, text, tt.text)
			}
		}
	}
}

// NumPy reads what is written, and what it writes is read.
func TestNumPy(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skip("there is no NumPy")
	}
	dir := t.TempDir()
	run := func(script string) string {
		t.Helper()
		command := exec.Command(python, "-c", "import numpy as np\n"+script)
		command.Dir = dir
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run(`from numpy.lib import format
np.save('c64', np.array([[1+2j, 3-4j]], dtype=np.complex64))
np.save('c128', np.array([1.5+2j]))
np.save('big', np.array([1, 2.5], dtype='>f8'))
np.save('fortran', np.asfortranarray(np.arange(6, dtype=np.int32).reshape(2, 3)))
np.save('zero', np.float32(2.5))
np.save('empty', np.zeros((2, 0), dtype=np.float32))
np.save('bool', np.array([True, False]))
np.save('bf16', (np.array([1, -2.5], dtype=np.float32).view(np.uint32) >> 16).astype(np.uint16).view(np.dtype('V2')))
np.save('f8', np.array([0x3c, 0xc0], dtype=np.uint8).view(np.dtype('V1')))
np.save('half', np.array([0.5], dtype=np.float16))
with open('two.npy', 'wb') as f: format.write_array(f, np.array([1, 2], dtype=np.int64), version=(2, 0))
with open('three.npy', 'wb') as f: format.write_array(f, np.array([1, 2], dtype=np.uint8), version=(3, 0))
`)
	c := ir.NewContext(dialect.All()...)
	for _, tt := range []struct{ file, elem, text, repr string }{
		{"c64", "complex<f32>", "[[(1, 2), (3, -4)]]", "array([[1.+2.j, 3.-4.j]], dtype=complex64)"},
		{"c128", "complex<f64>", "[(1.5, 2)]", "array([1.5+2.j])"},
		{"c64", "complex<bf16>", "[[(1, 2), (3, -4)]]", "array([[1.+2.j, 3.-4.j]], dtype=complex64)"},
		{"big", "f64", "[1, 2.5]", "array([1. , 2.5])"},
		{"fortran", "i32", "[[0, 1, 2],\n [3, 4, 5]]", "array([[0, 1, 2],\n       [3, 4, 5]], dtype=int32)"},
		{"zero", "f32", "2.5", "array(2.5, dtype=float32)"},
		{"empty", "f32", "[[], []]", "array([], shape=(2, 0), dtype=float32)"},
		{"bool", "i1", "[true, false]", "array([ True, False])"},
		{"bf16", "bf16", "[1, -2.5]", "array([ 1. , -2.5], dtype=float32)"},
		{"f8", "f8E5M2", "[1, -2]", "array([ 1., -2.], dtype=float32)"},
		{"half", "f16", "[0.5]", "array([0.5], dtype=float16)"},
		{"two", "index", "[1, 2]", "array([1, 2])"},
		{"three", "ui8", "[1, 2]", "array([1, 2], dtype=uint8)"},
	} {
		data, err := os.ReadFile(filepath.Join(dir, tt.file+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		elem, err := asm.ParseType(c, tt.elem)
		if err != nil {
			t.Fatal(err)
		}
		got, err := interp.ReadNpy(data, elem)
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
			continue
		}
		v := interp.Value{Type: c.RankedTensor(got.Sizes, elem), Tensor: got}
		if v.Text() != tt.text {
			t.Errorf("%s: %s, not %s", tt.file, v.Text(), tt.text)
		}
		out, err := interp.WriteNpy(v)
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "out.npy"), out, 0o666); err != nil {
			t.Fatal(err)
		}
		if repr := run("print(repr(np.load('out.npy')))"); repr != tt.repr {
			t.Errorf("%s: NumPy reads %s, not %s", tt.file, repr, tt.repr)
		}
	}
}
