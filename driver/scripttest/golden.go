// Package scripttest runs script tests: text files that hold commands, their inputs and the
// output that a person has reviewed. One test runs all scripts of a tree, so that there is
// one test binary, which calls the commands that the scripts run.
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
//	var commands = map[string]golden.Command{"mytool": run}
//	func TestMain(m *testing.M) { golden.Main(m, commands) }
//	func TestScripts(t *testing.T) { golden.Run(t, "..", commands) }
//
// and then
//
//	go test ./mytool -run Scripts/sat
//	go test ./mytool -run Scripts/sat/clamp -update
//
// run the scripts of a folder, and put what the commands of one script print into it;
// review the difference. Freehold's own scripts are run by the test in internal/testing/scripts.
package scripttest

import (
	"flag"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"freehold/driver"
)

// Command is what a command does with its arguments, of which the first is its name; it returns
// the exit status. The environment and the working directory are those of the process.
type Command func(args []string, s driver.Streams) int

// Main makes commands available to scripts, by their names, and runs the tests of a
// package; it doesn't return. It declares the flag -update. The test binary becomes the
// commands that scripts and pages run as processes of their own.
func Main(m *testing.M, commands map[string]Command) {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), executable)
	if command := commands[name]; command != nil {
		os.Exit(command(os.Args, driver.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	}
	flag.Bool("update", false, "put the actual output into the scripts")
	remove, err := install(commands)
	if err != nil {
		log.Fatal(err)
	}
	status := m.Run()
	remove()
	os.Exit(status)
}

// executable is how names of commands end on Windows.
const executable = ".exe"

// install puts the test binary into a new folder under the names of commands, and the folder before
// the others in which commands are looked for.
func install(commands map[string]Command) (remove func(), err error) {
	binary, err := os.Executable()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "commands")
	if err != nil {
		return nil, err
	}
	remove = func() { os.RemoveAll(folder) }
	for name := range commands {
		file := filepath.Join(folder, name)
		if strings.HasSuffix(binary, executable) {
			file += executable
		}
		if err := linkOrCopy(binary, file); err != nil {
			remove()
			return nil, err
		}
	}
	if err := os.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
		remove()
		return nil, err
	}
	return remove, nil
}

// linkOrCopy gives a program another name.
func linkOrCopy(from, to string) error {
	if err := os.Link(from, to); err == nil {
		return nil
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o777)
}

// folder is where the scripts of a package are.
const folder = "testdata/script"

// Run runs the scripts of all packages in the tree below root, one after another. The name of a subtest is
// the path of the package, and then that of the script. Folders that the go command
// ignores, and other modules, are left out. It is an error if there are no scripts.
//
// A script's line that starts with the name of a command calls it, in the test's own process, whose
// environment and working directory are the script's meanwhile; it has no input. `exec` runs it as a process:
// so must scripts that give it an input or run it in the background.
func Run(t *testing.T, root string, commands map[string]Command) {
	tree, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	err = filepath.WalkDir(tree, func(dir string, e fs.DirEntry, err error) error {
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
		t.Run(strings.TrimPrefix(name, "/"), func(t *testing.T) { runFolder(t, dir, commands) })
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
