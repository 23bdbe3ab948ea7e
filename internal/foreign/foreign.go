// Package foreign knows files of other formats by how they begin, so that who gives one to a command that reads
// programs is told what it is, and what makes a program of it.
package foreign

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"unicode"
	"unicode/utf8"

	"freehold/internal/lazyregexp"
)

// Format is a format of files that are no programs.
type Format struct {
	// What names a file of the format, Help says what makes of it what can be read. Help may be empty.
	What, Help string
	begins     string                  // what such files begin with, from the byte at on
	at         int                     // 0 for most
	more       func(begin []byte) bool // what else must hold; may be nil
}

// looked is how many bytes of a file are looked at.
const looked = 64 << 10

const (
	toText      = "write the program as text or as MLIR's bytecode"
	unpack      = "unpack it first: "
	fromPyTorch = "torch-mlir makes MLIR of a model: torch_mlir.fx.export_and_import(model, inputs, output_type=\"linalg-on-tensors\")"
	fromONNX    = "torch-mlir-import-onnx model.onnx -o model.mlir makes MLIR of it, of which torch-mlir-opt --torch-onnx-to-torch-backend-pipeline --torch-backend-to-linalg-on-tensors-backend-pipeline makes linalg"
	fromTF      = "tf.lite.TFLiteConverter.from_saved_model(folder).convert() makes a .tflite of the folder that it is in, which is read; tf-mlir-translate --savedmodel-objectgraph-to-mlir and tf-opt --tf-to-tosa-pipeline make TOSA of it"
	weights     = "it holds numbers, and no program"
)

// formats are tried from the first to the last.
var formats = []Format{
	{What: "a pointer of Git LFS, not the file itself", Help: "git lfs pull gets it", begins: "version https://git-lfs.github.com/spec/"},
	{What: "a model of PyTorch (a zip archive)", Help: fromPyTorch, begins: "PK\x03\x04", more: hasAny("/data.pkl", "serialized_exported_program.json", "/models/model.json", "/archive_format", "/constants.pkl")},
	{What: "a model of Keras (a zip archive)", Help: "tf.lite.TFLiteConverter.from_keras_model(model).convert() makes a .tflite of it, which is read", begins: "PK\x03\x04", more: hasAny("model.weights.h5", "metadata.json")},
	{What: "an archive of NumPy's arrays (npz)", Help: weights, begins: "PK\x03\x04", more: has(".npy")},
	{What: "a zip archive", Help: unpack + "unzip", begins: "PK\x03\x04"},
	{What: "a model of TensorFlow Lite", Help: "it is read as a program, and holds no argument", at: 4, begins: "TFL3"},
	{What: "a flatbuffer of TOSA", Help: "mlir-translate with TOSA's serialization library makes MLIR of it", at: 4, begins: "TOSA"},
	{What: "a SavedModel of TensorFlow", Help: fromTF, begins: "\x08\x01\x12", more: has("serve")},
	{What: "a model of ONNX Runtime", Help: "it was made of a model in ONNX: " + fromONNX, at: 4, begins: "ORTM"},
	{What: "a model in ONNX", Help: fromONNX, begins: "\x08", more: isONNX},
	{What: "a graph of TensorFlow (GraphDef)", Help: "tf-mlir-translate --graphdef-to-mlir makes MLIR of it, of which tf-opt --tf-executor-to-functional-conversion --tf-to-tosa-pipeline makes TOSA", begins: "\x0a", more: isGraphDef},
	{What: "a model of OpenVINO", Help: "the model in ONNX, PyTorch or TensorFlow that it was made of can become a program: " + fromPyTorch, begins: "<?xml", more: has("<net ")},
	{What: "compressed by gzip", Help: unpack + "gunzip, or zcat FILE | freehold COMMAND -", begins: "\x1f\x8b"},
	{What: "compressed by bzip2", Help: unpack + "bunzip2", begins: "BZh", more: func(b []byte) bool { return len(b) > 9 && string(b[4:10]) == "1AY&SY" }},
	{What: "compressed by xz", Help: unpack + "unxz", begins: "\xfd7zXZ\x00"},
	{What: "compressed by zstd", Help: unpack + "unzstd", begins: "\x28\xb5\x2f\xfd"},
	{What: "an archive of 7-Zip", Help: unpack + "7z x", begins: "7z\xbc\xaf\x27\x1c"},
	{What: "an archive of tar", Help: unpack + "tar xf", at: 257, begins: "ustar"},
	{What: "text in UTF-32", Help: "iconv -f UTF-32 -t UTF-8 makes UTF-8 of it", begins: "\xff\xfe\x00\x00"},
	{What: "text in UTF-32", Help: "iconv -f UTF-32 -t UTF-8 makes UTF-8 of it", begins: "\x00\x00\xfe\xff"},
	{What: "text in UTF-16", Help: "iconv -f UTF-16 -t UTF-8 makes UTF-8 of it", begins: "\xff\xfe"},
	{What: "text in UTF-16", Help: "iconv -f UTF-16 -t UTF-8 makes UTF-8 of it", begins: "\xfe\xff"},
	{What: "text that begins with a byte order mark", Help: "tail -c +4 leaves it out", begins: "\xef\xbb\xbf"},
	{What: "LLVM's bitcode", Help: "llvm-dis makes LLVM IR of it, and mlir-translate --import-llvm MLIR of that", begins: "BC\xc0\xde"},
	{What: "LLVM's bitcode", Help: "llvm-dis makes LLVM IR of it, and mlir-translate --import-llvm MLIR of that", begins: "\xde\xc0\x17\x0b"},
	{What: "LLVM IR", Help: "mlir-translate --import-llvm makes MLIR of it", begins: "; ModuleID"},
	{What: "LLVM IR", Help: "mlir-translate --import-llvm makes MLIR of it", begins: "source_filename ="},
	{What: "LLVM IR", Help: "mlir-translate --import-llvm makes MLIR of it", begins: "define "},
	{What: "LLVM IR", Help: "mlir-translate --import-llvm makes MLIR of it", begins: "target "},
	{What: "a program in HLO", Help: "xla-translate --hlo-text-to-mlir-hlo makes MLIR of it", begins: "HloModule "},
	{What: "a module of SPIR-V", Help: "mlir-translate --deserialize-spirv makes MLIR of it", begins: "\x03\x02\x23\x07"},
	{What: "a module of WebAssembly", begins: "\x00asm"},
	{What: "an ELF file (a program or object of the machine)", Help: toText, begins: "\x7fELF"},
	{What: "a Mach-O file (a program or object of the machine)", Help: toText, begins: "\xcf\xfa\xed\xfe"},
	{What: "a Mach-O file (a program or object of the machine)", Help: toText, begins: "\xca\xfe\xba\xbe"},
	{What: "a program for Windows", Help: toText, begins: "MZ", more: func(b []byte) bool { return len(b) > 64 && bytes.Contains(b, []byte("PE\x00\x00")) }},
	{What: "an archive of objects (ar)", Help: toText, begins: "!<arch>\n"},
	{What: "a model in GGUF", Help: weights + "; " + fromPyTorch + ", where the model is one in PyTorch", begins: "GGUF"},
	{What: "a file of safetensors", Help: weights, begins: "", more: isSafetensors},
	{What: "an array of NumPy (npy)", Help: weights + "; freehold run takes it as an argument: @file.npy", begins: "\x93NUMPY"},
	{What: "a file of HDF5", Help: weights + ", unless it is a model of Keras: model.export() makes a SavedModel of that", begins: "\x89HDF\r\n\x1a\n"},
	{What: "a pickle of Python, perhaps a model of PyTorch", Help: fromPyTorch, begins: "\x80", more: func(b []byte) bool { return len(b) > 2 && b[1] >= 2 && b[1] <= 5 }},
	{What: "a function that jax.export has serialized", Help: "jax.export.deserialize(bytearray(open(file, \"rb\").read())).mlir_module_serialized is a program in MLIR's bytecode", begins: "", more: isExported},
	{What: "a PDF document", begins: "%PDF-"},
	{What: "an image (PNG)", begins: "\x89PNG\r\n\x1a\n"},
	{What: "an image (JPEG)", begins: "\xff\xd8\xff"},
	{What: "a program in Python", Help: "export the model that it makes: in JAX, jax.export.export(jax.jit(f))(*arguments).mlir_module() is a program; in PyTorch, " + fromPyTorch, begins: "", more: isPython},
	{What: "a source in C or C++", Help: toText, begins: "", more: isC},
	{What: "a page of the web", Help: "the address of the file itself, not of the page that shows it, gets the program", begins: "<", more: isHTML},
}

// Of returns the format of a file that begins so, or nil if it isn't known. A program in MLIR may happen to begin as
// files of some formats do, so it is to be asked about what can't be read only.
func Of(data []byte) *Format {
	begin := data[:min(len(data), looked)]
	for i := range formats {
		f := &formats[i]
		if len(begin) >= f.at && bytes.HasPrefix(begin[f.at:], []byte(f.begins)) && (f.more == nil || f.more(begin)) {
			return f
		}
	}
	return nil
}

// IsData tells whether a file is no text: one byte in sixteen is a control character, or nothing that UTF-8 has, where it begins.
func IsData(data []byte) bool {
	begin := data[:min(len(data), 512)]
	odd, n := 0, 0
	for len(begin) > 0 {
		r, size := utf8.DecodeRune(begin)
		if r == utf8.RuneError && size == 1 && (len(begin) >= utf8.UTFMax || len(data) <= 512) || unicode.IsControl(r) && !unicode.IsSpace(r) {
			odd++
		}
		n, begin = n+1, begin[size:]
	}
	return 16*odd > n
}

// folders are formats of models that are folders, by a file in them.
var folders = []struct {
	file string
	Format
}{
	{"saved_model.pb", Format{What: "a SavedModel of TensorFlow", Help: fromTF}},
	{"Manifest.json", Format{What: "a package of Core ML", Help: "the model in PyTorch or TensorFlow that it was made of can become a program: " + fromPyTorch}},
}

// Folder returns the format of the model that a folder is, or nil if it isn't known.
func Folder(path string) *Format {
	for i := range folders {
		if info, err := os.Stat(filepath.Join(path, folders[i].file)); err == nil && info.Mode().IsRegular() {
			return &folders[i].Format
		}
	}
	return nil
}

// isExported tells whether data has a portable artifact of StableHLO, and isn't one.
func isExported(data []byte) bool {
	at := bytes.Index(data, []byte(bytecode))
	return at > 0 && len(data) > at+len(bytecode) && bytes.HasPrefix(data[at+len(bytecode)+1:], []byte("StableHLO_v"))
}

// bytecode is what MLIR's bytecode begins with, before its version, which is a byte, and its producer.
const bytecode = "ML\xefR"

// String returns what is said about a file of the format.
func (f *Format) String() string {
	if f.Help == "" {
		return f.What
	}
	return f.What + "; " + f.Help
}

// isC tells whether a header is included at the start of a line.
func isC(b []byte) bool { return include().Match(b) }

var include = lazyregexp.New(`(?m)^#include *[<"]`)

// isPython tells whether there is an import of Python's at the start of a line.
func isPython(b []byte) bool { return pythonImport().Match(b) }

var pythonImport = lazyregexp.New(`(?m)^(?:import [a-z_][\w.]*(?:$|[ ,\r])|from [a-z_][\w.]* import )`)

func has(text string) func(begin []byte) bool { return hasAny(text) }

func hasAny(texts ...string) func(begin []byte) bool {
	return func(begin []byte) bool {
		for _, t := range texts {
			if bytes.Contains(begin, []byte(t)) {
				return true
			}
		}
		return false
	}
}

// isONNX tells whether a message of protocol buffers begins as ModelProto does: with the version of the format, a small
// number, and then the producer's name, or whatever else such a model has, in one of its few fields.
func isONNX(b []byte) bool {
	if len(b) < 4 || b[1] < 1 || b[1] > 30 {
		return false
	}
	switch b[2] {
	case 0x12, 0x1a, 0x22: // producer_name, producer_version, domain
		n := int(b[3])
		return n < 128 && len(b) > 4+n && (n == 0 || printable(b[4:4+n]))
	case 0x3a, 0x42: // graph, opset_import
		return true
	}
	return false
}

// isGraphDef tells whether a message begins with a node that has a name and an operation.
func isGraphDef(b []byte) bool {
	_, n := binary.Uvarint(b[1:])
	if n <= 0 || len(b) < n+4 {
		return false
	}
	node := b[1+n:]
	size := int(node[1])
	if node[0] != 0x0a || size > 127 || len(node) < size+4 || !printable(node[2:2+size]) {
		return false
	}
	op := node[2+size:]
	return op[0] == 0x12 && op[1] < 128 && len(op) >= 2+int(op[1]) && printable(op[2:2+int(op[1])])
}

// isSafetensors tells whether a file begins with the size of a header, and the header in JSON.
func isSafetensors(b []byte) bool {
	return len(b) > 10 && binary.LittleEndian.Uint64(b) < 1<<27 && b[8] == '{' && (b[9] == '"' || b[9] == '}')
}

func isHTML(b []byte) bool {
	start := bytes.ToLower(b[:min(len(b), 64)])
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
}

func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return len(b) > 0
}
