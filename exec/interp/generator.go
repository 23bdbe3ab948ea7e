package interp

import (
	"math"
	"math/bits"

	"freehold/exec"
	"freehold/ir"
)

// generator is what `rtsrand` returns: the Mersenne Twister with 32 bits of the C++ standard (std::mt19937), by Matsumoto and Nishimura, Mersenne Twister: a 623-dimensionally equidistributed uniform
// pseudo-random number generator, 1998. How numbers of a range are made of its numbers isn't in the standard: that is done as GCC's library does it, with which LLVM's packages for Linux are built.
type generator struct {
	state   [624]uint32
	next    int
	deleted bool
}

// String is the same for all generators: of which kind a pointer is isn't told.
func (g *generator) String() string { return "a generator" }

func seeded(seed uint64) *generator {
	g := &generator{}
	g.state[0] = uint32(seed)
	for i := 1; i < len(g.state); i++ {
		x := g.state[i-1]
		g.state[i] = 1812433253*(x^x>>30) + uint32(i)
	}
	g.next = len(g.state)
	return g
}

// draw returns the next number.
func (g *generator) draw() uint32 {
	n := len(g.state)
	if g.next == n {
		for i := range n {
			x := g.state[i]&0x80000000 | g.state[(i+1)%n]&0x7fffffff
			y := g.state[(i+397)%n] ^ x>>1
			if x&1 != 0 {
				y ^= 0x9908b0df
			}
			g.state[i] = y
		}
		g.next = 0
	}
	x := g.state[g.next]
	g.next++
	x ^= x >> 11
	x ^= x << 7 & 0x9d2c5680
	x ^= x << 15 & 0xefc60000
	return x ^ x>>18
}

// upTo returns a number from 0 to the given one, as `std::uniform_int_distribution<uint64_t>` of GCC's library does: by Lemire, Fast random integer generation in an interval, 2019, where the range is smaller than
// that of the generator.
func (g *generator) upTo(last uint64) uint64 {
	switch {
	case last < math.MaxUint32:
		n := uint32(last) + 1
		product := uint64(g.draw()) * uint64(n)
		if uint32(product) < n {
			for least := -n % n; uint32(product) < least; {
				product = uint64(g.draw()) * uint64(n)
			}
		}
		return product >> 32
	case last == math.MaxUint32:
		return uint64(g.draw())
	}
	for {
		high := g.upTo(last>>32) << 32
		if x, carry := bits.Add64(high, uint64(g.draw()), 0); carry == 0 && x <= last {
			return x
		}
	}
}

// permutation returns the numbers below n in another order, as `std::shuffle` of GCC's library brings them into it: two numbers are drawn at once where their range is small enough.
func (g *generator) permutation(n uint64) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(i)
	}
	if n == 0 {
		return out
	}
	swap := func(i, j uint64) { out[i], out[j] = out[j], out[i] }
	if math.MaxUint32/n < n {
		for i := uint64(1); i < n; i++ {
			swap(i, g.upTo(i))
		}
		return out
	}
	i := uint64(1)
	if n%2 == 0 {
		swap(i, g.upTo(1))
		i++
	}
	for ; i < n; i += 2 {
		x := g.upTo((i+1)*(i+2) - 1)
		swap(i, x/(i+2))
		swap(i+1, x%(i+2))
	}
	return out
}

// generatorOf returns the generator that is argument i.
func generatorOf(call *Call, i int) (*generator, error) {
	g, ok := call.Args[i].Object.(*generator)
	switch {
	case !ok:
		return nil, exec.Unsupported(call.raw.Op, "the pointer isn't one that @rtsrand returned")
	case g.deleted:
		return nil, exec.Findf(exec.UseAfterFree, call.raw.Op, "a generator of random numbers is used after it was deleted")
	}
	return g, nil
}

func newGenerator(call *Call) ([]Value, error) {
	return []Value{{Type: call.Results[0], Object: seeded(call.Args[0].Word)}}, nil
}

func drawNumber(call *Call) ([]Value, error) {
	g, err := generatorOf(call, 0)
	if err != nil {
		return nil, err
	}
	return []Value{{Type: call.Results[0], Word: g.upTo(call.Args[1].Word)}}, nil
}

func deleteGenerator(call *Call) ([]Value, error) {
	g, err := generatorOf(call, 0)
	if err != nil {
		return nil, err
	}
	g.deleted = true
	return nil, nil
}

// shuffle writes a permutation to a buffer. What was in it before doesn't count.
func shuffle(call *Call) ([]Value, error) {
	g, err := generatorOf(call, 1)
	if err != nil {
		return nil, err
	}
	sizes, _, _ := call.shapeOf(0)
	t := exec.NewTensor(exec.ElemOf(ir.ElementType(call.raw.Inputs[0])), sizes, false)
	for i, x := range g.permutation(uint64(sizes[0])) {
		t.SetWord(int64(i), x)
	}
	t.SetAllWritten()
	err = call.Write(0, t)
	call.Args = nil
	return nil, err
}
