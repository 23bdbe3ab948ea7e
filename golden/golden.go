// Package golden runs script tests: text files that hold commands, their inputs and the
// output that a person has reviewed. One test runs all scripts of a tree, so that there is
// one test binary, which is also the commands that the scripts run.
//
// A script is a txtar archive in a folder testdata/script (see package testscript of
// rogpeppe/go-internal):
//
//	# What this script shows.
//	freehold opt --cse in.mlir
//	cmp stdout out.mlir
//
//	-- in.mlir --
//	...
//	-- out.mlir --
//	...
//
// The module of a tool has one package whose test runs them, such as that of its command:
//
//	func TestMain(m *testing.M) { golden.Main(m, map[string]func(){"mytool": main}) }
//	func TestScripts(t *testing.T) { golden.Run(t, "..") }
//
// and then
//
//	go test ./mytool -run Scripts/sat
//	go test ./mytool -run Scripts/sat/clamp -update
//
// run the scripts of a folder, and put what the commands of one script print into it;
// review the difference. Freehold's own scripts are run by the test in internal/golden.
package golden

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Main makes commands available to scripts, by their names, and runs the tests of a
// package; it doesn't return. It declares the flag -update. Scripts run a command as a
// process, which must exit.
func Main(m *testing.M, commands map[string]func()) {
	flag.Bool("update", false, "put the actual output into the scripts")
	testscript.Main(m, commands)
}

// folder is where the scripts of a package are.
const folder = "testdata/script"

// Run runs the scripts of all packages in the tree below root. The name of a subtest is
// the path of the package, and then that of the script. Folders that the go command
// ignores, and other modules, are left out. It is an error if there are no scripts. The
// scripts of different packages run in parallel.
func Run(t *testing.T, root string) {
	tree := filepath.Clean(root)
	packages := 0
	err := filepath.WalkDir(tree, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if dir != tree && (strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") || exists(filepath.Join(dir, "go.mod"))) {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(tree, dir)
		if err != nil {
			return err
		}
		name, found := strings.CutSuffix(path.Join("/", filepath.ToSlash(rel)), "/"+folder)
		if !found {
			return nil
		}
		packages++
		t.Run(strings.TrimPrefix(name, "/"), func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Dir:                dir,
				UpdateScripts:      updating(),
				RequireUniqueNames: true,
			})
		})
		return filepath.SkipDir
	})
	if err != nil {
		t.Fatal(err)
	}
	if packages == 0 {
		t.Fatalf("no scripts below %s", root)
	}
}

// updating tells whether the flag that Main declares is set.
func updating() bool {
	update := flag.Lookup("update")
	return update != nil && update.Value.String() == "true"
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
