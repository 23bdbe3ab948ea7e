package model

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// Numbers returns the options of an operator that isn't built in, which are numbers and truth values by names: a map in the
// format FlexBuffers of the flatbuffers project. Options of other kinds are left out. It takes time and memory linear in the size of the options; an operator
// without options has none. An error says what is wrong with the bytes.
func (o *Operator) Numbers() (map[string]float64, error) {
	if len(o.CustomOptions) == 0 {
		return nil, nil
	}
	r := flexbuffer{data: o.CustomOptions}
	out := map[string]float64{}
	r.each(func(at, width int, packed byte, name func() string) {
		if x, ok := r.number(at, width, packed); ok {
			out[name()] = x
		}
	})
	return out, r.err()
}

// Integers returns a list of integers among the options of an operator that isn't built in, by its name. It is nil if there is none.
func (o *Operator) Integers(name string) ([]int64, error) {
	if len(o.CustomOptions) == 0 {
		return nil, nil
	}
	r := flexbuffer{data: o.CustomOptions}
	var out []int64
	r.each(func(at, width int, packed byte, of func() string) {
		if kind := packed >> 2; (kind == flexInts || kind == flexUints) && of() == name {
			out = r.integers(r.follow(at, width), 1<<(packed&3), kind-flexInts+flexInt)
		}
	})
	return out, r.err()
}

func (r *flexbuffer) err() error {
	if r.broken {
		return fmt.Errorf("they are no map in the format of FlexBuffers")
	}
	return nil
}

// The types of values, which stand above two bits with the width of what they are about.
const (
	flexInt, flexUint, flexFloat                         = 1, 2, 3
	flexIndirectInt, flexIndirectUint, flexIndirectFloat = 6, 7, 8
	flexMap, flexInts, flexUints                         = 9, 11, 12
	flexBool                                             = 26
)

// longestName is how long the name of an option may be. It bounds what is copied of names that many options share.
const longestName = 255

// flexbuffer is a buffer that is being read. What is outside of it reads as zeros, and makes it broken.
type flexbuffer struct {
	data   []byte
	broken bool
}

// span returns n bytes from a position on.
func (r *flexbuffer) span(at, n int) []byte {
	if r.broken || at < 0 || n < 0 || at > len(r.data) || n > len(r.data)-at {
		r.broken = true
		return make([]byte, 8)
	}
	return r.data[at : at+n]
}

// bits reads a number without a sign of 1, 2, 4 or 8 bytes.
func (r *flexbuffer) bits(at, width int) uint64 {
	b := r.span(at, width)
	switch width {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// follow returns where the offset at a position leads, which is back.
func (r *flexbuffer) follow(at, width int) int {
	n := r.bits(at, width)
	if n > uint64(at) {
		r.broken = true
		return 0
	}
	return at - int(n)
}

// each visits the values of the map that the buffer is: where one is, how wide it is, its type and its name. The last bytes of the buffer are its value,
// the type of that, and how wide it is.
func (r *flexbuffer) each(visit func(at, width int, packed byte, name func() string)) {
	n := len(r.data)
	if n < 3 || !isWidth(r.data[n-1]) || r.data[n-2]>>2 != flexMap {
		r.broken = true
		return
	}
	width := int(r.data[n-1])
	r.mapAt(r.follow(n-2-width, width), 1<<(r.data[n-2]&3), visit)
}

func isWidth(b byte) bool { return b == 1 || b == 2 || b == 4 || b == 8 }

// mapAt reads a map: before its values stand where the names are, how wide their offsets are, and how many values there are; behind them are the types.
func (r *flexbuffer) mapAt(at, width int, visit func(at, width int, packed byte, name func() string)) {
	count, nameWidth := r.bits(at-width, width), r.bits(at-2*width, width)
	if r.broken || count > uint64(len(r.data)) || nameWidth > 8 || !isWidth(byte(nameWidth)) {
		r.broken = true
		return
	}
	names := r.follow(at-3*width, width)
	types := r.span(at+int(count)*width, int(count))
	for i := range int(count) {
		if r.broken {
			return
		}
		visit(at+i*width, width, types[i], func() string { return r.name(r.follow(names+i*int(nameWidth), int(nameWidth))) })
	}
}

// integers reads a list of integers of a kind, in front of which stands how many there are.
func (r *flexbuffer) integers(at, width int, kind byte) []int64 {
	count := r.bits(at-width, width)
	if count > uint64(len(r.data)) {
		r.broken = true
	}
	var out []int64
	for i := 0; i < int(count) && !r.broken; i++ {
		x, _ := r.number(at+i*width, width, kind<<2)
		out = append(out, int64(x))
	}
	return out
}

// name reads a name, which ends with a zero.
func (r *flexbuffer) name(at int) string {
	b := r.span(at, min(longestName+1, len(r.data)-at))
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		r.broken = true
		return ""
	}
	return string(b[:n])
}

// number reads a value that is a number or a truth value.
func (r *flexbuffer) number(at, width int, packed byte) (x float64, ok bool) {
	kind := packed >> 2
	switch kind {
	case flexIndirectInt, flexIndirectUint, flexIndirectFloat:
		at, width, kind = r.follow(at, width), 1<<(packed&3), kind-flexIndirectInt+flexInt
	}
	n := r.bits(at, width)
	switch {
	case kind == flexInt:
		unused := 64 - 8*width
		return float64(int64(n) << unused >> unused), true
	case kind == flexUint, kind == flexBool:
		return float64(n), true
	case kind == flexFloat && width == 4:
		return float64(math.Float32frombits(uint32(n))), true
	case kind == flexFloat && width == 8:
		return math.Float64frombits(n), true
	}
	return 0, false
}
