package bytecode

import (
	"fmt"
	"runtime"

	"freehold/ir"
	"freehold/ir/asm"
)

// Read reads a program, which is not verified, of a file with the given name. The builtin
// dialect must be registered in the context. Blobs among the resources are parts of src,
// which must not be changed afterwards. What is wrong is returned as an *[ir.Diagnostic]
// whose message says at which byte. It takes time and memory linear in the length of the
// file. Neither the program nor what is wrong depends on the number of threads.
func Read(ctx *ir.Context, src []byte, name string, o asm.ParseOptions) (*asm.Document, error) {
	return readSplit(ctx, src, name, o, minSplit)
}

// readSplit is Read, with several goroutines if operations take that many bytes.
func readSplit(ctx *ir.Context, src []byte, name string, o asm.ParseOptions, least int) (*asm.Document, error) {
	f := &file{ctx: ctx, src: src}
	threads := o.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	top, err := f.read(threads, least)
	if o.Evidence != nil && f.llvm > ir.DefinedBy {
		*o.Evidence = asm.Evidence{Since: f.llvm, Until: f.llvm, What: f.producer, Loc: ir.FileLineCol(name, 0, 0)}
	}
	if err != nil {
		d := ir.Errorf(ir.FileLineCol(name, 0, 0), "%s", err.Error())
		if f.producer != "" {
			d.Notes = append(d.Notes, &ir.Diagnostic{Severity: ir.Note, Loc: d.Loc,
				Message: fmt.Sprintf("in bytecode version %d produced by: %s", f.version, f.producer)})
		}
		return nil, d
	}
	module, failed := asm.Container(ctx, top, name, o)
	if failed != nil {
		return nil, failed
	}
	for _, d := range f.dialects {
		if convert, ok := Stored.OfDialect(ctx.Dialect(d.name)); ok {
			if err := convert(module); err != nil {
				return nil, ir.Errorf(ir.FileLineCol(name, 0, 0), "%s", err)
			}
		}
	}
	doc := &asm.Document{Module: module}
	if len(f.resources.Dialect)+len(f.resources.External) > 0 {
		doc.Resources = &f.resources
	}
	return doc, nil
}

// read reads the file's operations into a block, with that many goroutines if operations take
// at least so many bytes.
func (f *file) read(threads, least int) (*ir.Block, *fault) {
	for _, step := range []func() *fault{
		f.header, f.readStrings, f.readDialects, f.readEntries, f.readResources, f.readProperties,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	top := &ir.Block{}
	if threads > 1 && f.version >= lazyRegions && f.sections[irSection].left() >= least {
		if f.readTreeAhead(top, threads) {
			return top, nil
		}
		f.forget()
		top = &ir.Block{}
	}
	return top, f.readTree(top)
}

// forget makes all attributes, types and properties unread: which ones were read before must not
// matter for what is wrong.
func (f *file) forget() {
	f.attrs.forget()
	f.types.forget()
	for i := range f.properties {
		f.properties[i].last.Store(nil)
	}
}
