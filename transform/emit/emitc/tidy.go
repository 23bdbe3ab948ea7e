package emitc

import "strings"

// token is a word or sign of C, with the spaces before it.
type token struct{ space, text string }

// signs are those of C that have several characters, the longest first.
var signs = []string{"<<=", ">>=", "++", "--", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}

// tokenized splits a piece of C without comments and strings into tokens.
func tokenized(text string) []token {
	out := make([]token, 0, len(text)/3+1)
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && text[i] == ' ' {
			i++
		}
		space, first := text[start:i], i
		if i == len(text) {
			break
		}
		if isWord(text[i]) {
			digit := text[i] >= '0' && text[i] <= '9'
			for i < len(text) && (isWord(text[i]) || digit && (text[i] == '.' || isExponentSign(text, i))) {
				i++
			}
		} else {
			i++
			for _, s := range signs {
				if strings.HasPrefix(text[first:], s) {
					i = first + len(s)
					break
				}
			}
		}
		out = append(out, token{space, text[first:i]})
	}
	return out
}

// isExponentSign tells whether a character is the sign of the exponent of a number.
func isExponentSign(text string, i int) bool {
	return (text[i] == '-' || text[i] == '+') && strings.IndexByte("eEpP", text[i-1]) >= 0
}

// Precedences of operators, as far as parentheses around them may be left out.
const (
	loosest = iota // what ends an expression
	conditional
	other // operators whose parentheses help people, or that compilers want in parentheses
	comparison
	additive
	multiplicative
	unary
	primary
)

// precedences are those of the binary operators.
var precedences = map[string]int{
	"?": conditional, ":": conditional, "||": other, "&&": other, "|": other, "^": other, "&": other, "<<": other, ">>": other,
	"==": comparison, "!=": comparison, "<": comparison, ">": comparison, "<=": comparison, ">=": comparison,
	"+": additive, "-": additive, "*": multiplicative, "/": multiplicative, "%": multiplicative,
}

// longestTidied is how long a line of more than a few expressions is: initializers of vectors stay as they are.
const longestTidied = 2000

// tidied returns a piece of C without the parentheses that change nothing and that nobody misses, and without casts to an unsigned type of what is
// then cast to an integer type that isn't wider. What is computed, and in which order, stays.
func tidied(text string) string {
	if strings.IndexByte(text, '(') < 0 || len(text) > longestTidied || strings.ContainsAny(text, "\"#\\") || strings.Contains(text, "/*") {
		return text
	}
	c := newExpressions(text)
	for i := 0; i < len(c.toks); i++ {
		for c.closer[i] >= 0 && c.leaveOut(i) {
			c = newExpressions(c.String())
			i = max(i-4, 0) // a cast before may see more now
		}
	}
	return c.String()
}

// expressions is a piece of C: its tokens, for each parenthesis that opens where it closes, and for each that closes where it opens, or -1.
type expressions struct {
	toks           []token
	closer, opener []int
}

func newExpressions(text string) *expressions {
	c := &expressions{toks: tokenized(text)}
	c.closer, c.opener = make([]int, len(c.toks)), make([]int, len(c.toks))
	var open []int
	for i, t := range c.toks {
		c.closer[i], c.opener[i] = -1, -1
		switch {
		case t.text == "(":
			open = append(open, i)
		case t.text == ")" && len(open) > 0:
			at := open[len(open)-1]
			open = open[:len(open)-1]
			c.closer[at], c.opener[i] = i, at
		}
	}
	return c
}

func (c *expressions) String() string {
	var b strings.Builder
	for _, t := range c.toks {
		b.WriteString(t.space)
		b.WriteString(t.text)
	}
	return b.String()
}

// text returns a token, "" for none.
func (c *expressions) text(i int) string {
	if i < 0 || i >= len(c.toks) {
		return ""
	}
	return c.toks[i].text
}

// leaveOut drops the parentheses at a place, or the cast behind the one that is there, if it can, and tells whether it did.
func (c *expressions) leaveOut(i int) bool {
	end := c.closer[i]
	switch {
	case c.isCast(i):
		if k := end + 1; c.closer[k] >= 0 && c.isCast(k) && narrows(c.text(i+1), c.text(k+1)) && end == i+2 && c.closer[k] == k+2 {
			c.drop(k, k+1, k+2)
			return true
		}
	case c.groups(i) && c.needless(i):
		if c.toks[i+1].space == "" {
			c.toks[i+1].space = c.toks[i].space
		}
		c.drop(i, end)
		return true
	}
	return false
}

// drop takes tokens out, which are in ascending order.
func (c *expressions) drop(which ...int) {
	var kept []token
	for i, t := range c.toks {
		if len(which) > 0 && which[0] == i {
			which = which[1:]
			continue
		}
		kept = append(kept, t)
	}
	c.toks = kept
}

// isCast tells whether a parenthesis that opens is that of a cast, or of the type of a literal.
func (c *expressions) isCast(i int) bool {
	end := c.closer[i]
	if end < 0 || end == i+1 || !isTypeWord(c.text(i+1)) || i > 0 && isWord(c.text(i - 1)[0]) && c.text(i-1) != "return" {
		return false
	}
	for k := i + 1; k < end; k++ {
		if t := c.text(k); t != "*" && !isWord(t[0]) {
			return false
		}
	}
	next := c.text(end + 1)
	return next != "" && (isWord(next[0]) || strings.Contains("( { - ~ ! &", next))
}

// isTypeWord tells whether a word begins the name of a type.
func isTypeWord(w string) bool {
	switch w {
	case "const", "void", "char", "int", "unsigned", "float", "double":
		return true
	}
	return strings.HasSuffix(w, "_t") || strings.HasPrefix(w, "fh_") || strings.HasSuffix(w, "_results")
}

// integerSizes are the bits of the unsigned types.
var integerSizes = map[string]int{"uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "uint64_t": 64}

// narrows tells whether a cast to one integer type makes a cast to an unsigned one before it superfluous.
func narrows(outer, inner string) bool {
	size := max(integerSizes[outer], integerSizes["u"+outer])
	return size > 0 && size <= integerSizes[inner]
}

// groups tells whether a parenthesis is there for the order of operations alone: it belongs to no call and no statement.
func (c *expressions) groups(i int) bool {
	before := c.text(i - 1)
	switch {
	case before == "", before == "return":
		return true
	case before == ")":
		return c.opener[i-1] >= 0 && c.isCast(c.opener[i-1])
	}
	return !isWord(before[0]) && before != "]"
}

// inside returns the precedence of what is between parentheses, and whether it is known.
func (c *expressions) inside(i int) (int, bool) {
	end, least, operand := c.closer[i], primary, false
	if end == i+1 || isTypeWord(c.text(i+1)) {
		return 0, false
	}
	for k := i + 1; k < end; k++ {
		switch t := c.text(k); {
		case t == "(":
			cast := c.isCast(k)
			if cast && !operand {
				least = min(least, unary)
			}
			k, operand = c.closer[k], !cast
		case t == "[":
			for depth := 0; k < end; k++ {
				if c.text(k) == "[" {
					depth++
				} else if c.text(k) == "]" {
					if depth--; depth == 0 {
						break
					}
				}
			}
		case isWord(t[0]):
			operand = true
		case t == ".":
		case operand:
			p, ok := precedences[t]
			if !ok {
				return 0, false
			}
			least, operand = min(least, p), false
		case t == "-" || t == "~" || t == "!" || t == "&" || t == "*":
			least = min(least, unary)
		default:
			return 0, false
		}
	}
	return least, operand
}

// precedenceOf returns the precedence of an expression, and whether it is known.
func precedenceOf(text string) (int, bool) { return newExpressions("(" + text + ")").inside(0) }

// needless tells whether parentheses change nothing, and help nobody.
func (c *expressions) needless(i int) bool {
	p, ok := c.inside(i)
	if !ok {
		return false
	}
	end := c.closer[i]
	return c.looser(p, c.before(i), c.text(i+1)) && c.fits(p, c.text(i+1), c.text(end+1))
}

// before returns the operator to the left: "" where an expression begins, "unary" for one with a single operand.
func (c *expressions) before(i int) string {
	t := c.text(i - 1)
	switch t {
	case ")":
		return "cast"
	case "", "(", "[", "{", ",", ";", "=", "return", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=":
		return ""
	}
	if k := c.text(i - 2); precedences[t] > 0 && k != "" && (isWord(k[0]) && k != "return" || k == "]" || k == ")" && !c.isCast(max(c.opener[i-2], 0))) {
		return t
	}
	return "unary"
}

// looser tells whether what is to the left lets an expression of a precedence stand without parentheses.
func (c *expressions) looser(p int, left, first string) bool {
	switch left {
	case "":
		return true
	case "cast":
		return p >= unary
	case "unary":
		return p == primary
	}
	return (first != "-" || precedences[left] == conditional) && p > precedences[left] && clear(p, left)
}

// fits tells whether what is to the right does. Compilers warn of a negation beside what takes numbers: it may be meant for all of it.
func (c *expressions) fits(p int, first, right string) bool {
	switch right {
	case "", ")", "]", "}", ",", ";":
		return true
	case "==", "!=", "<", ">", "<=", ">=", "|", "&", "^":
		if first == "!" {
			return false
		}
	}
	r, ok := precedences[right]
	if !ok {
		return p == primary && (right == "." || right == "[")
	}
	if r == additive || r == multiplicative {
		return p >= r
	}
	return p > r && clear(p, right)
}

// clear tells whether people see what belongs together where an expression of a precedence stands beside an operator.
func clear(p int, operator string) bool {
	if precedences[operator] != other {
		return true
	}
	return p >= unary || p == comparison && (operator == "&&" || operator == "||")
}
