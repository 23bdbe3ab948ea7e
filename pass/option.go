package pass

import (
	"fmt"
	"math"
	"slices"
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

// Option is an option of a pass or pipeline, as help texts show it. A [Decl] makes it.
type Option struct {
	Name, Help string
	Kind       Kind
	// Default is the default value as text; empty for lists.
	Default string
	// Cases are the values of an option of EnumKind, or of StringKind if some words mean
	// something; others are then accepted at first.
	Cases []Case
	// Own tells that mlir-opt-19 doesn't have the option; it isn't written while it has
	// its default.
	Own bool

	value value
	given bool // of the default
	llvm  int  // see Registry.LLVM
}

// Extension marks the option as freehold's own, or of a later version of LLVM.
func (o *Option) Extension() *Option {
	o.Own = true
	return o
}

// Since gives the option another default from a version of LLVM on, as text. It holds for passes that a registry makes for that
// version, or a later one; pipelines that a program makes keep the default of 19.
func (o *Option) Since(llvm int, def string) *Option {
	if o.llvm < llvm {
		return o
	}
	if err := o.value.set(def, false); err != nil {
		panic("pass: the default of " + o.Name + ": " + err.Error())
	}
	o.Default, o.given = o.value.text(), o.value.given()
	return o
}

// Case is one value of an option of EnumKind.
type Case struct{ Name, Help string }

// value is the field that an option sets.
type value interface {
	// set sets the field to what text stands for. again tells that the same text has set
	// it before.
	set(text string, again bool) error
	// text returns the field's value as set reads it.
	text() string
	// given tells whether the option is written; an empty list isn't.
	given() bool
}

// Decl collects the declarations of options, and binds each to a field of the struct of
// options. Its methods set the field to the option's default.
type Decl struct {
	registry *Registry
	options  []*Option
	counters []statistic
	checks   []func() error
	uses     []AnyAnalysis
	around   []AnyAnalysis
}

// Registry returns what knows passes by their names. It is to be asked when the pass
// runs. Without a registry, where a program made the pipeline, it is nil, which knows none.
func (d *Decl) Registry() *Registry { return d.registry }

// Check adds a condition that the options must fulfill when the pass runs; what it
// returns otherwise is the pass's error.
func (d *Decl) Check(check func() error) { d.checks = append(d.checks, check) }

func (d *Decl) check() error {
	for _, c := range d.checks {
		if err := c(); err != nil {
			return err
		}
	}
	return nil
}

// copied completes the declaration of options that are a copy of those of from.
func (d *Decl) copied(from *Decl) {
	for i := range d.counters {
		d.counters[i].counter.n = d.counters[i].n
	}
	for i, o := range d.options {
		if v, ok := o.value.(interface{ copy(value) }); ok {
			v.copy(from.options[i].value)
		}
	}
}

func (d *Decl) add(k Kind, name, help string, v value) *Option {
	o := &Option{Name: name, Help: help, Kind: k, Default: v.text(), value: v, given: v.given()}
	if d.registry != nil {
		o.llvm = d.registry.LLVM
	}
	d.options = append(d.options, o)
	return o
}

// Bool declares an option that is true or false.
func (d *Decl) Bool(field *bool, name string, def bool, help string) *Option {
	*field = def
	return d.add(BoolKind, name, help, boolValue{field, name})
}

// Int declares an option that is an integer.
func (d *Decl) Int(field *int, name string, def int, help string) *Option {
	*field = def
	return d.add(IntKind, name, help, intValue{field, name})
}

// Uint declares an option that is an integer of 32 bits that is not negative.
func (d *Decl) Uint(field *uint32, name string, def uint32, help string) *Option {
	*field = def
	return d.add(UintKind, name, help, uintValue{field, name})
}

// String declares an option that is any text.
func (d *Decl) String(field *string, name, def, help string) *Option {
	*field = def
	return d.add(StringKind, name, help, stringValue{field})
}

// Strings declares an option that is a list of words: nil if it isn't given, and one
// empty word if nothing is given as its value.
func (d *Decl) Strings(field *[]string, name, help string) *Option {
	*field = nil
	return d.add(ListKind, name, help, listValue{field})
}

// Managers declares an option that is a list of pass managers, empty by default, as
// in "func.func(cse),builtin.module(canonicalize)". All users of the options share
// them; run a [OpPassManager.Clone].
func (d *Decl) Managers(field *[]*OpPassManager, name, help string) *Option {
	*field = nil
	return d.add(ManagersKind, name, help, managersValue{field, name, d})
}

// Choice is a word for a value of type T.
type Choice[T comparable] struct {
	Name  string
	Value T
	Help  string
}

func cases[T comparable](choices []Choice[T]) []Case {
	list := make([]Case, len(choices))
	for i, c := range choices {
		list[i] = Case{c.Name, c.Help}
	}
	return list
}

// Enum declares an option that is one of several words.
func Enum[T comparable](d *Decl, field *T, name string, def T, help string, choices ...Choice[T]) *Option {
	*field = def
	o := d.add(EnumKind, name, help, enumValue[T]{field, name, choices})
	o.Cases = cases(choices)
	return o
}

// Word is an option that is text, of which only some words mean something.
type Word[T comparable] struct {
	field   *T
	choices []Choice[T]
	other   *other
}

// other is a text that is none of the words.
type other struct {
	text string
	is   bool
}

// Words declares an option that is one of several words, where others are accepted when
// the options are read: it is up to a [Decl.Check] to refuse them. They leave the field as
// it is. This is how mlir-opt treats some options.
func Words[T comparable](d *Decl, field *T, name string, def T, help string, choices ...Choice[T]) Word[T] {
	*field = def
	w := Word[T]{field, choices, new(other)}
	d.add(StringKind, name, help, w).Cases = cases(choices)
	return w
}

// Unknown returns the option's text if it is none of the words.
func (w Word[T]) Unknown() (text string, unknown bool) { return w.other.text, w.other.is }

func (w Word[T]) set(text string, _ bool) error {
	*w.other = other{text, true}
	for _, c := range w.choices {
		if c.Name == text {
			*w.field, *w.other = c.Value, other{}
		}
	}
	return nil
}

func (w Word[T]) text() string {
	if w.other.is {
		return quote(w.other.text)
	}
	return enumValue[T]{w.field, "", w.choices}.text()
}

// copy takes over what the field doesn't say.
func (w Word[T]) copy(from value) { *w.other = *from.(Word[T]).other }

func (w Word[T]) given() bool { return true }

type boolValue struct {
	field *bool
	name  string
}

func (v boolValue) set(text string, _ bool) error {
	switch text {
	case "", "true", "TRUE", "True", "1":
		*v.field = true
	case "false", "FALSE", "False", "0":
		*v.field = false
	default:
		return &ValueError{v.name, fmt.Sprintf("'%s' is invalid value for boolean argument! Try 0 or 1", text)}
	}
	return nil
}

func (v boolValue) text() string { return strconv.FormatBool(*v.field) }
func (v boolValue) given() bool  { return true }

type intValue struct {
	field *int
	name  string
}

func (v intValue) set(text string, _ bool) error {
	n, err := strconv.ParseInt(text, 0, strconv.IntSize)
	if err != nil {
		return &ValueError{v.name, fmt.Sprintf("'%s' value invalid for long argument!", text)}
	}
	*v.field = int(n)
	return nil
}

func (v intValue) text() string { return strconv.Itoa(*v.field) }
func (v intValue) given() bool  { return true }

type uintValue struct {
	field *uint32
	name  string
}

func (v uintValue) set(text string, _ bool) error {
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil || n < 0 || n > math.MaxUint32 {
		return &ValueError{v.name, fmt.Sprintf("'%s' value invalid for uint argument!", text)}
	}
	*v.field = uint32(n)
	return nil
}

func (v uintValue) text() string { return strconv.FormatUint(uint64(*v.field), 10) }
func (v uintValue) given() bool  { return true }

type stringValue struct{ field *string }

func (v stringValue) set(text string, _ bool) error {
	*v.field = text
	return nil
}

func (v stringValue) text() string { return quote(*v.field) }
func (v stringValue) given() bool  { return true }

type enumValue[T comparable] struct {
	field   *T
	name    string
	choices []Choice[T]
}

func (v enumValue[T]) set(text string, _ bool) error {
	for _, c := range v.choices {
		if c.Name == text {
			*v.field = c.Value
			return nil
		}
	}
	return &ValueError{v.name, fmt.Sprintf("Cannot find option named '%s'!", text)}
}

func (v enumValue[T]) text() string {
	for _, c := range v.choices {
		if c.Value == *v.field {
			return c.Name
		}
	}
	return fmt.Sprint(*v.field)
}

func (v enumValue[T]) given() bool { return true }

type listValue struct{ field *[]string }

func (v listValue) set(text string, again bool) error {
	list := splitList(text)
	if again {
		list = slices.Concat(*v.field, list)
	}
	*v.field = list
	return nil
}

func (v listValue) text() string {
	elems := make([]string, len(*v.field))
	for i, e := range *v.field {
		elems[i] = quote(e)
	}
	return strings.Join(elems, ",")
}

func (v listValue) given() bool { return len(*v.field) > 0 }

type managersValue struct {
	field *[]*OpPassManager
	name  string
	decl  *Decl
}

func (v managersValue) set(text string, again bool) error {
	var list []*OpPassManager
	if again {
		list = slices.Clone(*v.field)
	}
	for _, t := range splitList(text) {
		m, err := v.decl.registry.ParsePipeline(t)
		if err != nil {
			return &ManagerError{v.name, err}
		}
		list = append(list, m)
	}
	*v.field = list
	return nil
}

func (v managersValue) text() string {
	elems := make([]string, len(*v.field))
	for i, m := range *v.field {
		elems[i] = m.String()
	}
	return strings.Join(elems, ",")
}

func (v managersValue) given() bool { return len(*v.field) > 0 }

// ValueError is a bad value of an option.
type ValueError struct{ Option, Problem string }

func (e *ValueError) Error() string { return "for the --" + e.Option + " option: " + e.Problem }

// UnknownOptionError is about an option that isn't declared.
type UnknownOptionError struct {
	Option string
	// Similar is a declared option for which it may be misspelt, or "".
	Similar string
}

func (e *UnknownOptionError) Error() string {
	return "<Pass-Options-Parser>: no such option " + e.Option
}

// ManagerError is about the value of an option declared by [Decl.Managers].
type ManagerError struct {
	Option string
	Err    error
}

func (e *ManagerError) Error() string { return "for the --" + e.Option + " option: " + e.Err.Error() }

// Unwrap returns what is wrong with the value.
func (e *ManagerError) Unwrap() error { return e.Err }
