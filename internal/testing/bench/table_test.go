package bench

import (
	"fmt"
	"os"
	"strings"
)

// What stands before and after the table of a page.
const (
	tableHead = "| family | what is repeated | n | ms | exponent | worst part |\n|---|---|---|---|---|---|\n"
	tableEnd  = "\n"
)

// writeTable replaces the rows of the table of a page.
func writeTable(path, rows string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, after, ok := strings.Cut(string(page), tableHead)
	if !ok {
		return fmt.Errorf("%s has no such table", path)
	}
	_, after, ok = strings.Cut(after, tableEnd+tableEnd)
	if !ok {
		return fmt.Errorf("nothing comes after the table of %s", path)
	}
	return os.WriteFile(path, []byte(before+tableHead+rows+tableEnd+after), 0o644)
}
