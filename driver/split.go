package driver

import (
	"bytes"
	"fmt"

	"freehold/ir"
	"freehold/ir/bytecode"
	"freehold/transform/import/tflite/model"
)

// piece is one part of a split input.
type piece struct {
	src  []byte
	name string
	// before is how many lines of the input come before it, where lines are counted from there.
	before int
}

// placed returns the piece with so many empty lines before it as there are others in the input, so that positions are those of the input. It is made when the piece is
// read, as there may be many pieces.
func (p piece) placed() piece {
	if p.before > 0 {
		p.src, p.before = append(bytes.Repeat([]byte("\n"), p.before), p.src...), 0
	}
	return p
}

// markerTail is how many characters may miss at the end of what was probably meant
// to be a split marker.
const markerTail = 2

// placesInFile is the version of LLVM since which positions in pieces are those in the whole input.
const placesInFile = 22

// splitInput cuts the input at every marker, and leaves out pieces without a single
// character. The names of the pieces say where in the input they start, but for a version of LLVM that counts lines from the start of the input. It warns
// of what looks like a marker, but isn't quite one. Bytecode and models of TensorFlow Lite are never cut.
func splitInput(src []byte, name, marker string, llvm int) (pieces []piece, warnings []*ir.Diagnostic) {
	if marker == "" || bytecode.Is(src) || model.Is(src) {
		return []piece{{src: src, name: name}}, nil
	}
	prefix := []byte(marker)
	if len(marker) > markerTail {
		prefix = prefix[:len(marker)-markerTail]
	}
	line := 1
	add := func(p []byte) {
		switch lines := bytes.Count(p, []byte("\n")); {
		case len(p) == 0:
		case llvm >= placesInFile:
			pieces = append(pieces, piece{src: p, name: name, before: line - 1})
			line += lines
		default:
			pieces = append(pieces, piece{src: p, name: fmt.Sprintf("within split at %s:%d offset ", name, line)})
			line += lines
		}
	}
	for from := 0; ; {
		n := bytes.Index(src[from:], prefix)
		if n < 0 {
			add(src)
			return pieces, warnings
		}
		n += from
		if bytes.HasPrefix(src[n:], []byte(marker)) {
			add(src[:n])
			src, from = src[n+len(marker):], 0
			continue
		}
		from = n + len(prefix)
		start := bytes.LastIndexByte(src[:from], '\n') + 1
		at := ir.FileLineCol(name, uint32(line+bytes.Count(src[:from], []byte("\n"))), uint32(from-start+1))
		warnings = append(warnings, &ir.Diagnostic{Severity: ir.Warning, Loc: at, Message: "near miss with file split marker"})
	}
}
