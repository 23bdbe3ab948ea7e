#!/usr/bin/env bash
# gorgonia.org/tensor: Zero of a view sets elements to zero that the view doesn't have; Memset of the same view doesn't.
#
# Of a table of 2x3, the view is the two columns on the right. Memset writes to them. Zero clears the piece of memory from the view's
# first element to its last one: so the first element of the second row, which isn't in the view, is lost.
# Seen in gorgonia.org/tensor v0.9.24.
source "$(dirname "$0")/go.bash"
need gorgonia.org/tensor v0.9.24
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"gorgonia.org/tensor"
)

func main() {
	for _, zero := range []bool{false, true} {
		t := tensor.New(tensor.WithShape(2, 3), tensor.WithBacking([]float32{1, 2, 3, 4, 5, 6}))
		v, err := t.Slice(nil, tensor.S(1, 3))
		if err != nil {
			panic(err)
		}
		view := v.(*tensor.Dense)
		if zero {
			view.Zero()
		} else if err := view.Memset(float32(0)); err != nil {
			panic(err)
		}
		fmt.Println(t.Data())
	}
}
PROGRAM
ASSUME_NO_MOVING_GC_UNSAFE_RISK_IT_WITH=$(go env GOVERSION | cut -d. -f1,2) run | tee out
diff out - <<'OUT'
[1 0 0 4 0 0]
[1 0 0 0 0 0]
OUT
echo 'as found: the 4 is gone, though it is outside of the view'
