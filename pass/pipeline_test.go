package pass_test

import (
	"strings"
	"testing"

	"freehold/ir"
	"freehold/pass"
)

// The options of the passes of the tests.
type (
	canonicalizeOptions struct {
		topDown    bool
		regions    level
		iterations int
		without    []string
	}
	bufferizeOptions struct{ heuristic string }
	nestedOptions    struct {
		pipelines []*pass.OpPassManager
		limit     uint32
	}
	repeatedOptions struct{ n int }
	level           int
)

func (o *canonicalizeOptions) declare(d *pass.Decl) {
	d.Bool(&o.topDown, "top-down", true, "")
	pass.Enum(d, &o.regions, "region-simplify", 1, "", pass.Choice[level]{Name: "disabled", Value: 0}, pass.Choice[level]{Name: "normal", Value: 1})
	d.Int(&o.iterations, "max-iterations", 10, "")
	d.Strings(&o.without, "disable-patterns", "")
}

// nothing is the body of a pass that does nothing.
func nothing[O any](*O) pass.Body[O] {
	return pass.OnModule(func(*pass.Context, *O, *ir.Op) error { return nil })
}

// testRegistry has passes that do nothing, or just what their names say.
func testRegistry() *pass.Registry {
	hoist := pass.New(pass.Info{Name: "hoist", Title: "Hoist", On: "func.func"}, nil, nothing((*pass.None)(nil)))
	cse := pass.New(pass.Info{Name: "cse", Title: "CSE"}, nil, nothing((*pass.None)(nil)))
	r := &pass.Registry{}
	r.Register(cse, hoist,
		pass.New(pass.Info{Name: "canonicalize", Title: "Canonicalizer"}, (*canonicalizeOptions).declare, nothing((*canonicalizeOptions)(nil))),
		pass.New(pass.Info{Name: "bufferize", Title: "Bufferize", On: "builtin.module"}, func(o *bufferizeOptions, d *pass.Decl) {
			d.String(&o.heuristic, "heuristic", "", "")
		}, nothing((*bufferizeOptions)(nil))),
		pass.New(pass.Info{Name: "nested", Title: "Nested"}, func(o *nestedOptions, d *pass.Decl) {
			d.Managers(&o.pipelines, "pipelines", "")
			d.Uint(&o.limit, "limit", 1, "").Extension()
		}, nothing((*nestedOptions)(nil))),
		pass.NewPipeline(pass.Info{Name: "dealloc-pipeline"}, func(o *repeatedOptions, d *pass.Decl) {
			d.Int(&o.n, "n", 1, "")
		}, func(m *pass.OpPassManager, o *repeatedOptions) {
			for range o.n {
				m.AddNested(hoist.Instance())
			}
			m.AddNested(cse.Instance())
		}))
	return r
}

func TestParsePipeline(t *testing.T) {
	const canonical = "canonicalize{disable-patterns=a,{b c} max-iterations=3 region-simplify=normal top-down=false}"
	for _, c := range []struct{ in, want string }{
		{"builtin.module()", "builtin.module()"},
		{" builtin.module( cse , cse )", "builtin.module(cse,cse)"},
		{"builtin.module(func.func(cse,hoist),any(cse))", "builtin.module(func.func(cse,hoist),any(cse))"},
		{"any(canonicalize{max-iterations=3 disable-patterns=a disable-patterns={b c} top-down=0})", "any(" + canonical + ")"},
		{"any(canonicalize{max-iterations=7 max-iterations=3 disable-patterns=a,{b c} top-down=false} , cse)", "any(" + canonical + ",cse)"},
		{"any(bufferize{heuristic=\"x y\"})", "any(bufferize{heuristic={x y}})"},
		{"any(bufferize{heuristic=func.func(a{b=1},c)})", "any(bufferize{heuristic=func.func(a{b=1},c)})"},
		{"builtin.module(dealloc-pipeline{n=2})", "builtin.module(func.func(hoist),func.func(hoist),cse)"},
		{"any(canonicalize{disable-patterns= max-iterations=3})", "any(canonicalize{disable-patterns= max-iterations=3 region-simplify=normal top-down=true})"},
		{"any(canonicalize{disable-patterns={a,},'b,c',x(d,e)})", "any(canonicalize{disable-patterns={a,},'b,c',x(d,e) max-iterations=10 region-simplify=normal top-down=true})"},
		{"any(canonicalize{disable-patterns={ a,b }})", "any(canonicalize{disable-patterns=a,b max-iterations=10 region-simplify=normal top-down=true})"},
		{"any(nested)", "any(nested{})"},
		{"any(nested{pipelines={func.func(cse,hoist),any(cse)} pipelines=any()})", "any(nested{pipelines=func.func(cse,hoist),any(cse),any()})"},
	} {
		m, err := testRegistry().ParsePipeline(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		} else if m.String() != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.in, m, c.want)
		} else if again, err := testRegistry().ParsePipeline(m.String()); err != nil || again.String() != m.String() {
			t.Errorf("%s: doesn't read back: %v", m, err)
		}
	}
}

func TestParsePipelineErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"cse", "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'"},
		{"builtin.module(nope)", "Parser:1:1: error: 'nope' does not refer to a registered pass or pass pipeline\nnope\n^"},
		{"builtin.module(cse))", "Parser:1:4: error: encountered extra closing ')' creating unbalanced parentheses while parsing pipeline\ncse)\n   ^"},
		{"builtin.module(cse,)", "Parser:1:5: error: '' does not refer to a registered pass or pass pipeline\ncse,\n    ^"},
		{"builtin.module(func.func(),cse)", "Parser:1:11: error: '' does not refer to a registered pass or pass pipeline\nfunc.func(),cse\n          ^"},
		{"builtin.module(func.func( ))", "Parser:1:12: error: '' does not refer to"},
		{"builtin.module(cse{)", "Parser:1:4: error: missing closing '}' while processing pass options\ncse{\n   ^"},
		{"builtin.module(cse{}cse)", "Parser:1:6: error: expected ',' after parsing pipeline\ncse{}cse\n     ^"},
		{"builtin.module(func.func(cse)", "Parser:1:11: error: encountered unbalanced parentheses while parsing pipeline\nfunc.func(cse\n          ^"},
		{"builtin.module(cse{a=1})", "<Pass-Options-Parser>: no such option a\nfailed to add `cse` with options `a=1`"},
		{"builtin.module(canonicalize{max-iterations=x})", "for the --max-iterations option: 'x' value invalid for long argument!"},
		{"builtin.module(nested{pipelines=func.func(hoist),nope})", "for the --pipelines option: expected pass pipeline to be wrapped"},
		{"builtin.module(nested{pipelines=func.func(nope)})", "for the --pipelines option: MLIR Textual PassPipeline Parser:1:1: error: 'nope' does not"},
		{"builtin.module(nested{limit=4294967296})", "'4294967296' value invalid for uint argument!"},
		{"builtin.module(canonicalize{max-iterations})", "for the --max-iterations option: requires a value!"},
		{"builtin.module(canonicalize{region-simplify=x})", "for the --region-simplify option: Cannot find option named 'x'!"},
		{"builtin.module(canonicalize{top-down=2})", "'2' is invalid value for boolean argument! Try 0 or 1"},
		{"builtin.module(func.func(bufferize))", "Can't add pass 'Bufferize' restricted to 'builtin.module' on a PassManager intended to run on 'func.func', did you intend to nest?\n" +
			"failed to add `bufferize` with options ``\nfailed to add `func.func` with options `` to inner pipeline"},
	} {
		if _, err := testRegistry().ParsePipeline(c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.in, err, c.want)
		}
	}
}

func TestAddFlag(t *testing.T) {
	r, m := testRegistry(), pass.NewManager("builtin.module")
	for _, f := range [][2]string{{"cse", ""}, {"hoist", ""}, {"bufferize", "heuristic=x"}, {"hoist", ""}} {
		if err := r.AddFlag(m, f[0], f[1]); err != nil {
			t.Fatal(err)
		}
	}
	if want := "builtin.module(cse,func.func(hoist),bufferize{heuristic=x},func.func(hoist))"; m.String() != want {
		t.Errorf("got %s\nwant %s", m, want)
	}
	if err := r.AddFlag(m, "nope", ""); err == nil {
		t.Error("an unknown pass was accepted")
	}
}

func TestSuggest(t *testing.T) {
	for in, want := range map[string]string{"canonicalise": "canonicalize", "csee": "cse", "hoists": "hoist"} {
		if got := testRegistry().Suggest(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func FuzzParsePipeline(f *testing.F) {
	for _, s := range []string{"builtin.module(cse)", "any(canonicalize{a={b}},x(y,z))", "a(b{)", "a())(", "a(canonicalize{max-iterations=1 disable-patterns=\"}"} {
		f.Add(s)
	}
	r := testRegistry()
	f.Fuzz(func(t *testing.T, s string) {
		m, err := r.ParsePipeline(s)
		if err != nil {
			return
		}
		text := m.String()
		again, err := r.ParsePipeline(text)
		if err != nil || again.String() != text {
			t.Errorf("%q prints as %q, which doesn't read back: %v", s, text, err)
		}
	})
}
