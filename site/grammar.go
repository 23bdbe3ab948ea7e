package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// grammarFile is the grammar by which editors, the playground and these pages colour MLIR.
const grammarFile = "editors/vscode/syntaxes/mlir.tmLanguage.json"

// grammar is a TextMate grammar whose rules each match a piece of a line.
type grammar struct {
	Patterns   []struct{ Include string }
	Repository map[string]struct{ Match string }
}

// colours are the kinds of the grammar's rules as chroma has them.
var colours = map[string]chroma.TokenType{
	"comment": chroma.CommentSingle, "string": chroma.LiteralString, "value": chroma.NameVariable, "symbol": chroma.NameFunction,
	"block": chroma.NameLabel, "attribute": chroma.NameDecorator, "alias": chroma.NameClass, "operation": chroma.NameBuiltin, "generic": chroma.NameBuiltin,
	"type": chroma.KeywordType, "number": chroma.LiteralNumber, "keyword": chroma.Keyword,
}

// readGrammar makes a lexer of the repository's grammar.
func readGrammar(repository fs.FS) (chroma.Lexer, error) {
	text, err := fs.ReadFile(repository, grammarFile)
	if err != nil {
		return nil, err
	}
	var g grammar
	if err := json.Unmarshal(text, &g); err != nil {
		return nil, fmt.Errorf("%s: %w", grammarFile, err)
	}
	var rules []chroma.Rule
	for _, p := range g.Patterns {
		kind := strings.TrimPrefix(p.Include, "#")
		colour, ok := colours[kind]
		if !ok || g.Repository[kind].Match == "" {
			return nil, fmt.Errorf("%s: nothing is known about rule %q", grammarFile, kind)
		}
		rules = append(rules, chroma.Rule{Pattern: g.Repository[kind].Match, Type: colour})
	}
	rules = append(rules, chroma.Rule{Pattern: `(?s:.)`, Type: chroma.Text})
	lexer, err := chroma.NewLexer(&chroma.Config{Name: "MLIR"}, func() chroma.Rules { return chroma.Rules{"root": rules} })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", grammarFile, err)
	}
	return chroma.Coalesce(lexer), nil
}
