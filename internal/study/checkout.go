// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pangolin"
	"pangolin/verdict"
)

// A checkout of GoBench has each kernel as a test in a directory of its own:
//
//	gobench/goker/blocking/etcd/5509/etcd5509_test.go        func TestEtcd5509(t *testing.T)
//
// The test is executed as it stands there, in the module of the checkout, so that the language is the version of its go.mod: loops share
// their variable, which is the mistake of some kernels.

// checkoutRows lists the kernels of a checkout.
func checkoutRows(dir string, o *Options) ([]Row, error) {
	files, err := filepath.Glob(filepath.Join(dir, "gobench", "goker", "*", "*", "*", "*_test.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s is no checkout of GoBench: it has no file gobench/goker/blocking/PROJECT/NUMBER/PROJECTNUMBER_test.go", dir)
	}
	var places []testPlace
	for _, file := range files {
		places = append(places, testPlaceOf(file))
	}
	slices.SortFunc(places, func(a, b testPlace) int {
		return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.project, b.project), a.number-b.number, cmp.Compare(a.file, b.file))
	})
	var rows []Row
	for _, at := range places {
		names := []string{fmt.Sprintf("%s/%d", at.project, at.number), fmt.Sprintf("%s%d", at.project, at.number)}
		rows = append(rows, Row{Names: names, Ask: func(ctx context.Context) (Line, error) { return at.ask(ctx, o, names[0]) }})
	}
	return rows, nil
}

// testPlace is where a checkout has a kernel: PART/PROJECT/NUMBER/FILE.
type testPlace struct {
	file, part, project string
	number              int
}

func testPlaceOf(file string) testPlace {
	dir := strings.Split(filepath.ToSlash(filepath.Dir(file)), "/")
	n := len(dir)
	number, _ := strconv.Atoi(dir[n-1]) // 0 comes first, and the file's name decides
	return testPlace{file: file, part: dir[n-3], project: dir[n-2], number: number}
}

// ask explores the test of a checkout's kernel.
func (p *testPlace) ask(ctx context.Context, o *Options, name string) (*KernelRow, error) {
	r := &KernelRow{Name: name, Verdict: verdict.Unknown, About: bugOf(p.file), Test: true}
	r.About.Part = p.part
	test, err := onlyTest(p.file)
	if err != nil {
		return nil, err
	}
	request := o.limited(pangolin.Request{Packages: []string{"."}, Program: pangolin.Program{Test: test}})
	request.Dir = filepath.Dir(p.file)
	v, err := o.run(ctx, "gobench", request)
	if v.Outcomes == nil {
		r.Reason = firstLine(err.Error())
		return r, nil
	}
	r.Verdict, r.Complete, r.States, r.Seconds, r.Reason = v.Status, v.Outcomes.Complete, v.States, v.Seconds, v.Outcomes.Limit+v.Outcomes.Fault
	r.As = kinds(&v)
	return r, nil
}

// kinds lists the kinds of a verdict's abnormal outcomes, once each.
func kinds(v *verdict.Verdict) (list []string) {
	for i := range v.Outcomes.List {
		out := &v.Outcomes.List[i]
		kind := string(out.Kind)
		if out.Kind == verdict.Exited {
			kind = "failure"
		}
		if !out.Good() && !slices.Contains(list, kind) {
			list = append(list, kind)
		}
	}
	slices.Sort(list)
	return list
}

// onlyTest is the name of the one test of a kernel's file.
func onlyTest(file string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var names []string
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" {
			names = append(names, fn.Name.Name)
		}
	}
	if len(names) != 1 {
		return "", fmt.Errorf("%s declares %d tests: a kernel of GoBench has one", file, len(names))
	}
	return names[0], nil
}

// FoundBug reports whether a kernel of a checkout ends as its part says: one that blocks leaks or has a deadlock, another one has a race,
// panics or fails, or ends in a deadlock that its misuse of channels leads to.
func (r *KernelRow) FoundBug() bool {
	wanted := []string{string(verdict.Raced), string(verdict.Panicked), string(verdict.Deadlocked), string(verdict.Leaked), "failure"}
	if r.About.Part == "blocking" {
		wanted = []string{string(verdict.Leaked), string(verdict.Deadlocked)}
	}
	return slices.ContainsFunc(r.As, func(kind string) bool { return slices.Contains(wanted, kind) })
}
