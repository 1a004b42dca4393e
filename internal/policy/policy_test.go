// SPDX-License-Identifier: BSD-3-Clause

package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// Directives are found, read, and refused where they are wrong.

const frame = `package p

type S struct{ n int }

func (s *S) Add(x int) (bool, error) {
%s
	return false, nil
}

func (s *S) Get() int { return s.n }

type other struct{}

func (o other) Put(x int) {}
`

func annotate(body string) (*Annotated, error) {
	text := strings.Replace(frame, "%s", body, 1)
	return Annotate([]File{{Path: "p.go", Name: "p.go", Text: []byte(text)}}, "S", map[string]Signature{"Add": {1, 2}, "Get": {0, 1}})
}

// What is wrong with a directive is said with its position.
func TestAnnotate_SaysWhereADirectiveIsWrong(t *testing.T) {
	for _, c := range []struct{ directive, want string }{
		{"emit Add(x) = true", "p.go:6:24: Add has 2 results, not 1"},
		{"emit Add(x, x) = true, nil", "p.go:6:24: Add takes 1 argument, not 2"},
		{"emit Ad(x) = true, nil", "p.go:6:24: there is no operation Ad: there are Add, Get"},
		{"emit s.Add(x) = true, nil", "p.go:6:24: the operation is named by its method alone, without a receiver"},
		{"emit Add(x) =", "p.go:6:32: results are missing behind ="},
		{"emit", "p.go:6:23: nothing stands behind emit"},
		{"", "p.go:6:19: emit OP(ARGS) = RESULTS is missing"},
		{"when x > 0", "p.go:6:29: emit OP(ARGS) = RESULTS is missing"},
		{"when x > emit Add = true, nil", "p.go:6:27: expected operand"},
		{"when (x > 0 emit Add = true, nil", "p.go:6:31: expected ')', found emit"},
		{"when s.n == x emmit Add = true, nil", "p.go:6:33: unexpected emmit"},
		{"when x > emit Add = true, nil", "p.go:6:27: expected operand, found the end of the expression"},
		{"if x emit Add = true, nil", "p.go:6:19: a point begins with one of every, on, before"},
		{"every", "p.go:6:24: nothing stands behind every"},
		{"every Ad", "p.go:6:25: there is no operation Ad: there are Add, Get"},
		{"every s.Add", "p.go:6:25: s.Add is no operation: write every OP"},
		{"every Add emit Get = 1", "p.go:6:19: every OP stands alone"},
		{"emit Get = 1 when x", "p.go:6:32: when stands too late"},
		{"before emit Get = 1", "p.go:6:19: before says when what is received takes effect, and nothing is: on MESSAGE(VALUES) is missing"},
		{"on full emit Get = 1", "p.go:6:19: say once whether"},
		{"on full before after emit Get = 1", "p.go:6:19: say once whether"},
		{"on full before", "p.go:6:33: emit OP(ARGS) = RESULTS is missing"},
		{"on full before at emit Get = 1", "p.go:6:34: before stands alone, without at"},
		{"on full before emit Get = 1 for x", "p.go:6:47: for cannot be part of a rule that receives"},
		{"on full before as x emit Get = 1", "p.go:6:34: as cannot be part of a rule that receives"},
		{"on x.full before emit Get = 1", "p.go:6:22: x.full is no message"},
		{"on full(1, ) before emit Get = 1", "p.go:6:"},
		{"on full before emit Get = 1", "p.go:6:22: nobody broadcasts full"},
		{"emit Get = 1 broadcast full(x)", "p.go:6:42: nobody receives full"},
		{"may goto a", "p.go:6:19: may says that an operation is announced or not, and none is"},
		{"may x emit Get = 1", "p.go:6:23: may stands alone, without x"},
		{"emit Get = ?, 1", "p.go:6:30"},
		{"for x", "p.go:6:24: emit OP(ARGS) = RESULTS is missing"},
		{"as x for x", "p.go:6:24: for says whose operation is announced, and none is"},
		{"as", "p.go:6:21: nothing stands behind as"},
		{"as x +", "p.go:6:25: expected operand"},
		{"from 1 emit Get = 1", "p.go:6:24: 1 is no name of a state"},
		{"from done emit Get = 1", "p.go:6:2: no point leads to the state done; a call begins in start"},
		{"emit Get = 1 goto a.b", "p.go:6:37: a.b is no name of a state"},
		{"goto a emit Get = 1", "p.go:6:26: emit stands too late"},
		{"emit Get = 1, ", "p.go:6:32"},
		{"emit Get = )", "p.go:6:30"},
	} {
		_, err := annotate("\t//pangolin:point " + c.directive + "\n\ts.n = x")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.directive, err, c.want)
		}
	}
}

// A directive that does not exist would be passed over, as the comment that it is: within a function it is said.
func TestAnnotate_KnowsNoOtherDirectiveInFunctions(t *testing.T) {
	_, err := annotate("\t//pangolin:points emit Get = 1\n\ts.n = x")
	if err == nil || err.Error() != "p.go:6:2: unknown directive: within a function there is //pangolin:point alone" {
		t.Error(err)
	}
	if _, err := annotate("\t// pangolin:points\n\ts.n = x"); err != nil {
		t.Error(err)
	}
}

// A directive is about the statement that follows it, or in front of it on its line.
func TestAnnotate_FindsTheStatement(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"\t//pangolin:point emit Get = 1\n\ts.n = x", "s.n = x; GHOST"},
		{"\ts.n = x //pangolin:point emit Get = 1", "s.n = x; GHOST"},
		{"\t// comment\n\t//pangolin:point emit Get = 1\n\t// more\n\ts.n++", "s.n++; GHOST"},
		{"\t//pangolin:point when result emit Get = 1\n\tif s.n > 0 {\n\t\ts.n = 1\n\t} else {\n\t\ts.n = 2\n\t}", "{ pangolinValue1 := s.n > 0; GHOST if pangolinValue1 {"},
		{"\t//pangolin:point when result emit Get = 1\n\tif y := x; y > s.n {\n\t}", "{ y := x; pangolinValue1 := y > s.n; GHOST if pangolinValue1 {"},
		{"\t//pangolin:point when result emit Get = 1\n\tfor s.n > 0 {\n\t}", "for { pangolinValue1 := s.n > 0; GHOST if !pangolinValue1 { break };"},
		{"\t//pangolin:point when result emit Get = 1\n\tfor i := 0; i < s.n; i++ {\n\t}", "for i := 0; ; i++ { pangolinValue1 := i < s.n; GHOST if !pangolinValue1 { break };"},
		{"\t//pangolin:point emit Get = result\n\tswitch s.n {\n\tcase 1:\n\t}", "{ pangolinValue1 := s.n; GHOST switch pangolinValue1 {"},
		{"\t//pangolin:point when result2 == nil emit Get = 1\n\treturn s.n > 0, nil", "{ var pangolinValue1 bool; var pangolinValue2 error; pangolinValue1, pangolinValue2 = s.n > 0, nil; GHOST return pangolinValue1, pangolinValue2 }"},
		{"\tf := func() int {\n\t\t//pangolin:point emit Get = result\n\t\treturn s.n\n\t}\n\t_ = f", "{ var pangolinValue1 int; pangolinValue1 = s.n; GHOST return pangolinValue1 }"},
		{"\t//pangolin:point when result emit Get = 1\n\ts.Get()", "{ pangolinValue1 := s.Get(); GHOST }"},
		{"\tif x > 0 {\n\t} else if x < 0 { //pangolin:point emit Get = 1\n\t}", "{ pangolinValue1 := x < 0; GHOST if pangolinValue1 {"},
	} {
		a, err := annotate(c.body)
		if err != nil {
			t.Errorf("%q: %v", c.body, err)
			continue
		}
		text := string(a.Files["p.go"]) + a.Declarations()
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0); err != nil {
			t.Errorf("%q becomes no Go: %v\n%s", c.body, err, text)
		}
		plain := withoutLines(text)
		from, to := strings.Index(plain, Bracket+"(true)"), strings.Index(plain, Bracket+"(false)")+len(Bracket+"(false)")
		plain = plain[:from] + "GHOST" + plain[to:]
		if !strings.Contains(squeezed(plain), squeezed(c.want)) {
			t.Errorf("%q becomes\n%s\nwithout %s", c.body, plain, c.want)
		}
	}
}

func squeezed(s string) string {
	return strings.NewReplacer(" ", "", "\n", "", "\t", "", ";", "").Replace(s)
}

// All who use a message agree on how many values it has.
func TestAnnotate_CountsTheValuesOfAMessage(t *testing.T) {
	_, err := annotate("\t//pangolin:point emit Get = 1 broadcast full(x)\n\ts.n = x\n\t//pangolin:point on full before emit Get = 1\n\ts.n = 2")
	if want := "p.go:8:22: full has 1 values elsewhere, not 0"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// What a rule that receives refers to are the variables as they are where it stands; a directive above a
// function is about its beginning.
func TestAnnotate_KeepsVariablesForReceivers(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"\ty := x //pangolin:point on full(y) before when s.n > limit emit Get = y\n\t_ = y //pangolin:point emit Get = 1 broadcast full(x)",
			"y := x; GHOST{ y, s := y, s; pangolinRule0(func(pangolinWho int, pangolinSent0 any) { if pangolinSent0 == any(y) && (s.n > limit) { pangolinFire0(pangolinWho, y) } }) }"},
		{"\ts.n = x //pangolin:point from start when x > 0 as s emit Add(x) = true, nil for s goto done", "s.n = x; GHOST if pangolinEnabled(0) { if x > 0 { pangolinRule0(s, s, x, true, nil) } }"},
		{"\tif s.n > 0 { //pangolin:point on full before emit Get = result\n\t}\n\ts.n = 1 //pangolin:point emit Get = 1 broadcast full",
			"{ pangolinValue1 := s.n > 0; GHOST { pangolinValue1 := pangolinValue1; pangolinRule0("},
		{"\treturn false, nil\n}\n\n//pangolin:point as s\nfunc (s *S) More() (bool, error) {", "func (s *S) More() (bool, error) { GHOST pangolinRule0(s)"},
	} {
		a, err := annotate(c.body)
		if err != nil {
			t.Errorf("%q: %v", c.body, err)
			continue
		}
		text := string(a.Files["p.go"]) + a.Declarations()
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0); err != nil {
			t.Errorf("%q becomes no Go: %v\n%s", c.body, err, text)
		}
		plain := squeezed(withoutLines(text))
		if want := squeezed(strings.Replace(c.want, "GHOST", Bracket+"(true);", 1)); !strings.Contains(plain, want) {
			t.Errorf("%q becomes\n%s\nwithout %s", c.body, withoutLines(text), c.want)
		}
	}
}

// withoutLines takes line comments away.
func withoutLines(text string) string {
	for {
		from := strings.Index(text, "/*line")
		if from < 0 {
			return text
		}
		text = text[:from] + text[from+strings.Index(text[from:], "*/")+2:]
	}
}

// What cannot bear a point is refused, and other types' operations are left alone.
func TestAnnotate_RefusesAndPassesOver(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"\t//pangolin:point emit Get = 1\n", "no statement begins here"},
		{"\t//pangolin:point emit Get = 1\n\tfor {\n\t}", "a loop without a condition"},
		{"\t//pangolin:point emit Get = 1\n\tfor range x {\n\t}", "this statement"},
		{"\t//pangolin:point emit Get = 1\n\tswitch {\n\t}", "a switch with a label or without a value"},
	} {
		body := c.body
		if strings.HasSuffix(body, "1\n") {
			body += "\n"
		}
		if _, err := annotate(body); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.body, err, c.want)
		}
	}
	if a, err := annotate("\t//pangolin:point emit Put(x)\n\ts.n = x"); err != nil || len(a.Rules) != 0 {
		t.Errorf("%v, %v: another type's operation", a, err)
	}
}

// Every position behind ghost code is what it was.
func TestAnnotate_KeepsPositions(t *testing.T) {
	a, err := annotate("\t//pangolin:point when result emit Get = x\n\tif s.n > x { s.n = 1 }; s.n = 2\n\ts.n = 3")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", a.Files["p.go"], 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok {
			got[l.Value] = fset.Position(l.Pos()).String()
		}
		return true
	})
	for lit, want := range map[string]string{"1": "p.go:7:21", "2": "p.go:7:32", "3": "p.go:8:8"} {
		if got[lit] != want {
			t.Errorf("%s stands at %s, want %s", lit, got[lit], want)
		}
	}
}

// A directive is put above the statement that has the position, with what its access comes to as Go; where that
// cannot be said, without.
func TestWrite_SaysConditionsInGo(t *testing.T) {
	for _, c := range []struct{ body, access, want string }{
		{"\ty := s.AT()\n\t_ = y", "zero", "//pangolin:point when y == nil emit Get = 1\n\ty := s.AT()"},
		{"\ty := s.AT()\n\t_ = y", "swapped", "//pangolin:point when y emit Get = 1\n\ty := s.AT()"},
		{"\ty := s.AT()\n\t_ = y", "not swapped", "//pangolin:point when !y emit Get = 1\n\ty := s.AT()"},
		{"\ty, z := s.AT()\n\t_, _ = y, z", "zero", "//pangolin:point emit Get = 1\n\ty, z := s.AT()"},
		{"\tif s.AT() {\n\t}", "swapped", "//pangolin:point when result emit Get = 1\n\tif s.AT() {"},
		{"\tif !s.AT() {\n\t}", "swapped", "//pangolin:point when !result emit Get = 1\n\tif !s.AT() {"},
		{"\tif s.AT() == nil {\n\t}", "zero", "//pangolin:point when result emit Get = 1\n\tif s.AT() == nil {"},
		{"\tif s.AT() != nil {\n\t}", "zero", "//pangolin:point when !result emit Get = 1\n\tif s.AT() != nil {"},
		{"\tif s.AT() {\n\t}", "not zero", "//pangolin:point when result emit Get = 1\n\tif s.AT() {"},
		{"\tif y := s.AT(); y != nil {\n\t}", "not zero", "//pangolin:point when y != nil emit Get = 1\n\tif y := s.AT(); y != nil {"},
		{"\tif x > 0 {\n\t\ts.AT()\n\t}", "swapped", "\tif x > 0 {\n\t\t//pangolin:point when result emit Get = 1\n\t\ts.AT()"},
		{"\tfor s.AT() {\n\t}", "swapped", "//pangolin:point when result emit Get = 1\n\tfor s.AT() {"},
		{"\treturn s.AT() && x > 0, nil", "swapped", "//pangolin:point emit Get = 1\n\treturn"},
		{"\ts.n = x + s.AT()", "", "//pangolin:point emit Get = 1\n\ts.n"},
		// An operation that takes effect whatever the access gives has no condition.
		{"\ty := s.AT()\n\t_ = y", "", "//pangolin:point emit Get = 1\n\ty := s.AT()"},
		{"\tif s.AT() {\n\t}", "", "//pangolin:point emit Get = 1\n\tif s.AT() {"},
	} {
		text := strings.Replace(frame, "%s", c.body, 1)
		at := strings.Index(text, "AT()")
		line := 1 + strings.Count(text[:at], "\n")
		p := Proposal{File: "p.go", Line: line, Col: at - strings.LastIndex(text[:at], "\n"), Access: c.access, Op: "Get", Results: "1"}
		texts, written, err := Write([]File{{Path: "p.go", Name: "p.go", Text: []byte(text)}}, []Proposal{p, p}, Zeros[0])
		if err != nil {
			t.Fatalf("%q: %v", c.body, err)
		}
		if got := string(texts["p.go"]); !strings.Contains(got, c.want) || len(written) != 1 || written[0].Line != line {
			t.Errorf("%q with %s becomes %+v\n%s\nwithout %s", c.body, c.access, written, got, c.want)
		}
	}
}

// A blank or a tab stands behind a directive's name; whatever else does makes another name of it, which within a function is told.
func TestAnnotate_KnowsADirectiveByItsWholeName(t *testing.T) {
	for blank, read := range map[string]bool{" ": true, "\t": true, "\t\t": true, "": false, "s ": false, "-": false} {
		a, err := annotate("	s.n = 1 //pangolin:point" + blank + "emit Add(x) = true, nil")
		if read && (err != nil || a == nil || len(a.Files) == 0) {
			t.Errorf("behind %q: %v", blank, err)
		}
		if !read && (err == nil || !strings.Contains(err.Error(), "unknown directive")) {
			t.Errorf("behind %q: it is read (%v)", blank, err)
		}
	}
}
