// Package site puts the playground together: a folder of static files, for any server of
// files.
package site

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

//go:embed web
var web embed.FS

// Engine is the name of the file with the engine.
const Engine = "engine.bin"

// inlining is how the packages are compiled: functions are inlined only where time goes, since
// most of the engine is code that runs once. A later pattern has precedence.
var inlining = [...]string{"all=-l", "runtime=", "internal/runtime/...=", "freehold/ir=", "freehold/exec="}

// Size is that of a file, in bytes, as it is and compressed as servers do.
type Size struct {
	Name              string
	Bytes, Compressed int64
}

// Build makes the playground of the module in root, and returns how large its files are. The
// folder dir must be empty or not be there. It runs the go command.
func Build(root, dir string) ([]Size, error) {
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty", dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	files, err := programs(root)
	if err != nil {
		return nil, err
	}
	if files[Engine], err = compile(root); err != nil {
		return nil, err
	}
	if files["wasm_exec.js"], err = glue(root); err != nil {
		return nil, err
	}
	if files["grammar.js"], err = colours(root); err != nil {
		return nil, err
	}
	parts, err := fs.Sub(web, "web")
	if err != nil {
		return nil, err
	}
	if err := fs.WalkDir(parts, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[path], err = fs.ReadFile(parts, path)
		}
		return err
	}); err != nil {
		return nil, err
	}
	if files["offline.js"], err = offline(files); err != nil {
		return nil, err
	}
	var sizes []Size
	for _, name := range sorted(files) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, files[name], 0o666); err != nil {
			return nil, err
		}
		small, err := compressed(files[name])
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, Size{name, int64(len(files[name])), int64(min(len(small), len(files[name])))})
	}
	return sizes, nil
}

// compile returns the engine, compressed: so it is small on any server, and the page knows how
// to read it.
func compile(root string) ([]byte, error) {
	tmp, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	out := filepath.Join(tmp, "engine.wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-pgo=off", "-ldflags=-s -w", "-o", out}
	for _, p := range inlining {
		args = append(args, "-gcflags="+p)
	}
	c := exec.Command("go", append(args, "./tool/playground/wasm")...)
	c.Dir = root
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if text, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, text)
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	return compressed(wasm)
}

// glue returns the file by which Go's programs run in browsers.
func glue(root string) ([]byte, error) {
	c := exec.Command("go", "env", "GOROOT")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "wasm_exec.js"))
}

// colours returns the editors' grammar as a module of JavaScript.
func colours(root string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, "editors", "vscode", "syntaxes", "mlir.tmLanguage.json"))
	if err != nil {
		return nil, err
	}
	return append([]byte("export default "), text...), nil
}

// offline returns what keeps the files, with their names and a version that is theirs alone.
func offline(files map[string][]byte) ([]byte, error) {
	sum := sha256.New()
	names := []string{"./"}
	for _, name := range sorted(files) {
		if name == "offline.js" {
			continue
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(files[name]))
		sum.Write(files[name])
		names = append(names, name)
	}
	list, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	version := "freehold-" + hex.EncodeToString(sum.Sum(nil))[:16]
	return []byte(strings.NewReplacer("'VERSION'", "'"+version+"'", "= FILES", "= "+string(list)).Replace(string(files["offline.js"]))), nil
}

func compressed(data []byte) ([]byte, error) {
	var b strings.Builder
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return []byte(b.String()), err
}

func sorted(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
