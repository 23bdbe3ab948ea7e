package naive_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec/interp"
	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/asm"
)

var literalElements = strings.Fields("i1 i2 i8 ui8 si16 i32 ui32 i33 i64 ui64 i65 i100 index f16 bf16 f32 f64 f80 f128 tf32 f8E5M2 f8E4M3FN f8E4M3B11FNUZ complex<f32> complex<f64>")

// literalNumber returns a text that may be a number of an element type.
func literalNumber(r *rand.Rand, elem string) string {
	if r.IntN(60) == 0 {
		return []string{"", "x", "1e", "--1", "0x", "true", "nan", "1.5", "-inf", "[", "]", "1i", "9999999999999999999999999999999999999", "+-1"}[r.IntN(14)]
	}
	sign := []string{"", "", "-", "+"}[r.IntN(4)]
	switch {
	case elem == "i1" && r.IntN(2) == 0:
		return []string{"true", "false"}[r.IntN(2)]
	case strings.HasPrefix(elem, "complex"):
		return fmt.Sprintf("%s%d.5%s%di", sign, r.IntN(9), []string{"+", "-"}[r.IntN(2)], r.IntN(9))
	case strings.ContainsAny(elem[:1], "fbt"):
		switch r.IntN(5) {
		case 0:
			return sign + []string{"inf", "Inf", "nan", "NaN", "infinity"}[r.IntN(5)]
		case 1:
			return fmt.Sprintf("%s%d.%dE%d", sign, r.IntN(10), r.IntN(1000), r.IntN(700)-350)
		case 2:
			return fmt.Sprint(r.Float64())
		}
		return fmt.Sprintf("%s%d.%d", sign, r.IntN(100), r.IntN(100))
	}
	v := new(big.Int).Lsh(big.NewInt(int64(r.IntN(4))), uint(r.IntN(66)))
	v.Add(v, big.NewInt(int64(r.IntN(5)-2)))
	if r.IntN(4) == 0 && v.Sign() >= 0 {
		return fmt.Sprintf("%s0x%x", sign, v)
	}
	return v.String()
}

// Arguments are read as they are by the simple interpreter, or refused by both, and what is written of them means the
// same.
func TestLiterals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 23))
	ctx := ir.NewContext(dialect.All()...)
	read, refused, written := 0, 0, 0
	for range 20_000 {
		elem := literalElements[r.IntN(len(literalElements))]
		var list func(depth int) string
		list = func(depth int) string {
			if depth == 0 {
				return literalNumber(r, elem)
			}
			n := 2
			if r.IntN(8) == 0 {
				n = r.IntN(4)
			}
			parts := make([]string, n)
			for i := range parts {
				parts[i] = list(depth - 1)
			}
			return "[" + strings.Join(parts, []string{",", ", ", " ", "\n"}[r.IntN(4)]) + "]"
		}
		depth := r.IntN(4)
		name, text := elem, list(depth)
		if depth > 0 || r.IntN(3) == 0 {
			name = fmt.Sprintf("%s<%s%s>", []string{"tensor", "memref"}[r.IntN(2)], strings.Repeat("?x", depth), elem)
		}
		more := ""
		if r.IntN(30) == 0 && len(text) > 0 {
			text = text[:r.IntN(len(text))]
		} else if r.IntN(30) == 0 && depth > 0 {
			more = []string{"2", "[1]", "]", "more"}[r.IntN(4)]
		}
		typ, err := asm.ParseType(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := naive.Literal(typ, text)
		if ok && more != "" {
			if _, err := interp.Parse(ctx, text+" "+more, typ, nil); err == nil || !strings.Contains(err.Error(), strconv.Quote(more)+" follows") {
				t.Fatalf("%q of %s: %v", text+" "+more, name, err)
			}
		}
		v, err := interp.Parse(ctx, text, typ, nil)
		switch {
		case ok != (err == nil):
			t.Fatalf("%q of %s: %v, but %v", text, name, err, ok)
		case !ok:
			refused++
			continue
		}
		if got := naive.ValueOf(v); !naive.Same(want, got) {
			t.Fatalf("%q of %s is %s, not %s", text, name, naive.Show(got), naive.Show(want))
		}
		read++
		if strings.HasPrefix(elem, "complex") || strings.Contains(v.Text(), "...") {
			continue
		}
		written++
		if again, ok := naive.Literal(typ, v.Text()); !ok || !naive.Same(want, again) {
			t.Fatalf("%q of %s is written as %q", text, name, v.Text())
		}
	}
	t.Logf("%d read, %d refused, %d written", read, refused, written)
}

// npyKinds are the kinds of numbers in files of NumPy.
var npyKinds = []string{"<f2", "<f4", "<f8", "<i1", "<i2", "<i4", "<i8", "<u1", "<u2", "<u4", "<u8", "|b1", "|i1", "|u1", "=f4", ">f4", "<c8", "<f3"}

// Files of NumPy are read as the format says, whatever their version, order of elements and kind of numbers; others are
// refused; and what is written is read again.
func TestArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 29))
	ctx := ir.NewContext(dialect.All()...)
	read, refused := 0, 0
	for range 4000 {
		kind := npyKinds[r.IntN(len(npyKinds))]
		elem := strings.Fields("i1 i8 ui8 i16 i32 ui32 i64 ui64 index f16 bf16 f32 f64 f8E5M2 i100")[r.IntN(15)]
		var sizes []int64
		count := int64(1)
		for range r.IntN(4) {
			sizes = append(sizes, int64(r.IntN(4)))
			count *= sizes[len(sizes)-1]
		}
		size := int64(kind[2] - '0')
		data := make([]byte, count*size)
		numbers := make([]any, count) // exact numbers
		for i := range numbers {
			w := r.Uint64()
			if r.IntN(2) == 0 {
				w = uint64(r.IntN(3)) - 1
			}
			switch kind[1:] {
			case "b1":
				w &= 1
			case "f2":
				w = []uint64{0x3c00, 0xc000, 0x7c00, 0x0001, 0x7e00, 0x8000}[r.IntN(6)]
			case "f4":
				w = uint64(math.Float32bits(float32(r.NormFloat64())))
			case "f8":
				w = math.Float64bits(r.NormFloat64())
			}
			var raw [8]byte
			binary.LittleEndian.PutUint64(raw[:], w)
			if kind[0] == '>' {
				slices.Reverse(raw[:size])
			}
			copy(data[int64(i)*size:(int64(i)+1)*size], raw[:])
			bits := new(big.Int).SetUint64(w)
			bits.And(bits, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(8*size)), big.NewInt(1)))
			if kind[1] == 'i' && bits.Bit(int(8*size)-1) == 1 {
				bits.Sub(bits, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
			}
			numbers[i] = bits
			if kind[1] == 'f' && size != 3 {
				numbers[i] = naive.FromBits(map[int64]ir.Type{2: ir.F16, 4: ir.F32, 8: ir.F64}[size], bits)
			}
		}
		fortran := r.IntN(3) == 0
		shape := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(sizes)), ", "), "[]")
		if len(sizes) == 1 {
			shape += ","
		}
		quote := []string{"'", `"`}[r.IntN(2)]
		header := strings.ReplaceAll(fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", kind, map[bool]string{true: "True", false: "False"}[fortran], shape), "'", quote)
		version := byte(1 + r.IntN(3))
		file := append([]byte("\x93NUMPY"), version, 0)
		if version == 1 {
			file = binary.LittleEndian.AppendUint16(file, uint16(len(header)))
		} else {
			file = binary.LittleEndian.AppendUint32(file, uint32(len(header)))
		}
		head := len(file) + len(header)
		file = append(append(file, header...), data...)
		typ, _ := asm.ParseType(ctx, elem)
		_, isFloat := typ.(*ir.FloatType)
		fits := isFloat == (kind[1] == 'f') && elem != "i100" && kind[1] != 'c' && kind != "<f3"
		if !isFloat && fits {
			// Integers have to be some of the type, of either signedness.
			width := uint(64)
			if i, ok := typ.(*ir.IntegerType); ok {
				width = uint(i.Width)
			}
			most := new(big.Int).Lsh(big.NewInt(1), width)
			least := new(big.Int).Neg(new(big.Int).Rsh(most, 1))
			for _, n := range numbers {
				fits = fits && n.(*big.Int).Cmp(least) >= 0 && n.(*big.Int).Cmp(most) < 0
			}
		}
		if bad := r.IntN(8); bad == 0 {
			// Headers that say nothing, or nothing possible.
			wrong := [][2]string{{"descr", "dtype"}, {"fortran_order", "order"}, {"'shape'", "'size'"}, {`"shape"`, `"size"`}, {"(", "(-1, "}, {"(", "(x, "}, {"(", "(2000000000, 2000000000, 2000000000, "},
				{kind, kind[:1]}, {kind, kind[:2]}, {kind, ""}, {kind, kind[:2] + "x"}, {kind, kind + "0"}, {"}", ""}, {")", ""}}[r.IntN(14)]
			changed := strings.Replace(header, wrong[0], wrong[1], 1)
			if wrong[0] == "}" || wrong[0] == ")" {
				changed = header[:strings.Index(header, wrong[0])]
			}
			// The end of the dictionary, and shapes without elements, don't matter.
			fits = fits && (changed == header || wrong[0] == "}")
			file = bytes.Replace(file, []byte(header), []byte(changed+strings.Repeat(" ", max(0, len(header)-len(changed)))), 1)
			if n := len(changed); n > len(header) {
				if version == 1 {
					binary.LittleEndian.PutUint16(file[8:], uint16(n))
				} else {
					binary.LittleEndian.PutUint32(file[8:], uint32(n))
				}
			}
		} else if cut := r.IntN(10); cut == 0 {
			file, fits = file[:r.IntN(head)], false
		} else if cut == 1 && len(data) > 0 {
			file, fits = file[:len(file)-1], false
		} else if cut == 2 {
			file[r.IntN(6)]++
			fits = false
		}
		got, err := interp.ReadNpy(file, typ)
		if fits != (err == nil) {
			t.Fatalf("%q, as %s: %v", file, elem, err)
		}
		if !fits {
			refused++
			continue
		}
		read++
		want := &naive.Tensor{Type: typ, Sizes: sizes, Elems: make([]any, count)}
		for i, n := range numbers {
			at := int64(i)
			if fortran {
				// The first index runs fastest.
				at = 0
				rest := int64(i)
				for d, s := range sizes {
					below := int64(1)
					for _, s := range sizes[d+1:] {
						below *= s
					}
					at += rest % s * below
					rest /= s
				}
			}
			want.Elems[at] = naive.Converted(typ, n)
		}
		value := interp.Value{Type: ctx.RankedTensor(sizes, typ), Tensor: got}
		if have := naive.ValueOf(value); !naive.Same(want, have) {
			t.Fatalf("%q, as %s: %s, not %s", file, elem, naive.Show(have), naive.Show(want))
		}
		if asFile := filepath.Join(t.TempDir(), "a.npy"); r.IntN(8) == 0 {
			if err := os.WriteFile(asFile, file, 0o666); err != nil {
				t.Fatal(err)
			}
			argument := ir.Type(ctx.RankedTensor(sizes, typ))
			if len(sizes) == 0 {
				argument = typ
			}
			v, err := interp.Parse(ctx, "@"+asFile, argument, nil)
			if w := naive.ValueOf(v); err != nil || !naive.Same(want, w) && !naive.Same(want.Elems[0], w) {
				t.Fatalf("%q, as %s: %v", file, elem, err)
			}
			if _, err := interp.Parse(ctx, "@"+asFile+"x", argument, nil); err == nil || strings.HasPrefix(err.Error(), asFile+":") {
				t.Fatalf("a file that isn't there: %v", err)
			}
			if err := os.WriteFile(asFile, file[:5], 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := interp.Parse(ctx, "@"+asFile, argument, nil); err == nil || !strings.HasPrefix(err.Error(), asFile+": ") {
				t.Fatalf("a file that is no array: %v", err)
			}
			if len(sizes) == 0 {
				number := interp.Value{Type: typ}
				number.Word, _ = got.Word(0)
				if one, err := interp.WriteNpy(number); err != nil || len(one) != 128+int(got.Elem.Size) && got.Elem.Size == 8 {
					t.Fatalf("a number is written as %q, %v", one, err)
				}
			}
		}
		out, err := interp.WriteNpy(value)
		if err != nil {
			t.Fatal(err)
		}
		if len(out)%64 != int(int64(len(out)-bytes.IndexByte(out, '\n')-1)%64) {
			t.Fatalf("the data of %q doesn't begin at a multiple of 64", out)
		}
		back, err := interp.ReadNpy(out, typ)
		if err != nil || !naive.Same(want, naive.ValueOf(interp.Value{Type: value.Type, Tensor: back})) {
			t.Fatalf("%s as %s: written, it is %q", naive.Show(want), elem, out)
		}
	}
	t.Logf("%d read, %d refused", read, refused)
}
