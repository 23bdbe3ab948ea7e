package foreign

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files are known by how they begin, and programs aren't taken for any.
func TestOf(t *testing.T) {
	for _, tt := range []struct{ data, want string }{
		{"PK\x03\x04\x00\x00\x08\x08\x00\x00archive/data.pkl", "a model of PyTorch"},
		{"PK\x03\x04\x14\x00metadata.json{}", "a model of Keras"},
		{"PK\x03\x04\x14\x00arr_0.npy\x93NUMPY", "npz"},
		{"PK\x03\x04 a.txt", "a zip archive; unpack it first: unzip"},
		{"\x1c\x00\x00\x00TFL3\x14\x00", "TensorFlow Lite; it is read as a program"},
		{"\x08\x01\x12\xa0\x1f\x0a\x20\x2a\x05serve", "a SavedModel"},
		{"\x08\x07\x12\x07pytorch\x1a\x031.9", "a model in ONNX"},
		{"\x08\x0a\x3a\xff\x01", "a model in ONNX"},
		{"\x08\x03\x12\x00\x3a\x05", "a model in ONNX"},
		{"\x24\x00\x00\x00ORTM", "a model of ONNX Runtime; it was made of a model in ONNX"},
		{"<?xml version=\"1.0\"?>\n<net name=\"m\">", "a model of OpenVINO"},
		{"PK\x03\x04\x00\x00serialized_exported_program.json", "a model of PyTorch"},
		{"\x0a\x14\x0a\x01x\x12\x0bPlaceholder", "GraphDef"},
		{"\x1c\x00\x00\x00 main ML\xefR\x0dStableHLO_v1.9.5\x00", "a function that jax.export has serialized; jax.export.deserialize(bytearray(open(file, \"rb\").read())).mlir_module_serialized is a program in MLIR's bytecode"},
		{"\x1f\x8b\x08\x00", "gzip; unpack it first: gunzip"},
		{"BZh91AY&SY", "bzip2"},
		{"\xfd7zXZ\x00", "xz"},
		{"\x28\xb5\x2f\xfd", "zstd"},
		{strings.Repeat("\x00", 257) + "ustar", "tar"},
		{"\xff\xfe\x00\x00m", "UTF-32"},
		{"\xff\xfem\x00o\x00", "UTF-16; iconv -f UTF-16 -t UTF-8"},
		{"\xfe\xff\x00m\x00o", "UTF-16"},
		{"\xef\xbb\xbfmodule {}", "byte order mark"},
		{"BC\xc0\xde5\x14", "LLVM's bitcode; llvm-dis"},
		{"; ModuleID = 'x'", "LLVM IR"},
		{"define i32 @f() {", "LLVM IR; mlir-translate"},
		{"target triple = \"x\"", "LLVM IR"},
		{"HloModule jit_f", "HLO"},
		{"\x03\x02\x23\x07", "SPIR-V"},
		{"\x7fELF\x02\x01", "an ELF file"},
		{"!<arch>\n", "ar"},
		{"GGUF\x03\x00", "GGUF"},
		{"\x40\x00\x00\x00\x00\x00\x00\x00{\"w\":{}}", "safetensors"},
		{"\x93NUMPY\x01\x00", "NumPy (npy)"},
		{"\x89HDF\r\n\x1a\n", "HDF5"},
		{"\x80\x02}q\x00", "a pickle"},
		{"%PDF-1.7", "a PDF document"},
		{"\x89PNG\r\n\x1a\n", "PNG"},
		{"<!DOCTYPE html>\n", "a page of the web"},
		{"#!/usr/bin/env python3\nimport jax.numpy as jnp\n", "a program in Python; export the model that it makes: in JAX, jax.export"},
		{"\"\"\"A model.\"\"\"\nfrom torch import nn\n", "torch_mlir.fx.export_and_import"},
		{"// A program.\n#include <stdio.h>\n", "a source in C or C++"},
		{"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"},
	} {
		f := Of([]byte(tt.data))
		if f == nil || !strings.Contains(f.String(), tt.want) {
			t.Errorf("%q is %v, not %s", tt.data, f, tt.want)
		}
	}
	for _, data := range []string{"", "P", "module {}", "func.func @f() { return }", "\n\n%0 = \"x\"() : () -> i32", "// MZ", "MZ", "\x08", "\x08\x07", "\x0a", "\x0a\x0a",
		"\x08\x07\x12\x7f", "ML\xefR\x0dMLIR19", "{\"a\": 1}", "BZ", "important\n", "  import x\n", "from here on\n"} {
		if f := Of([]byte(data)); f != nil {
			t.Errorf("%q is taken for %s", data, f)
		}
	}
}

// Data is told from text in any language, whatever is wrong with it here or there.
func TestIsData(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "func.func @f() {\n\treturn\r\n}": false, "// größer als ein Tensor, 张量": false, "func.func @f() \x01 { return }": false,
		"F \xe91q\x1f\x1d\xe6\xe1\x0cd": true, "\x00\x00\x01\x00": true, strings.Repeat("ä", 300): false, strings.Repeat("\xff", 600): true,
	} {
		if IsData([]byte(text)) != want {
			t.Errorf("%q: that it is data is %v", text, !want)
		}
	}
}

// Models that are folders are known by a file in them.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	if f := Folder(dir); f != nil {
		t.Errorf("an empty folder is %s", f)
	}
	if err := os.WriteFile(filepath.Join(dir, "saved_model.pb"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if f := Folder(dir); f == nil || !strings.Contains(f.String(), "a SavedModel of TensorFlow; tf.lite.TFLiteConverter.from_saved_model(folder)") {
		t.Errorf("a SavedModel is %v", f)
	}
}

// The first dialect of another project is found where it is used, and not in comments, names or dialects that are known.
func TestDialectIn(t *testing.T) {
	known := func(name string) bool { return name == "func" || name == "hw" }
	for _, tt := range []struct {
		text, want   string
		line, column int
	}{
		{"func.func @f(%a: !torch.vtensor<[2],f32>) {", "torch-mlir-opt --torch-backend", 1, 19},
		{"// torch.x\n  %0 = \"onnx.Relu\"(%a)", "of onnx-mlir", 2, 9},
		{"  %0 = tfl.add %a, %b", "makes a .tflite of it", 1, 8},
		{"#ttir.x", "of tt-mlir", 1, 2},
		{"async.execute {", "mlir-opt --async-func-to-async-runtime", 1, 1},
		{"omp.parallel {", "scf.parallel and scf.for are read", 1, 1},
		{"spirv.module Logical GLSL450 {", "of MLIR, which isn't known here; give freehold the program before", 1, 1},
		{"emitc.func @f() {", "mlir-translate --mlir-to-cpp writes", 1, 1},
		{"pdl.pattern : benefit(1) {", "it says how programs are rewritten", 1, 1},
		{"%0 = arm_sve.sdot %a, %b", "leave out the passes that choose", 1, 6},
		{"%0 = ckks.add %a, %b", "heir-opt --secret-forget-secrets leaves the encryption out, before", 1, 6},
		{"aie.device(npu1) {", "of MLIR-AIE", 1, 1},
		{"toy.print %0 : tensor<2xf64>", "toyc -emit=mlir-affine", 1, 1},
		{"%0 = quake.alloca !quake.ref", "a quantum circuit", 1, 6},
		{"mesh.mesh @m(shape = 2)", "it is for several devices", 1, 1},
		{"module attributes {\"polygeist.target-cpu\" = \"x86-64\"} {\n  \"polygeist.subindex\"(%a)", "of Polygeist", 2, 4},
		{"module attributes {\"polygeist.target-cpu\" = \"x86-64\"} {", "", 0, 0},
		{"%tt.x = hw.constant 1\nfunc.func @torch.x() loc(\"torch\")", "", 0, 0},
	} {
		d := DialectIn([]byte(tt.text), known)
		switch {
		case d == nil && tt.want == "":
		case d == nil || tt.want == "":
			t.Errorf("in %q there is %v", tt.text, d)
		case !strings.Contains(d.String(), tt.want) || d.Line != tt.line || d.Column != tt.column:
			t.Errorf("of %q is said %s, at %d:%d", tt.text, d, d.Line, d.Column)
		}
	}
}

// Whatever a file is, what is said of it is a place in it.
func FuzzOf(f *testing.F) {
	for _, seed := range []string{"PK\x03\x04archive/data.pkl", "\x08\x07\x12\x07pytorch", "\x0a\x14\x0a\x01x\x12\x0bPlaceholder", "\x08\x01\x12serve", "  %0 = tfl.add %a // x\n#ttir.x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if format := Of(data); format != nil && format.What == "" {
			t.Error("a format has no name")
		}
		d := DialectIn(data, func(name string) bool { return name == "func" })
		if d == nil {
			return
		}
		rows := bytes.SplitAfter(data, []byte("\n"))
		if d.Line < 1 || d.Line > len(rows) || d.Column < 1 || !bytes.HasPrefix(rows[d.Line-1][d.Column-1:], []byte(d.Name)) {
			t.Errorf("%q isn't at %d:%d of %q", d.Name, d.Line, d.Column, data)
		}
	})
}
