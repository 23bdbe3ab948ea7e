package scripts_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// gitLab stands for GitLab's interface, and for the server of releases.
type gitLab struct {
	t        *testing.T
	releases string
	notes    []note
	uploads  []string
	refuses  bool
}

type note struct {
	ID     int            `json:"id"`
	Body   string         `json:"body"`
	Author map[string]int `json:"author"`
}

func (g *gitLab) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const notes = "/api/projects/5/merge_requests/7/notes"
	request := r.Method + " " + r.URL.Path
	if strings.HasPrefix(r.URL.Path, "/api/") && (r.Header.Get("PRIVATE-TOKEN") != "secret" || g.refuses) {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	switch {
	case request == "GET /api/user":
		fmt.Fprint(w, `{"id": 3}`)
	case request == "GET "+notes:
		// A page has one comment, so that there are several.
		page := 0
		fmt.Sscan(r.URL.Query().Get("page"), &page)
		if page < len(g.notes) {
			w.Header().Set("X-Next-Page", fmt.Sprint(page+1))
		}
		json.NewEncoder(w).Encode(g.notes[min(page, len(g.notes)+1)-1 : min(page, len(g.notes))])
	case request == "POST "+notes, strings.HasPrefix(request, "PUT "+notes+"/"):
		var n note
		if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
			g.t.Error(err)
		}
		n.Author = map[string]int{"id": 3}
		if r.Method == "POST" {
			n.ID = 100 + len(g.notes)
			g.notes = append(g.notes, n)
		}
		for i := range g.notes {
			if strings.HasSuffix(r.URL.Path, fmt.Sprint("/", g.notes[i].ID)) {
				g.notes[i].Body = n.Body
			}
		}
		fmt.Fprint(w, "{}")
	case request == "POST /api/projects/5/uploads":
		f, header, err := r.FormFile("file")
		if err != nil {
			g.t.Error(err)
			return
		}
		text, _ := io.ReadAll(f)
		g.uploads = append(g.uploads, string(text))
		fmt.Fprintf(w, `{"url": "/uploads/1/%s"}`, header.Filename)
	case strings.HasPrefix(request, "GET /releases/"):
		http.StripPrefix("/releases/", http.FileServer(http.Dir(g.releases))).ServeHTTP(w, r)
	default:
		g.t.Errorf("what is %s?", request)
	}
}

// TestGitLab runs the job of templates/freehold.yml as GitLab does.
func TestGitLab(t *testing.T) {
	const root = "../../.."
	for _, tool := range []string{"curl", "sha256sum", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	freehold, err := exec.LookPath("freehold")
	if err != nil {
		t.Fatal(err)
	}
	r := newRepository(t)
	archive := "freehold_1.2.3_linux_" + runtime.GOARCH
	for _, name := range []string{"memory-table", "gitlab-comment"} {
		text, err := os.ReadFile(filepath.Join(root, ".ci", name))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(r.temp, "release", archive, "ci", name)
		os.MkdirAll(filepath.Dir(file), 0o777)
		os.WriteFile(file, text, 0o666)
	}
	r.release(archive, freehold)
	g := &gitLab{t: t, releases: filepath.Join(r.temp, "release"), notes: []note{
		{1, "<!-- freehold -->\nof somebody else", map[string]int{"id": 1}}, {2, "mine, about something else", map[string]int{"id": 3}}}}
	server := httptest.NewServer(g)
	defer server.Close()

	r.write("models/a.mlir", safeProgram)
	r.must("git add -A")
	r.must("git commit -q -m first")
	base := r.must("git rev-parse HEAD")
	r.write("models/a.mlir", strings.ReplaceAll(safeProgram, "1024", "16"))
	r.write("leak.mlir", leak)
	r.must("git add -A")
	r.must("git commit -q -m second")

	job := func(inputs map[string]string, env ...string) (string, error) {
		t.Helper()
		inputs["release"], inputs["version"] = server.URL+"/releases", "1.2.3"
		script, variables := jobOf(t, root+"/templates/freehold.yml", inputs)
		file := filepath.Join(r.temp, "job.sh")
		os.WriteFile(file, []byte(script), 0o666)
		env = append(append(variables, "CI_API_V4_URL="+server.URL+"/api", "CI_PROJECT_ID=5", "CI_MERGE_REQUEST_IID=7", "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base), env...)
		return r.run(env, "bash", "-eo", "pipefail", file)
	}

	out, err := job(map[string]string{})
	if err == nil || !strings.Contains(out, "| `leak.mlir` | unsafe |") || len(g.notes) != 2 {
		t.Errorf("without a token: %v\n%s", err, out)
	}
	for range 2 { // the second run changes the comment of the first
		out, err = job(map[string]string{"files": "models/*", "max-peak": "64"}, "FREEHOLD_TOKEN=secret")
		if err != nil || len(g.notes) != 3 {
			t.Fatalf("%d comments, %v\n%s", len(g.notes), err, out)
		}
		body := g.notes[2].Body
		for _, want := range []string{"<!-- freehold -->\n| File |", "| `models/a.mlir` | safe | 4.0 KiB → **64 B** | 1 | 0 |", "![models/a.mlir, before and after](/uploads/1/a.svg)"} {
			if !strings.Contains(body, want) {
				t.Errorf("%s isn't in\n%s", want, body)
			}
		}
	}
	if len(g.uploads) != 2 || !strings.HasPrefix(g.uploads[0], "<svg") {
		t.Errorf("uploads: %.100q", g.uploads)
	}
	if out, err := job(map[string]string{"files": "models/*", "max-peak": "63"}); err == nil || !strings.Contains(out, "needs too much") {
		t.Errorf("above the limit: %v\n%s", err, out)
	}
	g.refuses = true
	if out, err := job(map[string]string{"files": "models/*"}, "FREEHOLD_TOKEN=secret"); err != nil || !strings.Contains(out, "couldn't comment") || !strings.Contains(out, "403") {
		t.Errorf("a token without the right: %v\n%s", err, out)
	}
	os.WriteFile(filepath.Join(g.releases, archive+".tar.gz"), []byte("something else"), 0o666)
	if out, err := job(map[string]string{}); err == nil || !strings.Contains(out, "FAILED") {
		t.Errorf("another archive: %v\n%s", err, out)
	}
}

// jobOf returns the script of the job of a template, with the variables that it sets; inputs without a value have their default.
func jobOf(t *testing.T, template string, inputs map[string]string) (script string, variables []string) {
	t.Helper()
	text, err := os.ReadFile(template)
	if err != nil {
		t.Fatal(err)
	}
	var header struct {
		Spec struct {
			Inputs map[string]struct{ Default *string }
		}
	}
	head, body, _ := strings.Cut(string(text), "\n---\n")
	if err := yaml.Unmarshal([]byte(head), &header); err != nil {
		t.Fatal(err)
	}
	body = regexp.MustCompile(`\$\[\[ inputs\.([\w-]+) \]\]`).ReplaceAllStringFunc(body, func(m string) string {
		name := strings.TrimSuffix(strings.TrimPrefix(m, "$[[ inputs."), " ]]")
		declared, ok := header.Spec.Inputs[name]
		value, given := inputs[name]
		if !ok || !given && declared.Default == nil {
			t.Errorf("there is no input %s", name)
		} else if !given {
			value = *declared.Default
		}
		return value
	})
	var jobs map[string]struct {
		Variables    map[string]string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
	}
	if err := yaml.Unmarshal([]byte(body), &jobs); err != nil {
		t.Fatal(err)
	}
	job := jobs["freehold"]
	for name, value := range job.Variables {
		variables = append(variables, name+"="+value)
	}
	return strings.Join(append(job.BeforeScript, job.Script...), "\n"), variables
}
