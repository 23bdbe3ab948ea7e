package lsp

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"freehold/driver"
	"freehold/ir"
	"freehold/ir/asm"
)

// document is a version of a file, with what is known about it. It isn't changed.
type document struct {
	*text
	uri     string
	version int
	pieces  []*piece
}

// piece is what stands between two lines of `// -----`: a program of its own.
type piece struct {
	start, end int // in the document
	tokens     asm.Tokens
	program    *driver.Program // nil if there are errors
	errs       ir.Diagnostics
	session    *driver.Session
	reasons    reasons
	drafted    []part // of a draft, instead of tokens
}

// part has names of a piece, which stand in src, shift bytes before where they do in the piece.
type part struct {
	tokens asm.Tokens
	src    string
	shift  int
}

// parts returns the names of a piece, in their order.
func (d *document) parts(p *piece) []part {
	if p.drafted != nil {
		return p.drafted
	}
	return []part{{tokens: p.tokens, src: d.src[p.start:p.end]}}
}

// marker is how lines begin that separate programs.
const marker = "// -----"

// open reads the program of a piece anew, for the version of LLVM that the piece is of.
func (s *Server) open(d *document, p *piece) (*driver.Session, *driver.Program, error) {
	return s.tool.Open([]byte(d.src[p.start:p.end]), d.uri, p.session.Chosen, true)
}

// analyze reads a document's programs.
func (s *Server) analyze(uri string, version int, t *text) *document {
	d := &document{text: t, uri: uri, version: version}
	start := 0
	for n := range t.starts {
		if n > 0 && strings.HasPrefix(t.line(n), marker) {
			d.pieces = append(d.pieces, &piece{start: start, end: t.starts[n]})
			start = t.starts[n]
		}
	}
	d.pieces = append(d.pieces, &piece{start: start, end: len(t.src)})
	taken := s.Taken
	if taken.LLVM == 0 {
		taken, _ = driver.CommentedLLVM([]byte(t.src), d.uri) // what is wrong with the comment is said of its piece
	}
	for _, p := range d.pieces {
		src := []byte(t.src[p.start:p.end])
		var err error
		p.session, p.program, err = s.tool.OpenWith(src, d.uri, taken, true, asm.ParseOptions{Tokens: &p.tokens})
		if p.session == nil { // a comment names no version
			p.session = s.tool.NewSession()
		}
		if err != nil {
			driver.Suggest(err, p.session.Context, src, d.uri)
		}
		if err != nil && !errors.As(err, &p.errs) {
			p.errs = ir.Diagnostics{{Loc: ir.Unknown, Message: err.Error()}}
		}
	}
	return d
}

// at returns the piece with an offset, and the offset in it.
func (d *document) at(offset int) (*piece, int) {
	i, found := slices.BinarySearchFunc(d.pieces, offset, func(p *piece, at int) int { return p.start - at })
	if !found {
		i--
	}
	p := d.pieces[i]
	return p, offset - p.start
}

// token returns the name at a position; nil if there is none.
func (d *document) token(at position) (*piece, *asm.Token) {
	p, offset := d.at(d.offset(at))
	return p, p.tokens.At(offset)
}

// tokenSpan returns where a name stands.
func (d *document) tokenSpan(p *piece, t *asm.Token) span {
	return d.span(p.start+t.Start, p.start+t.End)
}

// tokenText returns a name as it stands.
func (d *document) tokenText(p *piece, t *asm.Token) string {
	return d.src[p.start+t.Start : p.start+t.End]
}

// place returns the offset of a location in the document, and whether it is there.
func (d *document) place(p *piece, l ir.Location) (int, bool) {
	if l == nil {
		return 0, false
	}
	pos, ok := ir.SourcePos(l)
	if !ok || pos.File() != d.uri || pos.Line == 0 {
		return 0, false // line 0 is that of what isn't written, such as the module around everything
	}
	first := d.position(p.start).Line
	n := first + int(pos.Line) - 1
	if n >= len(d.starts) {
		return len(d.src), true
	}
	return d.starts[n] + min(int(pos.Col)-1, len(d.line(n))), true
}

// word returns where the word that starts at an offset ends: a message is about it.
func (d *document) word(offset int) int {
	end := offset
	for end < len(d.src) && strings.IndexByte(" \t\r\n,()[]{}<>:=", d.src[end]) < 0 {
		end++
	}
	if end == offset && end < len(d.src) && d.src[end] != '\n' {
		end++
	}
	return end
}

// diagnostics returns what is wrong.
func (d *document) diagnostics() []diagnostic {
	out := []diagnostic{}
	for _, p := range d.pieces {
		expected := expectations(d.src[p.start:p.end])
		for _, e := range p.errs {
			if slices.ContainsFunc(expected, func(want string) bool { return strings.Contains(e.Message, want) }) {
				continue
			}
			at, ok := d.place(p, e.Loc)
			if !ok {
				at = p.start
			}
			end := d.word(at)
			if e.Span > 0 {
				end = min(at+e.Span, len(d.src))
			}
			x := diagnostic{Range: d.span(at, end), Severity: severityError + int(e.Severity), Source: "freehold", Message: e.Message}
			for _, n := range e.Notes {
				if at, ok := d.place(p, n.Loc); ok {
					x.Related = append(x.Related, diagnosticRelated{location{d.uri, d.span(at, d.word(at))}, n.Message})
				}
			}
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	return out
}

// expectations returns the messages that comments of a test expect: those errors are what
// the author wants.
func expectations(src string) (out []string) {
	for {
		_, after, ok := strings.Cut(src, "expected-error")
		if !ok {
			return out
		}
		src = after
		if _, body, ok := strings.Cut(after, "{{"); ok {
			if message, _, ok := strings.Cut(body, "}}"); ok && !strings.Contains(message, "\n") {
				out = append(out, message)
			}
		}
	}
}

// names tells how values are called in a piece.
func (d *document) names(p *piece) *asm.SourceNames {
	return asm.NewSourceNames(func(string) []byte { return []byte(d.src[p.start:p.end]) })
}
