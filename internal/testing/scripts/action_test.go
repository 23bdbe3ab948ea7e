package scripts_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// action is what is tested of action.yml.
type action struct {
	Runs struct {
		Steps []struct {
			Name, ID, Run, Shell string
			Env                  map[string]string
		}
	}
}

// repository is a git repository in which the steps of an action run.
type repository struct {
	t    *testing.T
	dir  string
	temp string // the runner's
	env  []string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	for _, tool := range []string{"bash", "python3", "git", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	r := &repository{t: t, dir: t.TempDir(), temp: t.TempDir()}
	r.env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a")
	r.must("git init -q -b main")
	return r
}

// run runs a command in the repository.
func (r *repository) run(env []string, command ...string) (string, error) {
	c := exec.Command(command[0], command[1:]...)
	c.Dir, c.Env = r.dir, append(r.env[:len(r.env):len(r.env)], env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

func (r *repository) must(command string) string {
	r.t.Helper()
	out, err := r.run(nil, strings.Fields(command)...)
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return strings.TrimSpace(out)
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	os.MkdirAll(filepath.Dir(file), 0o777)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// file reads a file of the runner's.
func (r *repository) file(name string) string {
	text, _ := os.ReadFile(filepath.Join(r.temp, name))
	return string(text)
}

// gh stands for GitHub's command: it shows the comments of comments.json, and writes down what it
// is asked to do.
const gh = `#!/bin/bash
echo "$*" >>"$RUNNER_TEMP/gh.log"
case "$1 $2" in
"pr view") while [ "$1" != --jq ]; do shift; done; jq -r "$2" "$RUNNER_TEMP/comments.json" ;;
"pr comment") cp "$5" "$RUNNER_TEMP/posted" ;;
"api --silent") cp "${7#body=@}" "$RUNNER_TEMP/posted" ;;
esac && [ -z "$GH_FAILS" ]
`

const (
	safeProgram = "func.func @f() {\n  %a = memref.alloc() : memref<1024xf32>\n  memref.dealloc %a : memref<1024xf32>\n  return\n}\n"
	leak        = "func.func @f() {\n  %a = memref.alloc() : memref<1024xf32>\n  return\n}\n"
)

// TestAction runs the steps of action.yml as GitHub does, with a command gh that writes down what it would say.
func TestAction(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	r := newRepository(t)
	r.write("a.mlir", safeProgram)
	r.must("git add -A")
	r.must("git commit -q -m first")
	first := r.must("git rev-parse HEAD")
	r.write("a.mlir", leak)
	r.write("models/b.mlir", safeProgram)
	r.must("git add -A")
	r.must("git commit -q -m second")

	freehold, err := exec.LookPath("freehold")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	os.WriteFile(filepath.Join(bin, "gh"), []byte(gh), 0o777)
	if err := os.Symlink(freehold, filepath.Join(r.temp, "freehold")); err != nil {
		t.Fatal(err)
	}
	const comments = `{"comments": [
  {"viewerDidAuthor": true, "body": "Coverage", "url": "https://github.com/o/r/pull/7#issuecomment-1"},
  {"viewerDidAuthor": false, "body": "<!-- freehold -->", "url": "https://github.com/o/r/pull/7#issuecomment-2"}%s]}`

	for _, tt := range []struct {
		name         string
		inputs       map[string]string // what expressions are
		comments     string            // further ones
		env          []string
		fails        bool // the last step
		says, gh     []string
		doesNot      string // say
		inTheConsole string
	}{
		{name: "a pull request", inputs: map[string]string{"base": first}, fails: true,
			says: []string{"| `a.mlir` | safe → **unsafe** | 4.0 KiB | 1 | 0 |", "| `models/b.mlir` | safe |", "a.mlir:2:8: error: leak"},
			gh:   []string{"pr view https://github.com/o/r/pull/7 --json comments", "pr comment https://github.com/o/r/pull/7 --body-file"}},
		{name: "the second time", inputs: map[string]string{"base": first}, fails: true,
			comments: `, {"viewerDidAuthor": true, "body": "<!-- freehold -->\nold", "url": "https://github.com/o/r/pull/7#issuecomment-34"}`,
			gh:       []string{"api --silent --method PATCH repos/o/r/issues/comments/34 -F body=@"}},
		{name: "some files", inputs: map[string]string{"base": first, "inputs.files": "models/**/*.mlir other/*"},
			says: []string{"| `models/b.mlir` | safe |"}, doesNot: "a.mlir"},
		{name: "a limit", inputs: map[string]string{"base": first, "inputs.files": "models/*", "inputs.max-peak": "4095"}, fails: true,
			says: []string{"needs too much"}},
		{name: "nothing may fail", inputs: map[string]string{"base": first, "inputs.fail-on": "never"}, says: []string{"**unsafe**"}},
		{name: "no right to comment", inputs: map[string]string{"base": first, "inputs.fail-on": "never"}, env: []string{"GH_FAILS=1"},
			inTheConsole: "::warning::freehold couldn't comment"},
		{name: "a new branch", inputs: map[string]string{"base": strings.Repeat("0", 40)}, fails: true, says: []string{"safe → **unsafe**"}},
		{name: "no base", inputs: map[string]string{"base": ""}, fails: true, says: []string{"safe → **unsafe**"}},
		{name: "a commit that isn't there", inputs: map[string]string{"base": strings.Repeat("1", 40)}, fails: true,
			inTheConsole: "fetch-depth: 0 gets the history"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, name := range []string{"output", "summary", "gh.log", "posted", "freehold.md"} {
				os.Remove(filepath.Join(r.temp, name))
			}
			os.WriteFile(filepath.Join(r.temp, "comments.json"), fmt.Appendf(nil, comments, tt.comments), 0o666)
			env := append([]string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "GITHUB_ACTION_PATH=" + root, "RUNNER_TEMP=" + r.temp,
				"GITHUB_REPOSITORY=o/r", "GITHUB_OUTPUT=" + filepath.Join(r.temp, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(r.temp, "summary")}, tt.env...)
			value := func(expression string) string {
				for _, line := range strings.Split(r.file("output"), "\n") {
					if name, v, ok := strings.Cut(line, "="); ok && expression == "steps.table.outputs."+name {
						return v
					}
				}
				switch {
				case strings.Contains(expression, "inputs.base"):
					return tt.inputs["base"]
				case expression == "inputs.fail-on" && tt.inputs[expression] == "":
					return "unsafe"
				case expression == "github.event.pull_request.html_url":
					return "https://github.com/o/r/pull/7"
				}
				return tt.inputs[expression]
			}
			console, failed := "", ""
			for _, s := range a.Runs.Steps {
				if s.Run == "" || s.Name == "Build freehold" {
					continue
				}
				if s.Shell != "bash" {
					t.Fatalf("step %s has the shell %q", s.Name, s.Shell)
				}
				stepEnv := env[:len(env):len(env)]
				for name, v := range s.Env {
					v = strings.TrimSuffix(strings.TrimPrefix(v, "${{ "), " }}")
					stepEnv = append(stepEnv, name+"="+value(v))
				}
				script := filepath.Join(t.TempDir(), "step.sh")
				os.WriteFile(script, []byte(s.Run), 0o666)
				out, err := r.run(stepEnv, "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
				console += out
				if err != nil {
					failed = s.Name
					break
				}
			}
			if want := map[bool]string{true: "Tell the result"}[tt.fails]; failed != want {
				t.Errorf("failed: %q, want %q\n%s", failed, want, console)
			}
			table := r.file("freehold.md")
			if r.file("summary") != table {
				t.Errorf("the summary is\n%s\nand the table\n%s", r.file("summary"), table)
			}
			if tt.env == nil && r.file("posted") != "<!-- freehold -->\n"+table {
				t.Errorf("the comment is\n%s\nand the table\n%s", r.file("posted"), table)
			}
			for _, s := range tt.says {
				if !strings.Contains(table, s) {
					t.Errorf("%q is not in\n%s", s, table)
				}
			}
			if tt.doesNot != "" && strings.Contains(table, tt.doesNot) {
				t.Errorf("%q is in\n%s", tt.doesNot, table)
			}
			for _, s := range tt.gh {
				if !strings.Contains(r.file("gh.log"), s) {
					t.Errorf("gh wasn't told %q, but\n%s", s, r.file("gh.log"))
				}
			}
			if !strings.Contains(console, tt.inTheConsole) {
				t.Errorf("%q is not in\n%s", tt.inTheConsole, console)
			}
		})
	}
}

// TestHooks lets git run the hooks of .pre-commit-hooks.yaml before a commit, with the files that
// are staged, as pre-commit does.
func TestHooks(t *testing.T) {
	text, err := os.ReadFile("../../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Entry, Files string }
	if err := yaml.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	const tensors = "func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n"
	for _, tt := range []struct {
		program string
		fails   map[string]string // what a hook says
	}{
		{safeProgram, nil},
		{tensors, nil},
		{leak, map[string]string{"freehold-check": "a file.mlir:2:8: error: leak"}},
		{"func.func @f(", map[string]string{"freehold-check": "a file.mlir:1:13: error:", "freehold-verify": "a file.mlir:1:13: error:"}},
	} {
		for _, h := range hooks {
			r := newRepository(t)
			// xargs breaks the entry into arguments as pre-commit does.
			hook := fmt.Sprintf("#!/bin/bash\nset -o pipefail\nmapfile -d '' entry < <(xargs printf '%%s\\0' <<'END'\n%s\nEND\n)\n"+
				"git diff --cached --name-only -z --diff-filter=ACMRT | grep -z '%s' | xargs -0 \"${entry[@]}\"\n", h.Entry, h.Files)
			file := filepath.Join(r.dir, ".git/hooks/pre-commit")
			os.MkdirAll(filepath.Dir(file), 0o777)
			if err := os.WriteFile(file, []byte(hook), 0o777); err != nil {
				t.Fatal(err)
			}
			r.write("a file.mlir", tt.program)
			r.write("good.mlir", safeProgram)
			r.write("text.md", "not a program")
			r.must("git add -A")
			out, err := r.run(nil, "git", "commit", "-q", "-m", "change")
			want, fails := tt.fails[h.ID]
			if (err != nil) != fails || !strings.Contains(out, want) {
				t.Errorf("%s on\n%s\n%v, %s", h.ID, tt.program, err, out)
			}
		}
	}
}
