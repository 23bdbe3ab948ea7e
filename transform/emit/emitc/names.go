package emitc

import (
	_ "embed" // for reserved.txt
	"slices"
	"strconv"
	"strings"
	"sync"

	"freehold/ir"
)

// names gives out C identifiers of one scope, none twice, and none that a scope around it has.
type names struct {
	outer *names
	// bases are the names that are taken, with the words that those that were given begin with, or "".
	bases map[string]string
	next  map[string]int
	// all are the names of the outermost scope and those within.
	all *[]string
}

func newNames(outer *names) *names {
	n := &names{outer: outer, bases: map[string]string{}, next: map[string]int{}}
	if outer != nil {
		n.all = outer.all
	} else {
		n.all = new([]string)
	}
	return n
}

// take makes a name one that fresh doesn't return.
func (n *names) take(name string) { n.give(name, "") }

func (n *names) give(name, base string) {
	n.bases[name] = base
	*n.all = append(*n.all, name)
}

// macros returns a scope for macros, which no name of any scope may be.
func (n *names) macros() *names {
	m := newNames(nil)
	for _, name := range *n.all {
		m.bases[name] = ""
	}
	return m
}

// has tells whether a name is taken.
func (n *names) has(name string) bool {
	for ; n != nil; n = n.outer {
		if _, taken := n.bases[name]; taken {
			return true
		}
	}
	return false
}

// fresh returns an identifier that begins with the name of something in the program.
func (n *names) fresh(base string) string {
	base = identifier(base)
	name := base
	for reserved()[name] || n.has(name) {
		name = numbered(base, n.next[base])
		n.next[base]++
	}
	n.give(name, base)
	return name
}

// byExactness calls fn first for those whose symbol can be their name in C, so that what has to be called otherwise doesn't take it.
func byExactness[T any](list []T, symbol func(T) string, fn func(T)) {
	for _, exact := range []bool{true, false} {
		for _, x := range list {
			if s := symbol(x); (identifier(s) == s) == exact {
				fn(x)
			}
		}
	}
}

// numbered returns a name with a number behind it, or without one, for -1.
func numbered(base string, number int) string {
	if number < 0 {
		return base
	}
	return base + "_" + strconv.Itoa(number)
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
	if strings.HasPrefix(strings.ToLower(name), "fh_") { // as helpers, and the macros that guard them, are called
		return "x_" + name
	}
	return name
}

// reservedWords are the words of C and C++, and what the headers that the files use declare and define, or compilers know without them.
//
//go:embed reserved.txt
var reservedWords string

// mathematical are the functions of C that have a form for each type of floats.
const mathematical = `
	abs acos acosh asin asinh atan atan2 atanh cabs cacos cacosh carg casin casinh catan catanh cbrt ccos ccosh ceil cexp cimag clog clog10
	conj copysign cos cosh cpow cproj creal csin csinh csqrt ctan ctanh div drem erf erfc exp exp10 exp2 expm1 fabs fdim finite floor fma fmax
	fmin fmod frexp gamma hypot ilogb isfinite isinf isnan j0 j1 jn labs ldexp lgamma llabs llrint llround log log10 log1p log2 logb lrint
	lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint round roundeven scalb scalbln scalbn significand sin sincos
	sinh sqrt tan tanh tgamma trunc y0 y1 yn
`

// ofDoubles are the functions of C's library that take as many doubles as is their place, and return one.
var ofDoubles = [...]string{1: `acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p log2 logb nearbyint
	rint round sin sinh sqrt tan tanh tgamma trunc`, 2: "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder", 3: "fma"}

// isLibraryFunction tells whether a function has the name and the type of one that C's library declares for floating-point numbers.
func isLibraryFunction(name string, t *ir.FunctionType) bool {
	if len(t.Results) != 1 || len(t.Inputs) >= len(ofDoubles) {
		return false
	}
	number := t.Results[0]
	if base, ok := strings.CutSuffix(name, "f"); ok && number == ir.Type(ir.F32) {
		name = base
	} else if number != ir.Type(ir.F64) {
		return false
	}
	return !slices.ContainsFunc(t.Inputs, func(in ir.Type) bool { return in != number }) &&
		slices.Contains(strings.Fields(ofDoubles[len(t.Inputs)]), name)
}

// reserved are the names that nothing of a program may have in C: its header has to do for C++ as well.
var reserved = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(reservedWords) {
		out[w] = true
	}
	for w := range strings.FieldsSeq(mathematical) {
		out[w] = true
		out[w+"f"] = true
		out[w+"l"] = true
	}
	return out
})
