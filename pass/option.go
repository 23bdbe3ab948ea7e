package pass

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// Kind is the type of an option.
type Kind uint8

// The kinds of options.
const (
	BoolKind Kind = iota
	IntKind
	UintKind
	StringKind
	EnumKind
	ListKind
	ManagersKind
)

func (k Kind) String() string {
	return [...]string{"bool", "int", "uint", "string", "enum", "list", "pass-manager"}[k]
}

// Option declares an option of a pass or pipeline. Make one with [Bool], [Int],
// [Uint], [String], [Enum], [List] or [Managers].
type Option struct {
	Name, Help string
	Kind       Kind
	// Default is a bool, int64, string, []string or []*OpPassManager.
	Default any
	// Cases are the values that an option of EnumKind takes.
	Cases []Case
	// Words are values of an option of StringKind that mean something; there may be others.
	Words []string
	// Own tells that only freehold has the option; it isn't written while it has its
	// default.
	Own bool
	// registry knows the passes in values of ManagersKind.
	registry *Registry
}

// Extension returns the option marked as freehold's own.
func (o Option) Extension() Option {
	o.Own = true
	return o
}

// Among returns the option with its words.
func (o Option) Among(words ...string) Option {
	o.Words = words
	return o
}

// Case is one value of an option of EnumKind.
type Case struct{ Name, Help string }

// Bool declares an option that is true or false.
func Bool(name string, def bool, help string) Option {
	return Option{Name: name, Help: help, Kind: BoolKind, Default: def}
}

// Int declares an option that is an integer.
func Int(name string, def int64, help string) Option {
	return Option{Name: name, Help: help, Kind: IntKind, Default: def}
}

// Uint declares an option that is an integer of 32 bits that is not negative.
func Uint(name string, def int64, help string) Option {
	return Option{Name: name, Help: help, Kind: UintKind, Default: def}
}

// String declares an option that is any text.
func String(name, def, help string) Option {
	return Option{Name: name, Help: help, Kind: StringKind, Default: def}
}

// Enum declares an option that is one of several words.
func Enum(name, def, help string, cases ...Case) Option {
	return Option{Name: name, Help: help, Kind: EnumKind, Default: def, Cases: cases}
}

// List declares an option that is a list of words, empty by default.
func List(name, help string) Option {
	return Option{Name: name, Help: help, Kind: ListKind, Default: []string(nil)}
}

// Managers declares an option that is a list of pass managers, empty by default, as
// in "func.func(cse),builtin.module(canonicalize)". Their passes are those of r.
func Managers(r *Registry, name, help string) Option {
	return Option{Name: name, Help: help, Kind: ManagersKind, Default: []*OpPassManager(nil), registry: r}
}

// parse returns the value that text stands for; given is false if the option was
// written without a value.
func (o *Option) parse(text string, given bool) (any, error) {
	bad := func(format string, args ...any) error {
		return &ValueError{o.Name, fmt.Sprintf(format, args...)}
	}
	switch o.Kind {
	case BoolKind:
		switch text {
		case "", "true", "TRUE", "True", "1":
			return true, nil
		case "false", "FALSE", "False", "0":
			return false, nil
		}
		return nil, bad("'%s' is invalid value for boolean argument! Try 0 or 1", text)
	case IntKind, UintKind:
		if !given {
			return nil, bad("requires a value!")
		}
		v, err := strconv.ParseInt(text, 0, 64)
		if err != nil || o.Kind == UintKind && (v < 0 || v > math.MaxUint32) {
			return nil, bad("'%s' value invalid for %s argument!", text, map[Kind]string{IntKind: "long", UintKind: "uint"}[o.Kind])
		}
		return v, nil
	case EnumKind:
		if !given {
			return nil, bad("requires a value!")
		}
		for i := range o.Cases {
			if o.Cases[i].Name == text {
				return text, nil
			}
		}
		return nil, bad("Cannot find option named '%s'!", text)
	}
	if !given {
		return nil, bad("requires a value!")
	}
	switch o.Kind {
	case ListKind:
		return splitList(text), nil
	case ManagersKind:
		var list []*OpPassManager
		for _, t := range splitList(text) {
			m, err := o.registry.ParsePipeline(t)
			if err != nil {
				return nil, &ManagerError{o.Name, err}
			}
			list = append(list, m)
		}
		return list, nil
	}
	return text, nil
}

// ValueError is a bad value of an option.
type ValueError struct{ Option, Problem string }

func (e *ValueError) Error() string { return "for the --" + e.Option + " option: " + e.Problem }

// UnknownOptionError is about an option that isn't declared.
type UnknownOptionError struct{ Option string }

func (e *UnknownOptionError) Error() string {
	return "<Pass-Options-Parser>: no such option " + e.Option
}

// ManagerError is about the value of an option declared by [Managers].
type ManagerError struct {
	Option string
	Err    error
}

func (e *ManagerError) Error() string { return "for the --" + e.Option + " option: " + e.Err.Error() }

// Unwrap returns what is wrong with the value.
func (e *ManagerError) Unwrap() error { return e.Err }

// Options are the values of declared options.
type Options struct {
	decls  []Option
	values []any
}

// NewOptions returns the default values of the declared options.
func NewOptions(decls []Option) *Options {
	o := &Options{decls, make([]any, len(decls))}
	for i := range decls {
		o.values[i] = decls[i].Default
	}
	return o
}

// Clone returns a copy that can be changed independently.
func (o *Options) Clone() *Options {
	return &Options{o.decls, append([]any(nil), o.values...)}
}

func (o *Options) index(name string) int {
	for i := range o.decls {
		if o.decls[i].Name == name {
			return i
		}
	}
	return -1
}

func (o *Options) value(name string) any {
	i := o.index(name)
	if i < 0 {
		panic("pass: no option " + name)
	}
	return o.values[i]
}

// Bool returns the value of an option declared by [Bool]; it panics if there is
// none of that name, and so do the other getters.
func (o *Options) Bool(name string) bool { return o.value(name).(bool) }

// Int returns the value of an option declared by [Int] or [Uint].
func (o *Options) Int(name string) int64 { return o.value(name).(int64) }

// String returns the value of an option declared by [String] or [Enum].
func (o *Options) String(name string) string { return o.value(name).(string) }

// Strings returns the value of an option declared by [List]: nil if it wasn't given,
// and one empty word if nothing was given as its value.
func (o *Options) Strings(name string) []string { return o.value(name).([]string) }

// Managers returns the value of an option declared by [Managers]. All users of the
// options share it; run a [OpPassManager.Clone].
func (o *Options) Managers(name string) []*OpPassManager { return o.value(name).([]*OpPassManager) }

// Set sets an option to a value of the type of its default. It panics if there is no
// such option.
func (o *Options) Set(name string, v any) *Options {
	i := o.index(name)
	if i < 0 || fmt.Sprintf("%T", v) != fmt.Sprintf("%T", o.decls[i].Default) {
		panic("pass: no option " + name + " of that type")
	}
	o.values[i] = v
	return o
}

// Parse sets options from text of the form `a=1 b="x y" c={d=2}`: words
// separated by spaces, where quotes and braces protect what is in them.
// A repeated list option is extended; of other options the last value counts.
func (o *Options) Parse(text string) error {
	seen := map[int]bool{}
	for {
		text = strings.TrimLeft(text, " \t\n\r")
		if text == "" {
			return nil
		}
		end := scanValue(text, " \t\n\r", "{}")
		arg := text[:end]
		text = text[end:]
		name, val, given := strings.Cut(arg, "=")
		i := o.index(name)
		if i < 0 {
			return &UnknownOptionError{name}
		}
		v, err := o.decls[i].parse(unquote(val), given)
		if err != nil {
			return err
		}
		if seen[i] {
			switch l := v.(type) {
			case []string:
				v = append(o.values[i].([]string), l...)
			case []*OpPassManager:
				v = append(o.values[i].([]*OpPassManager), l...)
			}
		}
		o.values[i], seen[i] = v, true
	}
}

// Text returns all options in the form that Parse reads, in order of their names.
// Empty lists leave just their separating space. Freehold's own options are left
// out while they have their defaults.
func (o *Options) Text() string {
	var order []int
	for i := range o.decls {
		if !o.decls[i].Own || !reflect.DeepEqual(o.values[i], o.decls[i].Default) {
			order = append(order, i)
		}
	}
	sort.Slice(order, func(a, b int) bool { return o.decls[order[a]].Name < o.decls[order[b]].Name })
	words := make([]string, len(order))
	for k, i := range order {
		d := &o.decls[i]
		switch v := o.values[i].(type) {
		case bool:
			words[k] = d.Name + "=" + strconv.FormatBool(v)
		case int64:
			words[k] = d.Name + "=" + strconv.FormatInt(v, 10)
		case string:
			words[k] = d.Name + "=" + quote(v)
		case []string:
			if len(v) == 0 {
				continue
			}
			elems := make([]string, len(v))
			for j := range v {
				elems[j] = quote(v[j])
			}
			words[k] = d.Name + "=" + strings.Join(elems, ",")
		case []*OpPassManager:
			if len(v) == 0 {
				continue
			}
			elems := make([]string, len(v))
			for j := range v {
				elems[j] = v[j].String()
			}
			words[k] = d.Name + "=" + strings.Join(elems, ",")
		}
	}
	return strings.Join(words, " ")
}

// scanValue returns the length of the prefix of text before the first of the stop
// characters that is outside of quotes and of the given kinds of brackets, of which
// each closing one follows its opening one.
func scanValue(text, stop, brackets string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		kind := strings.IndexByte(brackets, c)
		switch {
		case c == '"' || c == '\'':
			if n := strings.IndexByte(text[i+1:], c); n >= 0 {
				i += n + 1
			}
		case kind >= 0 && kind%2 == 0:
			depth++
		case kind >= 0 && depth > 0:
			depth--
		case depth == 0 && strings.IndexByte(stop, c) >= 0:
			return i
		}
	}
	return len(text)
}

// splitList returns the elements of a list, at least one. What protects commas in an
// element remains a part of it.
func splitList(text string) []string {
	var out []string
	for {
		n := scanValue(text, ",", "{}[]()")
		out = append(out, text[:n])
		if n == len(text) {
			return out
		}
		text = text[n+1:]
	}
}

// unquote removes one pair of quotes or braces around the text, and the space inside
// of it. An empty pair stays.
func unquote(s string) string {
	if n := len(s); n > 2 {
		switch a, z := s[0], s[n-1]; {
		case a == '"' && z == '"', a == '\'' && z == '\'', a == '{' && z == '}':
			return strings.TrimSpace(s[1 : n-1])
		}
	}
	return s
}

// quote puts braces around text that wouldn't be read as one word.
func quote(s string) string {
	if strings.ContainsAny(s, " \t\n") && scanValue(s, " \t\n", "{}") < len(s) {
		return "{" + s + "}"
	}
	return s
}
