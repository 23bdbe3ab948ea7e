package stablehlo_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/quant"
	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/asm"
)

// typesIn splits a list of types.
func typesIn(list string) (out []string) {
	depth, start := 0, 0
	for i, r := range list {
		switch {
		case strings.ContainsRune("<({[", r):
			depth++
		case strings.ContainsRune(">)}]", r):
			depth--
		case r == ',' && depth == 0:
			out = append(out, strings.TrimSpace(list[start:i]))
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(list[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

var operandList = regexp.MustCompile(`^("[a-z0-9_.]+")\([^)]*\)`)

// function is a function with the operation, whose operands are the arguments.
func function(op string) string {
	signature := op[strings.LastIndex(op, " : (")+4:]
	ins, outs, _ := strings.Cut(signature, ") -> ")
	var args, names []string
	for i, t := range typesIn(ins) {
		names = append(names, fmt.Sprintf("%%arg%d", i))
		args = append(args, fmt.Sprintf("%%arg%d: %s", i, t))
	}
	results := ""
	if n := len(typesIn(strings.TrimSuffix(strings.TrimPrefix(outs, "("), ")"))); n > 0 {
		results = fmt.Sprintf("%%r:%d = ", n)
	}
	op = operandList.ReplaceAllString(op, "${1}("+strings.Join(names, ", ")+")")
	return "func.func private @decomposition(tensor<2xf32>) -> tensor<2xf32>\nfunc.func @f(" + strings.Join(args, ", ") + ") {\n" + results + op + "\nreturn\n}"
}

// changed replaces what stands once in the operation, for each change.
func changed(op, changes string) (string, error) {
	for change := range strings.SplitSeq(changes, " && ") {
		from, to, _ := strings.Cut(change+" ", " => ")
		if strings.Count(op, from) != 1 {
			return "", fmt.Errorf("%q is there %d times", from, strings.Count(op, from))
		}
		op = strings.Replace(op, from, strings.TrimSpace(to), 1)
	}
	return op, nil
}

// Each constraint of the specification is demanded: what fulfils all is accepted, and refused after a change that breaks one.
func TestConstraints(t *testing.T) {
	file, err := os.ReadFile("testdata/constraints.txt")
	if err != nil {
		t.Fatal(err)
	}
	accepted := func(op string) error {
		c := ir.NewContext(builtin.Dialect, funcd.Dialect, quant.Dialect, stablehlo.Dialect)
		module, err := asm.Parse(c, []byte(function(op)), "f.mlir", asm.ParseOptions{})
		if err == nil {
			err = ir.Verify(module)
		}
		return err
	}
	operation, seen := "", map[string]bool{}
	for i, line := range strings.Split(strings.TrimSpace(string(file)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, op, ok := strings.Cut(line, " = "); ok && strings.HasPrefix(op, `"stablehlo.`+name+`"`) {
			operation, seen[name] = op, true
			if err := accepted(op); err != nil {
				t.Errorf("line %d: %s is refused: %v", i+1, name, err)
			}
			continue
		}
		label, changes, _ := strings.Cut(line, ": ")
		op, err := changed(operation, changes)
		if err != nil {
			t.Errorf("line %d: %s: %v", i+1, label, err)
		} else if accepted(op) == nil {
			t.Errorf("line %d: accepted, against %s: %s", i+1, label, changes)
		}
	}
	for _, def := range stablehlo.Dialect.OpDefs() {
		if name := strings.TrimPrefix(def.ID.String(), "stablehlo."); !seen[name] && !unspecified[name] {
			t.Errorf("no constraint of %s is tried", name)
		}
	}
}

// unspecified are operations that the specification hasn't got any more, or not yet, and those without constraints.
var unspecified = map[string]bool{"async_start": true, "async_done": true, "broadcast": true, "create_token": true, "cross-replica-sum": true, "dot": true, "einsum": true,
	"real_dynamic_slice": true, "return": true, "set_dimension_size": true, "torch_index_select": true, "unary_einsum": true}
