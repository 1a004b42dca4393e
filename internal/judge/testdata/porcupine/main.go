// SPDX-License-Identifier: BSD-3-Clause

// Command porcupine compares internal/judge with the checker of that name, and writes doc/study-judge.md:
//
//	cd internal/judge/testdata/porcupine && go run . > ../../../../doc/study-judge.md
//
// It judges Porcupine's own test data and generated histories with both, and compares answers and CPU time. It is a module of its own: Porcupine
// is no dependency of Pangolin.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/anishathalye/porcupine"

	"pangolin/internal/judge"
	"pangolin/internal/judge/record"
)

var (
	limit = flag.Duration("limit", 3*time.Second, "of each judge, for each history")
	most  = flag.Int("most", 1_000_000, "events of a generated history at most")
	seed  = flag.Uint64("seed", 1, "of the generated histories")
)

// row is a history, or several, with what came of it.
type row struct {
	name           string
	histories      int
	events         int
	ours, theirs   time.Duration
	same           int
	answers        string // of one history
	cut            bool   // their time is the limit
	notRun         string
	oursUnknown    int
	theirsUnknown  int
	different      []string
	slowerThanThem []string
}

func main() {
	flag.Parse()
	debug.SetMemoryLimit(8 << 30)
	published, err := published()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	rows := append(published, generated()...)
	print(rows)
}

// published judges the test data of the module.
func published() ([]row, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/anishathalye/porcupine").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var rows []row
	for _, pattern := range []string{"kv/*.txt", "jepsen/*.log"} {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "test_data", pattern))
		if err != nil {
			return nil, err
		}
		all := row{name: "jepsen/etcd_000 to 102"}
		for _, file := range files {
			info, err := os.Stat(file)
			if err != nil {
				return nil, err
			}
			if info.Size() == 0 {
				continue // etcd_095.log, which has no test either
			}
			f, err := os.Open(file)
			if err != nil {
				return nil, err
			}
			h, err := record.Read(f, file, record.Options{})
			f.Close()
			if err != nil {
				return nil, err
			}
			one := row{name: strings.TrimSuffix(pattern, "/*.txt") + "/" + filepath.Base(file)}
			one.compare(h)
			if strings.HasPrefix(pattern, "kv") {
				rows = append(rows, one)
				continue
			}
			all.add(one)
		}
		if all.histories > 0 {
			rows = append(rows, all)
		}
	}
	return rows, nil
}

func (r *row) add(one row) {
	r.histories += one.histories
	r.events += one.events
	r.ours += one.ours
	r.theirs += one.theirs
	r.same += one.same
	r.oursUnknown += one.oursUnknown
	r.theirsUnknown += one.theirsUnknown
	r.different = append(r.different, one.different...)
	r.slowerThanThem = append(r.slowerThanThem, one.slowerThanThem...)
	r.answers = ""
}

// compare judges one history with both.
func (r *row) compare(h *judge.History) {
	r.histories++
	r.events = events(h)
	var ours judge.Verdict
	r.ours = cpu(func() { ours = judge.Judge(context.Background(), h, judge.Options{Limit: *limit, NoWitness: true}) })
	r.answers = ours.Status.String()
	if ours.Status == judge.Unknown {
		r.oursUnknown++
	}
	if r.notRun != "" {
		return
	}
	model, operations := theirs(h)
	var got porcupine.CheckResult
	r.theirs = cpu(func() { got = porcupine.CheckOperationsTimeout(model, operations, *limit) })
	answer := map[porcupine.CheckResult]string{porcupine.Ok: "ok", porcupine.Illegal: "violated", porcupine.Unknown: "unknown"}[got]
	switch {
	case got == porcupine.Unknown:
		r.theirsUnknown++
		r.cut = true
	case answer == r.answers:
		r.same++
	default:
		r.different = append(r.different, fmt.Sprintf("%s: %s and %s", r.name, r.answers, answer))
	}
	if r.ours > r.theirs && ours.Status != judge.Unknown {
		r.slowerThanThem = append(r.slowerThanThem, fmt.Sprintf("%s (%s and %s)", r.name, show(r.ours), show(r.theirs)))
	}
	fmt.Fprintf(os.Stderr, "%-45s %9d %-9s %12v %-9s %12v\n", r.name, r.events, r.answers, r.ours, answer, r.theirs)
}

func events(h *judge.History) int {
	n := 0
	for i := range h.Calls {
		n += 2
		if h.Calls[i].Pending() {
			n--
		}
	}
	return n
}

// cpu is the CPU time of this process that f takes: the mean of several runs if it is short.
func cpu(f func()) time.Duration {
	runtime.GC()
	from := used()
	runs := 0
	for {
		f()
		runs++
		if took := used() - from; took > 50*time.Millisecond || runs == 10_000 {
			return took / time.Duration(runs)
		}
	}
}

func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func print(rows []row) {
	fmt.Print(`# Recorded histories: Pangolin beside Porcupine

Made by ` + "`cd internal/judge/testdata/porcupine && go run . > ../../../../doc/study-judge.md`" + `, with Porcupine v1.3.1 and ` + runtime.Version() + `.

Both judge the same calls in one process. CPU is that of the process, user and system, without reading; of short runs the mean. Of a violation the answer alone is
made by both: no witness, no visualization. Porcupine's models are written as its documentation advises: with Hash, and divided by key for maps and sets. A run ends after ` + limit.String() + ` (unknown); then the ratio is a lower bound.
The machine had other work: its load average was ` + load() + ` at the end; CPU time does not count that, but caches are shared.
Generated histories have so many clients; "swapped" is the same history with the results of two calls exchanged.

| history | events | answer | Pangolin | Porcupine | ratio |
|---|---:|---|---:|---:|---:|
`)
	product, n, histories, same, unknown := 0.0, 0, 0, 0, 0
	var different, slower []string
	for _, r := range rows {
		histories += r.histories
		same += r.same
		unknown += r.oursUnknown
		slower = append(slower, r.slowerThanThem...)
		different = append(different, r.different...)
		name := r.name
		if r.histories > 1 {
			name = fmt.Sprintf("%s (%d histories)", name, r.histories)
			r.answers = fmt.Sprintf("%d the same", r.same)
		}
		if r.notRun != "" {
			fmt.Printf("| %s | %d | %s | %s | %s | |\n", name, r.events, r.answers, show(r.ours), r.notRun)
			continue
		}
		if r.oursUnknown > 0 && r.histories == 1 {
			fmt.Printf("| %s | %d | %s | %s | %s | |\n", name, r.events, r.answers, show(r.ours), show(r.theirs))
			continue
		}
		ratio := float64(r.theirs) / float64(r.ours)
		product += math.Log(ratio)
		n++
		more, theirs := "", show(r.theirs)
		if r.cut {
			more, theirs = "> ", "unknown, "+theirs
		}
		fmt.Printf("| %s | %d | %s | %s | %s | %s%.1f |\n", name, r.events, r.answers, show(r.ours), theirs, more, ratio)
	}
	fmt.Printf("\nOf %d histories, the answers to %d are the same, %d differ, and the others were not run or not ended by Porcupine; Pangolin did not end %d. The geometric mean of the %d ratios is %.1f; Pangolin took more CPU for %d histories.\n",
		histories, same, len(different), unknown, n, math.Exp(product/float64(n)), len(slower))
	for _, one := range slower {
		fmt.Printf("\n* slower: %s\n", one)
	}
	for _, d := range different {
		fmt.Printf("\n* %s\n", d)
	}
}

// load is the load average of the last minute, on Linux.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

func show(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.3f ms", d.Seconds()*1000)
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
