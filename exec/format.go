package exec

import (
	"math"
	"strconv"
	"strings"
)

// FormatG returns the number as C's printf writes it with %g: six digits, in
// scientific notation for large and small numbers.
func FormatG(x float64) string {
	switch {
	case x != x && math.Signbit(x):
		return "-nan"
	case x != x:
		return "nan"
	}
	return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, 'g', 6, 64)), "+")
}

// FormatInt returns the number as text.
func FormatInt(x int64) string { return strconv.FormatInt(x, 10) }
