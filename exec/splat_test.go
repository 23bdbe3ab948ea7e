package exec_test

import (
	"fmt"
	"testing"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
)

// A constant of one value has it in all elements, of whatever size these are.
func TestSplats(t *testing.T) {
	c := ir.NewContext()
	for elem, value := range map[string]string{"i1": "true", "i8": "-3", "i17": "-60000", "i64": "5", "i128": "-1180591620717411303424", "f16": "1.5", "f32": "-0.0", "f64": "3.25",
		"complex<f32>": "(1.0, 2.0)", "index": "7"} {
		for n := range 9 {
			list := ""
			for i := range n {
				if i > 0 {
					list += ", "
				}
				list += value
			}
			parse := func(contents string) *ir.DenseElementsAttr {
				a, err := asm.ParseAttr(c, fmt.Sprintf("dense<%s> : tensor<%dx%s>", contents, n, elem))
				if err != nil {
					t.Fatal(err)
				}
				return a.(*ir.DenseElementsAttr)
			}
			a := parse(value)
			x, y := exec.TensorOf(a), exec.TensorOf(parse("["+list+"]"))
			for i := range int64(n) {
				v, ok := x.Element(i)
				w, _ := y.Element(i)
				if !ok || fmt.Sprint(v) != fmt.Sprint(w) {
					t.Errorf("element %d of %v is %v, not %v", i, a, v, w)
				}
			}
			one, ok := exec.SplatOf(a)
			if ok != (n > 0) {
				t.Errorf("%v is one value: %t", a, ok)
			}
			if ok {
				v, _ := one.Element(0)
				if w, _ := x.Element(0); fmt.Sprint(v) != fmt.Sprint(w) {
					t.Errorf("the value of %v is %v, not %v", a, v, w)
				}
			}
		}
	}
}
