package plan

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Table is a problem that was read from a CSV file, with what is needed to write it again.
type Table struct {
	Problem Problem
	name    string
	columns []string
	rows    [][]string
	lines   []int // of the rows
	offset  int   // column of the offsets, or -1
	memory  int   // column of the memories, or -1
	uses    int   // column of the numbers of uses, or -1
	last    int64 // 1 if ends are the last times of intervals, else 0
	offsets []int64
}

// TableError is what is wrong with a line of a CSV file.
type TableError struct {
	Name    string
	Line    int
	Problem string
}

func (e *TableError) Error() string {
	return fmt.Sprintf("%s:%d: error: %s", e.Name, e.Line, e.Problem)
}

// columnNames are the columns with a meaning.
var columnNames = []string{"id", "lower", "upper", "size", "alignment", "gaps", "pinned", "offset", "memory", "uses"}

// otherNames are what files that are made for MiniMalloc call columns as well.
var otherNames = map[string]string{"buffer": "id", "buffer_id": "id", "start": "lower", "begin": "lower", "end": "upper"}

const (
	idColumn = iota
	lowerColumn
	upperColumn
	sizeColumn
	alignmentColumn
	gapsColumn
	pinnedColumn
	offsetColumn
	memoryColumn
	usesColumn
)

// ReadCSV reads a problem from a file with a line for each buffer, after one that names the
// columns, which may be in any order:
//
//	id, lower, upper, size   as in the benchmarks of MiniMalloc; a buffer is alive from
//	                         lower up to, but not including, upper
//	alignment                what the offset has to be a multiple of, if not 1
//	gaps                     when the buffer isn't alive in between, as 3-5 8-10
//	pinned                   the offset that the buffer has to have, if one
//	offset                   the offset that the buffer has in a plan
//	memory, uses             see [Table.Choices]
//
// As MiniMalloc has it, id may be called buffer or buffer_id, and lower start or begin; if upper is called end, that, and the end of a
// gap, is the last time at which the buffer is alive, or isn't. A gap may have a window, as 3-5@1:3 has: the part of the buffer that is alive
// nevertheless. That is read if it is empty or the whole buffer.
//
// The first four have to be there. Other columns are kept. The name is what errors call
// the file; those are of type [*TableError], unless reading fails. The problem is valid.
func ReadCSV(r io.Reader, name string) (*Table, error) {
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	t := &Table{name: name}
	in := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(src, []byte("\ufeff"))))
	if t.columns, err = in.Read(); err == io.EOF {
		return nil, t.fail(1, "the file is empty; a line with id,lower,upper,size has to be first")
	} else if err != nil {
		return nil, t.syntax(err)
	}
	at, err := t.header()
	if err != nil {
		return nil, err
	}
	n := bytes.Count(src, []byte("\n"))
	t.rows, t.lines = make([][]string, 0, n), make([]int, 0, n)
	t.Problem.Buffers = make([]Buffer, 0, n)
	lives := make([]Interval, 0, n)
	for {
		row, err := in.Read()
		if err == io.EOF {
			break
		} else if err != nil {
			return nil, t.syntax(err)
		}
		line, _ := in.FieldPos(0)
		t.rows, t.lines = append(t.rows, row), append(t.lines, line)
		from := len(lives)
		b := Buffer{}
		if lives, err = t.buffer(row, at, &b, lives); err != nil {
			return nil, t.fail(line, err.Error())
		}
		b.Live = lives[from:len(lives):len(lives)]
		t.Problem.Buffers = append(t.Problem.Buffers, b)
	}
	return t, t.Locate(t.Problem.Validate())
}

func (t *Table) fail(line int, problem string) error { return &TableError{t.name, line, problem} }

// syntax returns the error for a line that is no CSV.
func (t *Table) syntax(err error) error {
	var e *csv.ParseError
	if !errors.As(err, &e) {
		return err
	}
	if errors.Is(err, csv.ErrFieldCount) {
		return t.fail(e.Line, fmt.Sprintf("the line has not as many fields as there are columns (%d)", len(t.columns)))
	}
	return t.fail(e.Line, e.Err.Error())
}

// header finds the columns.
func (t *Table) header() ([]int, error) {
	at := make([]int, len(columnNames))
	for k, name := range columnNames {
		at[k] = -1
		for c, title := range t.columns {
			if title = strings.TrimSpace(title); title != name && otherNames[title] != name {
				continue
			}
			if at[k] >= 0 && strings.TrimSpace(t.columns[at[k]]) == title {
				return nil, t.fail(1, fmt.Sprintf("there are two columns %q", title))
			}
			if at[k] >= 0 {
				return nil, t.fail(1, fmt.Sprintf("there are two columns for the same, %q and %q", strings.TrimSpace(t.columns[at[k]]), title))
			}
			at[k] = c
			if title == "end" {
				t.last = 1
			}
		}
		if at[k] < 0 && k <= sizeColumn {
			return nil, t.fail(1, fmt.Sprintf("there is no column %q; columns id, lower, upper and size are needed", name))
		}
	}
	t.offset, t.memory, t.uses = at[offsetColumn], at[memoryColumn], at[usesColumn]
	return at, nil
}

// buffer reads a row, and appends to lives when the buffer is alive.
func (t *Table) buffer(row []string, at []int, b *Buffer, lives []Interval) ([]Interval, error) {
	var err error
	number := func(column int) int64 {
		if at[column] < 0 || err != nil {
			return 0
		}
		text := strings.TrimSpace(row[at[column]])
		if text == "" && column > sizeColumn {
			return 0
		}
		var n int64
		n, err = parseNumber(strings.TrimSpace(t.columns[at[column]]), text)
		return n
	}
	if b.ID = strings.TrimSpace(row[at[idColumn]]); b.ID == "" {
		return lives, errors.New("the id is empty")
	}
	l := Interval{number(lowerColumn), number(upperColumn)}
	if err == nil && l.Upper > math.MaxInt64-t.last {
		return lives, fmt.Errorf("the end %d is out of range", l.Upper)
	}
	l.Upper += t.last
	b.Size, b.Alignment = number(sizeColumn), number(alignmentColumn)
	if c := at[pinnedColumn]; c >= 0 && strings.TrimSpace(row[c]) != "" {
		b.Pinned, b.Offset = true, number(pinnedColumn)
	}
	if t.offset >= 0 {
		o := int64(-1)
		if strings.TrimSpace(row[t.offset]) != "" {
			o = number(offsetColumn)
		}
		t.offsets = append(t.offsets, o)
	}
	if err != nil {
		return lives, err
	}
	if c := at[gapsColumn]; c >= 0 {
		return withoutGaps(lives, l, row[c], t.last, b.Size)
	}
	return append(lives, l), nil
}

func parseNumber(column, text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("the %s %s is out of the range of 64-bit numbers", column, text)
	case err != nil:
		return 0, fmt.Errorf("the %s %q is no whole number", column, text)
	}
	return n, nil
}

// withoutGaps appends what is left of an interval without gaps, written as 3-5 8-10. last is 1 if their ends are the last times, size that of the buffer.
func withoutGaps(lives []Interval, l Interval, text string, last, size int64) ([]Interval, error) {
	var gaps []Interval
	for _, word := range strings.Fields(text) {
		word, window, windowed := strings.Cut(word, "@")
		if windowed {
			switch all, err := isWhole(window, size); {
			case err != nil:
				return lives, fmt.Errorf("the gap %s@%s: %w", word, window, err)
			case all:
				continue
			}
		}
		if word == "" {
			return lives, errors.New("a gap has a window, but no times")
		}
		k := strings.Index(word[1:], "-") + 1
		if k == 0 {
			return lives, fmt.Errorf("the gap %q is not written as LOWER-UPPER", word)
		}
		lower, err := parseNumber("gap", word[:k])
		if err != nil {
			return lives, err
		}
		upper, err := parseNumber("gap", word[k+1:])
		if err != nil {
			return lives, err
		}
		if upper = min(upper, math.MaxInt64-last) + last; lower > upper || lower < l.Lower || upper > l.Upper {
			return lives, fmt.Errorf("the gap %s is not within %d-%d", word, l.Lower, l.Upper-last)
		}
		gaps = append(gaps, Interval{lower, upper})
	}
	slices.SortFunc(gaps, func(x, y Interval) int { return cmp.Compare(x.Lower, y.Lower) })
	for _, g := range gaps {
		if g.Lower > l.Lower {
			lives = append(lives, Interval{l.Lower, g.Lower})
		}
		l.Lower = max(l.Lower, g.Upper)
	}
	return append(lives, l), nil
}

// isWhole tells of the window of a gap, written as 1:3, whether it is the whole buffer, or else empty.
func isWhole(window string, size int64) (bool, error) {
	a, b, ok := strings.Cut(window, ":")
	if !ok {
		return false, errors.New("the window is not written as LOWER:UPPER")
	}
	lower, err := parseNumber("window", a)
	if err != nil {
		return false, err
	}
	upper, err := parseNumber("window", b)
	switch {
	case err != nil:
		return false, err
	case lower < 0 || upper > size || lower > upper:
		return false, fmt.Errorf("the window is not within 0:%d", size)
	case lower > 0 && lower < upper || upper < size && lower < upper:
		return false, errors.New("a part of the buffer is alive in it, for which there are no plans; without the gap, all of it is")
	}
	return lower < upper, nil
}

// Locate adds the file's line to an error about a buffer of the table's problem.
func (t *Table) Locate(err error) error {
	var b *BufferError
	var o *OverlapError
	switch {
	case errors.As(err, &b):
		return t.fail(t.lines[b.Index], b.Error())
	case errors.As(err, &o):
		return t.fail(t.lines[max(o.First, o.Second)], o.Error())
	}
	return err
}

// Solution returns the plan that the offsets in the file are; whether it is one, Verify
// finds out.
func (t *Table) Solution() (*Solution, error) {
	if t.offset < 0 {
		return nil, t.fail(1, `there is no column "offset"`)
	}
	s := &Solution{Offsets: t.offsets, Bound: LowerBound(&t.Problem), Strategy: "offsets of the file"}
	for i, o := range s.Offsets {
		b := &t.Problem.Buffers[i]
		if t.rows[i][t.offset] == "" {
			return nil, t.fail(t.lines[i], fmt.Sprintf("%s has no offset", t.Problem.name(i)))
		}
		if b.inUse() && o <= math.MaxInt64-b.Size {
			s.Peak = max(s.Peak, o+b.Size)
		}
	}
	s.LowerBound = s.Bound.Bytes
	return s, nil
}

// WriteCSV writes the file again, with these offsets in the column offset, which becomes
// the last if the file had none.
func (t *Table) WriteCSV(w io.Writer, offsets []int64) error {
	return t.write(w, offsets, nil)
}

// write is WriteCSV; with names of memories, unless they are nil, in the column memory.
func (t *Table) write(w io.Writer, offsets []int64, memories []string) error {
	out := csv.NewWriter(w)
	var fields []string
	set := func(column int, text string) {
		if column < 0 {
			fields = append(fields, text)
		} else {
			fields[column] = text
		}
	}
	title := func(column int, name string) string {
		if column < 0 {
			return name
		}
		return t.columns[column]
	}
	put := func(row []string, memory, offset string) error {
		fields = append(fields[:0], row...)
		if memories != nil {
			set(t.memory, memory)
		}
		set(t.offset, offset)
		return out.Write(fields)
	}
	if err := put(t.columns, title(t.memory, "memory"), title(t.offset, "offset")); err != nil {
		return err
	}
	for i, row := range t.rows {
		memory := ""
		if memories != nil {
			memory = memories[i]
		}
		if err := put(row, memory, strconv.FormatInt(offsets[i], 10)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
