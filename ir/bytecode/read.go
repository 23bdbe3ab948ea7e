package bytecode

import (
	"fmt"

	"freehold/ir"
	"freehold/ir/asm"
)

// Read reads a program, which is not verified, of a file with the given name. The builtin
// dialect must be registered in the context. Blobs among the resources are parts of src,
// which must not be changed afterwards. What is wrong is returned as an *[ir.Diagnostic]
// whose message says at which byte. It takes time and memory linear in the length of the
// file.
func Read(ctx *ir.Context, src []byte, name string, o asm.ParseOptions) (*asm.Document, error) {
	f := &file{ctx: ctx, src: src, name: name, files: map[int]*ir.FileLineColLoc{}}
	top := &ir.Block{}
	if err := f.read(top); err != nil {
		d := ir.Errorf(ir.FileLineCol(name, 0, 0), "%s", err.Error())
		if f.producer != "" {
			d.Notes = append(d.Notes, &ir.Diagnostic{Severity: ir.Note, Loc: d.Loc,
				Message: fmt.Sprintf("in bytecode version %d produced by: %s", f.version, f.producer)})
		}
		return nil, d
	}
	module, err := asm.Container(ctx, top, name, o)
	if err != nil {
		return nil, err
	}
	doc := &asm.Document{Module: module}
	if len(f.resources.Dialect)+len(f.resources.External) > 0 {
		doc.Resources = &f.resources
	}
	return doc, nil
}

// read reads the file's operations into a block.
func (f *file) read(top *ir.Block) *fault {
	for _, step := range []func() *fault{
		f.header, f.readStrings, f.readDialects, f.readEntries, f.readResources, f.readProperties,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return f.readTree(top)
}
