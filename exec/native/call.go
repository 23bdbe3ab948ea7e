package native

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/emit/emitc"
)

// call is a call of a function with the given arguments.
type call struct {
	f     emitc.Function
	fn    *ir.Op
	args  []interp.Value
	o     Options
	owned []bool
	// buffers are the memrefs among the arguments, nil for others.
	buffers []*buffer
	unit    *emitc.Unit
	// place is the number of the call among those of a program.
	place int
}

// buffer is an argument that is a memref: where its elements are in its memory.
type buffer struct {
	elem          ir.Type
	size          int64 // of an element in bytes
	offset, span  int64
	sizes, stride []int64
}

func newCall(unit *emitc.Unit, fn *ir.Op, args []interp.Value, o Options) (*call, error) {
	name, _ := ir.SymbolName(fn)
	f, ok := unit.Function(name)
	if !ok {
		return nil, ir.Errorf(fn.Loc(), "function @%s has no body", name)
	}
	c := &call{f: f, fn: fn, args: args, o: o, owned: ownedArguments(fn.Parent(), fn), buffers: make([]*buffer, len(args)), unit: unit}
	places := o.Places
	if places == nil {
		places = interp.OwnPlaces(len(args))
	}
	for i, v := range args {
		if places[i].In != i || places[i].Shift != 0 {
			return nil, ir.Errorf(fn.BodyBlock(0).Arg(i).Loc(), "argument %d shares memory with another one, which native programs are not given", i)
		}
		c.o.Twice = c.o.Twice && !c.owned[i]
		t := f.Params[i].Type
		if !ir.IsMemRef(t) {
			if _, err := sizeOf(f.Params[i].Type); err != nil {
				return nil, ir.Errorf(fn.BodyBlock(0).Arg(i).Loc(), "argument %d: %v", i, err)
			}
			continue
		}
		offset, strides, span, err := places[i].Layout(t, v.Tensor.Sizes)
		if err != nil {
			return nil, ir.Errorf(fn.BodyBlock(0).Arg(i).Loc(), "argument %d: %v", i, err)
		}
		elem := ir.ElementType(t)
		size, err := sizeOf(elem)
		if err != nil {
			return nil, ir.Errorf(fn.BodyBlock(0).Arg(i).Loc(), "argument %d: %v", i, err)
		}
		c.buffers[i] = &buffer{elem, size, offset, span, v.Tensor.Sizes, strides}
	}
	for i, r := range f.Results {
		t := r.Type
		if ir.IsMemRef(t) {
			t = ir.ElementType(t)
		}
		if _, err := sizeOf(t); err != nil {
			return nil, ir.Errorf(fn.Loc(), "result %d of @%s: %v", i, name, err)
		}
	}
	return c, nil
}

// undefined is the error that a function was called that is only declared.
func (c *call) undefined(name string) error {
	for _, x := range c.unit.External() {
		if x.Name == name {
			name = x.Symbol
		}
	}
	return ir.Errorf(c.fn.Loc(), "function @%s calls @%s, of which there is no native code", c.f.Symbol, name)
}

// calls returns how often the function is called.
func (c *call) calls() int {
	if c.o.Twice {
		return 2
	}
	return 1
}

func (c *call) restored(i int) bool { return i < len(c.o.Restore) && c.o.Restore[i] }

// write writes the arguments.
func (c *call) write(w *bufio.Writer) error {
	for i, v := range c.args {
		b := c.buffers[i]
		if b == nil {
			if _, err := w.Write(encode(nil, c.f.Params[i].Type, valueOf(v))); err != nil {
				return err
			}
			continue
		}
		image := make([]byte, b.span*b.size)
		err := exec.Each(b.sizes, func(k int64, idx []int64) error {
			e, ok := v.Tensor.Element(k)
			if !ok {
				return nil
			}
			encode(image[b.at(idx):b.at(idx)], b.elem, e)
			return nil
		})
		if err != nil {
			return err
		}
		if _, err := w.Write(image); err != nil {
			return err
		}
	}
	return nil
}

// at returns the byte at which an element is.
func (b *buffer) at(idx []int64) int64 {
	p := b.offset
	for d, x := range idx {
		p += x * b.stride[d]
	}
	return p * b.size
}

func valueOf(v interp.Value) any {
	switch {
	case v.Tensor != nil:
		return v.Tensor
	case v.Object != nil:
		return v.Object
	}
	return v.Word
}

// read reads what the call left.
func (c *call) read(r io.Reader) (*Result, error) {
	var results [2]*Result
	for k := range c.calls() {
		var err error
		if results[k], err = c.readCall(r); err != nil {
			return nil, fmt.Errorf("what the native program left can't be read: %w", err)
		}
		results[k].Inexact = c.unit.UsesLibrary()
	}
	results[0].Again = results[1]
	return results[0], nil
}

func (c *call) readCall(r io.Reader) (*Result, error) {
	res := &Result{Buffers: make([]interp.Value, len(c.args)), arenas: make([]bool, len(c.args))}
	for _, s := range c.f.Results {
		v, err := readValue(r, s.Type)
		if err != nil {
			return nil, err
		}
		res.Values = append(res.Values, v)
	}
	for i, b := range c.buffers {
		if b == nil || c.owned[i] {
			continue
		}
		image := make([]byte, b.span*b.size)
		if _, err := io.ReadFull(r, image); err != nil {
			return nil, err
		}
		t := exec.NewTensor(exec.ElemOf(b.elem), b.sizes, true)
		err := exec.Each(b.sizes, func(k int64, idx []int64) error {
			at := b.at(idx)
			t.SetAt(k, decode(b.elem, image[at:at+b.size]))
			return nil
		})
		if err != nil {
			return nil, err
		}
		res.Buffers[i] = interp.Value{Type: c.f.Params[i].Type, Tensor: t}
		res.arenas[i] = memref.IsArena(c.fn.BodyBlock(0).Arg(i))
	}
	return res, nil
}

// readValue reads a result: a number, or the sizes and elements of a memref.
func readValue(r io.Reader, typ ir.Type) (v interp.Value, err error) {
	v.Type = typ
	if !ir.IsMemRef(typ) {
		size, err := sizeOf(typ)
		if err != nil {
			return v, err
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(r, data); err != nil {
			return v, err
		}
		switch x := decode(typ, data).(type) {
		case uint64:
			if exec.IsWord(typ) {
				v.Word = x
			} else {
				v.Object = x // a size or a witness
			}
		case *exec.Tensor:
			v.Tensor = x
		default:
			v.Object = x
		}
		return v, nil
	}
	shape, ranked := ir.ShapeOf(typ)
	rank := int64(len(shape))
	if !ranked {
		if err := binary.Read(r, binary.LittleEndian, &rank); err != nil || rank < 0 || rank > 64 {
			return v, errors.Join(err, fmt.Errorf("a result has the rank %d", rank))
		}
	}
	elem, sizes := ir.ElementType(typ), make([]int64, rank)
	if err := binary.Read(r, binary.LittleEndian, sizes); err != nil {
		return v, err
	}
	size, err := sizeOf(elem)
	if err != nil {
		return v, err
	}
	for _, n := range sizes {
		if n < 0 {
			return v, fmt.Errorf("a result has the negative size %d", n)
		}
	}
	v.Tensor = exec.NewTensor(exec.ElemOf(elem), sizes, true)
	data := make([]byte, size)
	for i := range v.Tensor.Elements() {
		if _, err := io.ReadFull(r, data); err != nil {
			return v, err
		}
		v.Tensor.SetAt(i, decode(elem, data))
	}
	return v, nil
}

// frees tells whether results are freed after each call.
func (c *call) frees() bool { return c.o.Leaks && c.unit.NeedsAllocator() }

// free frees the results that belong to the caller, each once. Those that are arguments after all are left alone.
func (c *call) free(b *strings.Builder) {
	var before []string
	for i := range c.args {
		if c.buffers[i] != nil {
			before = append(before, fmt.Sprintf("(void *)fh_memory%d", i))
		}
	}
	for i, r := range c.f.Results {
		if !ir.IsMemRef(r.Type) {
			continue
		}
		p := "fh_result"
		if len(c.f.Results) > 1 {
			p = fmt.Sprintf("fh_result.r%d", i)
		}
		if !r.Plain {
			p += ".allocated"
		}
		p = "(void *)" + p
		if !c.borrowed(i) {
			test := "1"
			for _, x := range before {
				test += " && " + p + " != " + x
			}
			fmt.Fprintf(b, "    if (%s) fh_test_free(%s);\n", test, p)
		}
		before = append(before, p)
	}
}

// borrowed tells whether a result belongs to somebody else than the caller.
func (c *call) borrowed(i int) bool {
	return interfaces.ResAttr(c.fn, i, interfaces.BorrowedAttr) != nil
}

// name is that of the files of the call's program, without an extension.
func (c *call) name() string { return fmt.Sprintf("model%d", c.place) }

// weights is the name of the file of the weights.
func (c *call) weights() string { return fmt.Sprintf("weights%d", c.place) }

// function returns the function that calls what is tested.
func (c *call) function() string {
	var b strings.Builder
	fmt.Fprintf(&b, "static void fh_call%d(FILE *fh_in, FILE *fh_out) {\n  int fh_again;\n  (void)fh_in;\n  (void)fh_out;\n", c.place)
	if c.unit.HasWeights() {
		fmt.Fprintf(&b, "  %s_set_weights(fh_test_weights(%q));\n", c.name(), c.weights())
	}
	var args []string
	for i, p := range c.f.Params {
		args = append(args, c.argument(&b, i, p))
	}
	fmt.Fprintf(&b, "  for (fh_again = 0; fh_again < %d; fh_again++) {\n", c.calls())
	for i := range c.buffers {
		if c.buffers[i] != nil && c.restored(i) {
			fmt.Fprintf(&b, "    if (fh_again) memcpy(fh_memory%d, fh_before%d, %d);\n", i, i, c.buffers[i].span*c.buffers[i].size)
		}
	}
	call := c.f.Name + "(" + strings.Join(args, ", ") + ")"
	if len(c.f.Results) == 0 {
		fmt.Fprintf(&b, "    %s;\n", call)
	} else {
		fmt.Fprintf(&b, "    %s fh_result = %s;\n", c.f.Returns, call)
	}
	for i, r := range c.f.Results {
		member := "fh_result"
		if len(c.f.Results) > 1 {
			member = fmt.Sprintf("fh_result.r%d", i)
		}
		c.result(&b, member, r)
	}
	for i, buf := range c.buffers {
		if buf != nil && !c.owned[i] {
			fmt.Fprintf(&b, "    fh_test_put(fh_out, fh_memory%d, %d);\n", i, buf.span*buf.size)
		}
	}
	if c.frees() {
		c.free(&b)
	}
	b.WriteString("    fflush(stdout);\n  }\n}\n")
	return b.String()
}

// endOfCall is what the program prints after each call.
const endOfCall = "\x1e"

// harness returns the program that makes the calls, one after the other.
func harness(calls []*call) string {
	var b strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&b, "#include \"%s.c\"\n", c.name())
	}
	b.WriteString("#include \"test.h\"\n")
	for _, c := range calls {
		b.WriteString(c.function())
	}
	b.WriteString("int main(void) {\n  FILE *fh_in = fopen(\"in\", \"rb\"), *fh_out = fopen(\"out\", \"wb\");\n  if (!fh_in || !fh_out) return 125;\n")
	for _, c := range calls {
		fmt.Fprintf(&b, "  fh_call%d(fh_in, fh_out);\n  putchar(%d);\n", c.place, endOfCall[0])
	}
	b.WriteString("  return fclose(fh_out) == 0 && fclose(fh_in) == 0 ? 0 : 124;\n}\n")
	return b.String()
}

// header returns the functions of the harness. Compilers don't mind if some are not used, as it is a header.
func header(calls []*call) string {
	text, defined := harnessFunctions, map[string]bool{}
	frees, owns, allocates := false, false, false
	for _, c := range calls {
		for _, f := range c.unit.External() {
			if !defined[f.Name] {
				defined[f.Name] = true
				text += externalFunction(f)
			}
		}
		frees, allocates = frees || c.frees(), allocates || c.unit.NeedsAllocator()
		owns = owns || slices.Contains(c.owned, true)
	}
	if frees {
		text += emitc.Deallocator("fh_test_free")
	}
	if owns && !allocates {
		text += emitc.Allocator()
	}
	return text
}

// harnessFunctions are the functions of the harness.
const harnessFunctions = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static inline void fh_test_get(FILE *in, void *to, size_t n) {
  if (n && fread(to, 1, n, in) != n) exit(123);
}
static inline void fh_test_put(FILE *out, const void *from, size_t n) {
  if (n && fwrite(from, 1, n, out) != n) exit(122);
}
static inline void *fh_test_memory(size_t n) {
  char *p = malloc(n + 64);
  if (!p) exit(121);
  return p + (64 - (uintptr_t)p % 64) % 64;
}
static inline void fh_test_put_view(FILE *out, const void *data, size_t size, int64_t offset, int rank, const int64_t *sizes, const int64_t *strides) {
  int64_t at[64] = {0}, n = 1;
  int d;
  for (d = 0; d < rank; d++) n *= sizes[d];
  fh_test_put(out, sizes, (size_t)rank * sizeof *sizes);
  for (; n > 0; n--) {
    int64_t p = offset;
    for (d = 0; d < rank; d++) p += at[d] * strides[d];
    fh_test_put(out, (const char *)data + p * (int64_t)size, size);
    for (d = rank - 1; d >= 0; d--) {
      if (++at[d] < sizes[d]) break;
      at[d] = 0;
    }
  }
}
static inline const void *fh_test_weights(const char *name) {
  FILE *f = fopen(name, "rb");
  char *volatile p;
  long n;
  if (!f || fseek(f, 0, SEEK_END) || (n = ftell(f)) < 0 || fseek(f, 0, SEEK_SET)) exit(120);
  p = fh_test_memory((size_t)n);
  fh_test_get(f, p, (size_t)n);
  fclose(f);
  return p;
}
`

// argument declares an argument, reads it and returns how it is passed.
func (c *call) argument(b *strings.Builder, i int, p emitc.Slot) string {
	buf := c.buffers[i]
	if buf == nil {
		fmt.Fprintf(b, "  %s fh_arg%d;\n  fh_test_get(fh_in, &fh_arg%d, sizeof fh_arg%d);\n", p.C, i, i, i)
		return fmt.Sprintf("fh_arg%d", i)
	}
	n := buf.span * buf.size
	from := "fh_test_memory(%d)"
	if c.owned[i] {
		from = "fh_alloc(%d, 64)"
	}
	// What is static is reachable until the end, and so no leak; what is volatile stays, though nobody reads a buffer without elements.
	fmt.Fprintf(b, "  static %s *volatile fh_memory%d;\n  fh_memory%d = "+from+";\n  fh_test_get(fh_in, fh_memory%d, %d);\n", p.Element, i, i, n, i, n)
	if c.restored(i) {
		fmt.Fprintf(b, "  static void *volatile fh_before%d;\n  fh_before%d = memcpy(fh_test_memory(%d), fh_memory%d, %d);\n", i, i, n, i, n)
	}
	if p.Plain {
		return fmt.Sprintf("fh_memory%d", i)
	}
	dims := ""
	if _, unranked := p.Type.(*ir.UnrankedMemRefType); unranked {
		dims = fmt.Sprintf(", %d", len(buf.sizes))
		if len(buf.sizes) == 0 {
			dims += ", {0}, {0}"
		}
	}
	if len(buf.sizes) > 0 {
		dims += fmt.Sprintf(", {%s}, {%s}", ir.JoinInts(buf.sizes), ir.JoinInts(buf.stride))
	}
	return fmt.Sprintf("(%s){fh_memory%d, fh_memory%d, %d%s}", p.C, i, i, buf.offset, dims)
}

// result writes a result to the file.
func (c *call) result(b *strings.Builder, member string, s emitc.Slot) {
	t, ok := s.Type.(*ir.MemRefType)
	switch {
	case !ok && ir.IsMemRef(s.Type):
		fmt.Fprintf(b, "    fh_test_put(fh_out, &%s.rank, sizeof %s.rank);\n    fh_test_put_view(fh_out, %s.data, sizeof(%s), %s.offset, (int)%s.rank, %s.sizes, %s.strides);\n",
			member, member, member, s.Element, member, member, member, member)
	case !ok:
		fmt.Fprintf(b, "    fh_test_put(fh_out, &%s, sizeof %s);\n", member, member)
	case s.Plain && len(t.Shape) == 0:
		fmt.Fprintf(b, "    fh_test_put_view(fh_out, %s, sizeof *%s, 0, 0, NULL, NULL);\n", member, member)
	case s.Plain:
		fmt.Fprintf(b, "    { const int64_t fh_sizes[] = {%s}, fh_strides[] = {%s};\n      fh_test_put_view(fh_out, %s, sizeof *%s, 0, %d, fh_sizes, fh_strides); }\n",
			ir.JoinInts(t.Shape), ir.JoinInts(exec.RowMajor(t.Shape)), member, member, len(t.Shape))
	case len(t.Shape) == 0:
		fmt.Fprintf(b, "    fh_test_put_view(fh_out, %s.data, sizeof *%s.data, %s.offset, 0, NULL, NULL);\n", member, member, member)
	default:
		fmt.Fprintf(b, "    fh_test_put_view(fh_out, %s.data, sizeof *%s.data, %s.offset, %d, %s.sizes, %s.strides);\n", member, member, member, len(t.Shape), member, member)
	}
}
