package emitc

import (
	"fmt"
	"strconv"
	"strings"

	"freehold/ir"
)

// typeTable has the C types of a program: those that need a definition, in an order in which each comes after what it is made of.
type typeTable struct {
	m       *module
	defined map[string]bool
	text    []string
}

func newTypeTable(m *module) *typeTable { return &typeTable{m: m, defined: map[string]bool{}} }

// define adds the definition of a type, once. Headers of several programs may have the same ones.
func (t *typeTable) define(name, text string) {
	if t.defined[name] {
		return
	}
	t.defined[name] = true
	guard := strings.ToUpper(name) + "_DEFINED"
	t.text = append(t.text, fmt.Sprintf("#ifndef %s\n#define %s\n%s\n#endif\n", guard, guard, text))
}

// of returns the C type of values of a type.
func (t *typeTable) of(typ ir.Type) (string, error) {
	switch typ := typ.(type) {
	case *ir.IntegerType:
		switch {
		case typ.Width <= 64:
			return "uint" + strconv.Itoa(storageBits(typ.Width)) + "_t", nil
		case typ.Width <= 128:
			t.define("fh_u128", "__extension__ typedef __int128 fh_i128;\n__extension__ typedef unsigned __int128 fh_u128;")
			return "fh_u128", nil
		}
		return "", fmt.Errorf("there is no C type for integers of %d bits", typ.Width)
	case *ir.IndexType:
		return t.index(), nil
	case *ir.FloatType:
		switch {
		case typ == ir.F32:
			return "float", nil
		case typ == ir.F64:
			return "double", nil
		case typ.Width <= 32:
			return "uint" + strconv.Itoa(storageBits(typ.Width)) + "_t", nil
		}
		return "", fmt.Errorf("there is no portable C type for '%s'", typ)
	case *ir.ComplexType:
		return t.complex(typ)
	case *ir.VectorType:
		return t.vector(typ)
	case *ir.MemRefType:
		if t.isPlain(typ) {
			elem, err := t.of(typ.Elem)
			return pointerTo(elem), err
		}
		return t.descriptor(typ)
	case *ir.UnrankedMemRefType:
		return t.unranked(), nil
	case *ir.FunctionType:
		return t.function(typ)
	}
	switch {
	case isSize(typ):
		return t.index(), nil
	case ir.IsDialectType(typ, "shape", "witness"):
		return "uint8_t", nil
	case ir.IsDialectType(typ, "shape", "shape"):
		return t.m.shapeType(), nil
	case ir.IsDialectType(typ, "llvm", "ptr"):
		return "void *", nil // only handed on
	}
	if ir.IsTensor(typ) {
		return "", fmt.Errorf("'%s' is no buffer; freehold compile makes buffers of tensors", typ)
	}
	return "", fmt.Errorf("there is no C type for '%s'", typ)
}

// index returns the C type of index.
func (t *typeTable) index() string { return "int" + strconv.Itoa(t.m.o.IndexBits) + "_t" }

// unsignedIndex returns the unsigned C type of the size of index.
func (t *typeTable) unsignedIndex() string { return "u" + t.index() }

// storageBits returns how many bits of memory a number of a width takes.
func storageBits(width int) int {
	bits := 8
	for bits < width {
		bits *= 2
	}
	return bits
}

// short returns a word for a type that is part of the name of others.
func (t *typeTable) short(typ ir.Type) string {
	switch typ := typ.(type) {
	case *ir.ComplexType:
		return "complex_" + t.short(typ.Elem)
	case *ir.VectorType:
		s := "v"
		for i, n := range typ.Shape {
			if i > 0 {
				s += "x"
			}
			s += strconv.FormatInt(n, 10)
		}
		return s + t.short(typ.Elem)
	case *ir.MemRefType:
		if t.isPlain(typ) {
			return "ptr_" + t.short(typ.Elem)
		}
		return fmt.Sprintf("memref_%s_%d", t.short(typ.Elem), len(typ.Shape))
	case *ir.UnrankedMemRefType:
		return "unranked"
	case *ir.FunctionType:
		return "fn" + t.shortList(typ.Inputs) + "_to" + t.shortList(typ.Results)
	}
	return identifier(typ.String())
}

func (t *typeTable) complex(typ *ir.ComplexType) (string, error) {
	elem, err := t.of(typ.Elem)
	if err != nil {
		return "", err
	}
	name := "fh_" + t.short(typ)
	t.define(name, fmt.Sprintf("typedef struct { %s re, im; } %s;", elem, name))
	return name, nil
}

// vector returns the type of vectors, which are structures, so that they are values as in the program.
func (t *typeTable) vector(typ *ir.VectorType) (string, error) {
	n, ok := ir.NumElements(typ.Shape)
	if !ok || n == 0 || n > 1<<20 {
		return "", fmt.Errorf("there is no C type for '%s'", typ)
	}
	elem, err := t.of(typ.Elem)
	if err != nil {
		return "", err
	}
	name := "fh_" + t.short(typ)
	t.define(name, fmt.Sprintf("typedef struct { %s e[%d]; } %s;", elem, n, name))
	return name, nil
}

// isPlain tells whether memrefs of a type are plain pointers.
func (t *typeTable) isPlain(typ *ir.MemRefType) bool {
	return t.m.plain && typ.HasIdentityLayout() && ir.IsStaticShape(typ.Shape)
}

// descriptor returns the type of descriptors, which is that of MLIR's C interface: the address that is freed, that from which elements are
// counted, the offset of the first one, and for each dimension its size and stride, in elements.
func (t *typeTable) descriptor(typ *ir.MemRefType) (string, error) {
	elem, err := t.of(typ.Elem)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("fh_memref_%s_%d", t.short(typ.Elem), len(typ.Shape))
	dims := ""
	if n := len(typ.Shape); n > 0 {
		dims = fmt.Sprintf(" %s sizes[%d], strides[%d];", t.index(), n, n)
	}
	t.define(name, fmt.Sprintf("/* Elements are at data[offset + i * strides[0] + j * strides[1] + ...]; allocated is what is freed. */\ntypedef struct { void *allocated; %sdata; %s offset;%s } %s;", pointerTo(elem), t.index(), dims, name))
	return name, nil
}

// maxRank is the greatest rank of a memref whose rank is not known.
const maxRank = 16

// unranked returns the type of descriptors of memrefs of unknown rank.
func (t *typeTable) unranked() string {
	t.define("fh_unranked", fmt.Sprintf("typedef struct { void *allocated; void *data; %s offset, rank, sizes[%d], strides[%d]; } fh_unranked;",
		t.index(), maxRank, maxRank))
	return "fh_unranked"
}

// pointerTo returns the type of pointers to a type, so that a name may follow.
func pointerTo(t string) string {
	if strings.HasSuffix(t, "*") {
		return t + "*"
	}
	return t + " *"
}

// declaration returns the declaration of something of a type.
func declaration(t, name string) string {
	if strings.HasSuffix(t, "*") {
		return t + name
	}
	return t + " " + name
}
