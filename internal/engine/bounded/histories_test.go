// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"testing"

	"pangolin"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/level"
)

// Where calls can go on for ever the search goes round once more, and comes to all that goes wrong beside them.
func TestHistories_EndBesideWhatGoesWrong(t *testing.T) {
	level.SkipShort(t, "verifies several types")
	const head = "package example\n\nimport (\n\t\"sync\"\n\t\"time\"\n)\n\nvar _ = time.Now\n\ntype Box struct {\n\tn    int\n\tm    map[int]int\n\tdone chan bool\n\twg sync.WaitGroup\n}\n\nfunc NewBox() *Box { return &Box{done: make(chan bool)} }\n\n"
	for _, c := range []struct{ name, ops string }{
		{"a call that panics", "func (b *Box) Op() { for range time.NewTicker(1).C {} }\n\nfunc (b *Box) Bad() int { return 1 / b.n }"},
		{"a goroutine that panics", "func (b *Box) Op() { go func() { b.m[1] = 1 }(); for range time.NewTicker(1).C {} }"},
		{"a wait group", "func (b *Box) Bop() { b.wg.Done(); <-time.NewTicker(1).C }\n\nfunc (b *Box) Cop() { b.wg.Go(func() {}); b.wg.Wait() }"},
		{"a fatal error", "func (b *Box) Op() { for range time.NewTicker(1).C {} }\n\nfunc (b *Box) Bad() { go func() { close(b.done); close(b.done) }() }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, done := modules.Take(t, head+c.ops)
			defer done()
			p, err := pangolin.Prepare(modules.Context, pangolin.Request{Dir: dir, Kind: "object", Oracle: "self", Type: "Box", Scope: pangolin.Scope{Threads: "1..2", Steps: "1..2"}})
			if err != nil {
				t.Fatal(err)
			}
			jobs, err := p.Jobs(modules.Context)
			if err != nil || len(jobs) != 1 {
				t.Fatalf("%d jobs, %v", len(jobs), err)
			}
			opt := bounded.Options{Job: *jobs[0]}
			opt.OneByOne = true
			list, incomplete, err := bounded.Histories(modules.Context, opt)
			if err != nil || incomplete != "" || len(list) == 0 {
				t.Errorf("%d histories, %q, %v", len(list), incomplete, err)
			}
		})
	}
}
