package naive_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/pass"
	"freehold/transform"
)

// specialBits returns the bits of a number of a type, which is often one with which rules change: a zero, an infinity, a NaN,
// the least and the greatest numbers, halves, and what is next to these.
func specialBits(r *rand.Rand, t ir.Type) *big.Int {
	width := exec.Width(t)
	at := func(shift int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(max(shift, 0))) }
	v := new(big.Int)
	if f, ok := t.(*ir.FloatType); ok {
		mant := f.Format.MantBits
		exps := []int{0, 1, f.Format.Bias - 1, f.Format.Bias, f.Format.Bias, f.Format.Bias + 1, f.Format.Bias + mant, 1<<f.Format.ExpBits - 2, 1<<f.Format.ExpBits - 1}
		exp := exps[r.IntN(len(exps))]
		all, kind := new(big.Int).Sub(at(mant), big.NewInt(1)), r.IntN(6)
		switch r.IntN(8) {
		case 0, 1:
			exp = r.IntN(1 << f.Format.ExpBits)
		case 2, 3:
			exp, kind = []int{0, 1<<f.Format.ExpBits - 1}[r.IntN(2)], 0 // a zero, or what is not finite
		}
		switch kind {
		case 0, 1:
		case 2:
			v.SetInt64(int64(r.IntN(4)))
		case 3:
			v.Sub(all, big.NewInt(int64(r.IntN(3))))
		case 4:
			v.Lsh(big.NewInt(int64(r.IntN(16))), uint(max(mant-4, 0)))
		default:
			v = below(r, at(mant))
		}
		v.And(v, all)
		if f.Format.Special == ir.X87 {
			// The bit before the point is written.
			v.SetBit(v, mant, uint(min(exp, 1)))
			mant++
		}
		v.Or(v, new(big.Int).Lsh(big.NewInt(int64(exp)), uint(mant)))
		if sign := f.Format.SignMask(); width > 64 || sign != 0 {
			v.SetBit(v, width-1, uint(r.IntN(2)))
		}
		return v.And(v, new(big.Int).Sub(at(width), big.NewInt(1)))
	}
	switch r.IntN(6) {
	case 0:
		v = at(width - 1)
	case 1:
		v = new(big.Int).Sub(at(width-1), big.NewInt(1))
	case 2:
		v = below(r, at(width))
	case 3:
		v.SetInt64(int64(width)) // which is no amount to shift by
	default:
	}
	v.Add(v, big.NewInt(int64(r.IntN(5)-2)))
	return v.Mod(v, at(width))
}

// limitBits returns a small number, or, for 2 and 3, the greatest and the least one of a width, for 5 the width.
func limitBits(n int64, width int) *big.Int {
	one := big.NewInt(1)
	v := big.NewInt(n)
	switch n {
	case 2:
		v = new(big.Int).Sub(new(big.Int).Lsh(one, uint(width-1)), one)
	case 3:
		v = new(big.Int).Lsh(one, uint(width-1))
	case 5:
		v = big.NewInt(int64(width))
	}
	return v.Mod(v, new(big.Int).Lsh(one, uint(width)))
}

// below returns a random number below a limit.
func below(r *rand.Rand, limit *big.Int) *big.Int {
	v := new(big.Int)
	for range limit.BitLen()/64 + 1 {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(r.Uint64()))
	}
	return v.Mod(v, limit)
}

// scalars returns the programs of one operation on numbers that are neither tensors nor vectors, but for complex ones.
func scalars() (out []program) {
	for _, p := range elementwise() {
		if !strings.Contains(p.src, "<") || !strings.ContainsAny(strings.NewReplacer("overflow<", "", "fastmath<", "").Replace(p.src), "<") {
			out = append(out, p)
		}
	}
	return out
}

// Numbers with which rules change do what they do in the simple interpreter, with one another, and as constants that are folded.
func TestSpecialNumbers(t *testing.T) {
	registry := &pass.Registry{}
	transform.Register(registry)
	fold, err := registry.ParsePipeline("builtin.module(canonicalize)")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 71))
	ran, folded := 0, 0
	for _, p := range scalars() {
		m, err := load(p.src)
		if err != nil {
			t.Fatalf("%v\n%s", err, p.src)
		}
		fn := entry(t, m)
		model, _ := interfaces.Function.Of(fn)
		types := model.Type(fn).Inputs
		tries := 8
		for _, typ := range types {
			if exec.Width(typ) > 64 {
				tries = 40
			}
		}
		// Of whole numbers, those at the limits meet each other.
		limits := []int64{0, 1, 2, 3, -1, -2, 5}
		whole := len(types) == 2
		for _, typ := range types {
			whole = whole && ir.IsIntOrIndex(typ)
		}
		if whole {
			tries += len(limits) * len(limits)
		}
		for k := range tries {
			args := make([]interp.Value, len(types))
			constants := ""
			for i, typ := range types {
				bits := specialBits(r, typ)
				if pair := [2]int{k / len(limits), k % len(limits)}; whole && k < len(limits)*len(limits) {
					bits = limitBits(limits[pair[i]], exec.Width(typ))
				}
				args[i] = interp.Value{Type: typ}
				if v := exec.FromBits(typ, bits); exec.IsWord(typ) {
					args[i].Word = v.(uint64)
				} else {
					args[i].Object = v
				}
				text := fmt.Sprintf("0x%X", bits)
				if _, ok := typ.(*ir.FloatType); !ok {
					text = signedText(bits, exec.Width(typ))
				}
				if typ == ir.Type(ir.I1) {
					text = fmt.Sprint(bits.Sign() != 0)
				}
				constants += fmt.Sprintf("  %%%c = arith.constant %s : %s\n", 'a'+i, text, typ)
			}
			constants = strings.ReplaceAll(strings.ReplaceAll(constants, "true : i1", "true"), "false : i1", "false")
			got := naive.ExecuteChecked(m, fn, args, false)
			want := naive.Execute(m, fn, args, 1000)
			if got.Unknown && strings.Contains(got.Wrong, "not supported") || want.Unknown {
				break
			}
			ran++
			if d := naive.Differ(want, got); d != "" {
				t.Fatalf("%s: %s\n%s%s", p.name, d, p.src, constants)
			}
			if k%4 != 0 || len(types) == 0 || strings.HasPrefix(p.name, "math.") || strings.Contains(p.name, "numf") {
				// Functions are folded with other roundings, and these two, as in MLIR, with NaN.
				continue
			}
			head, tail, _ := strings.Cut(p.src, "@f(")
			_, tail, _ = strings.Cut(tail, ") -> ")
			line, tail, _ := strings.Cut(tail, "\n")
			c, err := load(head + "@f() -> " + line + "\n" + constants + tail)
			if err != nil {
				t.Fatalf("%v\n%s%s", err, constants, p.src)
			}
			if err := (&pass.Runner{}).Run(fold, c); err != nil {
				t.Fatalf("%v\n%s%s", err, constants, p.src)
			}
			if d := naive.Differ(want, naive.ExecuteChecked(c, entry(t, c), nil, false)); d != "" && want.Wrong == "" {
				t.Fatalf("%s, folded: %s\n%s%s", p.name, d, constants, p.src)
			}
			folded++
		}
	}
	t.Logf("%d operations executed, %d folded", ran, folded)
}
