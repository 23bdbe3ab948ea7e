#!/usr/bin/env bash
# gorgonia.org/tensor: WriteNpy of a view writes the memory below it, with the shape of the view.
#
# Of a table of 2x3, the view is the two columns on the right: 2, 3, 5, 6. The file says 2x2 and holds five numbers, from the view's
# first element to its last one. ReadNpy of the same library reads 2, 3, 4, 5 without a complaint about the rest. A transposition
# is written in the order from before it, and not as fortran_order. WriteCSV of the same view is right.
# Seen in gorgonia.org/tensor v0.9.24.
source "$(dirname "$0")/go.bash"
need gorgonia.org/tensor v0.9.24
cat >main.go <<'PROGRAM'
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"gorgonia.org/tensor"
)

func main() {
	t := tensor.New(tensor.WithShape(2, 3), tensor.WithBacking([]float32{1, 2, 3, 4, 5, 6}))
	v, err := t.Slice(nil, tensor.S(1, 3))
	check(err)
	view := v.(*tensor.Dense)
	check(view.WriteCSV(os.Stdout))
	written(view)
	check(t.T())
	check(t.WriteCSV(os.Stdout))
	written(t)
}

func written(t *tensor.Dense) {
	var file bytes.Buffer
	check(t.WriteNpy(&file))
	header := binary.LittleEndian.Uint16(file.Bytes()[8:])
	fmt.Println("bytes of elements:", file.Len()-10-int(header))
	read := new(tensor.Dense)
	check(read.ReadNpy(&file))
	fmt.Println("read back:", read.Shape(), read.Data())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
PROGRAM
ASSUME_NO_MOVING_GC_UNSAFE_RISK_IT_WITH=$(go env GOVERSION | cut -d. -f1,2) run | tee out
diff out - <<'OUT'
2,3
5,6
bytes of elements: 20
read back: (2, 2) [2 3 4 5]
1,4
2,5
3,6
bytes of elements: 24
read back: (3, 2) [1 2 3 4 5 6]
OUT
echo 'as found: the files hold other numbers than the views'
