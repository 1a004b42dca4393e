// SPDX-License-Identifier: BSD-3-Clause

// Command long runs what takes hours, part by part, and keeps in doc/long.md when each part was run, on which commit, and what came of it.
//
//	bash .ci/long            runs the parts whose files have changed since, those that are longest due first
//	bash .ci/long NAME...    runs these parts
//	bash .ci/long -status    lists the parts, and how many commits have changed what each checks
//	bash .ci/long -merge FILE...   takes what came of parts from such pages of other checkouts, where it is newer
//	bash .ci/long -tenth     runs a tenth of the parts, each day another one, of those that have passed, for a quarter of an hour in all, or -minutes N; .ci/run does
//
// After each part the page is written, so that whoever is interrupted goes on with the next. It judges nothing itself: a part is a command
// that fails. A tenth of the parts is not recorded, since what takes longer was not run to its end.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

const page = "doc/long.md"

func main() {
	status := flag.Bool("status", false, "list the parts and which are due, and run nothing")
	tenth := flag.Bool("tenth", false, "run a tenth of the parts, each day another one, and record nothing")
	minutes := flag.Float64("minutes", 15, "with -tenth: the time for all of them together")
	merge := flag.Bool("merge", false, "take what came of parts from pages of other checkouts, where it is newer, and run nothing")
	flag.Parse()
	err := func() error {
		if *merge {
			return mergeAll(flag.Args())
		}
		if *tenth {
			ran, err := record()
			if err != nil {
				return err
			}
			return runTenth(known(tenthOf(parts(), time.Now()), ran), time.Duration(*minutes*float64(time.Minute)))
		}
		return run(*status, flag.Args())
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "long:", err)
		os.Exit(1)
	}
}

func run(status bool, names []string) error {
	all := parts()
	for _, name := range names {
		if !slices.ContainsFunc(all, func(p part) bool { return p.name == name }) {
			return fmt.Errorf("there is no part %q: -status lists them", name)
		}
	}
	ran, err := record()
	if err != nil {
		return err
	}
	if status {
		return tell(all, ran)
	}
	if dirty, err := git("status", "--porcelain", "--", ".", ":!"+page); err != nil || dirty != "" {
		return fmt.Errorf("what is run must be a commit: commit or stash these first\n%s%v", dirty, err)
	}
	todo, err := due(all, ran, names)
	if err != nil {
		return err
	}
	failed := 0
	for _, p := range todo {
		o, err := execute(&p)
		if err != nil {
			return err
		}
		ran[p.name] = o
		if err := os.WriteFile(page, []byte(written(all, ran)), 0o666); err != nil {
			return err
		}
		if o.result != passed {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d parts failed", failed, len(todo))
	}
	return nil
}

// mergeAll writes the page with what newer rows of other pages say: those of later commits, and of the same commit if ours did not pass.
func mergeAll(pages []string) error {
	ran, err := record()
	if err != nil {
		return err
	}
	for _, other := range pages {
		text, err := os.ReadFile(other)
		if err != nil {
			return err
		}
		theirs, err := parse(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", other, err)
		}
		for name, o := range theirs {
			ours, known := ran[name]
			if known && (ours == o || ours.commit == o.commit && ours.result == passed) {
				continue
			}
			_, gone := git("merge-base", "--is-ancestor", ours.commit, "HEAD")
			if _, older := git("merge-base", "--is-ancestor", ours.commit, o.commit); !known || gone != nil || older == nil {
				ran[name] = o
			}
		}
	}
	return os.WriteFile(page, []byte(written(parts(), ran)), 0o666)
}

// record reads from the page how each part ended when it was last run.
func record() (map[string]outcome, error) {
	text, err := os.ReadFile(page)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	ran, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", page, err)
	}
	return ran, nil
}

// known are the parts that have passed when they were last run as a whole. Whether another one passes is for who runs it, and not for each change.
func known(turn []part, ran map[string]outcome) []part {
	return slices.DeleteFunc(turn, func(p part) bool {
		if ran[p.name].result == passed {
			return false
		}
		fmt.Printf("== %s: left out, since doc/long.md does not say that it has passed\n", p.name)
		return true
	})
}

// tenthOf are the parts whose turn it is on a day: each is once in ten days. Those that need what is not Go are left out.
func tenthOf(all []part, day time.Time) (turn []part) {
	for i, p := range all {
		if int64(i)%10 == day.Unix()/(24*60*60)%10 && !strings.HasPrefix(p.command, "command -v ") {
			turn = append(turn, p)
		}
	}
	return turn
}

// runTenth runs parts, all of them together for no longer than a time, of which each has an equal share and what those before it have not used: it fails if one of them fails until then.
func runTenth(turn []part, all time.Duration) error {
	failed, end := 0, time.Now().Add(all)
	for i, p := range turn {
		limit := (time.Until(end) / time.Duration(len(turn)-i)).Round(time.Millisecond)
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		fmt.Printf("== %s: %s\n", p.name, p.command)
		began := time.Now()
		out, err := within(ctx, p.command)
		ended := ctx.Err() == nil
		cancel()
		switch {
		case err != nil && (ended || strings.Contains(out, "--- FAIL")):
			failed++
			fmt.Printf("== %s: failed: %v\n", p.name, err)
		case err != nil:
			fmt.Printf("== %s: nothing failed in %s; it takes longer\n", p.name, limit)
		default:
			fmt.Printf("== %s: %s, %.1f minutes\n", p.name, passed, time.Since(began).Minutes())
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d parts failed", failed, len(turn))
	}
	return nil
}

// within runs a command of the shell, and whatever it starts, until a context ends. It returns what the command has printed, which is printed, too.
// The command's temporary files are removed: one that is killed cannot do it.
func within(ctx context.Context, command string) (string, error) {
	dir, err := os.MkdirTemp("", "l")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Stdout = io.MultiWriter(os.Stdout, &out)
	cmd.Stderr = cmd.Stdout
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	return out.String(), err
}

// due are the named parts; without names those that were never run, that failed, or whose files have changed since, the oldest first.
func due(all []part, ran map[string]outcome, names []string) (todo []part, err error) {
	for _, p := range all {
		if len(names) > 0 {
			if slices.Contains(names, p.name) {
				todo = append(todo, p)
			}
			continue
		}
		n, err := changes(&p, ran)
		if err != nil {
			return nil, err
		}
		if n != 0 || ran[p.name].result != passed {
			todo = append(todo, p)
		}
	}
	slices.SortStableFunc(todo, func(a, b part) int { return strings.Compare(ran[a.name].date, ran[b.name].date) })
	return todo, nil
}

// changes counts the commits since a part was run that have changed its files; -1: it was never run, or on a commit that is gone.
func changes(p *part, ran map[string]outcome) (int, error) {
	o, was := ran[p.name]
	if !was {
		return -1, nil
	}
	if _, err := git("merge-base", "--is-ancestor", o.commit, "HEAD"); err != nil {
		return -1, nil
	}
	return p.commits(o.commit + "..HEAD")
}

// commits counts those of a range that have changed what the part checks, or the tests that it runs.
func (p *part) commits(of string) (int, error) {
	list := map[string]bool{}
	for _, paths := range p.paths() {
		text, err := git(append([]string{"rev-list", of, "--"}, paths...)...)
		if err != nil {
			return 0, err
		}
		for _, c := range strings.Fields(text) {
			list[c] = true
		}
	}
	return len(list), nil
}

func tell(all []part, ran map[string]outcome) error {
	for _, p := range all {
		n, err := changes(&p, ran)
		if err != nil {
			return err
		}
		o := ran[p.name]
		switch {
		case n < 0:
			fmt.Printf("%-16s never run here\n", p.name)
		case o.result != passed:
			fmt.Printf("%-16s %s on %s, %s\n", p.name, o.result, o.date, o.commit)
		case n == 0:
			fmt.Printf("%-16s up to date (%s, %s)\n", p.name, o.date, o.commit)
		default:
			fmt.Printf("%-16s due: %d commits have changed what it checks since %s, %s\n", p.name, n, o.date, o.commit)
		}
	}
	return nil
}

// execute runs a part.
func execute(p *part) (outcome, error) {
	commit, err := git("rev-parse", "--short=10", "HEAD")
	if err != nil {
		return outcome{}, err
	}
	fmt.Printf("== %s: %s\n", p.name, p.command)
	cmd := exec.Command("sh", "-c", p.command)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	began := time.Now()
	err = cmd.Run()
	o := outcome{commit: strings.TrimSpace(commit), date: began.UTC().Format(time.DateOnly), minutes: time.Since(began).Minutes(), result: passed}
	if err != nil {
		o.result = "failed: " + err.Error()
	}
	fmt.Printf("== %s: %s, %.1f minutes\n", p.name, o.result, o.minutes)
	return o, nil
}

func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("git %s: %w %s", args[0], err, out)
	}
	return string(out), nil
}
