package report

import (
	"bytes"
	_ "embed" // the parts of the page
	"encoding/json"
	"html"
	"io"
	"strings"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// Write writes the page. It needs no other file, and no network.
func (p *Page) Write(w io.Writer) error {
	var data bytes.Buffer
	// The encoder writes <, > and & as escapes, so that nothing in the data ends the script.
	if err := json.NewEncoder(&data).Encode(p); err != nil {
		return err
	}
	_, err := strings.NewReplacer(
		"{{title}}", html.EscapeString(p.Title),
		"{{css}}", pageCSS,
		"{{data}}", data.String(),
		"{{js}}", pageJS,
	).WriteString(w, pageHTML)
	return err
}
