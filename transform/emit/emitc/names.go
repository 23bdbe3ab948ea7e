package emitc

import (
	"strconv"
	"strings"
	"sync"
)

// names gives out C identifiers of one scope, none twice, and none that a scope around it has.
type names struct {
	outer *names
	taken map[string]bool
	next  map[string]int
}

func newNames(outer *names) *names {
	return &names{outer: outer, taken: map[string]bool{}, next: map[string]int{}}
}

// has tells whether a name is taken.
func (n *names) has(name string) bool {
	return n != nil && (n.taken[name] || n.outer.has(name))
}

// fresh returns an identifier that begins with the name of something in the program.
func (n *names) fresh(base string) string {
	base = identifier(base)
	name := base
	for reserved()[name] || n.has(name) {
		name = base + "_" + strconv.Itoa(n.next[base])
		n.next[base]++
	}
	n.taken[name] = true
	return name
}

// identifier makes an identifier of any text.
func identifier(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_' && i > 0, r >= '0' && r <= '9' && i > 0:
			b.WriteRune(r)
		case i == 0 && r >= '0' && r <= '9':
			b.WriteString("n" + string(r))
		case i == 0:
			b.WriteByte('x')
		default:
			b.WriteByte('_')
		}
	}
	name := b.String()
	if name == "" {
		return "x"
	}
	if strings.HasPrefix(name, "fh_") {
		return "x_" + name
	}
	return name
}

// reserved are the words of C, and the names of its library that the files use or that compilers know.
var reserved = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`auto break case char const continue default do double else enum extern float for goto if inline int
		long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Complex
		_Imaginary asm typeof bool true false NULL NAN INFINITY main errno assert abort exit malloc calloc realloc free memcpy memset memmove
		memcmp strlen printf puts putchar fputs abs labs llabs div ldiv lldiv
		acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 log1p log2 logb modf
		scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint lrint llrint round lround llround trunc
		fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma isnan isinf isfinite isnormal signbit fpclassify
		j0 j1 jn y0 y1 yn gamma index rindex bcmp bcopy bzero ffs select signal read write open close link unlink pipe dup time clock
		random srandom rand srand system remove rename tmpfile tmpnam getenv atexit qsort bsearch atof atoi atol strtol strtod
		cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin csinh csqrt ctan ctanh complex I
		int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t intptr_t uintptr_t intmax_t uintmax_t FILE EOF
		INT8_MAX INT16_MAX INT32_MAX INT64_MAX INT8_MIN INT16_MIN INT32_MIN INT64_MIN UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX INT64_C UINT64_C
		exp10 pow10 drem significand sincos clog ctime stdin stdout stderr linux unix i386`) {
		out[w] = true
		out[w+"f"] = true
		out[w+"l"] = true
	}
	return out
})
