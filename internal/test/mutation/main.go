// SPDX-License-Identifier: BSD-3-Clause

// Command mutation plants faults in the code of this module that decides about verdicts, runs the tests with each, and writes
// doc/mutation.md: which test finds which fault, and why those that nothing finds do no harm.
//
//	go run ./internal/test/mutation [-n 240] [-seed 1] [-for 2m] [-survivors] [-tests PATTERN] [-with FLAGS] [-only PATTERN] [-list]
//
// It is run in the root of the module. What it has compiled and found out is kept in a directory for this state of the source, so that whoever is
// interrupted goes on. It does not decide whether a fault that nothing finds is one: argued.csv says so.
package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

type options struct {
	n, least  int
	seed      uint64
	length    time.Duration
	each      time.Duration
	survivors bool
	with      string
	list      bool
	only      *regexp.Regexp
	suites    *regexp.Regexp
}

func main() {
	o := options{least: 10}
	flag.IntVar(&o.n, "n", 240, "how many mutants, about")
	flag.Uint64Var(&o.seed, "seed", 1, "which mutants")
	flag.DurationVar(&o.length, "for", 24*time.Hour, "begin nothing new after this `time`")
	flag.DurationVar(&o.each, "each", time.Minute, "CPU for the tests of one mutant")
	flag.BoolVar(&o.survivors, "survivors", false, "try those again that nothing found according to the page")
	flag.StringVar(&o.with, "with", "-test.short", "the `flags` of the tests, separated by blanks")
	flag.BoolVar(&o.list, "list", false, "list the mutants with their lines, and run nothing")
	only := flag.String("only", "", "try only mutants whose names match the regular `expression`")
	suites := flag.String("tests", "", "use only tests of packages whose directories match the regular `expression`")
	flag.Parse()
	err := func() (err error) {
		if o.only, err = regexp.Compile(*only); err != nil {
			return err
		}
		if o.suites, err = regexp.Compile(*suites); err != nil {
			return err
		}
		return run(&o)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

func run(o *options) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	u, err := newUniverse(root)
	if err != nil {
		return err
	}
	chosen, counts, err := u.sample(o.n, o.least, o.seed)
	if err != nil {
		return err
	}
	if o.list {
		for _, m := range chosen {
			fmt.Printf("%s:%d: %s\n", m.file, m.line, m.name)
		}
		return nil
	}
	text, err := os.ReadFile(page)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	before, _ := parse(string(text))
	found := map[string]string{}
	for _, o := range before {
		found[o.Name] = o.Found
	}
	dir, err := place(root, o)
	if err != nil {
		return err
	}
	fmt.Println("in", dir)
	b := &bench{root: root, dir: dir, with: o.with, mutants: chosen}
	h := sha256.Sum256(fmt.Append(nil, o.with, o.each, o.suites.String()))
	b.log = filepath.Join(dir, fmt.Sprintf("outcomes.%x", h[:4]))
	tried, err := readOutcomes(b.log)
	if err != nil {
		return err
	}
	var todo []int
	for i, m := range chosen {
		_, done := tried[m.name]
		old, was := found[m.name]
		if !done && o.only.MatchString(m.name) && (!o.survivors || !was || old == "") {
			todo = append(todo, i)
		}
	}
	if err := b.try(u, todo, o, found); err != nil {
		return err
	}
	return b.report(found, counts)
}

// place is the directory for what is kept: one for each state of the source and each sample.
func place(root string, o *options) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, o.n, o.least, o.seed)
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasPrefix(name, filepath.Join(root, "internal/test/mutation")+"/") {
			return err
		}
		text, err := os.ReadFile(name)
		if err == nil {
			fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "pangolin-mutation", fmt.Sprintf("%x", h.Sum(nil)[:8]))
	return dir, os.MkdirAll(dir, 0o777)
}

// readOutcomes reads what came of mutants in one way of trying them.
func readOutcomes(log string) (map[string]string, error) {
	tried := map[string]string{}
	f, err := os.Open(log)
	if os.IsNotExist(err) {
		return tried, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var o outcome
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return nil, err
		}
		tried[o.Name] = o.Found
	}
	return tried, nil
}

// try runs the tests with each of some mutants; claimed is what the page says that they are found by.
func (b *bench) try(u *universe, todo []int, o *options, claimed map[string]string) error {
	until := time.Now().Add(o.length)
	if len(todo) == 0 {
		return nil
	}
	mutated := map[string]bool{}
	for _, i := range todo {
		mutated[b.mutants[i].dir] = true
	}
	dirs, err := users(b.root, mutated)
	if err != nil {
		return err
	}
	dirs = slices.DeleteFunc(dirs, func(d string) bool { return !o.suites.MatchString(d) })
	if err := b.build(u, dirs); err != nil {
		return err
	}
	if ready, err := b.measure(until); err != nil || !ready {
		return err
	}
	log, err := os.OpenFile(b.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer log.Close()
	for n, i := range todo {
		if time.Now().After(until) {
			fmt.Printf("%d of %d are left: run it again\n", len(todo)-n, len(todo))
			return nil
		}
		m := b.mutants[i]
		found := cmp.Or(b.still(i, claimed[m.name]), b.find(i, o.each), b.again(i, claimed[m.name]))
		fmt.Printf("%d of %d: %s:%d: %s: %s\n", n+1, len(todo), m.file, m.line, m.name, cmp.Or(found, "NOT FOUND"))
		text, err := json.Marshal(outcome{Name: m.name, Found: found})
		if err != nil {
			return err
		}
		if _, err := log.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// find runs the tests that reach a mutant, its own package's first and then the quickest, until one fails or so much CPU is spent.
func (b *bench) find(i int, limit time.Duration) string {
	m := &b.mutants[i]
	order := slices.Clone(b.suites)
	slices.SortStableFunc(order, func(x, y *suite) int {
		if own := x.Dir == m.dir; own != (y.Dir == m.dir) {
			if own {
				return -1
			}
			return 1
		}
		return cmp.Compare(x.Seconds, y.Seconds)
	})
	var spent time.Duration
	for _, s := range order {
		if s.Failed != "" || !s.Reaches[i+1] || s.Dir != m.dir && spent+time.Duration(s.Seconds*float64(time.Second)) > limit {
			continue
		}
		r := b.execute(s, i+1, s.limit, "")
		spent += r.cpu
		if r.failed != "" {
			return cmp.Or(s.Dir, ".") + ": " + r.failed
		}
	}
	return ""
}

// claimant is the suite that the page names, and the flag that selects its one test; "" if the page says of the suite as a whole that it panics or does not end. Nil: there is no such suite.
func (b *bench) claimant(claimed string) (s *suite, alone string) {
	dir, test, _ := strings.Cut(claimed, ": ")
	at := slices.IndexFunc(b.suites, func(s *suite) bool { return cmp.Or(s.Dir, ".") == dir })
	if claimed == "" || at < 0 {
		return nil, ""
	}
	if strings.HasPrefix(test, "Test") {
		alone = "-test.run=^" + test + "$"
	}
	return b.suites[at], alone
}

// still runs what the page says that a mutant is found by, at the level of all tests: a test alone, or the tests of a package, which do not end or panic. It returns what the page says if that
// fails with the mutant, and passes without.
func (b *bench) still(i int, claimed string) string {
	s, alone := b.claimant(claimed)
	if s == nil || s.Failed != "" || !s.Reaches[i+1] {
		return ""
	}
	some := *b
	some.with = strings.TrimSpace(some.with + " " + alone)
	if some.execute(s, i+1, s.limit, "").failed == "" {
		return ""
	}
	if b.passing == nil {
		b.passing = map[string]bool{}
	}
	passes, known := b.passing[some.with+s.Dir]
	if !known {
		passes = alone == "" || some.execute(s, 0, s.limit, "").failed == "" // all tests of the package have passed when they were measured
		b.passing[some.with+s.Dir] = passes
	}
	if !passes {
		return ""
	}
	return claimed
}

// again runs the test by which the page says that a mutant is found, at its usual level and whatever it takes, with the mutant and without. It returns what the page
// says, or nothing if that test does not tell the two apart.
func (b *bench) again(i int, claimed string) string {
	s, alone := b.claimant(claimed)
	if s == nil {
		return ""
	}
	usual, limit := *b, 10*time.Minute
	usual.with = alone
	if usual.execute(s, 0, limit, "").failed != "" || usual.execute(s, i+1, limit, "").failed == "" {
		return ""
	}
	return claimed
}

// report writes the page, with what the old one said of mutants that were not tried.
func (b *bench) report(before map[string]string, counts map[string]int) error {
	tried := map[string]string{}
	logs, err := filepath.Glob(filepath.Join(b.dir, "outcomes*"))
	if err != nil {
		return err
	}
	for _, log := range logs {
		some, err := readOutcomes(log)
		if err != nil {
			return err
		}
		for name, found := range some {
			tried[name] = cmp.Or(tried[name], found)
		}
	}
	var all []outcome
	for _, m := range b.mutants {
		found, now := tried[m.name]
		if !now {
			var was bool
			if found, was = before[m.name]; !was {
				continue
			}
		}
		all = append(all, outcome{Name: m.name, Room: roomOf(m.name), Found: found})
	}
	text, err := written(all, counts)
	if err != nil {
		return err
	}
	if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
		return err
	}
	reasons, err := argued()
	if err != nil {
		return err
	}
	for _, o := range all {
		if o.Found == "" && reasons[o.Name].class == "" {
			return fmt.Errorf("nothing finds %s, and argued.csv does not say why that does no harm", o.Name)
		}
	}
	return nil
}
