package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The extension for Visual Studio Code has what its manifest says, and what vsce demands of it.
func TestExtension(t *testing.T) {
	const folder = "../../editors/vscode"
	src, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Name, Version, Publisher, Main string
		Engines                        map[string]string
		Contributes                    struct {
			Languages []struct {
				ID, Configuration string
				Extensions        []string
			}
			Grammars []struct{ Language, ScopeName, Path string }
		}
	}
	if err := json.Unmarshal(src, &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Name == "" || manifest.Version == "" || manifest.Publisher == "" || manifest.Engines["vscode"] == "" {
		t.Errorf("the manifest lacks something: %+v", manifest)
	}
	files := []string{manifest.Main, "README.md"}
	for _, l := range manifest.Contributes.Languages {
		files = append(files, l.Configuration)
		src, err := os.ReadFile(filepath.Join(folder, l.Configuration))
		if err != nil || !json.Valid(src) {
			t.Errorf("%s: %v", l.Configuration, err)
		}
	}
	if len(manifest.Contributes.Grammars) == 0 {
		t.Error("there is no grammar")
	}
	for _, g := range manifest.Contributes.Grammars {
		var grammar struct{ ScopeName string }
		src, err := os.ReadFile(filepath.Join(folder, g.Path))
		if err != nil || json.Unmarshal(src, &grammar) != nil || grammar.ScopeName != g.ScopeName {
			t.Errorf("%s: %v, scope %s", g.Path, err, grammar.ScopeName)
		}
	}
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(folder, f)); err != nil {
			t.Error(err)
		}
	}
}
