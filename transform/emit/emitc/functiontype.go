package emitc

import (
	"fmt"
	"strconv"
	"strings"

	"freehold/ir"
)

// function returns the type of function values, which are pointers.
func (t *typeTable) function(typ *ir.FunctionType) (string, error) {
	params := make([]string, len(typ.Inputs))
	for i, p := range typ.Inputs {
		c, err := t.of(p)
		if err != nil {
			return "", err
		}
		params[i] = c
	}
	returns, err := t.returned(typ.Results)
	if err != nil {
		return "", err
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	name := "fh_" + t.short(typ)
	t.define(name, fmt.Sprintf("typedef %s;", declaration(returns, "(*"+name+")("+strings.Join(params, ", ")+")")))
	return name, nil
}

// returned returns what functions with results of the given types return, where all of them have to return the same: functions that are values.
func (t *typeTable) returned(results []ir.Type) (string, error) {
	types := make([]string, len(results))
	for i, r := range results {
		c, err := t.of(r)
		if err != nil {
			return "", err
		}
		types[i] = c
	}
	switch len(types) {
	case 0:
		return "void", nil
	case 1:
		return types[0], nil
	}
	name := "fh_results" + t.shortList(results)
	t.define(name, resultsStruct(name, types))
	return name, nil
}

// resultsStruct returns the definition of the structure of several results of the given C types.
func resultsStruct(name string, types []string) string {
	var b strings.Builder
	b.WriteString("typedef struct {\n")
	for i, c := range types {
		fmt.Fprintf(&b, "  %s;\n", declaration(c, "r"+strconv.Itoa(i)))
	}
	fmt.Fprintf(&b, "} %s;", name)
	return b.String()
}

// shortList returns the words for several types.
func (t *typeTable) shortList(types []ir.Type) string {
	s := ""
	for _, typ := range types {
		s += "_" + t.short(typ)
	}
	return s
}
