package asm

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"freehold/internal/parallel"
	"freehold/internal/slab"
	"freehold/ir"
)

// Sizes, in bytes of the source, by which parsing is split.
const (
	minSplit  = 1 << 16 // shorter sources are not split
	chunkSize = 1 << 15 // what one job parses, at least
	// heavyChunk is the size from which on a chunk is not a job, as it is mostly a
	// single operation: rather is the inside of that split.
	heavyChunk = 4 * chunkSize
	// maxMisses is the number of wasted jobs after which a source is not split any
	// more.
	maxMisses = 8
	// mostNames bounds for how many names there is room at the start of a body, of which
	// each line may define one.
	mostNames = 1 << 14
	// maxScan bounds how often ends of chunks are looked for in the same text, which
	// happens for the bodies inside of each other.
	maxScan = 8
)

// parseSplitter lets other goroutines parse the bodies of blocks ahead. What they
// return is used only if the parser arrives exactly where they started, and if
// they found nothing that depends on what was read before, except for values that
// are defined by then. In all other cases the parser reads the same text itself,
// so that programs and errors are those of a parser without help.
type parseSplitter struct {
	threads int
	bodies  chan *splitBody // what workers take chunks from; nil before they run
	workers sync.WaitGroup
	stopped atomic.Bool
	misses  int          // wasted jobs
	self    *Parser      // parses chunks for the goroutine that would wait otherwise
	scanned atomic.Int64 // bytes in which ends of chunks were looked for

	mu     sync.Mutex
	tables []*valueTable // free ones
}

// splitBody is the rest of a block's body, which is cut into chunks.
type splitBody struct {
	split  *parseSplitter
	parent *Parser
	indent int // of the lines with which the operations start
	depth  int
	op     opContext

	mu     sync.Mutex
	cursor int      // where the first chunk starts that nobody has taken; -1 at the end
	chunks []*chunk // taken, and not yet passed by the parser
}

// chunk is a part of a body: what starts there before end.
type chunk struct {
	start, end int
	// done is closed when a worker has finished; it is nil for a chunk that the
	// parser reads itself.
	done chan struct{}
	// What was parsed, if ok is set: operations up to stop.
	ok      bool
	stop    int
	prevEnd int // of the token before
	block   *ir.Block
	values  *valueTable
	forward []forwardRef
	late    []*aliasLoc
	// expanded is what aliases and elements stand for, in bytes.
	expanded int
	evidence evidence
}

// newParseSplitter returns nil if the source is too short.
func newParseSplitter(src string, threads int) *parseSplitter {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	if threads == 1 || len(src) < minSplit {
		return nil
	}
	return &parseSplitter{threads: threads}
}

// close waits for the workers to stop.
func (s *parseSplitter) close() {
	if s != nil && s.bodies != nil {
		s.stopped.Store(true)
		close(s.bodies)
		s.workers.Wait()
	}
}

// splitBody returns the rest of a block's body for splitting, or nil if it is short.
func (p *Parser) splitBody() *splitBody {
	s := p.split
	start := p.tok.pos
	line := strings.LastIndexByte(p.src[:start], '\n') + 1
	indent := start - line
	if s.misses >= maxMisses || s.scanned.Load() > maxScan*int64(len(p.src)) || len(p.src)-start < 2*chunkSize || strings.TrimLeft(p.src[line:start], " \t") != "" {
		return nil
	}
	end, last := s.scan(p.src, start, indent)
	if last {
		return nil
	}
	if lines := p.locs.lines.starts; int(p.values.n) < mostNames {
		at, _ := p.locs.lines.at(start)
		p.values.reserve(int(p.values.n) + min(mostNames, len(lines)-int(at)+1))
	}
	b := &splitBody{split: s, parent: p, indent: indent, depth: p.depth, op: p.op, cursor: end,
		chunks: []*chunk{{start: start, end: end}}}
	if s.bodies == nil {
		s.bodies = make(chan *splitBody, 2*s.threads)
		s.self = p.worker()
		for range s.threads - 1 {
			s.workers.Add(1)
			q := p.worker()
			go func() {
				defer s.workers.Done()
				for b := range s.bodies {
					for b.help(q) {
					}
				}
			}()
		}
	}
	for range s.threads - 1 {
		select {
		case s.bodies <- b:
		default: // All are busy.
		}
	}
	return b
}

// scan returns the end of the chunk of a body that starts at a position, and whether it
// is the last one. Chunks end before lines that are indented like the first operation
// of the body and could start an operation as well. The body ends before the first line
// that is indented less, or starts with what can't be read ahead.
func (s *parseSplitter) scan(src string, start, indent int) (end int, last bool) {
	defer func() { s.scanned.Add(int64(end - start)) }()
	for i := start; ; {
		n := strings.IndexByte(src[i:], '\n')
		if n < 0 {
			return len(src), true
		}
		i += n + 1
		j := i
		for j < len(src) && j-i <= indent && (src[j] == ' ' || src[j] == '\t') {
			j++
		}
		if j >= len(src) || j-i > indent || charClass[src[j]].bits&cSpace != 0 {
			continue
		}
		c := src[j]
		switch {
		case c == '/':
		case j-i < indent, c == '#', c == '!':
			return i, true
		case j-start >= chunkSize && (charClass[c].bits&cLetter != 0 || c == '%' || c == '"'):
			return j, false
		}
	}
}

// take returns the next chunk that nobody has taken, or nil. The caller has locked
// the body.
func (b *splitBody) take() *chunk {
	if b.cursor < 0 {
		return nil
	}
	c := &chunk{start: b.cursor}
	var last bool
	c.end, last = b.split.scan(b.parent.src, c.start, b.indent)
	if b.cursor = c.end; last {
		b.cursor = -1
	}
	b.chunks = append(b.chunks, c)
	return c
}

// help parses a chunk with a worker's parser; it returns false if there is none.
func (b *splitBody) help(q *Parser) bool {
	if b.split.stopped.Load() {
		return false
	}
	b.mu.Lock()
	c := b.take()
	if c != nil && c.end-c.start < heavyChunk {
		c.done = make(chan struct{})
	}
	b.mu.Unlock()
	if c != nil && c.done != nil {
		if parallel.Attempt(func() { q.chunk(b, c) }) != nil {
			c.ok = false
		}
		close(c.done)
	}
	return c != nil
}

// leave says that the parser has left the body. It waits for what still depends on
// the parser.
func (b *splitBody) leave() {
	b.mu.Lock()
	b.cursor = -1
	chunks := b.chunks
	b.chunks = nil
	b.mu.Unlock()
	for _, c := range chunks {
		if c.done != nil {
			b.split.misses++
			<-c.done
		}
	}
}

// claim returns the chunk that starts at a position, or nil if there is none. The
// parser calls it where an operation starts.
func (b *splitBody) claim(pos int) *chunk {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.chunks) > 0 && b.chunks[0].start < pos {
		if d := b.chunks[0].done; d != nil {
			b.split.misses++
			<-d
		}
		b.chunks = b.chunks[1:]
	}
	if len(b.chunks) == 0 {
		switch {
		case b.cursor == pos:
			b.take()
		case b.cursor >= 0 && b.cursor < pos:
			b.cursor = -1
		}
	}
	if len(b.chunks) == 0 || b.chunks[0].start != pos {
		return nil
	}
	c := b.chunks[0]
	b.chunks = b.chunks[1:]
	return c
}

// splitBlockBody parses the operations of a block, with help where the body is
// long.
func (p *Parser) splitBlockBody(more func() bool) error {
	b := p.splitBody()
	if b != nil {
		defer b.leave()
	}
	own := 0 // end of the chunk that the parser reads itself
	at := p.place()
	for more() {
		if b != nil && p.tok.pos >= own {
			if c := b.claim(p.tok.pos); c != nil {
				if c.done == nil {
					own = c.end
				} else if b.wait(c); p.adopt(c) {
					continue
				} else {
					b.split.misses++
				}
			}
		}
		start := p.tok.pos
		if err := p.operation(); err != nil {
			if !p.goesOn(err) {
				p.cutOff(start, at)
				return err
			}
			p.skipOperation(start, at)
		}
	}
	return nil
}

// wait waits for a worker to finish a chunk, and works on others meanwhile.
func (b *splitBody) wait(c *chunk) {
	for {
		select {
		case <-c.done:
			return
		default:
			if !b.help(b.split.self) {
				<-c.done
				return
			}
		}
	}
}

// placeLoc is the location of a value of which a parser that works ahead knows only
// the name. Bodies that an operation's syntax leaves out get their arguments'
// locations from operands.
type placeLoc struct{ ir.Location }

// placed gives a location to the arguments that have that of a forward reference.
func placed(v *ir.Value, l ir.Location) {
	here, ok := v.Loc().(*placeLoc)
	if !ok {
		return
	}
	var last *ir.Op
	for u := v.FirstUse(); u != nil; u = u.Next() {
		op := u.Owner()
		if op == last {
			continue
		}
		last = op
		for _, r := range op.Regions() {
			if b := r.Entry(); b != nil {
				for _, a := range b.Args() {
					if a.Loc() == ir.Location(here) {
						a.SetArgLoc(l)
					}
				}
			}
		}
	}
}

// worker returns a parser for chunks.
func (p *Parser) worker() *Parser {
	q := &Parser{
		ctx: p.ctx, src: p.src, lex: lexer{src: p.src}, version: p.version, detects: p.detects,
		locs:        locMaker{lines: lineTable{starts: p.locs.lines.starts}, proto: p.locs.proto},
		attrAliases: p.attrAliases, typeAliases: p.typeAliases,
		typeMemo: map[string]spelledType{}, names: map[string]string{},
		builder: ir.NewBuilder(p.ctx), syntaxes: map[string]*opSyntax{}, ahead: true,
	}
	if p.scoped != nil {
		q.scoped = &scopedRefs{}
	}
	return q
}

// chunk parses operations from a chunk's start until one ends at or behind its
// end, or something else follows.
func (q *Parser) chunk(b *splitBody, c *chunk) {
	s := b.split
	q.depth, q.op = b.depth, b.op
	q.inSymbol, q.scopes, q.values = false, q.scopes[:0], nil
	q.evidence = evidence{}
	q.forward, q.late, q.fwdBlock = nil, nil, &ir.Block{}
	q.expansion = expansion{sizes: b.parent.expansion.sizes}
	s.mu.Lock()
	if n := len(s.tables); n > 0 {
		q.spare, s.tables = append(q.spare, s.tables[n-1]), s.tables[:n-1]
	}
	s.mu.Unlock()
	if q.scoped != nil {
		*q.scoped = scopedRefs{}
	}
	q.pushScope(true, true)
	c.values = q.values
	c.block = &ir.Block{}
	q.block = c.block
	q.reset(c.start)
	for q.tok.pos < c.end && (q.tok.kind == tWord || q.tok.kind == tPercent || q.tok.kind == tString) {
		if q.operation() != nil {
			return
		}
	}
	c.ok = q.labels().n == 0 && (q.scoped == nil || len(q.scoped.undeclared) == 0)
	c.stop, c.prevEnd, c.forward, c.late = q.tok.pos, q.prevEnd, q.forward, q.late
	c.expanded, c.evidence = q.expansion.used, q.evidence
}

// adopt adds what was parsed from a chunk where the parser is, if it is what the
// parser would have read.
func (p *Parser) adopt(c *chunk) bool {
	t := c.values
	defer func() {
		t.reset()
		p.split.mu.Lock()
		p.split.tables = append(p.split.tables, t)
		p.split.mu.Unlock()
	}()
	if !c.ok || c.stop == c.start {
		return false
	}
	// Each name that the chunk defines must be new here, and each that it doesn't
	// must have a value.
	open := 0
	for _, f := range c.forward {
		if !f.defined {
			open++
		}
	}
	for i := range t.n {
		e := t.at(i)
		old := p.values.lookup(e)
		if e.known {
			if old != nil && (old.value != nil || old.rest != nil) {
				return false
			}
			continue
		}
		for n := 0; n <= len(e.more()); n++ {
			v := e.at(n).value
			switch {
			case v == nil:
				continue
			case old == nil || old.value == nil || n > len(old.more()):
				return false
			}
			if x := old.at(n).value; x == nil || p.isForward(x) || x.Type() != v.Type() {
				return false
			}
			open--
		}
	}
	if open != 0 {
		return false
	}
	if p.expand(p.Pos(), c.expanded) != nil {
		p.expansion.used -= c.expanded
		return false
	}
	for i := range t.n {
		e := t.at(i)
		if e.known {
			continue
		}
		old := p.values.lookup(e)
		for n := 0; n <= len(e.more()); n++ {
			if v := e.at(n).value; v != nil {
				x := old.at(n).value
				placed(v, x.Loc())
				x.TakeUses(v)
			}
		}
	}
	for _, e := range t.defined {
		x := p.values.hashed(e.name, e.hash)
		x.valueRef, x.rest, x.known, x.unknown = e.valueRef, e.rest, true, false
		p.values.defined = slab.Append(p.values.defined, x)
	}
	p.evidence.add(c.evidence)
	p.block.AppendAll(c.block)
	p.late = append(p.late, c.late...)
	p.prevEnd = c.prevEnd
	p.reset(c.stop)
	return true
}
