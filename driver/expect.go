package driver

import (
	"bytes"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"freehold/internal/lazyregexp"
	"freehold/ir"
)

// expectation is one expected-* comment.
type expectation struct {
	severity ir.Severity
	text     string
	re       *regexp.Regexp // nil: text is a substring
	line     int            // of the diagnostic; 0: where the file is meant as a whole
	at       *ir.FileLineColLoc
	met      bool
}

// Lines that no source has: that of diagnostics at an unknown place or in another file, and one where there are none.
const (
	unknownLine = -1
	noLine      = -2
)

// errorf returns an error at the comment.
func (x *expectation) errorf(format string, args ...any) *ir.Diagnostic {
	d := ir.Errorf(x.at, format, args...)
	d.Span = len(x.text)
	return d
}

// expectations are the diagnostics that the comments of a source announce.
type expectations struct {
	file   string
	list   []*expectation
	byLine map[int][]*expectation
	failed bool
}

// expectComment is what an expected-* comment looks like. Few runs need it.
var expectComment = lazyregexp.New(`expected-(error|note|remark|warning)(-re)? *(@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}$`)

var severities = map[string]ir.Severity{"error": ir.Error, "warning": ir.Warning, "remark": ir.Remark, "note": ir.Note}

// parseExpectations reads the comments of a source, and shows what is wrong with
// them.
func parseExpectations(p piece, show func(*ir.Diagnostic)) *expectations {
	e := &expectations{file: p.name, byLine: map[int][]*expectation{}}
	var below []*expectation // wait for the next line without a comment
	lastPlain, n := 0, 0
	for text := range bytes.Lines(p.src) {
		n++
		line := strings.TrimSuffix(string(text), "\n")
		m := expectComment().FindStringSubmatchIndex(line)
		if m == nil {
			for _, x := range below {
				x.line = n
			}
			below, lastPlain = nil, n
			continue
		}
		group := func(k int) string {
			if m[2*k] < 0 {
				return ""
			}
			return line[m[2*k]:m[2*k+1]]
		}
		x := &expectation{severity: severities[group(1)], text: group(5), line: n}
		x.at = ir.FileLineCol(p.name, uint32(n), uint32(m[0]+1))
		if group(2) != "" {
			re, err := expectRegexp(x.text)
			if err != nil {
				e.failed = true
				show(x.errorf("%v", err))
				continue
			}
			x.re = re
		}
		switch where := group(4); where {
		case "":
		case "unknown":
			x.line = unknownLine
		case "above":
			x.line = lastPlain
		case "below":
			below = append(below, x)
		default:
			off, err := strconv.Atoi(where)
			if x.line += off; err != nil || x.line < 0 {
				x.line = noLine
			}
		}
		e.list = append(e.list, x)
	}
	for _, x := range e.list {
		e.byLine[x.line] = append(e.byLine[x.line], x)
	}
	return e
}

// expectRegexp compiles the text of an expected-*-re comment: literal text with
// regular expressions in double braces.
func expectRegexp(text string) (*regexp.Regexp, error) {
	var b strings.Builder
	for {
		lit, rest, found := strings.Cut(text, "{{")
		b.WriteString(regexp.QuoteMeta(lit))
		if !found {
			break
		}
		re, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("found start of regex with no end '}}'")
		}
		if re == "" {
			return nil, fmt.Errorf("invalid regex: empty (sub)expression")
		}
		b.WriteString("(" + re + ")")
		text = after
	}
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, fmt.Errorf("invalid regex: %s", posixMessage(err))
	}
	return re, nil
}

// posixMessage words an error in a regular expression as regcomp does.
func posixMessage(err error) string {
	e, ok := err.(*syntax.Error)
	if !ok {
		return err.Error()
	}
	switch e.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return "parentheses not balanced"
	case syntax.ErrMissingBracket:
		return "brackets ([ ]) not balanced"
	case syntax.ErrMissingRepeatArgument, syntax.ErrInvalidRepeatOp:
		return "repetition-operator operand invalid"
	case syntax.ErrInvalidRepeatSize:
		return "invalid repetition count(s)"
	case syntax.ErrInvalidCharRange:
		return "invalid character range"
	case syntax.ErrTrailingBackslash:
		return "trailing backslash (\\)"
	}
	return err.Error()
}

// match takes a diagnostic and its notes off the expectations, and shows what was
// not expected.
func (e *expectations) match(d *ir.Diagnostic, show func(*ir.Diagnostic)) {
	e.matchOne(d, show)
	for _, n := range d.Notes {
		e.matchOne(n, show)
	}
}

func (e *expectations) matchOne(d *ir.Diagnostic, show func(*ir.Diagnostic)) {
	line := unknownLine
	if p, ok := ir.SourcePos(d.Loc); ok && p.File() == e.file {
		line = int(p.Line)
	}
	var near *expectation
	for _, x := range e.byLine[line] {
		if x.met {
			continue
		}
		fits := x.re != nil && x.re.MatchString(d.Message) || x.re == nil && strings.Contains(d.Message, x.text)
		if fits && x.severity == d.Severity {
			x.met = true
			return
		}
		if fits {
			near = x
		}
	}
	e.failed = true
	if near != nil {
		show(ir.Errorf(near.at, "'%s' diagnostic emitted when expecting a '%s'", d.Severity, near.severity))
		return
	}
	loc := d.Loc
	if p, ok := ir.SourcePos(loc); ok {
		loc = p // without the callers
	}
	show(&ir.Diagnostic{Severity: ir.Error, Loc: loc, Message: "unexpected " + d.Severity.String() + ": " + d.Message})
}

// finish shows the diagnostics that did not come, and returns whether everything
// was as expected.
func (e *expectations) finish(show func(*ir.Diagnostic)) bool {
	for _, x := range e.list {
		if !x.met {
			e.failed = true
			show(x.errorf("expected %s \"%s\" was not produced", x.severity, x.text))
		}
	}
	return !e.failed
}
