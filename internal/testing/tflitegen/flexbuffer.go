package tflitegen

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// Flexbuffer returns a map of numbers in the format FlexBuffers, with values of eight bytes: integers where they are whole, and else numbers in
// double precision.
func Flexbuffer(options map[string]float64) []byte {
	const width, widthBits = 8, 3
	const ofInt, ofFloat, ofMap = 1, 3, 9
	names := slices.Sorted(maps.Keys(options))
	var out []byte
	places := map[string]int{}
	for _, name := range names {
		places[name] = len(out)
		out = append(append(out, name...), 0)
	}
	for len(out)%width != 0 {
		out = append(out, 0)
	}
	number := func(n uint64) { out = binary.LittleEndian.AppendUint64(out, n) }
	number(uint64(len(names)))
	keys := len(out)
	for _, name := range names {
		number(uint64(len(out) - places[name]))
	}
	number(uint64(len(out) - keys))
	number(width)
	number(uint64(len(names)))
	values := len(out)
	var types []byte
	for _, name := range names {
		if x := options[name]; x == math.Trunc(x) {
			number(uint64(int64(x)))
			types = append(types, ofInt<<2|widthBits)
		} else {
			number(math.Float64bits(x))
			types = append(types, ofFloat<<2|widthBits)
		}
	}
	out = append(out, types...)
	at := len(out)
	number(uint64(at - values))
	return append(out, ofMap<<2|widthBits, width)
}
