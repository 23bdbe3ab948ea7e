package plan_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"freehold/memory/plan"
)

func TestReadCSV(t *testing.T) {
	src := "\ufeffsize, id ,note,lower,gaps,alignment,upper,pinned\n" +
		"4,a,\"x, y\",-1,3-5 7-7,8,9,\n" +
		"6, b,,0,,,2,16\n" +
		"1,c,,0,-1-0 0-3 6-8,,8,\n"
	table, err := plan.ReadCSV(strings.NewReader(strings.ReplaceAll(src, "-1-0 ", "")), "f.csv")
	if err != nil {
		t.Fatal(err)
	}
	want := "[{a 4 8 [{-1 3} {5 7} {7 9}] false 0} {b 6 0 [{0 2}] true 16} {c 1 0 [{3 6} {8 8}] false 0}]"
	if got := fmt.Sprint(table.Problem.Buffers); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var out bytes.Buffer
	if err := table.WriteCSV(&out, []int64{8, 16, 0}); err != nil {
		t.Fatal(err)
	}
	if want := "size,\" id \",note,lower,gaps,alignment,upper,pinned,offset\n4,a,\"x, y\",-1,3-5 7-7,8,9,,8\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("%s", out.String())
	}
	again, err := plan.ReadCSV(&out, "g.csv")
	if err != nil {
		t.Fatal(err)
	}
	s, err := again.Solution()
	if err != nil || !slices.Equal(s.Offsets, []int64{8, 16, 0}) || s.Peak != 22 {
		t.Errorf("%+v, %v", s, err)
	}
}

// Files for MiniMalloc may have other names of columns; an end is the last time then.
func TestReadCSVOtherNames(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"buffer,start,end,size\na,0,3,4\n", "[{a 4 0 [{0 4}] false 0}]"},
		{"buffer_id,begin,end,size,gaps\na,0,9,4,2-3 5-6\n", "[{a 4 0 [{0 2} {4 5} {7 10}] false 0}]"},
		{"id,begin,upper,size,gaps\na,0,9,4,2-3@0:4 5-6@2:2\n", "[{a 4 0 [{0 5} {6 9}] false 0}]"},
	} {
		table, err := plan.ReadCSV(strings.NewReader(tt.src), "f.csv")
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(table.Problem.Buffers); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

func TestReadCSVErrors(t *testing.T) {
	const head = "id,lower,upper,size\n"
	tests := []struct{ src, want string }{
		{"", "f.csv:1: error: the file is empty; a line with id,lower,upper,size has to be first"},
		{"id,lower,size\n", `f.csv:1: error: there is no column "upper"; columns id, lower, upper and size are needed`},
		{"1,2,3,4\n", `f.csv:1: error: there is no column "id"; columns id, lower, upper and size are needed`},
		{"id,lower,upper,size,size\n", `f.csv:1: error: there are two columns "size"`},
		{"id,lower,end,size,upper\n", `f.csv:1: error: there are two columns for the same, "end" and "upper"`},
		{"id,start,end,size\na,0,x,1\n", `f.csv:2: error: the end "x" is no whole number`},
		{"id,start,end,size\na,0,9223372036854775807,1\n", "f.csv:2: error: the end 9223372036854775807 is out of range"},
		{"id,start,end,size,gaps\na,0,8,4,3-9\n", "f.csv:2: error: the gap 3-9 is not within 0-8"},
		{"id,start,end,size,gaps\na,0,8,4,@1:3\n", "f.csv:2: error: the gap @1:3: a part of the buffer is alive in it, for which there are no plans; without the gap, all of it is"},
		{"id,start,end,size,gaps\na,0,8,4,@1:1\n", "f.csv:2: error: a gap has a window, but no times"},
		{"id,start,end,size,gaps\na,0,8,4,3-5@1:3\n", "f.csv:2: error: the gap 3-5@1:3: a part of the buffer is alive in it, for which there are no plans; without the gap, all of it is"},
		{"id,start,end,size,gaps\na,0,8,4,3-5@1\n", "f.csv:2: error: the gap 3-5@1: the window is not written as LOWER:UPPER"},
		{"id,start,end,size,gaps\na,0,8,4,3-5@1:5\n", "f.csv:2: error: the gap 3-5@1:5: the window is not within 0:4"},
		{"id,start,end,size,gaps\na,0,8,4,3-5@a:5\n", `f.csv:2: error: the gap 3-5@a:5: the window "a" is no whole number`},
		{head + "a,0,1,2\nb,0,1\n", "f.csv:3: error: the line has not as many fields as there are columns (4)"},
		{head + "a,0,1,\"2\n", `f.csv:2: error: extraneous or missing " in quoted-field`},
		{head + ",0,1,2\n", "f.csv:2: error: the id is empty"},
		{head + "a,0,1,2\n\na,0,1,2\n", `f.csv:4: error: buffer "a": there is another buffer with this id`},
		{head + "a,0,1,-2\n", `f.csv:2: error: buffer "a": the size -2 is below zero`},
		{head + "a,5,1,2\n", `f.csv:2: error: buffer "a": it is alive from 5 to 1, which is before`},
		{head + "a,0,1,2.5\n", `f.csv:2: error: the size "2.5" is no whole number`},
		{head + "a,0,1,\n", `f.csv:2: error: the size "" is no whole number`},
		{head + "a,0,9223372036854775808,1\n", "f.csv:2: error: the upper 9223372036854775808 is out of the range of 64-bit numbers"},
		{head + "a,0,2,9223372036854775807\nb,1,2,1\n", `f.csv:3: error: buffer "b": with it, what is alive at time 1 is larger than 9223372036854775807`},
		{"id,lower,upper,size,alignment\na,0,1,1,-8\n", `f.csv:2: error: buffer "a": the alignment -8 is below zero`},
		{"id,lower,upper,size,pinned\na,0,1,1,-8\n", `f.csv:2: error: buffer "a": the offset -8 is below zero`},
		{"id,lower,upper,size,pinned\na,0,2,4,8\nb,1,2,8,4\n", `f.csv:3: error: buffer "b": it is pinned where buffer "a" is at time 1`},
		{"id,lower,upper,size,gaps\na,0,9,1,4\n", `f.csv:2: error: the gap "4" is not written as LOWER-UPPER`},
		{"id,lower,upper,size,gaps\na,0,9,1,4-x\n", `f.csv:2: error: the gap "x" is no whole number`},
		{"id,lower,upper,size,gaps\na,0,9,1,4-10\n", "f.csv:2: error: the gap 4-10 is not within 0-9"},
	}
	for _, x := range tests {
		if _, err := plan.ReadCSV(strings.NewReader(x.src), "f.csv"); err == nil || err.Error() != x.want {
			t.Errorf("%q: %v, want %s", x.src, err, x.want)
		}
	}
}

func TestTableSolutionErrors(t *testing.T) {
	tests := []struct{ src, want string }{
		{"id,lower,upper,size\na,0,1,2\n", `f.csv:1: error: there is no column "offset"`},
		{"id,lower,upper,size,offset\na,0,1,2,0\nb,0,1,2,\n", `f.csv:3: error: buffer "b" has no offset`},
		{"id,lower,upper,size,offset\na,0,2,2,0\nb,1,2,2,1\n", `f.csv:3: error: buffer "a" at [0, 2) and buffer "b" at [1, 3) are both alive at time 1`},
		{"id,lower,upper,size,offset\na,0,2,2,-1\n", `f.csv:2: error: buffer "a": the offset -1 is below zero`},
		{"id,lower,upper,size,offset\na,0,2,2,9223372036854775807\n", `f.csv:2: error: buffer "a": the offset 9223372036854775807 and the size 2 add up to more than 9223372036854775807`},
	}
	for _, x := range tests {
		table, err := plan.ReadCSV(strings.NewReader(x.src), "f.csv")
		if err != nil {
			t.Errorf("%q: %v", x.src, err)
			continue
		}
		s, err := table.Solution()
		if err == nil {
			err = table.Locate(plan.Verify(&table.Problem, s))
		}
		if err == nil || err.Error() != x.want {
			t.Errorf("%q: %v, want %s", x.src, err, x.want)
		}
	}
}

// FuzzReadCSV looks for files on which the reader panics, or that it writes in another way
// than it reads them, or for which there is an invalid plan.
func FuzzReadCSV(f *testing.F) {
	f.Add([]byte("id,lower,upper,size\na,0,3,4\nb,3,9,4\n"))
	f.Add([]byte("size,id,lower,gaps,alignment,upper,pinned,offset\n4,a,-1,3-5 7-7,8,9,,8\n6,b,0,,,2,16,16\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		table, err := plan.ReadCSV(bytes.NewReader(src), "f.csv")
		if err != nil || len(table.Problem.Buffers) > 50 {
			return
		}
		s, err := plan.Solve(context.Background(), &table.Problem, plan.Options{NodeLimit: 100})
		if err != nil {
			return // no offsets in the range of int64
		}
		if err := plan.Verify(&table.Problem, s); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := table.WriteCSV(&out, s.Offsets); err != nil {
			t.Fatal(err)
		}
		again, err := plan.ReadCSV(&out, "f.csv")
		if err != nil {
			t.Fatal(err)
		}
		read, err := again.Solution()
		if err != nil {
			t.Fatal(err)
		}
		if read.Peak != s.Peak || !slices.Equal(read.Offsets, s.Offsets) {
			t.Fatalf("%+v, want %+v", read, s)
		}
	})
}
