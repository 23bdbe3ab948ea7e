#!/usr/bin/env bash
# shamaton/msgpack: 300 is read into an int8 as 44, and -1 into a uint8 as 255, without an error.
#
# An array of another length than the one it is read into is an error there, and so is a double for a float32. Integers lose their upper bits, 2^63 becomes
# negative, and 2.5 as an int is 2. vmihailenco/msgpack, beside it, does the same for integers, and refuses the fraction.
# Seen in github.com/shamaton/msgpack/v2 v2.4.0 and github.com/vmihailenco/msgpack/v5 v5.4.1.
source "$(dirname "$0")/go.bash"
need github.com/shamaton/msgpack/v2 v2.4.0 github.com/vmihailenco/msgpack/v5 v5.4.1
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/shamaton/msgpack/v2"
	other "github.com/vmihailenco/msgpack/v5"
)

func main() {
	read[int8](300)
	read[uint8](-1)
	read[uint16](1 << 40)
	read[int64](uint64(1) << 63)
	read[int](2.5)
}

func read[T any](x any) {
	data, err := msgpack.Marshal(x)
	if err != nil {
		panic(err)
	}
	var y, z T
	err = msgpack.Unmarshal(data, &y)
	err2 := other.Unmarshal(data, &z)
	fmt.Printf("%v as %T: %v, error: %v; the other: %v, error: %v\n", x, y, y, err != nil, z, err2 != nil)
}
PROGRAM
run | tee out
diff out - <<'OUT'
300 as int8: 44, error: false; the other: 44, error: false
-1 as uint8: 255, error: false; the other: 255, error: false
1099511627776 as uint16: 0, error: false; the other: 0, error: false
9223372036854775808 as int64: -9223372036854775808, error: false; the other: -9223372036854775808, error: false
2.5 as int: 2, error: false; the other: 0, error: true
OUT
echo 'as found: 300 is 44'
