// Package textwrap breaks texts into lines.
package textwrap

import "strings"

// Lines breaks a text into lines of at most so many bytes, at blanks; longer words stand
// alone. There is one line at least.
func Lines(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
