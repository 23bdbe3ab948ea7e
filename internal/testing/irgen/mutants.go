package irgen

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Mutants returns a generator of programs that are like the given ones, of which there
// must be at least one, with a few changes to their text: to numbers, types, attributes,
// operands, affine maps, names of operations, and lines. Most of them are invalid. The
// size that is asked for doesn't matter.
func Mutants(programs []string) Generator {
	m := &mutator{programs: programs}
	m.collect()
	return Generator{Name: "mutants", Mutants: true, Generate: func(choose Chooser, _ int) string { return m.mutant(choose) }}
}

// mutator makes mutants of programs, out of what occurs in them.
type mutator struct {
	programs []string
	// What occurs in all programs, each once, in the order of appearance.
	types, attrs, maps, ops []string
}

// token is a word of a program, or what is between two.
type token struct {
	kind tokenKind
	text string
}

type tokenKind uint8

const (
	spaceToken tokenKind = iota // with comments
	numberToken
	wordToken   // keywords, names of operations, and types such as f32
	valueToken  // %x, %x#1
	blockToken  // ^bb1
	symbolToken // @f
	aliasToken  // #map, !type
	stringToken
	otherToken // one character, or ->, ::, >=, ==
)

// tokensOf cuts a text into tokens. Together they are the text.
func tokensOf(text string) []token {
	var out []token
	for i := 0; i < len(text); {
		n, kind := 1, otherToken
		switch c := text[i]; {
		case c == ' ' || c == '\n' || c == '\t':
			kind = spaceToken
		case strings.HasPrefix(text[i:], "//"):
			kind = spaceToken
			if n = strings.IndexByte(text[i:], '\n'); n < 0 {
				n = len(text) - i
			}
		case c == '"':
			kind = stringToken
			for i+n < len(text) && text[i+n] != '"' && text[i+n] != '\n' {
				if text[i+n] == '\\' {
					n++
				}
				n++
			}
			n = min(n+1, len(text)-i)
		case isDigit(c):
			kind, n = numberToken, numberLen(text[i:])
		case c == '%' || c == '^' || c == '@' || c == '#' || c == '!':
			kind = map[byte]tokenKind{'%': valueToken, '^': blockToken, '@': symbolToken, '#': aliasToken, '!': aliasToken}[c]
			for i+n < len(text) && (isWord(text[i+n]) || c == '%' && text[i+n] == '#') {
				n++
			}
			if n == 1 {
				kind = otherToken
			}
		case isWord(c):
			kind = wordToken
			for i+n < len(text) && isWord(text[i+n]) {
				n++
			}
		case strings.HasPrefix(text[i:], "->"), strings.HasPrefix(text[i:], "::"), strings.HasPrefix(text[i:], ">="), strings.HasPrefix(text[i:], "=="):
			n = 2
		}
		out = append(out, token{kind, text[i : i+n]})
		i += n
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '.'
}

// numberLen returns the length of the number that the text starts with: an integer,
// which may be a dimension before x, or a number with a fraction.
func numberLen(text string) int {
	n := 1
	for n < len(text) && (isDigit(text[n]) || text[n] == '.' || n == 1 && text[n] == 'x' && text[0] == '0' ||
		n > 1 && text[1] == 'x' && text[0] == '0' && isWord(text[n])) {
		n++
	}
	if n+1 < len(text) && text[n] == 'e' && (text[n+1] == '+' || text[n+1] == '-') {
		for n += 2; n < len(text) && isDigit(text[n]); n++ {
		}
	}
	return n
}

// group returns the end of the group of tokens that starts at i: up to the bracket
// that closes the first one, if what is at i is followed by brackets at once, or just
// one token.
func group(ts []token, i int) int {
	end := i + 1
	if end >= len(ts) || !strings.Contains("<([{", ts[end].text) || ts[i].kind == spaceToken {
		return end
	}
	return closing(ts, end)
}

// closing returns the end of the brackets that the token at i opens; what is behind the token if nothing closes them.
func closing(ts []token, i int) int {
	depth := 0
	for k := i; k < len(ts); k++ {
		switch ts[k].text {
		case "<", "(", "[", "{":
			depth++
		case ">", ")", "]", "}":
			if depth--; depth == 0 {
				return k + 1
			}
		}
	}
	return i + 1
}

func textOf(ts []token) string {
	var b strings.Builder
	for _, t := range ts {
		b.WriteString(t.text)
	}
	return b.String()
}

// Numbers that are near limits, or that programs often treat in a special way.
var numbers = []string{"0", "1", "-1", "2", "3", "4", "5", "7", "8", "10", "16", "17", "31", "32", "63", "64", "65", "100", "127", "128", "255", "256",
	"1000", "65536", "2147483647", "-2147483648", "4294967296", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
	"18446744073709551615", "0.0", "-0.0", "1.0", "1.5", "0x7F800000", "0x7FC00000", "?"}

// Types and attributes that programs may lack.
var (
	usualTypes = []string{"i1", "i8", "i16", "i32", "i64", "i128", "si32", "ui8", "f16", "bf16", "f32", "f64", "f80", "f128", "tf32", "index", "none", "complex<f32>",
		"tuple<>", "tuple<i32, f32>", "tensor<f32>", "tensor<?xf32>", "tensor<*xf32>", "tensor<0xi8>", "tensor<4x?xindex>", "memref<f32>", "memref<?xf32>",
		"memref<*xf32>", "memref<0x4xi8>", "memref<4x4xf32, strided<[?, 1], offset: ?>>", "memref<4xf32, 3>", "memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>",
		"memref<8xf32, affine_map<(d0)[s0] -> (d0 + s0)>>", "vector<f32>", "vector<4xf32>", "vector<[4]xi1>", "vector<2x[4]xf32>", "vector<1x1xindex>",
		"() -> ()", "(i32) -> f32", "!test.unknown", "!llvm.ptr", "vector<4xi8>", "i0", "tensor<2xcomplex<f64>>", "memref<2xmemref<?xf32>>"}
	usualAttrs = []string{"unit", "0", "1", "-1 : i64", "3 : i8", "true", "1.0", "-2.5 : f16", "\"text\"", "[]", "[1, 2]", "[[0], [1, 2]]", "{}", "{a = 1}", "@f", "@f::@g", "i32",
		"dense<0> : tensor<2xi32>", "dense<[1, 2, 3]> : tensor<3xi64>", "dense<> : tensor<0xf32>", "dense<1.0> : vector<4xf32>", "array<i64>", "array<i64: 0>", "array<i64: 1, 0>",
		"array<i64: -9223372036854775808>", "array<i32: 0, 0, 0>", "array<i32: 1, 1>", "array<i1: true, false>", "affine_map<() -> ()>", "affine_map<(d0) -> (d0)>",
		"affine_map<(d0, d1) -> (d1, d0)>", "affine_map<(d0)[s0] -> (d0 floordiv s0)>", "affine_map<(d0) -> (d0 mod 0)>", "affine_map<(d0) -> ()>",
		"affine_set<(d0) : (d0 >= 0)>", "strided<[1], offset: ?>", "loc(unknown)", "dense_resource<a> : tensor<2xf32>", "sparse<[0], 1> : tensor<3xi32>", "opaque<\"a\", \"0x00\"> : i32"}
	mapOperators = []string{"+", "-", "*", "mod", "floordiv", "ceildiv"}
	mapTerms     = []string{"d0", "d1", "d2", "s0", "s1", "0", "1", "2", "-1", "7", "9223372036854775807", "-9223372036854775808"}
	snippets     = []string{"<", ">", "(", ")", "[", "]", "{", "}", "{}", "()", "[]", ",", ":", "->", "=", "?", "x", "*", "-", "#", "@", "%", "^", "!", "\"", "::", "loc(unknown)", " attributes {a}", "{a = 1}"}
)

// collect finds what occurs in the programs.
func (m *mutator) collect() {
	seen := map[string]bool{}
	add := func(list *[]string, text string) {
		if !seen[text] && len(text) < 300 {
			seen[text] = true
			*list = append(*list, text)
		}
	}
	for _, p := range m.programs {
		ts := tokensOf(p)
		for i, t := range ts {
			switch {
			case t.kind == wordToken && isType(t.text):
				add(&m.types, textOf(ts[i:group(ts, i)]))
			case t.kind == wordToken && (t.text == "affine_map" || t.text == "affine_set"):
				add(&m.maps, textOf(ts[i:group(ts, i)]))
			case t.kind == wordToken && (t.text == "dense" || t.text == "array" || t.text == "sparse"), t.kind == aliasToken:
				add(&m.attrs, textOf(ts[i:group(ts, i)]))
			case t.kind == wordToken && strings.Contains(t.text, "."):
				add(&m.ops, t.text)
			case t.kind == stringToken && strings.Contains(t.text, "."):
				add(&m.ops, t.text)
			}
		}
	}
	for _, t := range usualTypes {
		add(&m.types, t)
	}
	for _, a := range usualAttrs {
		add(&m.attrs, a)
	}
}

// isType tells whether a word is a type, or the beginning of one.
func isType(word string) bool {
	switch word {
	case "tensor", "memref", "vector", "complex", "tuple", "index", "none", "bf16":
		return true
	}
	digits := strings.TrimLeft(word, "suif")
	return len(digits) > 0 && len(digits) < len(word) && strings.Trim(digits, "0123456789") == ""
}

// mutant changes one of the programs in one to four places.
func (m *mutator) mutant(choose Chooser) string {
	w := &writer{choose: choose}
	text := pick(w, m.programs)
	for n := 1 + w.choose(2)*w.choose(4); n > 0; {
		for range 20 {
			if changed, ok := m.change(w, text); ok {
				text = changed
				break
			}
		}
		n--
	}
	return text
}

// change makes one change, if it can.
func (m *mutator) change(w *writer, text string) (string, bool) {
	switch kind := w.choose(25); {
	case kind < 5:
		return m.replace(w, text, numberToken, m.number)
	case kind < 9:
		return m.replaceType(w, text)
	case kind < 12:
		return m.replaceAttr(w, text)
	case kind < 15:
		return m.replace(w, text, valueToken, m.operand)
	case kind < 17:
		return m.changeMap(w, text)
	case kind < 19:
		return m.replaceWord(w, text)
	case kind < 22:
		return m.changeLines(w, text)
	case kind < 24:
		return m.changeToken(w, text)
	}
	return leadBack(w, text)
}

// leadBack makes values of a function be defined by themselves, or by later ones. To be valid, that
// is in a block that isn't reached.
func leadBack(w *writer, text string) (string, bool) {
	var starts []int
	for i := 0; ; {
		n := strings.Index(text[i:], "func.func ")
		if n < 0 {
			break
		}
		i += n + len("func.func ")
		line, _, _ := strings.Cut(text[i:], "\n")
		if strings.HasSuffix(line, "{") {
			starts = append(starts, i+len(line))
		}
	}
	if len(starts) == 0 {
		return "", false
	}
	start := pick(w, starts)
	end := len(text)
	if n := strings.Index(text[start:], "func.func "); n >= 0 {
		end = start + n
	}
	ts := tokensOf(text[start:end])
	var defined, used []int
	for i, t := range ts {
		switch {
		case t.kind != valueToken:
		case i+2 < len(ts) && ts[i+2].text == "=" && ts[i+1].kind == spaceToken:
			defined = append(defined, i)
		default:
			used = append(used, i)
		}
	}
	if len(defined) == 0 || len(used) == 0 {
		return "", false
	}
	for range 1 + w.choose(3) {
		i := pick(w, used)
		later, found := slices.BinarySearch(defined, i)
		if !found && later > 0 && w.flip() {
			ts[i].text = ts[defined[later-1]].text
		} else if later < len(defined) {
			ts[i].text = ts[defined[later+w.choose(len(defined)-later)]].text
		}
	}
	return text[:start] + "\n  llvm.unreachable\n^unreached:" + textOf(ts) + text[end:], true
}

// replace replaces a token of a kind by what with returns for it.
func (m *mutator) replace(w *writer, text string, kind tokenKind, with func(w *writer, ts []token, i int) string) (string, bool) {
	ts := tokensOf(text)
	var at []int
	for i, t := range ts {
		if t.kind == kind {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return "", false
	}
	i := pick(w, at)
	ts[i].text = with(w, ts, i)
	return textOf(ts), true
}

// number returns another number: one near the old, a limit, or one of the program.
func (m *mutator) number(w *writer, ts []token, i int) string {
	old, err := strconv.ParseInt(ts[i].text, 10, 64)
	rest := ""
	if x := strings.IndexByte(ts[i].text, 'x'); x > 0 { // 4x8xf32 is one word
		old, err = strconv.ParseInt(ts[i].text[:x], 10, 64)
		rest = ts[i].text[x:]
	}
	switch w.choose(4) {
	case 0:
		if err == nil && old < math.MaxInt64 {
			return strconv.FormatInt(old+1, 10) + rest
		}
	case 1:
		if err == nil {
			return strconv.FormatInt(old-1, 10) + rest
		}
	case 2:
		var others []string
		for _, t := range ts {
			if t.kind == numberToken && t.text != ts[i].text {
				others = append(others, t.text)
			}
		}
		if len(others) > 0 {
			return pick(w, others)
		}
	}
	return pick(w, numbers) + rest
}

func (m *mutator) operand(w *writer, ts []token, i int) string {
	var others []string
	for _, t := range ts {
		if t.kind == valueToken && t.text != ts[i].text {
			others = append(others, t.text)
		}
	}
	switch n := w.choose(10); {
	case n == 0:
		return ts[i].text + ", " + ts[i].text
	case n == 1:
		return ""
	case len(others) == 0:
		return "%undefined"
	}
	return pick(w, others)
}

// ranges returns the groups of tokens that start with one that is chosen.
func ranges(ts []token, chosen func(t token) bool) (list [][2]int) {
	for i, t := range ts {
		if chosen(t) {
			list = append(list, [2]int{i, group(ts, i)})
		}
	}
	return list
}

// replaceType replaces a type by another one, here or wherever it occurs, or changes
// what is in it.
func (m *mutator) replaceType(w *writer, text string) (string, bool) {
	ts := tokensOf(text)
	types := ranges(ts, func(t token) bool { return t.kind == wordToken && isType(t.text) })
	if len(types) == 0 {
		return "", false
	}
	x := pick(w, types)
	old := textOf(ts[x[0]:x[1]])
	with := m.otherType(w, ts, types, old)
	if w.flip() {
		return strings.ReplaceAll(text, old, with), true
	}
	return textOf(ts[:x[0]]) + with + textOf(ts[x[1]:]), true
}

func (m *mutator) otherType(w *writer, ts []token, types [][2]int, old string) string {
	name, body, shaped := strings.Cut(old, "<")
	shaped = shaped && (name == "tensor" || name == "memref" || name == "vector")
	switch n := w.choose(10); {
	case n < 4 && shaped:
		return name + "<" + m.otherShape(w, strings.TrimSuffix(body, ">")) + ">"
	case n < 5 && shaped:
		return pick(w, []string{"tensor", "memref", "vector"}) + "<" + body
	case n < 6:
		return pick(w, []string{"tensor", "memref", "vector"}) + "<" + pick(w, []string{"", "4x", "?x", "2x3x"}) + old + ">"
	case n < 8:
		x := pick(w, types)
		return textOf(ts[x[0]:x[1]])
	}
	return pick(w, m.types)
}

// otherShape changes a size of a shape such as 4x?xf32, drops one, or adds one.
func (m *mutator) otherShape(w *writer, shape string) string {
	dims := strings.Split(shape, "x")
	i := w.choose(len(dims))
	sizes := []string{"?", "0", "1", "2", "3", "4", "5", "8", "16", "1000", "*", "[4]", "4294967296", "9223372036854775807"}
	switch w.choose(4) {
	case 0:
		dims = slices.Delete(dims, i, i+1)
	case 1:
		dims = slices.Insert(dims, i, pick(w, sizes))
	default:
		dims[min(i, max(0, len(dims)-2))] = pick(w, sizes)
	}
	return strings.Join(dims, "x")
}

// replaceAttr changes an entry of a dictionary: its value, its name, or whether it is
// there.
func (m *mutator) replaceAttr(w *writer, text string) (string, bool) {
	ts := tokensOf(text)
	var equals []int
	for i, t := range ts {
		if t.text == "=" && i > 1 && i+2 < len(ts) {
			equals = append(equals, i)
		}
	}
	if len(equals) == 0 {
		return "", false
	}
	i := pick(w, equals)
	start := i + 1
	for start+1 < len(ts) && ts[start].kind == spaceToken {
		start++
	}
	end := group(ts, start)
	if strings.Contains("<([{", ts[start].text) && start > 0 {
		end = group(ts, start-1)
	}
	if k := end; k+2 < len(ts) && ts[k].kind == spaceToken && ts[k+1].text == ":" { // and its type
		if k += 2; ts[k].kind == spaceToken {
			k++
		}
		end = min(group(ts, k), len(ts))
	}
	list := m.attrs
	switch w.choose(8) {
	case 0: // drop it
		first := i - 1
		for first > 0 && ts[first].kind == spaceToken {
			first--
		}
		if end < len(ts) && ts[end].text == "," {
			end++
		}
		return textOf(ts[:first]) + textOf(ts[end:]), true
	case 1: // rename it
		for k := i - 1; k > 0; k-- {
			if ts[k].kind == wordToken {
				ts[k].text = pick(w, []string{"value", "map", "operandSegmentSizes", "static_offsets", "static_sizes", "static_strides", "in_bounds", "sym_name", "a"})
				return textOf(ts), true
			}
		}
	case 2:
		list = m.types
	case 3:
		if len(m.maps) > 0 {
			list = m.maps
		}
	}
	return textOf(ts[:start]) + pick(w, list) + textOf(ts[end:]), true
}

// changeMap changes an affine map or set: an operator, a term, a result, or all of it.
func (m *mutator) changeMap(w *writer, text string) (string, bool) {
	ts := tokensOf(text)
	maps := ranges(ts, func(t token) bool { return t.text == "affine_map" || t.text == "affine_set" })
	if len(maps) == 0 {
		return "", false
	}
	x := pick(w, maps)
	switch w.choose(6) {
	case 0:
		return textOf(ts[:x[0]]) + pick(w, m.maps) + textOf(ts[x[1]:]), true
	case 1: // drop some of it
		a := x[0] + 1 + w.choose(max(1, x[1]-x[0]-1))
		b := min(x[1], a+1+w.choose(4))
		return textOf(ts[:a]) + textOf(ts[b:]), true
	}
	var terms, operators []int
	for i := x[0] + 1; i < x[1]; i++ {
		switch t := ts[i]; {
		case slices.Contains(mapOperators, t.text):
			operators = append(operators, i)
		case t.kind == wordToken || t.kind == numberToken:
			terms = append(terms, i)
		}
	}
	switch {
	case len(operators) > 0 && w.flip():
		ts[pick(w, operators)].text = pick(w, mapOperators)
	case len(terms) == 0:
		return "", false
	case w.flip():
		ts[pick(w, terms)].text = pick(w, mapTerms)
	default:
		i := pick(w, terms)
		ts[i].text = "(" + ts[i].text + " " + pick(w, mapOperators) + " " + pick(w, mapTerms) + ")"
	}
	return textOf(ts), true
}

// replaceWord replaces a keyword or the name of an operation by another one of the
// program or of all programs.
func (m *mutator) replaceWord(w *writer, text string) (string, bool) {
	return m.replace(w, text, pick(w, []tokenKind{wordToken, wordToken, wordToken, stringToken, symbolToken, blockToken, aliasToken}),
		func(w *writer, ts []token, i int) string {
			old := ts[i].text
			if strings.Contains(old, ".") && len(m.ops) > 0 {
				dialect, _, _ := strings.Cut(old, ".")
				var same []string
				for _, o := range m.ops {
					if strings.HasPrefix(o, dialect+".") {
						same = append(same, o)
					}
				}
				if len(same) > 0 && w.choose(3) > 0 {
					return pick(w, same)
				}
				return pick(w, m.ops)
			}
			var others []string
			for _, t := range ts {
				if t.kind == ts[i].kind && t.text != old {
					others = append(others, t.text)
				}
			}
			if len(others) == 0 {
				return ""
			}
			return pick(w, others)
		})
}

// changeLines drops, repeats, exchanges or moves lines, or takes one from another program.
func (m *mutator) changeLines(w *writer, text string) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	i := w.choose(len(lines))
	switch w.choose(5) {
	case 0:
		lines = slices.Delete(lines, i, min(len(lines), i+1+w.choose(2)*w.choose(3)))
	case 1:
		lines = slices.Insert(lines, i, lines[i])
	case 2:
		j := w.choose(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
	case 3:
		line := lines[i]
		lines = slices.Delete(lines, i, i+1)
		lines = slices.Insert(lines, w.choose(len(lines)+1), line)
	case 4:
		others := strings.SplitAfter(pick(w, m.programs), "\n")
		lines = slices.Insert(lines, i, pick(w, others))
	}
	return strings.Join(lines, ""), true
}

// changeToken drops, repeats or exchanges tokens, puts one in, or drops what is between brackets.
func (m *mutator) changeToken(w *writer, text string) (string, bool) {
	ts := tokensOf(text)
	if len(ts) == 0 {
		return "", false
	}
	i := w.choose(len(ts))
	switch w.choose(6) {
	case 0:
		ts = slices.Delete(ts, i, i+1)
	case 1:
		ts = slices.Insert(ts, i, ts[i])
	case 2:
		j := min(len(ts)-1, i+1+w.choose(4))
		ts[i], ts[j] = ts[j], ts[i]
	case 3:
		ts[i].text += pick(w, snippets)
	case 4:
		return textOf(ts[:i]), true
	case 5:
		var opening []int
		for i, t := range ts {
			if t.kind == otherToken && strings.Contains("<([{", t.text) && closing(ts, i) > i+2 {
				opening = append(opening, i)
			}
		}
		if len(opening) == 0 {
			return "", false
		}
		i := pick(w, opening)
		ts = slices.Delete(ts, i+1, closing(ts, i)-1)
	}
	return textOf(ts), true
}
