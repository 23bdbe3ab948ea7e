// Genoperands writes the accessors of operands that the dialects have: for each operation with operands of its own, a type with a method for
// each one, called as its definition calls it. What a dialect declares by hand stays: the type of an operation, and methods of that.
//
//	go generate ./dialect
//
// Run it from anywhere in the repository after the operands of a definition have changed. A test tells what isn't up to date.
package main

import (
	"fmt"
	"os"
)

func main() {
	root, err := repository()
	if err == nil {
		err = write(root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "genoperands:", err)
		os.Exit(1)
	}
}

// write writes the files of all dialects, and removes those that have nothing any more.
func write(root string) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	for path, text := range files {
		if text == "" {
			err = os.Remove(path)
			if os.IsNotExist(err) {
				err = nil
			}
		} else {
			err = os.WriteFile(path, []byte(text), 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
