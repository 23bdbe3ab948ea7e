#!/usr/bin/env bash
# npyio: an empty slice is written as a scalar without its value.
#
# A list of no numbers has the shape (0,). The header that Write makes of []float64{} says shape (), which is one number, and no number
# follows: the library's own Read then fails with EOF, for a scalar as for a slice, and so must other readers. Read takes files with
# shape (0,) or (0, 3), as NumPy writes them.
# Seen in codeberg.org/sbinet/npyio v0.14.0.
source "$(dirname "$0")/go.bash"
need codeberg.org/sbinet/npyio v0.14.0
cat >main.go <<'PROGRAM'
package main

import (
	"bytes"
	"fmt"

	"codeberg.org/sbinet/npyio"
	"codeberg.org/sbinet/npyio/npy"
)

func main() {
	for _, list := range [][]float64{{1}, {}} {
		var file bytes.Buffer
		if err := npyio.Write(&file, list); err != nil {
			panic(err)
		}
		r, err := npy.NewReader(bytes.NewReader(file.Bytes()))
		if err != nil {
			panic(err)
		}
		var scalar float64
		fmt.Println(len(list), "elements: shape", r.Header.Descr.Shape, "as a number:", npyio.Read(bytes.NewReader(file.Bytes()), &scalar))
		var back []float64
		fmt.Println("as a slice:", npyio.Read(bytes.NewReader(file.Bytes()), &back), back)
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
1 elements: shape [1] as a number: <nil>
as a slice: <nil> [1]
0 elements: shape [] as a number: EOF
as a slice: EOF [0]
OUT
echo 'as found: what was written as no numbers can not be read back'
