package scripttest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Documents keeps the transcripts of Markdown pages true: what a page says that a command
// prints is what it prints. The paths of the pages are relative to root. A page has
//
//	<!-- file: sum.mlir -->
//	```mlir
//	...
//	```
//
// for a file that the commands below it read, and
//
//	```console
//	$ mytool check sum.mlir
//	safe
//	```
//
// for commands, each after a `$`, with what they print to both of their outputs. A line
// `...` stands for any number of lines. A command that fails has, after its output, a line
// `[exit status 1]`. A line that ends in a backslash goes on in the next one, which
// starts with `>`. The commands of a page run one after another, by the system's shell, in a
// folder with the files of the page and with the files and folders of root that the page
// names in its commands.
//
// The test has a subtest for each page, and is skipped where there is no shell. With
// -update, outputs that differ are put into the pages. It is an error if no page has a
// command.
func Documents(t *testing.T, root string, pages ...string) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	root, err = filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		blocks := blocksOf(string(text))
		for _, b := range blocks {
			commands += len(b.commands)
		}
		if len(blocks) == 0 {
			continue
		}
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			d := document{root: root, dir: t.TempDir(), shell: shell}
			updated, differences, err := d.run(string(text), blocks)
			if err != nil {
				t.Fatal(err)
			}
			if !updating() {
				for _, text := range differences {
					t.Error(text)
				}
			}
			if updating() && updated != string(text) {
				if err := os.WriteFile(filepath.Join(root, page), []byte(updated), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if commands == 0 {
		t.Fatal("the pages have no commands")
	}
}

// block is a piece of a page: a file, if it has a name, or commands.
type block struct {
	start, end int // where the text between the fences is in the page
	line       int // the line of start, from 1
	name       string
	commands   []command
}

// command is a line of a transcript and what it prints.
type command struct {
	line    int
	source  []string // the line or lines as they are in the page
	text    string   // for the shell
	printed []string
}

// fence is a fenced block of a page, of a file or of commands.
var fence = regexp.MustCompile("(?ms)^(?:<!-- file: (\\S+) -->\n```\\w*|```console)\n(.*?)^```$")

// blocksOf finds the blocks of a page.
func blocksOf(page string) []block {
	var blocks []block
	for _, m := range fence.FindAllStringSubmatchIndex(page, -1) {
		b := block{start: m[4], end: m[5], line: 1 + strings.Count(page[:m[4]], "\n")}
		if m[2] >= 0 {
			b.name = page[m[2]:m[3]]
		} else {
			b.commands = commandsOf(page[b.start:b.end], b.line)
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// commandsOf reads a transcript that starts in a line of a page.
func commandsOf(transcript string, line int) []command {
	var commands []command
	goesOn := false
	for i, s := range strings.Split(strings.TrimSuffix(transcript, "\n"), "\n") {
		text, isCommand := strings.CutPrefix(s, "$ ")
		last := len(commands) - 1
		switch {
		case isCommand:
			commands = append(commands, command{line: line + i, source: []string{s}, text: text})
		case goesOn:
			commands[last].source = append(commands[last].source, s)
			text = strings.TrimPrefix(s, ">")
			commands[last].text += "\n" + text
		case last >= 0:
			commands[last].printed = append(commands[last].printed, s)
		}
		goesOn = (isCommand || goesOn) && strings.HasSuffix(text, `\`)
	}
	return commands
}

// document runs the commands of a page.
type document struct{ root, dir, shell string }

// run runs the commands of a page. It returns the page with what they print, and the
// differences.
func (d *document) run(page string, blocks []block) (updated string, differences []string, err error) {
	var out strings.Builder
	done := 0
	for _, b := range blocks {
		out.WriteString(page[done:b.start])
		done = b.end
		if b.name != "" {
			out.WriteString(page[b.start:b.end])
			if !filepath.IsLocal(b.name) {
				return "", nil, fmt.Errorf("line %d: the file %s is not in the page's own folder", b.line, b.name)
			}
			if err := os.WriteFile(filepath.Join(d.dir, b.name), []byte(page[b.start:b.end]), 0o666); err != nil {
				return "", nil, err
			}
			continue
		}
		for _, c := range b.commands {
			printed, err := d.execute(c)
			if err != nil {
				return "", nil, fmt.Errorf("line %d: %w", c.line, err)
			}
			if matches(c.printed, printed) {
				printed = c.printed
			} else {
				differences = append(differences, fmt.Sprintf("line %d: %s prints\n%s\nand not\n%s",
					c.line, c.text, strings.Join(printed, "\n"), strings.Join(c.printed, "\n")))
			}
			for _, line := range slices.Concat(c.source, printed) {
				out.WriteString(line + "\n")
			}
		}
	}
	out.WriteString(page[done:])
	return out.String(), differences, nil
}

// execute runs a command and returns the lines that it prints.
func (d *document) execute(c command) ([]string, error) {
	if err := d.bring(c.text); err != nil {
		return nil, err
	}
	run := exec.Command(d.shell, "-c", c.text)
	run.Dir = d.dir
	run.Env = append(os.Environ(), "NO_COLOR=1", "COLUMNS=80")
	var printed bytes.Buffer
	run.Stdout, run.Stderr = &printed, &printed
	err := run.Run()
	lines := strings.Split(strings.TrimSuffix(printed.String(), "\n"), "\n")
	if printed.Len() == 0 {
		lines = nil
	}
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return append(lines, fmt.Sprintf("[exit status %d]", failed.ExitCode())), nil
	}
	return lines, err
}

// bring links what a command names of the root into the folder in which it runs.
func (d *document) bring(command string) error {
	for _, word := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n'\"=;|<>", r) }) {
		first, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(word)), "/")
		if !filepath.IsLocal(first) || first == "." || !exists(filepath.Join(d.root, word)) || exists(filepath.Join(d.dir, first)) {
			continue
		}
		if err := os.Symlink(filepath.Join(d.root, first), filepath.Join(d.dir, first)); err != nil {
			return err
		}
	}
	return nil
}

// matches tells whether lines are those that a transcript wants, in which `...` is any
// number of lines. It needs time proportional to the product of the two.
func matches(want, lines []string) bool {
	// fits[i] tells whether the lines so far may be what the first i of those wanted say.
	fits := make([]bool, len(want)+1)
	skip := func(fits []bool) {
		for i, w := range want {
			fits[i+1] = fits[i+1] || w == "..." && fits[i]
		}
	}
	fits[0] = true
	skip(fits)
	for _, line := range lines {
		next := make([]bool, len(want)+1)
		for i, w := range want {
			if w == "..." {
				next[i+1] = fits[i+1]
			} else {
				next[i+1] = fits[i] && w == line
			}
		}
		skip(next)
		fits = next
	}
	return fits[len(want)]
}
