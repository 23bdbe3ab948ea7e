package tflitegen

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// Flexbuffer returns a map of numbers in the format FlexBuffers, with values of eight bytes: integers where they are whole, and else numbers in
// double precision.
func Flexbuffer(options map[string]float64) []byte { return FlexbufferWith(options, nil) }

// FlexbufferWith is [Flexbuffer] with lists of integers, whose names have to be others.
func FlexbufferWith(options map[string]float64, lists map[string][]int64) []byte {
	const width, widthBits = 8, 3
	const ofInt, ofFloat, ofMap, ofInts = 1, 3, 9, 11
	names := slices.Sorted(maps.Keys(options))
	names = append(names, slices.Collect(maps.Keys(lists))...)
	slices.Sort(names)
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
	elements := map[string]int{}
	for _, name := range names {
		if list, ok := lists[name]; ok {
			number(uint64(len(list)))
			elements[name] = len(out)
			for _, x := range list {
				number(uint64(x))
			}
		}
	}
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
		if at, ok := elements[name]; ok {
			number(uint64(len(out) - at))
			types = append(types, ofInts<<2|widthBits)
		} else if x := options[name]; x == math.Trunc(x) {
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
