package emitc

import (
	"strings"

	"freehold/exec"
	"freehold/ir"
)

// Options say how a program is written.
type Options struct {
	// Name is that of the files, without an extension: the source includes Name.h, and names in the header begin with it. The empty
	// one stands for "model".
	Name string
	// Source is what the program comes from, for the comment at the beginning; it may be "".
	Source string
	// IndexBits is the width of index, 32 or 64; 0 stands for 64.
	IndexBits int
	// Lines asks for #line directives, so that debuggers and messages of the compiler show the program that the C code was made of.
	Lines bool
	// Weights, if positive, is from how many bytes on the contents of constants go to a file of their own, see [Unit.WriteWeights].
	Weights int64
	// Contents returns the contents of a constant of a type that has only a key for them, or an error. It may be nil: they are
	// nowhere then.
	Contents func(t ir.Type, key string) (*exec.Tensor, error)
	// Suffix is what the names of functions and globals end with. If it isn't empty, the source may be included by a file that includes others
	// with other suffixes.
	Suffix string
	// Only lists the functions that are written, with what they call, by their symbols; nil stands for all that are public.
	Only []string
}

// Unit is a program that is ready to be written.
type Unit struct {
	m         *module
	functions []Function
}

// Function describes a C function that a program has.
type Function struct {
	// Symbol is the name in the program, Name that in C.
	Symbol, Name string
	// Params and Results are the arguments and results, in order. Several results are returned as a structure of the type Returns with the
	// members r0, r1, …
	Params, Results []Slot
	Returns         string
}

// Slot is an argument or a result of a C function.
type Slot struct {
	Type ir.Type
	// C is the C type.
	C string
	// Plain tells that a memref is a plain pointer to its first element, in row-major order, and not a descriptor.
	Plain bool
	// Element is the C type of the elements of a memref.
	Element string
}

// Prepare finds out how a verified module on buffers is written in C. The error has a position for everything that can't be
// expressed. It takes linear time and memory; the contents of constants are looked at when they are written.
func Prepare(root *ir.Op, o Options) (*Unit, error) {
	if o.Name == "" {
		o.Name = "model"
	}
	if o.IndexBits == 0 {
		o.IndexBits = 64
	}
	m := newModule(root, o)
	if err := m.prepare(); err != nil {
		return nil, err
	}
	return &Unit{m: m, functions: m.described()}, nil
}

// External lists the functions that the program calls and others define.
func (u *Unit) External() (out []Function) {
	for _, f := range u.m.external {
		out = append(out, f.Function)
	}
	return out
}

// Function returns what the function with a symbol became, and whether there is one.
func (u *Unit) Function(symbol string) (Function, bool) {
	for _, f := range u.functions {
		if f.Symbol == symbol {
			return f, true
		}
	}
	return Function{}, false
}

// NeedsAllocator tells whether the program allocates memory when it runs, and so needs malloc.
func (u *Unit) NeedsAllocator() bool { return u.m.helpers.has("fh_alloc") }

// deallocator returns the name of the function by which whoever calls the program frees what it returns, or "".
func (m *module) deallocator() string {
	if m.o.Suffix != "" || !m.helpers.has("fh_alloc") {
		return ""
	}
	for _, f := range m.functions {
		for _, r := range f.Results {
			if m.inHeader(f) && ir.IsMemRef(r.Type) {
				return m.freeName()
			}
		}
	}
	return ""
}

func (m *module) freeName() string { return identifier(m.o.Name) + "_free" }

// Allocator is the definition of fh_alloc, for whoever calls functions that free their arguments in a program that doesn't allocate.
func Allocator() string { return fixed["fh_alloc"].text + "\n" }

// Deallocator is the definition of a function with the given name that frees what fh_alloc allocates.
func Deallocator(name string) string {
	return strings.NewReplacer("fh_free", name, "static void", "static inline void").Replace(fixed["fh_free"].text) + "\n"
}

// HasWeights tells whether there is a file of weights.
func (u *Unit) HasWeights() bool { return u.m.globals.size > 0 }

// UsesLibrary tells whether the program calls functions of C's library that are not exact, such as exp: their results may differ in the last
// place from those of package exec.
func (u *Unit) UsesLibrary() bool { return u.m.library }
