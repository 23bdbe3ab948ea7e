package emitc

import "testing"

func TestTidied(t *testing.T) {
	for in, want := range map[string]string{
		// What changes nothing goes.
		"a + (b * c)":                  "a + b * c",
		"(a + b) + c":                  "a + b + c",
		"((uint32_t)((int8_t)x)) - 83": "(uint32_t)(int8_t)x - 83",
		"x[((int64_t)(i))]":            "x[(int64_t)i]",
		"(-INFINITY)":                  "-INFINITY",
		"f((a + b), (c))":              "f(a + b, c)",
		"return (a + b);":              "return a + b;",
		"(uint32_t)((uint64_t)((int64_t)v >> 31))": "(uint32_t)((int64_t)v >> 31)",
		"(size_t)(n) * sizeof(float)":              "(size_t)n * sizeof(float)",
		"(a < b) && (c < d)":                       "a < b && c < d",
		"(x ? 1 : 2)":                              "x ? 1 : 2",
		"(1.5e+3f * x) - y":                        "1.5e+3f * x - y",
		// What says in which order numbers are computed with, and which operand a sign belongs to, stays.
		"a + (b + c)":                       "a + (b + c)",
		"a - (b - c)":                       "a - (b - c)",
		"a * (b + c)":                       "a * (b + c)",
		"(a + b) * c":                       "(a + b) * c",
		"a / (b * c)":                       "a / (b * c)",
		"-(-x)":                             "-(-x)",
		"a - (-b)":                          "a - (-b)",
		"(a + b) >> 3":                      "(a + b) >> 3",
		"(a << b) & c":                      "(a << b) & c",
		"(a & b) == c":                      "(a & b) == c",
		"(x < y ? a : b) + c":               "(x < y ? a : b) + c",
		"a ? (b ? c : d) : e":               "a ? (b ? c : d) : e",
		"(uint8_t)(a + b)":                  "(uint8_t)(a + b)",
		"(uint64_t)((uint32_t)(a + b))":     "(uint64_t)(uint32_t)(a + b)",
		"(uint32_t)(int64_t)x":              "(uint32_t)(int64_t)x",
		"!(a < b || a > b)":                 "!(a < b || a > b)",
		"(!(a < b)) | c":                    "(!(a < b)) | c",
		"(!(a < b)) == c":                   "(!(a < b)) == c",
		"(!(a < b)) && c":                   "!(a < b) && c",
		"(fh_pair){(a), 2}":                 "(fh_pair){a, 2}",
		"(float *)(void *)(p + 4)":          "(float *)(void *)(p + 4)",
		"(uint64_t (*)(uint64_t))f":         "(uint64_t (*)(uint64_t))f",
		"((const int64_t[]){a, b})[i]":      "((const int64_t[]){a, b})[i]",
		"(m.sizes)[0]":                      "m.sizes[0]",
		"(a + b).x":                         "(a + b).x",
		"for (int i = (a); i < (b); i++) {": "for (int i = a; i < b; i++) {",
		"if ((a)) {":                        "if (a) {",
		`#line 3 "(a)"`:                     `#line 3 "(a)"`,
	} {
		if got := tidied(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestUpdated(t *testing.T) {
	for in, want := range map[string]string{
		"x = x + a * b;":       "x += a * b;",
		"x[i] = x[i] - y;":     "x[i] -= y;",
		"x = x * (a + b);":     "x *= a + b;",
		"x = x + a + b;":       "x = x + a + b;",
		"x = x - a - b;":       "x = x - a - b;",
		"x = x * a + b;":       "x = x * a + b;",
		"x = x / y / z;":       "x = x / y / z;",
		"x = x + (a ? b : c);": "x += a ? b : c;",
		"x = x + a ? b : c;":   "x = x + a ? b : c;",
		"x = x < y;":           "x = x < y;",
		"x = xy + z;":          "x = xy + z;",
		"x = x + y == z;":      "x = x + y == z;",
	} {
		if got := updated(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
