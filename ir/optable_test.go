package ir_test

import (
	"fmt"
	"sync"
	"testing"

	"freehold/ir"
)

// counted returns a dialect with operations, and how often they were defined.
func counted(name string, defs ...*ir.OpDef) (*ir.Dialect, *int) {
	n := new(int)
	return &ir.Dialect{Name: name, Ops: func() []*ir.OpDef { *n++; return defs }}, n
}

// The operations of a dialect are defined when one of them is first needed, and once for all contexts.
func TestDialectsAreLoadedOnDemand(t *testing.T) {
	first, second := op("one.a"), op("two.a")
	one, ones := counted("one", first)
	two, twos := counted("two", second)
	expect := func(what string, wantOnes, wantTwos int) {
		t.Helper()
		if *ones != wantOnes || *twos != wantTwos {
			t.Errorf("%s: defined %d and %d times, not %d and %d", what, *ones, *twos, wantOnes, wantTwos)
		}
	}
	c := ir.NewContext(one, two)
	expect("a new context", 0, 0)
	if c.OpName("three.a") != nil || c.OpName("one") != nil && c.OpName("") != nil {
		t.Error("there are operations of no dialect")
	}
	if c.OpName("two.b") != nil {
		t.Error("there is an operation that isn't defined")
	}
	expect("an operation that isn't there", *ones, 1)
	if n := c.OpNameOf(first.ID); n == nil || n != c.OpName("one.a") || n.Dialect() != one {
		t.Errorf("one.a is %v", n)
	}
	if n := ir.NewContext(one, two).OpName("two.a"); n == nil || n.ID() != second.ID {
		t.Errorf("two.a is %v", n)
	}
	expect("another context", 1, 1)
}

// A name that an operation has in another version of LLVM may be of any dialect.
func TestOtherNamesLoadAllDialects(t *testing.T) {
	def := op("new.a")
	def.Earlier = []ir.Spelling{{Until: 18, Name: "old.a"}}
	d, _ := counted("new", def)
	c := ir.NewContext(d)
	if n := c.OtherOpName("old.a"); n == nil || n.Base() != c.OpNameOf(def.ID) {
		t.Errorf("old.a is %v", n)
	}
}

// Models are attached to operations whether they are loaded or not, and to their other spellings.
func TestAttachBeforeLoading(t *testing.T) {
	def := op("my.a", checkedA.Model(1))
	def.Later = []ir.Spelling{{Since: 20, Name: "my.b"}}
	d, defined := counted("my", def)
	c := ir.NewContext(d)
	c.Attach(def.ID, checkedA.Model(2))
	c.Attach(def.ID, checkedB.Model(3))
	if *defined != 0 {
		t.Error("attaching loads")
	}
	for _, n := range []*ir.OpName{c.OpNameOf(def.ID), c.OtherOpName("my.b")} {
		a, _ := checkedA.OfName(n)
		b, _ := checkedB.OfName(n)
		if fmt.Sprint(a, b) != "2 3" {
			t.Errorf("%s has the models %v and %v", n, a, b)
		}
	}
	if a, _ := checkedA.OfName(ir.NewContext(d).OpNameOf(def.ID)); a != 1 {
		t.Errorf("another context has the model %d", a)
	}
}

// Any number of goroutines may load dialects at the same time; all get the same handles.
func TestLoadingConcurrently(t *testing.T) {
	var dialects []*ir.Dialect
	var ids []*ir.OpID
	for i := range 8 {
		def := op(fmt.Sprintf("d%d.a", i))
		d, _ := counted(fmt.Sprintf("d%d", i), def)
		dialects, ids = append(dialects, d), append(ids, def.ID)
	}
	c := ir.NewContext(dialects...)
	got := make([][]*ir.OpName, 8)
	var wg sync.WaitGroup
	for g := range got {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range ids {
				got[g] = append(got[g], c.OpNameOf(ids[(i+g)%len(ids)]))
			}
		}()
	}
	wg.Wait()
	indices := map[int]bool{}
	for i, id := range ids {
		n := c.OpNameOf(id)
		indices[n.Index()] = true
		for g := range got {
			if got[g][(i-g+len(ids))%len(ids)] != n {
				t.Errorf("%s has two handles", id)
			}
		}
	}
	if len(indices) != len(ids) {
		t.Errorf("there are %d indices of %d operations", len(indices), len(ids))
	}
}
