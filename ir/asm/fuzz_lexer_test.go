package asm

import "testing"

// FuzzLexer checks that tokens follow each other without overlap up to the end, or
// up to an error inside of the source.
func FuzzLexer(f *testing.F) {
	for _, s := range []string{
		"%a#1 @b @\"c\\0A\" #d.e<f> !g ^h -> :: ... 0x1F 1.5e-3 \"\\\"\" // comment\n{-# #-} ? * |",
		"\"unterminated", "/", "@", "%", "1.e", "0x", "\x00\xff\r\n\t",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		l := lexer{src: string(src)}
		end := 0
		for range len(src) + 1 {
			tok := l.next()
			if tok.kind == tError {
				if l.errMsg == "" || l.errPos < 0 || l.errPos > len(src) {
					t.Fatalf("error %q at %d of %d", l.errMsg, l.errPos, len(src))
				}
				return
			}
			if tok.pos < end || tok.end < tok.pos || tok.end > len(src) {
				t.Fatalf("token from %d to %d after one that ended at %d", tok.pos, tok.end, end)
			}
			if tok.kind == tEOF {
				return
			}
			if tok.end == tok.pos {
				t.Fatalf("empty token at %d", tok.pos)
			}
			end = tok.end
		}
		t.Fatal("no end")
	})
}
