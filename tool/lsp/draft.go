package lsp

import (
	"slices"
	"strconv"
	"strings"

	"freehold/internal/lazyregexp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// draft is what is known about a text that differs in a few lines from a document, before it is analyzed itself: what the
// document says of the other lines, and what those lines say when they are read by themselves, between the values above.
// It answers only what the analysis will answer as well.
type draft struct {
	*document // of the text; its pieces have drafted names, and no program
	base      *document
	at        int               // the number of the piece with the lines
	lines     [3]int            // offsets in that piece: where the lines begin, where they end in the base, and where in the text
	gone      asm.Tokens        // the names in the lines of the base
	ops       map[*ir.Op]bool   // the operations in the lines of the base
	read      bool              // the lines could be read, and nothing else has become part of them
	reaching  map[*ir.Op]bool   // operations of the base of which the lines may be parts, if they couldn't be read
	region    *ir.Region        // around the lines, in the base
	here      asm.Tokens        // the names in the lines of the text
	above     map[*ir.Op]values // what stands for values above in the lines
}

// values are values above the lines that have one name.
type values []*ir.Value

// Lines that are read by themselves are few and short.
const longestLines = 16 << 10

// draftOf returns what is known of a text by a document that was analyzed; nil if they differ in more than a few lines, or if the lines
// say something about all of the program.
func (s *Server) draftOf(base *document, t *text) *draft {
	from, oldEnd, newEnd := differing(base.src, t.src)
	was, is := base.src[from:oldEnd], t.src[from:newEnd]
	if max(len(was), len(is)) > longestLines || decisive(was) || decisive(is) || t.utf8 != base.utf8 {
		return nil
	}
	x := &draft{base: base, document: &document{text: t, uri: base.uri}}
	for n, p := range base.pieces {
		if p.start <= from && oldEnd <= p.end {
			x.at = n
		}
	}
	p := base.pieces[x.at]
	if from < p.start || oldEnd > p.end || p.session == nil {
		return nil
	}
	shift := newEnd - oldEnd
	for n, old := range base.pieces {
		q := &piece{start: old.start, end: old.end, session: old.session, drafted: base.parts(old)}
		if n >= x.at {
			q.end += shift
		}
		if n > x.at {
			q.start += shift
		}
		x.pieces = append(x.pieces, q)
	}
	x.lines = [3]int{from - p.start, oldEnd - p.start, newEnd - p.start}
	first, _ := slices.BinarySearchFunc(p.tokens, x.lines[0], func(t asm.Token, at int) int { return t.Start - at })
	last, _ := slices.BinarySearchFunc(p.tokens, x.lines[1], func(t asm.Token, at int) int { return t.Start - at })
	x.gone = p.tokens[first:last]
	x.ops = map[*ir.Op]bool{}
	for i := range x.gone {
		if g := &x.gone[i]; g.Kind == asm.OpToken && g.Op != nil {
			x.ops[g.Op] = true
		} else if g.Kind == asm.SymbolToken && g.Def {
			return nil // what refers to it is anywhere
		}
	}
	src := base.src[p.start:p.end]
	lines := s.readLines(x, p.tokens[:first], is)
	x.read = x.read && !continues(src, x.lines, p.tokens[first:], x.ops) && x.wasWhole(was) || base.src == t.src
	if !x.read {
		x.reach(p.tokens[:first])
	}
	if slices.ContainsFunc(x.here, func(t asm.Token) bool { return t.Kind == asm.SymbolToken && t.Def }) {
		return nil
	}
	x.pieces[x.at].drafted = []part{{p.tokens[:first], src, 0}, lines, {p.tokens[last:], src, shift}}
	return x
}

// differing returns between where two texts differ, in whole lines.
func differing(a, b string) (from, aEnd, bEnd int) {
	const block = 4096
	n := min(len(a), len(b))
	for from+block <= n && a[from:from+block] == b[from:from+block] {
		from += block
	}
	for from < n && a[from] == b[from] {
		from++
	}
	from = strings.LastIndexByte(a[:from], '\n') + 1
	same, n := 0, n-from
	for same+block <= n && a[len(a)-same-block:len(a)-same] == b[len(b)-same-block:len(b)-same] {
		same += block
	}
	for same < n && a[len(a)-same-1] == b[len(b)-same-1] {
		same++
	}
	aEnd, bEnd = len(a)-same, len(b)-same
	startsLine := func(s string, at int) bool { return at == from || s[at-1] == '\n' }
	if !startsLine(a, aEnd) || !startsLine(b, bEnd) {
		rest := strings.IndexByte(a[aEnd:], '\n') + 1
		if rest == 0 {
			rest = len(a) - aEnd
		}
		aEnd, bEnd = aEnd+rest, bEnd+rest
	}
	return from, aEnd, bEnd
}

// decisive tells whether lines may say something about all of the program: where it ends, for which version it is, what aliases and
// blocks are, which properties others refer to.
func decisive(lines string) bool {
	for line := range strings.Lines(lines) {
		if start := strings.TrimLeft(line, " \t"); start != "" && strings.IndexByte("!#{", start[0]) >= 0 {
			return true
		}
	}
	return strings.Contains(lines, marker) || strings.Contains(lines, "mlir-version") || strings.Contains(lines, "RUN:") || strings.ContainsAny(lines, "^")
}

// wasWhole tells whether the lines of the base were operations, or none, and not parts of some.
func (x *draft) wasWhole(lines string) bool {
	if len(x.gone) == 0 {
		for line := range strings.Lines(lines) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				return false
			}
		}
		return true
	}
	closed, open := unmatched(lines)
	return closed == 0 && open == 0 && startsOp(&x.gone[0])
}

// startsOp tells whether an operation may begin with a name.
func startsOp(t *asm.Token) bool {
	return t.Kind == asm.OpToken || t.Kind == asm.ValueToken && t.Def
}

// reach finds the operations above the lines of which these may be parts: the last one, and those around it.
func (x *draft) reach(above asm.Tokens) {
	x.reaching = map[*ir.Op]bool{}
	for i := len(above) - 1; i >= 0; i-- {
		if t := &above[i]; t.Kind == asm.OpToken {
			for op := t.Op; op != nil; op = op.Parent() {
				x.reaching[op] = true
			}
			return
		}
	}
}

// unmatched returns how many braces a text closes that it doesn't open, and how many it opens and leaves open.
func unmatched(src string) (closed, open int) {
	for i := range bracesOf(src) {
		switch {
		case src[i] == '{':
			open++
		case open > 0:
			open--
		default:
			closed++
		}
	}
	return closed, open
}

// continues tells whether the lines belong to what stands before them or behind, as far as that can be told without reading it.
func continues(src string, lines [3]int, tokens asm.Tokens, ops map[*ir.Op]bool) bool {
	before := strings.TrimRight(src[:lines[0]], " \t\r\n")
	before = before[strings.LastIndexByte(before, '\n')+1:]
	if before != "" && !strings.Contains(before, "//") && (strings.IndexByte("=,:(", before[len(before)-1]) >= 0 || strings.HasSuffix(before, "->")) {
		return true
	}
	after := strings.TrimLeft(src[lines[1]:], " \t\r\n")
	if after != "" && strings.IndexByte(":-{([,=<>)]", after[0]) >= 0 {
		return true
	}
	for i := range tokens {
		if t := &tokens[i]; t.Start >= lines[1] {
			return ops[t.Op] || !startsOp(t) && t.Kind != asm.BlockToken
		}
	}
	return false
}

// named matches the names of values.
var named = lazyregexp.New(`%[\w$.-]+`)

// readLines reads the lines of the text between the values above that they name, and returns their names as a part of the piece.
func (s *Server) readLines(x *draft, above asm.Tokens, lines string) part {
	p := x.base.pieces[x.at]
	x.region = x.base.regionBehind(p, above, x.lines[0])
	var b strings.Builder
	if strings.ContainsAny(lines, "!#") {
		for line := range strings.Lines(x.src[p.start:x.pieces[x.at].end]) {
			if line[0] == '!' || line[0] == '#' {
				b.WriteString(line)
			}
		}
	}
	b.WriteString("func.func @lines() {\n")
	groups := map[string]values{}
	for name, t := range x.defined(p, above, named().FindAllString(lines, -1)) {
		group := values{t.Value}
		if op := t.Value.DefiningOp(); op != nil {
			group = op.Results().Values()[t.Value.Index():]
			group = group[:min(groupSize(x.base.src[p.start+t.End:p.end]), len(group))]
		}
		var types []string
		for _, v := range group {
			types = append(types, v.Type().String())
		}
		groups[name] = group
		b.WriteString(name)
		if len(group) > 1 {
			b.WriteString(":" + strconv.Itoa(len(group)))
		}
		b.WriteString(" = \"builtin.unrealized_conversion_cast\"() : () -> (" + strings.Join(types, ", ") + ")\n")
	}
	prelude := b.Len()
	b.WriteString(lines)
	b.WriteString("\n}\n")
	src := b.String()
	ctx := s.tool.For(p.session.LLVM).NewContext()
	ctx.AllowUnregistered = true
	var tokens asm.Tokens
	module, err := asm.Parse(ctx, []byte(src), x.uri, asm.ParseOptions{Recover: true, Tokens: &tokens, Version: p.session.LLVM, Threads: 1})
	x.read = err == nil && x.region != nil && module.BodyBlock(0).First() == module.BodyBlock(0).Last()
	x.above = map[*ir.Op]values{}
	for i := range tokens {
		t := &tokens[i]
		switch {
		case t.Start >= prelude+len(lines):
		case t.Start >= prelude:
			x.here = append(x.here, *t)
		case t.Def && t.Kind == asm.ValueToken && t.Value != nil && t.Value.DefiningOp() != nil:
			x.above[t.Value.DefiningOp()] = groups[src[t.Start:t.End]]
		}
	}
	for i := range x.here {
		x.here[i].Start += x.lines[0] - prelude
		x.here[i].End += x.lines[0] - prelude
	}
	return part{x.here, x.src[p.start:x.pieces[x.at].end], 0}
}

// groupSize returns how many results get the name that ends where a text begins: 2 for ":2 = ".
func groupSize(rest string) int {
	n := 0
	if strings.HasPrefix(rest, ":") {
		for i := 1; i < len(rest) && '0' <= rest[i] && rest[i] <= '9' && n < 1<<20; i++ {
			n = 10*n + int(rest[i]-'0')
		}
	}
	return max(n, 1)
}

// regionBehind returns the region that an offset of a piece is in, behind the names above; nil if it isn't known.
func (d *document) regionBehind(p *piece, above asm.Tokens, offset int) *ir.Region {
	for i := len(above) - 1; i >= 0; i-- {
		t := &above[i]
		if t.Kind != asm.OpToken {
			continue
		}
		if t.Op == nil {
			return nil
		}
		op, next := t.Op, 0
		closed, open := unmatched(d.src[p.start+t.End : p.start+offset])
		for ; closed > 0 && op != nil; closed-- {
			r := op.Region()
			if r == nil {
				return nil
			}
			op, next = r.Op(), r.Index()+1
		}
		switch {
		case op == nil || open > 1 || open == 1 && next >= op.NumRegions():
			return nil
		case open == 1:
			return op.RegionAt(next)
		}
		return op.Region()
	}
	return nil
}

// defined returns where values get the names by which the lines may call them.
func (x *draft) defined(p *piece, above asm.Tokens, names []string) map[string]*asm.Token {
	left := map[string]bool{}
	for _, n := range names {
		left[n] = true
	}
	out := map[string]*asm.Token{}
	for i := len(above) - 1; i >= 0 && len(left) > 0 && x.region != nil; i-- {
		t := &above[i]
		if t.Kind != asm.ValueToken || !t.Def || t.Value == nil {
			continue
		}
		name := x.base.tokenText(p, t)
		if r := t.Value.ParentRegion(); left[name] && r != nil && r.IsAncestorOf(x.region) {
			out[name] = t
			delete(left, name)
		}
	}
	return out
}

// hover says what is known about the name at a position; known is false if that must be found out.
func (x *draft) hover(at position) (h *hover, known bool) {
	q, offset := x.document.at(x.offset(at))
	p := x.base.pieces[slices.Index(x.pieces, q)]
	var t *asm.Token
	part := x.base.parts(p)[0]
	inside := false
	if q == x.pieces[x.at] {
		// Where the lines meet others, they end in a line feed, which no name contains.
		n := 0
		if offset >= x.lines[0] {
			n++
		}
		if offset >= x.lines[2] {
			n++
		}
		part, inside = q.drafted[n], n == 1
	}
	if t = part.tokens.At(offset - part.shift); t == nil {
		return nil, len(p.errs) == 0 && (!inside || x.read) // there may be names in what couldn't be read
	}
	says := ""
	name := part.src[t.Start:t.End]
	switch {
	case t.Kind == asm.AttrToken:
		return nil, true
	case inside && !x.read:
	case t.Kind == asm.OpToken && t.Op != nil && !x.around(t.Op):
		says = describeOp(t.Op)
	case t.Kind == asm.ValueToken && t.Value != nil:
		says = x.describe(name, t.Value, inside)
	case t.Kind == asm.BlockToken && t.Block != nil:
		says = describeBlock(t.Block)
	case t.Kind == asm.SymbolToken && x.read:
		if op := x.base.symbolOp(p, name); op != nil {
			says = describeSymbol(name, op)
		}
	}
	if says == "" {
		return nil, false
	}
	return &hover{markup{"markdown", says}, x.span(q.start+t.Start+part.shift, q.start+t.End+part.shift)}, true
}

// around tells whether the lines may be in an operation of the base.
func (x *draft) around(op *ir.Op) bool {
	if x.reaching[op] || op.NumRegions() == 0 {
		return x.reaching[op]
	}
	for r := x.region; r != nil; r = r.Op().Region() {
		if r.Op() == op {
			return true
		}
		if r.Op() == nil {
			break
		}
	}
	return x.region == nil
}

// describe says what a value is, of the base or of the lines; "" if that isn't known.
func (x *draft) describe(name string, v *ir.Value, inside bool) string {
	if inside {
		if group, ok := x.above[v.DefiningOp()]; ok {
			if v.Index() >= len(group) {
				return ""
			}
			return describeValue(name, group[v.Index()], x.uses(group[v.Index()]))
		}
		return x.describeNew(name, v)
	}
	if op := v.DefiningOp(); op != nil && x.reaching[op] {
		return ""
	}
	if !x.ops[interfaces.OwnerOf(v)] {
		return describeValue(name, v, x.uses(v))
	}
	// The lines defined it: do they still define the same?
	if now := x.defines(name); now != nil && x.read && now.Type().String() == v.Type().String() && now.Index() == v.Index() {
		return x.describeNew(name, now)
	}
	return ""
}

// describeNew says what a value is that the lines of the text define.
func (x *draft) describeNew(name string, v *ir.Value) string {
	n := uses(v, nil)
	p := x.base.pieces[x.at]
	found := false
	for i := range x.gone {
		g := &x.gone[i]
		if g.Kind == asm.ValueToken && g.Def && g.Value != nil && x.base.tokenText(p, g) == name {
			if found || g.Value.Type().String() != v.Type().String() {
				return describeValue(name, v, -1)
			}
			found = true
			n += uses(g.Value, x.ops)
		}
	}
	if !found && len(p.errs) > 0 {
		n = -1 // one of the errors may be that it wasn't there
	}
	return describeValue(name, v, n)
}

// uses returns how often a value of the base is used in the text; -1 if that isn't known.
func (x *draft) uses(v *ir.Value) int {
	if !x.read {
		return -1
	}
	n := uses(v, x.ops)
	for op, group := range x.above {
		for i, w := range group {
			if w == v {
				n += uses(op.Result(i), nil)
			}
		}
	}
	return n
}

// defines returns the value that gets a name in the lines; nil if none does, or several do.
func (x *draft) defines(name string) (v *ir.Value) {
	src := x.src[x.pieces[x.at].start:x.pieces[x.at].end]
	for i := range x.here {
		if t := &x.here[i]; t.Kind == asm.ValueToken && t.Def && src[t.Start:t.End] == name {
			if v != nil {
				return nil
			}
			v = t.Value
		}
	}
	return v
}
