#!/usr/bin/env bash
# spf13/cast: 300 as an int8 is 44, without an error, and -1 as a uint8 is an error.
#
# The functions that end in E give an error for what can not be converted. A number that is too large can be: its lower bits are taken. A text with a number
# is read as by a compiler, so that "010" is 8, and "08" is an error.
# Seen in github.com/spf13/cast v1.10.0.
source "$(dirname "$0")/go.bash"
need github.com/spf13/cast v1.10.0
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"

	"github.com/spf13/cast"
)

func main() {
	fmt.Println(cast.ToInt8E(300))
	fmt.Println(cast.ToInt8E("300"))
	fmt.Println(cast.ToUint8E(300))
	fmt.Println(cast.ToUint8E(-1))
	fmt.Println(cast.ToIntE("010"))
	fmt.Println(cast.ToIntE("08"))
	fmt.Println(cast.ToIntE("1.9"))
}
PROGRAM
run | tee out
diff out - <<'OUT'
44 <nil>
44 <nil>
44 <nil>
0 unable to cast negative value
8 <nil>
0 unable to cast "08" of type string to int: strconv.ParseInt: parsing "08": invalid syntax
1 <nil>
OUT
echo 'as found: 300 is 44'
