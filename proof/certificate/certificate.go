// Package certificate has the form of proof certificates, loop invariants and clausal proofs, that programs handle memory right: that on every
// path each allocation is freed exactly once, and not used afterwards. It reads and writes them;
// package verify checks them. docs/certificate.md has the format.
package certificate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Certificate is a proof that a program handles memory right.
type Certificate struct {
	// Program is the digest of the program.
	Program string
	// Functions are about the functions with bodies, in the order of the program.
	Functions []*Function
}

// HasLemmas tells whether something that must not happen is shown by lemmas, not by what is seen at once.
func (c *Certificate) HasLemmas() bool {
	return slices.ContainsFunc(c.Functions, func(f *Function) bool { return len(f.Proofs) > 0 })
}

// Function is what is said about a function. Values, results and arguments go by their
// numbers, and operations by theirs in the function, after those of the calls that lead there.
type Function struct {
	Name string
	// Followed tells that the function isn't verified by itself: each call is followed.
	Followed bool
	// Any tells that nothing is known about what results have in common.
	Any bool
	// Owns are the arguments that the function frees, or returns as its caller's: if the
	// boolean argument holds, or always if that is -1. Gives are the results that the caller
	// gets to own just if the boolean result holds; others it gets to own anyway.
	Owns, Gives map[int]int
	// Same are the pairs of results that may be the same buffer; Parts those that may be less
	// than an allocation; Shifted those whose base address may not be the allocation's; Always
	// booleans that are always the same.
	Same           map[[2]int]bool
	Parts, Shifted map[int]bool
	Always         map[int]bool
	// Backed are, of a function that returns owners, the buffers that other results may be.
	Backed map[Backing]bool
	// Blocks are the orders in which blocks of regions are executed.
	Blocks map[string][]Item
	// Follow are the calls that are followed into the body of the function.
	Follow map[string]bool
	// Gathers are the operations and blocks at which the allocations that results or arguments
	// point to get new names.
	Gathers map[string]Gathering
	// Loops are the heads of loops, by their names.
	Loops map[string]*Loop
	// Proofs are, for what must not happen and isn't obvious, the lemmas that show it, by the number of the demand: the first is 1.
	Proofs map[int][][]int
}

// Gathering is how values are gathered: Others are those from before the operation that are gathered
// with its results, and Apart tells that all of them point to different buffers.
type Gathering struct {
	Apart  bool
	Others []string
}

func (g Gathering) text() (s string) {
	if g.Apart {
		s = " apart"
	}
	for _, name := range g.Others {
		s += " " + name
	}
	return s
}

// Backing is a buffer that a result may be: an argument, or what another result owns. Argument
// and Owner are their numbers plus one; if both are zero it is a buffer that always lives.
type Backing struct{ Result, Argument, Owner int }

// Backings returns the number of buffers that result i may be.
func (f *Function) Backings(i int) (n int) {
	for b := range f.Backed {
		if b.Result == i {
			n++
		}
	}
	return n
}

// HasRules tells whether a function has rules that only those who call it by name keep.
func (f *Function) HasRules() bool {
	return f.Followed || len(f.Owns)+len(f.Gives)+len(f.Parts)+len(f.Shifted) > 0
}

// Item is a block, or a loop with its head and the rest in order.
type Item struct {
	Node int
	Loop bool
	Body []Item
	// Entries are the entries of a loop that has several: its head, then, passes control on to
	// them. It carries booleans, which tell about all entries but the last whether they are
	// meant, and then the arguments of the entries: Slots are where. Its number is negative.
	Entries []int
	Slots   [][]int
}

// Head returns the name of a loop's head.
func (it Item) Head() string {
	if len(it.Entries) == 0 {
		return strconv.Itoa(it.Node)
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(it.Entries), "[]"), " ", "+")
}

// Loop is what holds at the head of a loop.
type Loop struct {
	// Unroll tells that the loop is executed step by step instead.
	Unroll bool
	// Counts tells that it carries a boolean as well, after what it passes on: whether there was an iteration before.
	Counts  bool
	Carried map[int]*Carried
	Lives   []Life
	Cells   []Cells
	// Keeps are elements of which the loop knows what they hold: values that it carries, after
	// those that it passes on.
	Keeps []Element
	Holds []string
}

// Carried is what is known about a value that a loop carries; without it, a number is any, and
// what isn't a number is what it was on entry.
type Carried struct {
	// Number and Address tell that it is any number; an address is one that may be one.
	Number, Address bool
	// Free tells that a boolean may be anything, or that the object that the value names may
	// have been freed.
	Free bool
	// Is is the condition that a boolean is.
	Is string
	// To are what a pointer may point to: objects, what values point to, or own:K.
	To []string
	// Part, View and Shifted tell what a memref may be that it wasn't on entry: a part of its
	// object, not all of it, or with another base address.
	Part, View, Shifted bool
}

// Life is the condition under which an object lives at the head of a loop; empty if nothing is
// known.
type Life struct{ Object, Is string }

// Cells is a buffer that the loop writes to; Address tells that it may hold addresses.
type Cells struct {
	Object  string
	Address bool
}

// Element is an element of a buffer, in the order of memory.
type Element struct {
	Object string
	Number int
}

// About returns what is said about value k that the loop carries: nothing, if that isn't
// listed.
func (l *Loop) About(k int) *Carried {
	if c := l.Carried[k]; c != nil {
		return c
	}
	return &Carried{}
}

const header = "freehold certificate 1"

// String returns the certificate's text.
func (c *Certificate) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s\nprogram %s", header, c.Program)
	for _, f := range c.Functions {
		line("function @%s", f.Name)
		if f.Followed {
			line("  followed")
		}
		for _, i := range slices.Sorted(maps.Keys(f.Owns)) {
			if by := f.Owns[i]; by < 0 {
				line("  owns %d", i)
			} else {
				line("  owns %d if %d", i, by)
			}
		}
		for _, i := range slices.Sorted(maps.Keys(f.Gives)) {
			line("  gives %d if %d", i, f.Gives[i])
		}
		for _, p := range slices.SortedFunc(maps.Keys(f.Same), func(x, y [2]int) int { return slices.Compare(x[:], y[:]) }) {
			line("  same %d %d", p[0], p[1])
		}
		for _, i := range slices.Sorted(maps.Keys(f.Parts)) {
			line("  part %d", i)
		}
		for _, i := range slices.Sorted(maps.Keys(f.Shifted)) {
			line("  shifted %d", i)
		}
		for _, i := range slices.Sorted(maps.Keys(f.Always)) {
			line("  always %d %t", i, f.Always[i])
		}
		for _, b := range slices.SortedFunc(maps.Keys(f.Backed), func(x, y Backing) int {
			return cmp.Or(x.Result-y.Result, x.Argument-y.Argument, x.Owner-y.Owner)
		}) {
			switch {
			case b.Argument > 0:
				line("  result %d argument %d", b.Result, b.Argument-1)
			case b.Owner > 0:
				line("  result %d owner %d", b.Result, b.Owner-1)
			default:
				line("  result %d any", b.Result)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(f.Blocks)) {
			line("  blocks %s%s", name, itemsText(f.Blocks[name]))
		}
		for _, name := range slices.Sorted(maps.Keys(f.Follow)) {
			line("  follow %s", name)
		}
		for _, name := range slices.Sorted(maps.Keys(f.Gathers)) {
			line("  gathers %s%s", name, f.Gathers[name].text())
		}
		for _, name := range slices.Sorted(maps.Keys(f.Loops)) {
			l := f.Loops[name]
			if l.Unroll {
				line("  unroll %s", name)
				continue
			}
			line("  loop %s", name)
			if l.Counts {
				line("    counts")
			}
			for _, e := range l.Keeps {
				line("    keeps %s %d", e.Object, e.Number)
			}
			for _, k := range slices.Sorted(maps.Keys(l.Carried)) {
				line("    carries %d%s", k, l.Carried[k].text())
			}
			for _, s := range l.Lives {
				if s.Is == "" {
					line("    lives %s free", s.Object)
				} else {
					line("    lives %s is %s", s.Object, s.Is)
				}
			}
			for _, s := range l.Cells {
				if s.Address {
					line("    writes %s address", s.Object)
				} else {
					line("    writes %s", s.Object)
				}
			}
			for _, s := range l.Holds {
				line("    holds %s", s)
			}
		}
		for _, demand := range slices.Sorted(maps.Keys(f.Proofs)) {
			line("  proof %d", demand)
			for _, lemma := range f.Proofs[demand] {
				line("    lemma%s", strings.TrimRight(fmt.Sprint(" ", strings.Trim(fmt.Sprint(lemma), "[]")), " "))
			}
		}
	}
	return b.String()
}

func itemsText(order []Item) string {
	s := ""
	for _, it := range order {
		if it.Loop {
			s += " ("
			for i, n := range it.Entries {
				s += strings.ReplaceAll(fmt.Sprint(n, "=", strings.Trim(fmt.Sprint(it.Slots[i]), "[]"), "+"), " ", ",")
			}
			if len(it.Entries) == 0 {
				s += strconv.Itoa(it.Node)
			}
			s += itemsText(it.Body) + ")"
		} else {
			s += " " + strconv.Itoa(it.Node)
		}
	}
	return s
}

func (c *Carried) text() string {
	s := ""
	for _, x := range []struct {
		word string
		set  bool
	}{{"number", c.Number}, {"address", c.Address}, {"free", c.Free}, {"part", c.Part}, {"view", c.View}, {"shifted", c.Shifted}} {
		if x.set {
			s += " " + x.word
		}
	}
	if len(c.To) > 0 {
		s += " to " + strings.Join(c.To, " ")
	}
	if c.Is != "" {
		s += " is " + c.Is
	}
	return s
}

// Parse reads a certificate. An error has the number of its line.
func Parse(text string) (*Certificate, error) {
	c := &Certificate{}
	r := &reader{c: c}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "//")
		if r.words = strings.Fields(line); len(r.words) == 0 {
			continue
		}
		if !r.line(strings.TrimSpace(line)) {
			return nil, fmt.Errorf("line %d: %q isn't understood here", i+1, strings.TrimSpace(line))
		}
	}
	if !r.begun {
		return nil, fmt.Errorf("the first line isn't %q", header)
	}
	return c, nil
}

// reader reads the lines of a certificate.
type reader struct {
	c     *Certificate
	begun bool
	f     *Function
	l     *Loop
	// demand is the number of the proof that lemmas are for.
	demand int
	words  []string // of the line
}

// number returns word i of the line as a number.
func (r *reader) number(i int) (n int, ok bool) {
	if i >= len(r.words) {
		return 0, false
	}
	n, err := strconv.Atoi(r.words[i])
	return n, err == nil && n >= 0
}

// line reads a line. It returns false if it isn't understood.
func (r *reader) line(text string) bool {
	n := len(r.words)
	word := r.words[0]
	if !r.begun {
		r.begun = text == header
		return r.begun
	}
	if word == "program" && n == 2 && r.c.Program == "" {
		r.c.Program = r.words[1]
		return true
	}
	if name, ok := strings.CutPrefix(text, "function @"); ok {
		r.f = &Function{Name: name, Owns: map[int]int{}, Gives: map[int]int{}, Same: map[[2]int]bool{}, Parts: map[int]bool{}, Shifted: map[int]bool{},
			Always: map[int]bool{}, Backed: map[Backing]bool{}, Blocks: map[string][]Item{}, Follow: map[string]bool{}, Gathers: map[string]Gathering{}, Loops: map[string]*Loop{}, Proofs: map[int][][]int{}}
		r.l = nil
		r.c.Functions = append(r.c.Functions, r.f)
		return true
	}
	if r.f == nil || n < 2 && word != "followed" && word != "lemma" && word != "counts" {
		return false
	}
	rest := strings.TrimSpace(strings.TrimPrefix(text, word))
	i, isNumber := r.number(1)
	switch word {
	case "followed":
		r.f.Followed = true
		return n == 1
	case "proof":
		_, again := r.f.Proofs[i]
		r.f.Proofs[i], r.demand = nil, i
		return n == 2 && isNumber && !again
	case "owns", "gives":
		by, conditional := r.number(3)
		if conditional = conditional && n == 4 && r.words[2] == "if"; !conditional {
			by = -1
		}
		if word == "gives" {
			r.f.Gives[i] = by
			return isNumber && conditional
		}
		r.f.Owns[i] = by
		return isNumber && (conditional || n == 2)
	case "same":
		j, ok := r.number(2)
		r.f.Same[[2]int{i, j}] = true
		return isNumber && ok && n == 3
	case "part":
		r.f.Parts[i] = true
		return isNumber && n == 2
	case "shifted":
		r.f.Shifted[i] = true
		return isNumber && n == 2
	case "always":
		r.f.Always[i] = r.words[n-1] == "true"
		return isNumber && n == 3 && (r.words[2] == "true" || r.words[2] == "false")
	case "result":
		j, ok := r.number(3)
		switch b := (Backing{Result: i}); {
		case n == 3 && r.words[2] == "any":
			r.f.Backed[b], ok = true, true
		case ok && n == 4 && r.words[2] == "argument":
			r.f.Backed[Backing{Result: i, Argument: j + 1}] = true
		case ok && n == 4 && r.words[2] == "owner":
			r.f.Backed[Backing{Result: i, Owner: j + 1}] = true
		default:
			return false
		}
		return isNumber && ok
	case "follow":
		r.f.Follow[rest] = true
		return n == 2
	case "gathers":
		_, again := r.f.Gathers[r.words[1]]
		g := Gathering{Others: r.words[2:]}
		if g.Apart = n > 2 && r.words[2] == "apart"; g.Apart {
			g.Others = g.Others[1:]
		}
		r.f.Gathers[r.words[1]] = g
		return !again
	case "blocks":
		words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(strings.TrimPrefix(rest, r.words[1])))
		order, left, ok := readItems(words, 0)
		r.f.Blocks[r.words[1]] = order
		return ok && len(left) == 0 && len(order) > 0
	case "unroll", "loop":
		r.l = &Loop{Unroll: word == "unroll", Carried: map[int]*Carried{}}
		again := r.f.Loops[rest] != nil
		r.f.Loops[rest] = r.l
		return n == 2 && !again
	case "lemma":
		var lemma []int
		for _, w := range r.words[1:] {
			x, err := strconv.Atoi(w)
			if err != nil || x == 0 {
				return false
			}
			lemma = append(lemma, x)
		}
		lemmas, begun := r.f.Proofs[r.demand]
		r.f.Proofs[r.demand] = append(lemmas, lemma)
		return begun && len(lemma) > 0
	}
	return r.l != nil && !r.l.Unroll && r.loopLine(word, rest)
}

// loopLine reads a line about the head of a loop.
func (r *reader) loopLine(word, rest string) bool {
	n := len(r.words)
	switch word {
	case "carries":
		k, ok := r.number(1)
		again := r.l.Carried[k] != nil
		c := &Carried{}
		r.l.Carried[k] = c
		flags := map[string]*bool{"number": &c.Number, "address": &c.Address, "free": &c.Free, "part": &c.Part, "view": &c.View, "shifted": &c.Shifted}
		for i, w := range r.words[2:] {
			switch {
			case flags[w] != nil:
				*flags[w] = true
				continue
			case w == "to":
				c.To = r.words[i+3:]
				for _, p := range c.To {
					ok = ok && ParsePointer(p) != nil
				}
				return ok && !again && len(c.To) > 0
			case w == "is":
				c.Is = strings.Join(r.words[i+3:], " ")
				return ok && !again && ParseCondition(c.Is) != nil
			}
			return false
		}
		return ok && !again && n > 2
	case "lives":
		_, is, conditional := strings.Cut(rest, " is ")
		r.l.Lives = append(r.l.Lives, Life{r.words[1], strings.TrimSpace(is)})
		return conditional && r.words[2] == "is" && ParseCondition(is) != nil || n == 3 && r.words[2] == "free"
	case "counts":
		again := r.l.Counts
		r.l.Counts = true
		return n == 1 && !again
	case "writes":
		r.l.Cells = append(r.l.Cells, Cells{r.words[1], n == 3})
		return n == 2 || n == 3 && r.words[2] == "address"
	case "keeps":
		i, ok := r.number(2)
		r.l.Keeps = append(r.l.Keeps, Element{r.words[1], i})
		return ok && n == 3
	case "holds":
		r.l.Holds = append(r.l.Holds, rest)
		return ParseCondition(rest) != nil
	}
	return false
}

// readItems reads an order of blocks up to the end or a closing parenthesis.
func readItems(words []string, depth int) (out []Item, rest []string, ok bool) {
	for len(words) > 0 && words[0] != ")" {
		if entries, several := strings.CutSuffix(words[0], "+"); several {
			it := Item{Node: -2 - len(words)}
			for _, text := range strings.Split(entries, "+") {
				entry, slots, _ := strings.Cut(text, "=")
				n, err := strconv.Atoi(entry)
				it.Entries, it.Slots = append(it.Entries, n), append(it.Slots, []int{})
				for _, text := range strings.FieldsFunc(slots, func(r rune) bool { return r == ',' }) {
					at, err2 := strconv.Atoi(text)
					if err != nil || err2 != nil || at < 0 || at > 1<<16 {
						return nil, nil, false
					}
					it.Slots[len(it.Slots)-1] = append(it.Slots[len(it.Slots)-1], at)
				}
			}
			out, words = append(out, it), words[1:]
			continue
		}
		if words[0] != "(" {
			n, err := strconv.Atoi(words[0])
			if err != nil || n < 0 {
				return nil, nil, false
			}
			out, words = append(out, Item{Node: n}), words[1:]
			continue
		}
		if depth > maxNesting {
			return nil, nil, false
		}
		body, left, ok := readItems(words[1:], depth+1)
		if !ok || len(left) == 0 || len(body) == 0 || body[0].Loop {
			return nil, nil, false
		}
		loop := body[0]
		loop.Loop, loop.Body = true, body[1:]
		out, words = append(out, loop), left[1:]
	}
	return out, words, true
}
