package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"freehold/dialect/dlti"
	"freehold/exec/interp"
	"freehold/internal/fileio"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/emit/emitc"
)

// emitOptions are the flags of commands that write programs in another language.
type emitOptions struct {
	language string
	weights  string
	index    int
	lines    bool
}

func (o *emitOptions) declare(f *pflag.FlagSet) {
	f.StringVar(&o.language, "emit", "mlir", "`what` is written: mlir, or c for a C99 source, with the header beside it")
	f.StringVar(&o.weights, "weights", "", "with --emit=c, write large constants to this `file`")
	f.IntVar(&o.index, "index-bits", 0, "with --emit=c, the `width` of index: 32 or 64 (default as the program's data layout has it, or 64)")
	f.BoolVar(&o.lines, "lines", false, "with --emit=c, refer to the lines of the program by #line")
}

// check tells whether the flags go together.
func (o *emitOptions) check(output string) error {
	switch {
	case o.language != "mlir" && o.language != "c":
		return fmt.Errorf("--emit is mlir or c, not %q", o.language)
	case o.language == "c" && (output == "-" || !strings.HasSuffix(output, ".c")):
		return fmt.Errorf("--emit=c writes two files: -o names the one that ends with .c")
	case o.language != "c" && (o.weights != "" || o.lines || o.index != 0):
		return fmt.Errorf("--weights, --index-bits and --lines make sense only with --emit=c")
	case o.index != 0 && o.index != 32 && o.index != 64:
		return fmt.Errorf("--index-bits is 32 or 64, not %d", o.index)
	}
	if o.weights != "" {
		return fileio.Check(o.weights)
	}
	return nil
}

// largeWeight is from how many bytes on a constant goes to the file of weights.
const largeWeight = 1024

// emitC writes a program on buffers as C: the source to the given file, and the header beside it.
func emitC(s invocation, r *reporter, doc *asm.Document, o *emitOptions, contents interp.Options, output string) error {
	if at, bits := dlti.IndexBits(doc.Module); o.index == 0 && at != nil {
		if bits != 32 {
			r.ReportAll(at.PlainErrorf("index has %d bits by this data layout, but 32 or 64 in C; --index-bits says which", bits))
			return exitStatus(statusWrong)
		}
		o.index = int(bits)
	}
	e := emitc.Options{Name: strings.TrimSuffix(filepath.Base(output), ".c"), IndexBits: o.index, Lines: o.lines, Contents: contents.Contents}
	if p, ok := ir.SourcePos(doc.Module.Loc()); ok {
		e.Source = filepath.Base(p.File())
	}
	if o.weights != "" {
		e.Weights = largeWeight
	}
	unit, err := emitc.Prepare(doc.Module, e)
	if err != nil {
		r.ReportAll(withFlag(err))
		return exitStatus(statusWrong)
	}
	var header bytes.Buffer
	if err := unit.WriteHeader(&header); err != nil {
		return err
	}
	if err := fileio.Write(strings.TrimSuffix(output, ".c")+".h", header.Bytes(), s.Out); err != nil {
		return err
	}
	if o.weights != "" {
		if err := fileio.Stream(o.weights, unit.WriteWeights, s.Out); err != nil {
			return err
		}
	}
	return fileio.Stream(output, unit.WriteSource, s.Out)
}
