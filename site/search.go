package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// searchable is a part of a page that a search finds: what stands below a heading, up to the next one.
type searchable struct {
	Title string `json:"title"` // of the heading
	Page  string `json:"page"`  // the title of the page
	Place string `json:"place"` // in the site
	Text  string `json:"text"`
}

// deepest is the level of the headings that begin a part.
const deepest = 3

// parts takes a page apart.
func (p *page) parts() []searchable {
	var out []searchable
	current := searchable{Title: p.title, Page: p.title, Place: p.name + ".html"}
	var body strings.Builder
	end := func() {
		current.Text = strings.Join(strings.Fields(body.String()), " ")
		if current.Text != "" || current.Title != current.Page {
			out = append(out, current)
		}
		body.Reset()
	}
	for n := p.tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level <= deepest {
			if id, ok := h.AttributeString("id"); ok && h.Level > 1 {
				end()
				current = searchable{Title: plain(h, p.source), Page: p.title, Place: p.name + ".html#" + string(id.([]byte))}
			}
			continue
		}
		body.WriteString(plain(n, p.source) + " ")
	}
	end()
	return out
}

// fields are what a part is found by.
func (s searchable) fields() [3]string { return [3]string{s.Title, s.Page, s.Text} }

// index is what MiniSearch loads (minisearch/README.md). Parts and fields have numbers there; a term has, for each field, how often each part has it.
type index struct {
	DocumentCount        int                `json:"documentCount"`
	NextID               int                `json:"nextId"`
	DocumentIDs          map[int]int        `json:"documentIds"`
	FieldIDs             map[string]int     `json:"fieldIds"`
	FieldLength          map[int][3]int     `json:"fieldLength"`
	AverageFieldLength   [3]float64         `json:"averageFieldLength"`
	StoredFields         map[int]searchable `json:"storedFields"`
	Index                []term             `json:"index"`
	SerializationVersion int                `json:"serializationVersion"`
}

// term is a word, with its occurrences: by field, by part, how many.
type term struct {
	word string
	at   map[int]map[int]int
}

// MarshalJSON writes a pair.
func (t term) MarshalJSON() ([]byte, error) { return json.Marshal([2]any{t.word, t.at}) }

// index returns the index of all pages.
func (s *site) index() index {
	var parts []searchable
	for _, name := range s.names() {
		parts = append(parts, s.pages[name].parts()...)
	}
	x := index{
		DocumentCount: len(parts), NextID: len(parts), DocumentIDs: map[int]int{}, FieldIDs: map[string]int{"title": 0, "page": 1, "text": 2},
		FieldLength: map[int][3]int{}, StoredFields: map[int]searchable{}, SerializationVersion: 2,
	}
	terms := map[string]map[int]map[int]int{}
	for n, part := range parts {
		x.DocumentIDs[n], x.StoredFields[n] = n, part
		var lengths [3]int
		for field, text := range part.fields() {
			for _, w := range words(text) {
				if terms[w] == nil {
					terms[w] = map[int]map[int]int{}
				}
				if terms[w][field] == nil {
					terms[w][field] = map[int]int{}
				}
				if terms[w][field][n]++; terms[w][field][n] == 1 {
					lengths[field]++
				}
			}
			x.AverageFieldLength[field] += float64(lengths[field]) / float64(len(parts))
		}
		x.FieldLength[n] = lengths
	}
	for _, w := range slices.Sorted(maps.Keys(terms)) {
		x.Index = append(x.Index, term{w, terms[w]})
	}
	return x
}

// words takes a text apart as search.js does with what is searched for.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// searchFile returns the index as a script: a page that is opened from a file may load scripts, but no data.
func (s *site) searchFile() ([]byte, error) {
	text, err := json.Marshal(s.index())
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte("window.searchIndex = "), text, []byte(";\n")), nil
}
