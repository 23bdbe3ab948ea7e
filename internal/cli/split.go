package cli

import (
	"bytes"
	"fmt"
)

// piece is one part of a split input.
type piece struct {
	src  []byte
	name string
}

// splitInput cuts the input at every marker. The names of the pieces say where in
// the input they start.
func splitInput(src []byte, name, marker string) []piece {
	if marker == "" {
		return []piece{{src, name}}
	}
	var out []piece
	line := 1
	for {
		n := bytes.Index(src, []byte(marker))
		p := piece{src, fmt.Sprintf("within split at %s:%d offset ", name, line)}
		if n < 0 {
			return append(out, p)
		}
		p.src = src[:n]
		out = append(out, p)
		line += bytes.Count(p.src, []byte("\n"))
		src = src[n+len(marker):]
	}
}
