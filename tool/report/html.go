package report

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the parts of the page
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"strings"
)

//go:embed page/page.html
var pageHTML string

//go:embed page/page.css
var pageCSS string

// The parts of the script, in the order in which they are in the page.
var (
	//go:embed page/data.js
	dataJS string
	//go:embed page/format.js
	formatJS string
	//go:embed page/list.js
	listJS string
	//go:embed page/chart.js
	chartJS string
	//go:embed page/sections.js
	sectionsJS string
	//go:embed page/start.js
	startJS string
)

// Write writes the page. It needs no other file, and no network. What it shows is compressed in it; the answer stands there as text, too.
func (p *Page) Write(w io.Writer) error {
	var data bytes.Buffer
	base := base64.NewEncoder(base64.StdEncoding, &data)
	zip := gzip.NewWriter(base)
	if err := json.NewEncoder(zip).Encode(p); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	if err := base.Close(); err != nil {
		return err
	}
	_, err := strings.NewReplacer(
		"{{title}}", html.EscapeString(p.Title),
		"{{answer}}", html.EscapeString(p.Answer()),
		"{{css}}", pageCSS,
		"{{data}}", data.String(),
		"{{js}}", "'use strict';\n(async () => {\n"+dataJS+formatJS+listJS+chartJS+sectionsJS+startJS+"})();\n",
	).WriteString(w, pageHTML)
	return err
}
