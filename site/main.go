// Site makes a site of the pages in docs, and of those in the root of the repository, which works from files as well. Links that lead
// nowhere, and pages that the menu (menu.json) forgets, are errors.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	source := flag.String("source", "..", "the repository")
	repository := flag.String("repository", "", "where files that aren't pages can be seen, with a slash at the end; without it, links to them are left out")
	playground := flag.String("playground", "", "where the playground is; without it, there is no link to it")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: site [flags] FOLDER")
		flag.PrintDefaults()
		os.Exit(3)
	}
	s, err := load(os.DirFS(*source))
	if err == nil {
		s.repository, s.playground = *repository, *playground
		err = s.write(flag.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}
