package scripts_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// action is what is tested of action.yml.
type action struct {
	Runs struct {
		Steps []struct {
			Name, ID, If, Run, Shell string
			Env                      map[string]string
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

// release writes a release with a command into the runner's folder.
func (r *repository) release(name, freehold string) {
	r.t.Helper()
	folder := filepath.Join(r.temp, "release", name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "freehold"), []byte("#!/bin/sh\nexec "+freehold+" \"$@\"\n"), 0o777); err != nil {
		r.t.Fatal(err)
	}
	out, err := r.run(nil, "sh", "-c", `cd "$1/release" && tar -czf "$2.tar.gz" "$2" && rm -r "$2" && sha256sum "$2.tar.gz" >SHA256SUMS`, "sh", r.temp, name)
	if err != nil {
		r.t.Fatal(err, out)
	}
}

// holds tells whether a condition of a step holds: comparisons with strings, and what has a value, joined by &&.
func holds(condition string, value func(string) string) bool {
	if condition == "" {
		return true
	}
	for _, c := range strings.Split(condition, " && ") {
		if a, b, ok := strings.Cut(c, " == "); ok && value(a) != strings.Trim(b, "'") {
			return false
		} else if a, b, ok := strings.Cut(c, " != "); ok && value(a) == strings.Trim(b, "'") {
			return false
		} else if !strings.Contains(c, " ") && value(c) == "" {
			return false
		}
	}
	return true
}

// gh stands for GitHub's command: it shows the comments of comments.json, and writes down what it
// is asked to do.
const gh = `#!/bin/bash
echo "$*" >>"$RUNNER_TEMP/gh.log"
case "$1 $2" in
"pr view") while [ "$1" != --jq ]; do shift; done; jq -r "$2" "$RUNNER_TEMP/comments.json" ;;
"pr comment") cp "$5" "$RUNNER_TEMP/posted" ;;
"api --silent") cp "${7#body=@}" "$RUNNER_TEMP/posted" ;;
"release list") printf '%s\n' v1.2.3 v1.10.0 v2.0.0 v10.0.0 ;;
"release download") cp "$RUNNER_TEMP"/release/* . ;;
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
	r.write("smaller.mlir", safeProgram)
	r.must("git add -A")
	r.must("git commit -q -m first")
	first := r.must("git rev-parse HEAD")
	r.write("a.mlir", leak)
	r.write("models/b.mlir", safeProgram)
	r.write("smaller.mlir", strings.ReplaceAll(safeProgram, "1024", "16"))
	r.write("dynamic.mlir", "func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  memref.dealloc %a : memref<?xf32>\n  return\n}\n")
	r.must("git add -A")
	r.must("git commit -q -m second")
	// The server with the branch of pictures is a folder.
	hub := t.TempDir()
	server := "file://" + hub
	if out, err := r.run(nil, "git", "init", "-q", "--bare", filepath.Join(hub, "o/r")); err != nil {
		t.Fatal(out)
	}

	freehold, err := exec.LookPath("freehold")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	os.WriteFile(filepath.Join(bin, "gh"), []byte(gh), 0o777)
	if err := os.Symlink(freehold, filepath.Join(r.temp, "freehold")); err != nil {
		t.Fatal(err)
	}
	archive := "freehold_1.2.3_linux_" + runtime.GOARCH
	r.release(archive, freehold)
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
		published    string // files of the branch of pictures
		damaged      bool   // the release
		failsAt      string // another step
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
		{name: "a size that isn't known", inputs: map[string]string{"base": first, "inputs.files": "d*", "inputs.sizes": "n=16 m=2", "inputs.max-peak": "64"},
			says: []string{"| `dynamic.mlir` | safe | 64 B | 1 | 0 |", "called `m`"}},
		{name: "a size that is too large", inputs: map[string]string{"base": first, "inputs.files": "d*", "inputs.sizes": "n=17", "inputs.max-peak": "64"}, fails: true,
			says: []string{"needs too much"}},
		{name: "pictures", inputs: map[string]string{"base": first, "inputs.files": "s*", "inputs.pictures": "pictures", "github.event.pull_request.number": "7", "github.event.pull_request.head.sha": "abc"},
			says: []string{"| `smaller.mlir` | safe | 4.0 KiB → **64 B** |", "![smaller.mlir, before and after](" + server + "/o/r/raw/pictures/pull/7/abc/smaller.svg)"}, published: "pull/7/abc/smaller.svg"},
		{name: "pictures of another one", inputs: map[string]string{"base": first, "inputs.files": "s*", "inputs.pictures": "pictures", "github.event.pull_request.number": "8", "github.event.pull_request.head.sha": "def"},
			published: "pull/7/abc/smaller.svg\npull/8/def/smaller.svg"},
		{name: "a release", inputs: map[string]string{"base": first, "inputs.version": "v1.2.3", "inputs.fail-on": "never"}, says: []string{"**unsafe**"},
			gh: []string{"release download v1.2.3 --repo o/freehold --pattern " + archive + ".tar.gz --pattern SHA256SUMS"}},
		{name: "the tag's release", inputs: map[string]string{"base": first, "github.action_ref": "v1", "inputs.fail-on": "never"},
			gh: []string{"release list --repo o/freehold", "release download v1.10.0 "}, failsAt: "Install the release"}, // of which there are no sums
		{name: "another archive", inputs: map[string]string{"base": first, "inputs.version": "v1.2.3"}, damaged: true,
			failsAt: "Install the release", inTheConsole: "isn't what SHA256SUMS of v1.2.3 says"},
		{name: "a commit that isn't there", inputs: map[string]string{"base": strings.Repeat("1", 40)}, fails: true,
			inTheConsole: "fetch-depth: 0 gets the history"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, name := range []string{"output", "summary", "gh.log", "posted", "freehold.md", "freehold-pictures"} {
				os.RemoveAll(filepath.Join(r.temp, name))
			}
			os.WriteFile(filepath.Join(r.temp, "comments.json"), fmt.Appendf(nil, comments, tt.comments), 0o666)
			env := append([]string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "GITHUB_ACTION_PATH=" + root, "RUNNER_TEMP=" + r.temp,
				"GITHUB_REPOSITORY=o/r", "GITHUB_SERVER_URL=" + server, "GITHUB_OUTPUT=" + filepath.Join(r.temp, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(r.temp, "summary")}, tt.env...)
			outputs := map[string]string{}
			value := func(expression string) string {
				if v, ok := outputs[expression]; ok {
					return v
				}
				switch {
				case strings.Contains(expression, "inputs.base"):
					return tt.inputs["base"]
				case tt.inputs[expression] != "":
				case expression == "inputs.fail-on":
					return "unsafe"
				case expression == "inputs.comment", expression == "github.event.pull_request":
					return "true"
				case expression == "github.event.pull_request.html_url":
					return "https://github.com/o/r/pull/7"
				case expression == "github.action_repository":
					return "o/freehold"
				case expression == "runner.os }}-${{ runner.arch":
					return map[string]string{"amd64": "Linux-X64", "arm64": "Linux-ARM64"}[runtime.GOARCH]
				}
				return tt.inputs[expression]
			}
			if tt.damaged {
				os.WriteFile(filepath.Join(r.temp, "release", archive+".tar.gz"), []byte("something else"), 0o666)
			}
			console, failed := "", ""
			for _, s := range a.Runs.Steps {
				if s.Run == "" || s.Name == "Build freehold" || !holds(s.If, value) {
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
				for _, line := range strings.Split(r.file("output"), "\n") {
					if name, v, ok := strings.Cut(line, "="); ok {
						outputs["steps."+s.ID+".outputs."+name] = v
					}
				}
				os.Remove(filepath.Join(r.temp, "output"))
				if err != nil {
					failed = s.Name
					break
				}
			}
			if want := cmp.Or(tt.failsAt, map[bool]string{true: "Tell the result"}[tt.fails]); failed != want {
				t.Errorf("failed: %q, want %q\n%s", failed, want, console)
			}
			if tt.published != "" {
				out, err := r.run(nil, "git", "--git-dir", filepath.Join(hub, "o/r"), "ls-tree", "-r", "--name-only", "pictures")
				if err != nil || strings.TrimSpace(out) != tt.published {
					t.Errorf("published: %s, %v\n%s", out, err, console)
				}
			}
			table := r.file("freehold.md")
			if r.file("summary") != table {
				t.Errorf("the summary is\n%s\nand the table\n%s", r.file("summary"), table)
			}
			if tt.env == nil && tt.failsAt == "" && r.file("posted") != "<!-- freehold -->\n"+table {
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
