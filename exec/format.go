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
	case math.IsNaN(x) && math.Signbit(x):
		return "-nan"
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'g', 6, 64), "+"))
	case x == 0 && math.Signbit(x):
		return "-0"
	case x == 0:
		return "0"
	}
	text := strconv.FormatFloat(x, 'e', 5, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	e, _ := strconv.Atoi(exponent)
	if e < -4 || e >= 6 {
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		return mantissa + "e" + exponent
	}
	text = strconv.FormatFloat(x, 'f', 5-e, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// FormatInt returns the number as text.
func FormatInt(x int64) string { return strconv.FormatInt(x, 10) }
