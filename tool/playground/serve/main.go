// Serve builds the playground, a folder of static files, and serves it if asked to:
//
//	go run ./tool/playground/serve -o bin/playground
//	go run ./tool/playground/serve -o bin/playground -serve localhost:8080
//
// It is run in the root of the module.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"freehold/tool/playground/site"
)

func main() {
	dir := flag.String("o", "bin/playground", "the folder to make, or the playground to replace")
	address := flag.String("serve", "", "serve it at this address afterwards")
	flag.Parse()
	if err := run(*dir, *address); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

func run(dir, address string) error {
	// Only what is a playground is replaced.
	if _, err := os.Stat(filepath.Join(dir, site.Engine)); err == nil {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	sizes, err := site.Build(".", dir)
	if err != nil {
		return err
	}
	var all site.Size
	for _, s := range sizes {
		all.Bytes += s.Bytes
		all.Compressed += s.Compressed
	}
	fmt.Printf("%s: %d files, %.2f MB, compressed %.2f MB\n", dir, len(sizes), float64(all.Bytes)/1e6, float64(all.Compressed)/1e6)
	if address == "" {
		return nil
	}
	fmt.Printf("http://%s\n", address)
	return http.ListenAndServe(address, http.FileServer(http.Dir(dir)))
}
