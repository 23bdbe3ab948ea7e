package bench

import (
	"flag"
	"os"
	"testing"

	"freehold/compile"
	"freehold/driver"
	"freehold/ir/asm"
)

var file = flag.String("file", "", "a program that BenchmarkCompile compiles as well")

// All that the command compile does with a program: it is read, taken through the passes, proved, measured and printed.
func BenchmarkCompile(b *testing.B) {
	sources := map[string][]byte{"functions": []byte(functions(200)), "tensors": []byte(tensors(1000))}
	if *file != "" {
		src, err := os.ReadFile(*file)
		if err != nil {
			b.Fatal(err)
		}
		sources["file"] = src
	}
	for name, src := range sources {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				session := driver.Freehold().NewSession()
				p, err := session.Parse(src, "in.mlir")
				if err != nil {
					b.Fatal(err)
				}
				c := compile.Compiler{Registry: session.Passes}
				res, err := c.Compile(p.Module)
				if err != nil {
					b.Fatal(err)
				}
				if res.Wrong() {
					b.Fatal("the compiled program is wrong")
				}
				if _, err := session.Print(p.Document, asm.PrintOptions{AssumeVerified: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
