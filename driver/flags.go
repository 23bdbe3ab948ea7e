package driver

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"freehold/pass"
)

// flagKind says which values a flag takes.
type flagKind uint8

const (
	boolFlag     flagKind = iota // --f, --f=true, --f=0
	valueFlag                    // --f=v, --f v
	optionalFlag                 // --f, --f=v
)

// flag is a flag of mlir-opt's grammar: written with one dash or two.
type flag struct {
	name  string
	kind  flagKind
	meta  string // what the value is, for the help text
	group string
	help  string
	cases []pass.Case // the values of an enumerated flag
	// missing says why the flag, which mlir-opt has, can't be used. The help text
	// leaves it out.
	missing string
	// set takes the value; of a bool flag "true" or "false".
	set func(o *optOptions, v string) error
}

// passFlag is a pass or pipeline named on the command line, with its options.
type passFlag struct{ name, options string }

// parseFlags reads a command line in mlir-opt's grammar. Passes are kept in the
// order they are given. It returns all problems.
func parseFlags(tool string, args []string, flags map[string]*flag, reg *pass.Registry, o *optOptions) (problems []string) {
	bad := func(format string, a ...any) {
		problems = append(problems, tool+": "+fmt.Sprintf(format, a...))
	}
	var positional []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			positional = append(positional, args[i+1:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			positional = append(positional, arg)
			continue
		}
		name, val, given := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		f := flags[name]
		if f == nil && reg.Has(name) {
			o.passes = append(o.passes, passFlag{name, val})
			continue
		}
		if f == nil {
			bad("Unknown command line argument '%s'.  Try: '%s --help'", arg, tool)
			if near := pass.Nearest(name, flagNames(flags, reg)); near != "" {
				dashes := "--"
				if len(near) == 1 {
					dashes = "-"
				}
				if given {
					near += "=" + val
				}
				problems = append(problems, fmt.Sprintf("%s: Did you mean '%s%s'?", tool, dashes, near))
			}
			continue
		}
		if f.missing != "" {
			bad("the %s option isn't supported: %s", dashed(name), f.missing)
			if f.kind == valueFlag && !given {
				i++
			}
			continue
		}
		switch f.kind {
		case boolFlag:
			switch val {
			case "", "true", "TRUE", "True", "1":
				val = "true"
			case "false", "FALSE", "False", "0":
				val = "false"
			default:
				bad("for the --%s option: '%s' is invalid value for boolean argument! Try 0 or 1", name, val)
				continue
			}
		case valueFlag:
			if !given {
				if i+1 >= len(args) {
					bad("for the %s option: requires a value!", dashed(name))
					continue
				}
				i++
				val = args[i]
			}
		}
		if err := f.set(o, val); err != nil {
			bad("for the %s option: %v", dashed(name), err)
		}
		if o.help {
			return nil // whatever else there is
		}
	}
	if len(positional) > 1 {
		bad("Too many positional arguments specified!")
		problems = append(problems, "Can specify at most 1 positional arguments: See: "+tool+" --help")
	} else if len(positional) == 1 {
		o.input = positional[0]
	}
	return problems
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// FlagNames returns what the tool takes after dashes: its flags, passes and pipelines, in
// order.
func FlagNames(t *Tool) []string {
	reg := t.Registry()
	return flagNames(optFlags(reg), reg)
}

func flagNames(flags map[string]*flag, reg *pass.Registry) []string {
	var out []string
	for n := range flags {
		out = append(out, n)
	}
	for _, p := range reg.Passes() {
		out = append(out, p.Name)
	}
	for _, p := range reg.Pipelines() {
		out = append(out, p.Name)
	}
	sort.Strings(out)
	return out
}

// setInt makes a setter of an integer; kind is what messages call it.
func setInt(kind string, store func(o *optOptions, n int64)) func(*optOptions, string) error {
	return func(o *optOptions, v string) error {
		n, err := strconv.ParseInt(v, 0, 64)
		if err != nil || kind == "uint" && n < 0 {
			return fmt.Errorf("'%s' value invalid for %s argument!", v, kind)
		}
		store(o, n)
		return nil
	}
}

// setBool makes a setter of a bool.
func setBool(field func(o *optOptions) *bool) func(*optOptions, string) error {
	return func(o *optOptions, v string) error {
		*field(o) = v == "true"
		return nil
	}
}

// setString makes a setter of a string.
func setString(field func(o *optOptions) *string) func(*optOptions, string) error {
	return func(o *optOptions, v string) error {
		*field(o) = v
		return nil
	}
}

// setCase makes a setter of one of several words.
func setCase(cases []pass.Case, field func(o *optOptions) *string) func(*optOptions, string) error {
	return func(o *optOptions, v string) error {
		for _, c := range cases {
			if c.Name == v {
				*field(o) = v
				return nil
			}
		}
		return fmt.Errorf("Cannot find option named '%s'!", v)
	}
}
