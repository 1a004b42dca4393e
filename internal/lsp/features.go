// SPDX-License-Identifier: BSD-3-Clause

package lsp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"unicode"
)

// What the editor asks about a document, as it has it: lenses, hovers, completions, and the commands of the lenses.

// The commands. Their arguments are the URI of a document and the name of a type.
const (
	verifyCommand = "pangolin.verify"
	proveCommand  = "pangolin.prove"
	replayCommand = "pangolin.replay"
	cancelCommand = "pangolin.cancel"
)

// declaration is a type that a document declares.
type declaration struct {
	name string
	line int // counted from 0
}

// declarations are the types that a text declares at its top, also where it has errors.
func declarations(text string) (list []declaration) {
	set := token.NewFileSet()
	f, _ := parser.ParseFile(set, "", text, parser.SkipObjectResolution) // what could be parsed
	if f == nil {
		return nil
	}
	for _, d := range f.Decls {
		g, is := d.(*ast.GenDecl)
		if !is || g.Tok != token.TYPE {
			continue
		}
		for _, spec := range g.Specs {
			if t, is := spec.(*ast.TypeSpec); is {
				list = append(list, declaration{t.Name.Name, set.Position(t.Name.Pos()).Line - 1})
			}
		}
	}
	return list
}

// lenses are "verify | prove | replay" above each type that can be verified.
func (s *Server) lenses(p documentParams) (any, error) {
	list := []codeLens{}
	f := s.packages[folderOf(p.TextDocument.URI)]
	if f == nil {
		return list, nil
	}
	for _, d := range declarations(s.texts[p.TextDocument.URI]) {
		if !f.types[d.name] {
			continue
		}
		add := func(title, name string) {
			at := span{position{d.line, 0}, position{d.line, 0}}
			list = append(list, codeLens{at, command{title, name, []any{p.TextDocument.URI, d.name}}})
		}
		if f.asked != nil && (f.asked.typ == "" || f.asked.typ == d.name) {
			add("cancel: "+f.asked.title()+" is in progress", cancelCommand)
			continue
		}
		title := "verify"
		if list := f.verdicts[d.name]; len(list) > 0 {
			title += " (" + string(list[0].Status) + ")"
		}
		add(title, verifyCommand)
		add("prove", proveCommand)
		if f.witness(d.name) != "" {
			add("replay", replayCommand)
		}
	}
	return list, nil
}

// witness is the file of a violation of a type; "": there is none.
func (f *folder) witness(typ string) string {
	for i := range f.verdicts[typ] {
		if v := f.verdicts[typ][i].Violation; v != nil && v.Witness != "" {
			return v.Witness
		}
	}
	return ""
}

// execute does the command of a lens. What takes long goes on behind the answer.
func (s *Server) execute(p executeParams) (any, error) {
	if len(p.Arguments) == 0 || folderOf(p.Arguments[0]) == "" {
		return nil, fmt.Errorf("%s wants the URI of a Go file, and the name of a type", p.Command)
	}
	dir, typ := folderOf(p.Arguments[0]), ""
	if len(p.Arguments) > 1 {
		typ = p.Arguments[1]
	}
	switch p.Command {
	case verifyCommand:
		s.begin(dir, &ask{typ: typ})
	case proveCommand:
		s.begin(dir, &ask{typ: typ, prove: true})
	case cancelCommand:
		if f := s.packages[dir]; f != nil && f.stop != nil {
			f.stop()
		}
	case replayCommand:
		f := s.packages[dir]
		if f == nil || f.witness(typ) == "" {
			return nil, fmt.Errorf("no violation of %s is known: verify it first", typ)
		}
		witness := f.witness(typ)
		s.running.Go(func() { s.replay(dir, witness) })
	default:
		return nil, fmt.Errorf("there is no command %q", p.Command)
	}
	return nil, nil
}

// replay executes a witness again and shows it.
func (s *Server) replay(dir, witness string) {
	file, err := s.judge.Replay(s.ctx, dir, witness)
	s.mu.Lock()
	shows := s.params.Capabilities.Window.ShowDocument.Support
	s.mu.Unlock()
	switch {
	case err != nil:
		s.say(messageError, err.Error())
	case shows:
		s.call("window/showDocument", map[string]any{"uri": uriOf(file), "takeFocus": true})
	default:
		s.say(messageInfo, "the execution is in "+file)
	}
}

// hover tells the verdict about the type whose name is under the cursor, or what a directive means.
func (s *Server) hover(p documentParams) (any, error) {
	line := lineOf(s.texts[p.TextDocument.URI], p.Position.Line)
	h := &hover{}
	h.Contents.Kind = "markdown"
	if rest, is := strings.CutPrefix(strings.TrimSpace(line), prefix); is {
		name, _, _ := strings.Cut(rest, " ")
		for _, d := range s.directives {
			if d.Name == name {
				h.Contents.Value = "`" + prefix + name + "`: " + d.Doc
				return h, nil
			}
		}
		return nil, nil
	}
	f := s.packages[folderOf(p.TextDocument.URI)]
	word := wordAt(line, offset(line, p.Position.Character))
	if f == nil || !f.types[word] {
		return nil, nil
	}
	if len(f.verdicts[word]) == 0 {
		h.Contents.Value = "pangolin: no verdict about " + word + " is kept for this source."
		return h, nil
	}
	var b strings.Builder
	for _, v := range f.verdicts[word] {
		b.WriteString("```text\n" + s.judge.Text(v) + "\n```\n")
	}
	h.Contents.Value = b.String()
	return h, nil
}

// wordAt is the identifier of a line around a byte.
func wordAt(line string, at int) string {
	part := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	begin := strings.LastIndexFunc(line[:at], func(r rune) bool { return !part(r) }) + 1
	end := strings.IndexFunc(line[at:], func(r rune) bool { return !part(r) })
	if end < 0 {
		end = len(line) - at
	}
	return line[begin : at+end]
}

// prefix begins a directive.
const prefix = "//pangolin:"

// complete completes directives and their values. Elsewhere gopls completes.
func (s *Server) complete(p documentParams) (any, error) {
	text := s.texts[p.TextDocument.URI]
	line := lineOf(text, p.Position.Line)
	before := strings.TrimLeft(line[:offset(line, p.Position.Character)], " \t")
	list := []completionItem{}
	if begun, is := strings.CutPrefix(prefix, before); is && strings.HasPrefix(before, "//") && begun != "" { // "//pan"
		return append(list, item(p.Position, before, prefix, kindKeyword)), nil
	}
	rest, is := strings.CutPrefix(before, prefix)
	if !is {
		return list, nil
	}
	name, value, has := strings.Cut(rest, " ")
	if !has {
		for _, d := range s.directives {
			if strings.HasPrefix(d.Name, name) {
				one := item(p.Position, name, d.Name, kindKeyword)
				one.Documentation = d.Doc
				list = append(list, one)
			}
		}
		return list, nil
	}
	if name == "of" { // "of Queue expect violated"
		_, directive, named := strings.Cut(value, " ")
		if !named {
			return list, nil
		}
		name, value, has = strings.Cut(directive, " ")
		if !has {
			return list, nil
		}
	}
	value = value[strings.LastIndexAny(value, ", ")+1:]
	for _, v := range s.values(name, value, text, p.Position.Line) {
		if strings.HasPrefix(v, value) {
			list = append(list, item(p.Position, value, v, kindValue))
		}
	}
	return list, nil
}

// item completes what was begun before a position.
func item(at position, begun, label string, kind int) completionItem {
	start := position{at.Line, at.Character - column(begun, len(begun))}
	return completionItem{Label: label, Kind: kind, Edit: &textEdit{span{start, at}, label}}
}

// values are the values that a directive may have: those of its table, and the methods of the type below it.
func (s *Server) values(name, begun, text string, line int) (list []string) {
	for _, d := range s.directives {
		if d.Name == name {
			list = append(list, d.Values...)
		}
	}
	if name != "ops" && name != "roles" {
		return list
	}
	typ := ""
	for _, d := range declarations(text) {
		if d.line > line {
			typ = d.name
			break
		}
	}
	for _, m := range methods(text, typ) {
		if method, _, role := strings.Cut(begun, ":"); name == "roles" && role {
			if method == m {
				for _, r := range []string{"1", "*", "~1", "once", "first", "last", "alone"} {
					list = append(list, m+":"+r)
				}
			}
			continue
		}
		list = append(list, m)
	}
	return list
}

// methods are the exported methods of a type that a text declares.
func methods(text, typ string) (names []string) {
	f, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	for _, d := range f.Decls {
		fn, is := d.(*ast.FuncDecl)
		if !is || fn.Recv == nil || len(fn.Recv.List) != 1 || !fn.Name.IsExported() {
			continue
		}
		receiver := fn.Recv.List[0].Type
		if star, is := receiver.(*ast.StarExpr); is {
			receiver = star.X
		}
		switch r := receiver.(type) {
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		}
		if id, is := receiver.(*ast.Ident); is && id.Name == typ {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}
