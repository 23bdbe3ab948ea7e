package cli

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"freehold/ir"
)

// expectation is one expected-* comment.
type expectation struct {
	severity ir.Severity
	text     string
	re       *regexp.Regexp // nil: text is a substring
	line     uint32         // of the diagnostic; 0: at an unknown place
	at       *ir.FileLineColLoc
	met      bool
}

// expectations are the diagnostics that the comments of a source announce.
type expectations struct {
	file   string
	list   []*expectation
	failed bool
}

// expectComment is what an expected-* comment looks like. Few runs need it.
var expectComment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`expected-(error|note|remark|warning)(-re)? *(@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}$`)
})

var severities = map[string]ir.Severity{"error": ir.Error, "warning": ir.Warning, "remark": ir.Remark, "note": ir.Note}

// parseExpectations reads the comments of a source.
func parseExpectations(p piece) (*expectations, error) {
	e := &expectations{file: p.name}
	var below []*expectation // wait for the next line without a comment
	var lastPlain uint32
	for i, line := range strings.Split(string(p.src), "\n") {
		n := uint32(i + 1)
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
		x.at = ir.FileLineCol(p.name, n, uint32(m[0]+1))
		if group(2) != "" {
			re, err := expectRegexp(x.text)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: error: invalid regular expression: %v", p.name, n, err)
			}
			x.re = re
		}
		switch where := group(4); where {
		case "":
		case "unknown":
			x.line = 0
		case "above":
			x.line = lastPlain
		case "below":
			below = append(below, x)
		default:
			off, _ := strconv.Atoi(where)
			x.line = uint32(int(n) + off)
		}
		e.list = append(e.list, x)
	}
	return e, nil
}

// expectRegexp compiles the text of an expected-*-re comment: literal text with
// regular expressions in double braces.
func expectRegexp(text string) (*regexp.Regexp, error) {
	var b strings.Builder
	for {
		lit, rest, found := strings.Cut(text, "{{")
		b.WriteString(regexp.QuoteMeta(lit))
		if !found {
			return regexp.Compile(b.String())
		}
		re, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("found start of regex with no end '}}'")
		}
		b.WriteString("(" + re + ")")
		text = after
	}
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
	var line uint32
	if p, ok := ir.SourcePos(d.Loc); ok && p.File == e.file {
		line = p.Line
	}
	var near *expectation
	for _, x := range e.list {
		if x.met || x.line != line {
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
	msg := "unexpected " + d.Severity.String() + ": " + d.Message
	if near != nil {
		msg = "'" + d.Severity.String() + "' diagnostic emitted when expecting a '" + near.severity.String() + "'"
	}
	show(&ir.Diagnostic{Severity: ir.Error, Loc: d.Loc, Message: msg})
}

// finish shows the diagnostics that did not come, and returns whether everything
// was as expected.
func (e *expectations) finish(show func(*ir.Diagnostic)) bool {
	for _, x := range e.list {
		if !x.met {
			e.failed = true
			show(ir.Errorf(x.at, "expected %s \"%s\" was not produced", x.severity, x.text))
		}
	}
	return !e.failed
}
