package report_test

import (
	"bytes"
	"fmt"

	"freehold/driver"
	"freehold/tool/report"
)

// A page about one program.
func ExamplePage() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f() {
  %a = memref.alloc() : memref<256xf32>
  memref.dealloc %a : memref<256xf32>
  return
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	page := report.New("f.mlir", nil)
	view := page.Add("program", p.Module)
	var html bytes.Buffer
	if err := page.Write(&html); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(view.Functions), "function,", bytes.Count(html.Bytes(), []byte("</html>")), "page")
	// Output: 1 function, 1 page
}
