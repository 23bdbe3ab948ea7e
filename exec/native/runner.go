package native

import (
	"fmt"
	"strings"

	"freehold/ir"
	"freehold/transform/emit/emitc"
)

// printed are the elements of buffers that functions of MLIR's runner utilities print, by the ends of their names: the C type, how it is written, and
// as what it is passed.
var printed = map[string][3]string{
	"I8": {"int8_t", "%c", "int"}, "I16": {"int16_t", "%d", "int"}, "I32": {"int32_t", "%d", "int"}, "I64": {"int64_t", "%lld", "long long"},
	"Ind": {"int64_t", "%lld", "long long"}, "F32": {"float", "%g", "double"}, "F64": {"double", "%g", "double"},
}

// simple are the functions that print a number or punctuation, with what they do.
var simple = map[string]string{
	"printI64": `printf("%lld", (long long)x)`, "printU64": `printf("%llu", (unsigned long long)x)`, "printF32": `printf("%g", (double)x)`,
	"printF64": `printf("%g", x)`, "printOpen": `fputs("( ", stdout)`, "printClose": `fputs(" )", stdout)`, "printComma": `fputs(", ", stdout)`,
	"printNewline": `putchar('\n')`, "printFlops": `fprintf(stderr, "%f GFLOPS\n", x / 1e9)`,
}

// clocks are the functions that tell the time, of which a microsecond passes from one call to the next, as in checked memory.
var clocks = map[string]string{"rtclock": "(double)++calls * 1e-6", "nanoTime": "++calls * 1000"}

// undefinedStatus is the exit status of a program that called a function of which there is no native code, whose name in C is then what it wrote to
// its standard error.
const undefinedStatus = 119

// externalFunction returns the definition of a function that a program only declares. One that isn't known may be called only where that
// isn't reached, as in checked memory.
func externalFunction(f emitc.Function) string {
	if text := runnerFunction(f); text != "" {
		return text
	}
	params, unused := []string{"void"}, ""
	for i, p := range f.Params {
		params = append(params, fmt.Sprintf("%s x%d", p.C, i))
		unused += fmt.Sprintf("  (void)x%d;\n", i)
	}
	if len(f.Params) > 0 {
		params = params[1:]
	}
	return fmt.Sprintf("%s %s(%s) {\n%s  fputs(\"%[2]s\", stderr);\n  exit(%[5]d);\n}\n", f.Returns, f.Name, strings.Join(params, ", "), unused, undefinedStatus)
}

// runnerFunction returns the definition of a function of MLIR's runner utilities; "" if it is none.
func runnerFunction(f emitc.Function) string {
	if does := clocks[f.Symbol]; does != "" && len(f.Params) == 0 && len(f.Results) == 1 {
		return fmt.Sprintf("%s %s(void) {\n  static uint64_t calls;\n  return %s;\n}\n", f.Returns, f.Name, does)
	}
	if text := randomFunction(f); text != "" {
		return text
	}
	if len(f.Params) > 1 || len(f.Results) > 0 {
		return ""
	}
	if f.Symbol == "printF16" || f.Symbol == "printBF16" {
		return printHalf(f)
	}
	if does := simple[f.Symbol]; does != "" {
		params := "void"
		if len(f.Params) == 1 {
			params = f.Params[0].C + " x"
		}
		return fmt.Sprintf("void %s(%s) { %s; }\n", f.Name, params, does)
	}
	suffix, ok := strings.CutPrefix(f.Symbol, "printMemref")
	p, known := printed[suffix]
	if !ok || !known || len(f.Params) != 1 {
		return ""
	}
	if _, unranked := f.Params[0].Type.(*ir.UnrankedMemRefType); !unranked {
		return ""
	}
	return fmt.Sprintf(printMemref, f.Name, p[0], p[1], p[2])
}

// printHalf returns the definition of a function that prints a number of 16 bits, which it gets as such; "" if it takes something else.
func printHalf(f emitc.Function) string {
	if len(f.Params) != 1 || f.Params[0].C != "uint16_t" {
		return ""
	}
	bits, bias := 10, 15
	if f.Symbol == "printBF16" {
		bits, bias = 7, 127
	}
	return fmt.Sprintf(`
void %s(uint16_t x) {
  double sign = x >> 15 ? -1.0 : 1.0;
  int fraction = x & ((1 << %[2]d) - 1), exponent = (x & 0x7fff) >> %[2]d;
  if (exponent == 2 * %[3]d + 1) {
    fputs(x >> 15 ? "-" : "", stdout);
    fputs(fraction ? "nan" : "inf", stdout);
    return;
  }
  if (exponent > 0) fraction += 1 << %[2]d;
  else exponent = 1;
  for (exponent -= %[3]d + %[2]d, sign *= fraction; exponent > 0; exponent--) sign *= 2;
  for (; exponent < 0; exponent++) sign /= 2;
  printf("%%g", sign);
}
`, f.Name, bits, bias)
}

// printMemref is the definition of a function that prints a buffer as the one of MLIR's runner utilities does; where it is stands for its address.
const printMemref = `
static void %[1]s_row(fh_unranked m, int64_t d, int64_t at) {
  int64_t i;
  if (d == m.rank) {
    printf("%[3]s", (%[4]s)((const %[2]s *)m.data)[at]);
    return;
  }
  putchar('[');
  for (i = 0; i < m.sizes[d]; i++) {
    if (i > 0) {
      fputs(d == m.rank - 1 ? "," : ", \n", stdout);
      printf("%%*s", (int)(d == m.rank - 1 ? m.rank + 1 : d + 1), "");
    }
    %[1]s_row(m, d + 1, at + i * m.strides[d]);
  }
  putchar(']');
}
void %[1]s(fh_unranked m) {
  int64_t d;
  printf("Unranked Memref base@ = 0x0 rank = %%lld offset = %%lld sizes = [", (long long)m.rank, (long long)m.offset);
  for (d = 0; d < m.rank; d++) printf(d ? ", %%lld" : "%%lld", (long long)m.sizes[d]);
  fputs("] strides = [", stdout);
  for (d = 0; d < m.rank; d++) printf(d ? ", %%lld" : "%%lld", (long long)m.strides[d]);
  fputs("] data = \n", stdout);
  if (m.rank == 0) putchar('[');
  %[1]s_row(m, 0, m.offset);
  if (m.rank == 0) putchar(']');
  putchar('\n');
}
`
