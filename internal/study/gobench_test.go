// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// TestKernels_LeakWhatTheirTestsName explores the kernels of Go's distribution. Every leak that its tests name is found, none
// is reported of those that leak nothing, and nothing is reported that the tests do not name. A repaired kernel is explored whole, and
// nothing is found.
func TestKernels_LeakWhatTheirTestsName(t *testing.T) {
	all, err := kernels()
	if err != nil || len(all) == 0 {
		t.Skipf("this Go has no kernels: %v", err)
	}
	limit, every := 5*time.Second, 9
	switch {
	case level.More():
		limit, every = 10*time.Minute, 1
	case level.Short():
		every = 20
	}
	o := &Options{Timeout: limit, Workers: 1}
	for i, k := range all {
		if i%every != 0 {
			continue
		}
		r, err := k.ask(context.Background(), o)
		if err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		bad := r.Judgement() == verdict.Violated || len(r.Further) > 0 || r.Complete && len(r.Missing) > 0
		if why := exceptions[k.name]; why == "" && (bad || level.More() && len(r.Missing) > 0) || why != "" && len(r.Missing) == 0 {
			t.Errorf("%s (%s)", r.Told(), why)
		}
		if fix := r.Repaired; fix != nil && (len(fix.As) > 0 || !fix.Complete) {
			t.Errorf("%s, repaired: %s", k.name, fix.text())
		}
	}
}

// TestRepairs_FitTheDistribution makes every repair, without exploring anything: there is a kernel for each, its text is the one that the
// repair was made for, and it is another one afterwards.
func TestRepairs_FitTheDistribution(t *testing.T) {
	all, err := kernels()
	if err != nil || len(all) == 0 {
		t.Skipf("this Go has no kernels: %v", err)
	}
	fits := 0
	for _, k := range all {
		fix := repairs[k.name]
		if fix == nil {
			continue
		}
		fits++
		before, err := k.program(nil)
		if err != nil {
			t.Fatal(err)
		}
		after, err := k.program(fix)
		if err != nil || bytes.Equal(before, after) || fix.how == "" {
			t.Errorf("%s: %v", k.name, err)
		}
	}
	if fits != len(repairs) || fits < 30 {
		t.Errorf("%d of %d repairs have a kernel", fits, len(repairs))
	}
	if _, err := (&repair{edits: [][2]string{{"\tnobody wrote this\n", ""}}}).apply([]byte("package p\n")); err == nil {
		t.Error("a repair of other text is made")
	}
}

// TestRepairs_AreNeeded plants the fault again: a repair without its last edit leaves a kernel wrong.
func TestRepairs_AreNeeded(t *testing.T) {
	all, err := kernels()
	if err != nil || len(all) == 0 {
		t.Skipf("this Go has no kernels: %v", err)
	}
	for _, k := range all {
		if k.name != "Syncthing4829" && k.name != "Kubernetes25331" {
			continue
		}
		whole := repairs[k.name]
		v, err := k.explore(context.Background(), &Options{Workers: 1}, &repair{edits: whole.edits[:len(whole.edits)-1]})
		if err != nil || len(kinds(&v)) == 0 {
			t.Errorf("%s with a part of its repair: %v, %v", k.name, kinds(&v), err)
		}
	}
}

func TestBugs_AreThoseOfThePaper(t *testing.T) {
	count := map[string]int{}
	for _, b := range bugs {
		count[b.Part]++
	}
	if count["blocking"] != 68 || count["nonblocking"] != 35 {
		t.Errorf("%v", count)
	}
	if got := bugOf("x/goker/moby25384.go"); got.Class != "mixed" {
		t.Errorf("%+v", got)
	}
	if got := bugOf("x/commonpatterns.go"); got.Class != "" {
		t.Errorf("%+v", got)
	}
}

// checkout is a checkout of GoBench in small, with kernels of our own: a lock that is taken twice, goroutines that share the variable of
// a loop, which they do in Go 1.13 only, and one of which nothing is wrong.
var checkout = map[string]string{
	"go.mod": "module gobench\n\ngo 1.13\n",
	"gobench/goker/blocking/etcd/6708/etcd6708_test.go": `package etcd6708

import ("sync"; "testing")

func TestEtcd6708(t *testing.T) {
	var mu sync.Mutex
	go func() { mu.Lock(); mu.Lock() }()
}
`,
	"gobench/goker/nonblocking/kubernetes/70892/kubernetes70892_test.go": `package kubernetes70892

import ("sync"; "testing")

func TestKubernetes70892(t *testing.T) {
	var wg sync.WaitGroup
	list := make([]int, 2)
	for i := range list {
		wg.Add(1)
		go func() { defer wg.Done(); list[i]++ }()
	}
	wg.Wait()
}
`,
	"gobench/goker/blocking/own/12/own12_test.go": `package own12

import "testing"

func TestOwn12(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	<-c
}
`,
}

// TestCheckout_IsExploredAsItStandsThere looks for the kernels of a small checkout.
func TestCheckout_IsExploredAsItStandsThere(t *testing.T) {
	if level.Short() {
		t.Skip("lists packages three times")
	}
	dir := t.TempDir()
	for name, text := range checkout {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	o := &Options{Checkout: dir, Workers: 1}
	rows, err := kernelRows(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var lines []Line
	for _, row := range rows {
		l, err := row.Ask(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		r := l.(*KernelRow)
		lines = append(lines, r)
		got = append(got, fmt.Sprintf("%s %s %s, %s: %s, %s", r.Name, r.About.Part, r.About.class(), r.as(), whole(r.Complete), r.Judgement()))
	}
	want := []string{"etcd/6708 blocking resource: double locking, leak: yes, verified", "own/12 blocking -, -: yes, violated",
		"kubernetes/70892 nonblocking Go-specific: anonymous function, race: yes, verified"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	var page strings.Builder
	kernelsPage(&Page{out: &page}, lines, 0)
	if !strings.Contains(page.String(), "Found: 1 of 2 blocking ones, 1 of 1 others") {
		t.Errorf("the page is\n%s", &page)
	}
	if _, err := kernelRows(context.Background(), &Options{Checkout: t.TempDir()}); err == nil {
		t.Error("an empty directory is a checkout")
	}
}
