#!/usr/bin/env bash
# go-humanize: 999999 bytes are 1000 kB, and 1048575 are 1024 KiB.
#
# The unit is chosen before the number is rounded. 1000 of what a megabyte has 1000 of is a megabyte: what is written as "1000 kB" is shown next to "1.0 MB"
# of a file that is a byte longer.
# Seen in github.com/dustin/go-humanize v1.1.0.
source "$(dirname "$0")/go.bash"
need github.com/dustin/go-humanize v1.1.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

func main() {
	for _, n := range []uint64{999, 1000, 999499, 999999, 1000000, 1048575, 1048576} {
		fmt.Println(n, humanize.Bytes(n), humanize.IBytes(n))
	}
}
PROGRAM
run | tee out
diff out - <<'OUT'
999 999 B 999 B
1000 1.0 kB 1000 B
999499 999 kB 976 KiB
999999 1000 kB 977 KiB
1000000 1.0 MB 977 KiB
1048575 1.0 MB 1024 KiB
1048576 1.0 MB 1.0 MiB
OUT
echo 'as found: there are 1000 kB'
