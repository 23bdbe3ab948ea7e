package asm

import (
	"strconv"

	"freehold/ir"
)

// argumentUsers writes the line of a comment that says where a block argument is
// used.
func (p *Printer) argumentUsers(v *ir.Value) {
	p.indentation()
	p.Text("// ")
	p.Operand(v)
	if v.HasUses() {
		p.Text(" is used by ")
		p.users(v)
	} else {
		p.Text(" is unused")
	}
	p.w.Byte('\n')
}

// resultUsers writes a comment with the users of the operation's results; for one
// without results, the number by which other comments refer to it.
func (p *Printer) resultUsers(op *ir.Op) {
	n := op.NumResults()
	switch {
	case n == 0:
		if op.NumOperands() > 0 {
			p.Text(" // id: ")
			p.opID(op)
		}
		return
	case !op.HasUses():
		p.Text(" // unused")
		return
	}
	users, results := map[*ir.Op]bool{}, 0
	for i := range n {
		for u := op.Result(i).FirstUse(); u != nil; u = u.Next() {
			if !users[u.Owner()] {
				users[u.Owner()] = true
				results += u.Owner().NumResults()
			}
		}
	}
	if n == 1 && len(users) <= 1 && results <= 1 {
		p.Text(" // user: ")
	} else {
		p.Text(" // users: ")
	}
	for i := range n {
		if i > 0 {
			p.Text(", ")
		}
		if n > 1 {
			p.Text("(")
		}
		p.users(op.Result(i))
		if n > 1 {
			p.Text(")")
		}
	}
}

func (p *Printer) users(v *ir.Value) {
	if !v.HasUses() {
		p.Text("unused")
		return
	}
	seen := map[*ir.Op]bool{}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		o := u.Owner()
		if seen[o] {
			continue
		}
		if len(seen) > 0 {
			p.Text(", ")
		}
		seen[o] = true
		if o.NumResults() == 0 {
			p.opID(o)
			continue
		}
		for i := range o.NumResults() {
			if i > 0 {
				p.Text(", ")
			}
			p.Operand(o.Result(i))
		}
	}
}

func (p *Printer) opID(op *ir.Op) {
	id, ok := p.names.opIDs[op]
	if !ok {
		p.Text("<<UNKNOWN OPERATION>>")
		return
	}
	p.w.Buf = strconv.AppendUint(append(p.w.Buf, '%'), uint64(id), 10)
}
