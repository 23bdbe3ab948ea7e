package lsp

import "strings"

// fixesAt returns what puts right the misspellings that messages about a line have a better word for.
func (d *document) fixesAt(at position) (out []codeAction) {
	for _, x := range d.diagnostics() {
		better := suggestion(x.Message)
		if x.Range.Start.Line != at.Line || better == "" {
			continue
		}
		start, end := d.misspelt(d.offset(x.Range.Start), better)
		if start == end {
			continue
		}
		out = append(out, codeAction{
			Title: "Replace " + d.src[start:end] + " by " + better, Kind: "quickfix",
			Edit: &workspaceEdit{map[string][]textEdit{d.uri: {{d.span(start, end), better}}}},
		})
	}
	return out
}

// suggestion returns the word that a message proposes, or "".
func suggestion(message string) string {
	_, after, _ := strings.Cut(message, "did you mean '")
	better, _, ok := strings.Cut(after, "'?")
	if !ok {
		return ""
	}
	return better
}

// misspelt returns where the word is that a message at an offset is about, without the sign that it begins with, unless the better one has it, too.
func (d *document) misspelt(offset int, better string) (start, end int) {
	for start = offset; start < len(d.src) && d.src[start] == ' '; start++ {
	}
	if start < len(d.src) && strings.IndexByte("%@!#\"", d.src[start]) >= 0 && d.src[start] != better[0] {
		start++
	}
	for end = start; end < len(d.src) && strings.IndexByte(" \t\r\n,()[]{}<>:=\"", d.src[end]) < 0; end++ {
	}
	return start, end
}
