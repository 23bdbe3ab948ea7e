package main

import (
	"encoding/binary"
	"math"
)

// floats are numbers in single precision as bytes.
func floats(list ...float32) (data []byte) {
	for _, x := range list {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return data
}
