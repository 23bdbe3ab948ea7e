package scripts_test

import (
	"path/filepath"
	"testing"

	"freehold/driver/scripttest"
)

// TestDocuments executes the commands of all pages for readers.
func TestDocuments(t *testing.T) {
	const root = "../../.."
	pages := []string{"README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range found {
			rel, err := filepath.Rel(root, page)
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, filepath.ToSlash(rel))
		}
	}
	scripttest.Documents(t, root, pages...)
}
