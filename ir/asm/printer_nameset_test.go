package asm

import (
	"math/rand"
	"strconv"
	"testing"
)

func TestNameSet(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var s nameSet
	var want []string
	in := map[string]bool{}
	for range 20000 {
		if r.Intn(300) == 0 {
			n := r.Intn(len(want) + 1)
			for _, w := range want[n:] {
				delete(in, w)
			}
			want = want[:n]
			s.truncate(n)
		}
		name := strconv.Itoa(r.Intn(3000))
		if s.has(name) != in[name] {
			t.Fatalf("has(%s) = %v with %d names", name, !in[name], len(want))
		}
		if !in[name] {
			s.add(name)
			want = append(want, name)
			in[name] = true
		}
	}
}
