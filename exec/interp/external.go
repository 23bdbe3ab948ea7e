package interp

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// External is a function that stands for one the program declares. It gets the
// arguments (buffers by their contents) and returns the results, one for each
// type: memrefs are allocated for their contents and belong to the program.
//
// Write changes the contents of argument i, which must be a memref.
type External func(call *Call) ([]Value, error)

// Call is a call of an external function.
type Call struct {
	// Name is the function's name, Number how often it was called before; for an
	// operation that only computes, a number that its arguments determine.
	Name   string
	Number int
	// Args are the arguments, Results the types of the results. A function may shorten Args to those that count as an effect.
	Args    []Value
	Results []ir.Type

	raw  *exec.ExternalCall
	text string // what it printed to standard output
	warn string // and to standard error
}

// Print prints a text, as a part of the effect that the call is.
func (c *Call) Print(text string) { c.text += text }

// PrintError prints a text to standard error.
func (c *Call) PrintError(text string) { c.warn += text }

// Write sets the contents of the memref that is argument i.
func (c *Call) Write(i int, t *exec.Tensor) error {
	m, ok := c.raw.Args.O[i].(*exec.MemRef)
	if !ok {
		return fmt.Errorf("argument %d of @%s is not a memref", i, c.Name)
	}
	if err := m.Writable(c.raw.Op); err != nil {
		return err
	}
	return exec.CopyView(c.raw.Op, m.View(), t.View())
}

// Effect is something that the program did to the outside: the call of an external
// function, or a line that it printed.
type Effect struct {
	// Name is the function's name, or empty.
	Name string
	// Args are the arguments of the call.
	Args []Value
	// Text is what was printed, and ErrorText what was printed to standard error. What a call prints follows
	// from its arguments, and is not compared.
	Text, ErrorText string
	// Loc is where it happened.
	Loc ir.Location
}

// outside connects a program with external functions, and keeps its effects.
type outside struct {
	effects []Effect
	calls   map[string]int
	limit   int
	// printing is the text of the last effect while open is true, since more of it may be printed.
	printing strings.Builder
	open     bool
}

// maxEffects limits how many effects are kept, maxEffectElements how many
// elements of their arguments. What is printed is kept in any case.
const (
	maxEffects        = 10000
	maxEffectElements = 1 << 22
)

// Output returns what the program printed.
func (r *Result) Output() string { return r.texts(func(e *Effect) string { return e.Text }) }

// ErrorOutput returns what the program printed to standard error.
func (r *Result) ErrorOutput() string { return r.texts(func(e *Effect) string { return e.ErrorText }) }

func (r *Result) texts(of func(e *Effect) string) string {
	var b strings.Builder
	for i := range r.Effects {
		b.WriteString(of(&r.Effects[i]))
	}
	return b.String()
}

// close gives the last effect all that was printed as a part of it.
func (x *outside) close() {
	if x.open {
		x.effects[len(x.effects)-1].Text = x.printing.String()
		x.printing, x.open = strings.Builder{}, false
	}
}

// take returns the effects since it was called last.
func (x *outside) take() []Effect {
	x.close()
	effects := x.effects
	x.effects = nil
	return effects
}

// room tells whether one more effect is kept.
func (x *outside) room() bool { return len(x.effects) < maxEffects && x.limit > 0 }

// keep appends an effect. Of one for which there is no room, it keeps what it printed.
func (x *outside) keep(e Effect) {
	for _, a := range e.Args {
		if a.Tensor != nil {
			x.limit -= int(a.Tensor.Elements())
		}
	}
	switch {
	case x.room():
		x.close()
		x.effects = append(x.effects, e)
	case e.Text != "" || e.ErrorText != "":
		x.begin(e.Loc)
		x.printing.WriteString(e.Text)
		x.effects[len(x.effects)-1].ErrorText += e.ErrorText
	}
}

// begin makes the last effect one to which more text belongs: a new one, unless there is one already and no room for more.
func (x *outside) begin(loc ir.Location) {
	if x.open && !x.room() {
		return
	}
	x.close()
	x.effects = append(x.effects, Effect{Loc: loc})
	x.open = true
}

// connect gives the program its external functions.
func (x *outside) connect(p *exec.Program, o Options) {
	if o.Otherwise != nil {
		p.Unknown = x.wrap(o.Otherwise)
	}
	p.External = func(name string) exec.External {
		if fn := o.Externals[name]; fn != nil {
			return x.wrap(fn)
		}
		if r := runnerOf(name); r != nil {
			return x.wrapRunner(r, o.Otherwise)
		}
		return p.Unknown
	}
}

// print keeps what the program prints.
func (x *outside) print(op *ir.Op, text string) {
	// A text may be printed in several parts.
	if !x.open || x.printing.Len() >= maxEffectElements {
		x.begin(op.Loc())
	}
	x.printing.WriteString(text)
}

// wrapRunner makes a function of the runner utilities one of package exec. For a function that only has the
// name of one, another may stand.
func (x *outside) wrapRunner(r *runnerFunction, otherwise External) exec.External {
	return x.wrapAs(r.prints, func(call *Call) ([]Value, error) {
		switch {
		case r.takes(call):
			return r.do(call)
		case otherwise != nil:
			return otherwise(call)
		}
		return nil, exec.Unsupported(call.raw.Op, fmt.Sprintf("@%s of MLIR's runner utilities has the type %s", call.Name, r.String()))
	})
}

// wrap makes a function of this package one of package exec.
func (x *outside) wrap(fn External) exec.External { return x.wrapAs(false, fn) }

// wrapAs is wrap for a function of which it is known whether calls are nothing but what they print.
func (x *outside) wrapAs(prints bool, fn External) exec.External {
	return func(raw *exec.ExternalCall) (exec.Values, error) {
		call := &Call{Name: raw.Name, Number: x.calls[raw.Name], Results: raw.Results, raw: raw}
		// What may be removed, or done once instead of twice, has no effect, and the same
		// results for the same arguments.
		pure := raw.Unknown && raw.Op.Registered() && interfaces.WouldBeTriviallyDead(raw.Op)
		for i, t := range raw.Inputs {
			v, err := valueOf(raw.Op, t, raw.Args.W[i], raw.Args.O[i])
			if err != nil {
				return exec.Values{}, err
			}
			call.Args = append(call.Args, v)
		}
		if pure {
			h := fnv.New64a()
			for _, a := range call.Args {
				fmt.Fprintln(h, a.Text())
			}
			call.Number = int(h.Sum64())
		} else {
			x.calls[raw.Name]++
		}
		results, err := fn(call)
		switch {
		case prints && err == nil:
			x.print(raw.Op, call.text)
		case !pure:
			x.keep(Effect{Name: raw.Name, Args: call.Args, Text: call.text, ErrorText: call.warn, Loc: raw.Op.Loc()})
		}
		if err != nil {
			return exec.Values{}, err
		}
		out := exec.Values{W: make([]uint64, len(raw.Results)), O: make([]any, len(raw.Results))}
		if len(results) != len(raw.Results) {
			return out, ir.Errorf(raw.Op.Loc(), "the function that stands for @%s returns %s, not %d", raw.Name, count(len(results), "result"), len(raw.Results))
		}
		for i, v := range results {
			if err := v.fits(raw.Results[i]); err != nil {
				return out, ir.Errorf(raw.Op.Loc(), "result %d of the function that stands for @%s: %v", i, raw.Name, err)
			}
			switch {
			case v.Tensor == nil:
				out.W[i], out.O[i] = v.Word, v.Object
			case ir.IsMemRef(raw.Results[i]):
				m, err := raw.NewMemRef(raw.Results[i], v.Tensor.Sizes)
				if err != nil {
					return out, err
				}
				if err := exec.CopyView(raw.Op, m.View(), v.Tensor.View()); err != nil {
					return out, err
				}
				out.O[i] = m
			default:
				out.O[i] = v.Tensor.Share()
			}
		}
		return out, nil
	}
}

// Arbitrary returns a function that stands for any other: its results are made up,
// as [Generator] does it, from the seed, the function's name and the number of the
// call, not from the arguments.
func Arbitrary(seed uint64) External {
	return func(call *Call) ([]Value, error) {
		h := fnv.New64a()
		h.Write([]byte(call.Name))
		g := Generator{Seed: seed ^ h.Sum64() + uint64(call.Number)}
		out := make([]Value, len(call.Results))
		for i, t := range call.Results {
			v, err := g.Value(t, rand.New(rand.NewPCG(g.Seed, uint64(i))))
			if err != nil {
				return nil, ir.Errorf(call.raw.Op.Loc(), "@%s can't be replaced: %v", call.Name, err)
			}
			out[i] = v
		}
		return out, nil
	}
}
