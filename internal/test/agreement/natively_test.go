// SPDX-License-Identifier: BSD-3-Clause

package agreement

// What the race detector reports, and what of it is a race.

import "testing"

func TestReports_LeaveOutWhatIsNoRace(t *testing.T) {
	const line = "==================\n"
	report := func(first, second string) string {
		return line + "WARNING: DATA RACE\nRead at 0x00c00005a410 by goroutine 9:\n  " + first + "\n      chan.go:176 +0x0\n  main.f()\n      main.go:21 +0x152\n\n" +
			"Previous write at 0x00c00005a410 by goroutine 10:\n  " + second + "\n      chan.go:414 +0x0\n\nGoroutine 9 (running) created at:\n  runtime.chansend()\n      main.go:17 +0x189\n" + line
	}
	sent, racy := report("runtime.chansend()", "runtime.closechan()"), report("main.f()", "main.g()")
	for _, c := range []struct {
		stderr string
		race   bool
		rest   string
	}{
		{"panic: x\n", false, "panic: x\n"},
		{sent, false, ""},
		{report("runtime.closechan()", "runtime.chansend()") + "Found 1 data race(s)\n", false, ""},
		{"a\n" + sent + "panic: x\n", false, "a\npanic: x\n"},
		{report("runtime.racewrite()", "runtime.raceread()") + "Found 1 data race(s)\n", false, ""}, // of a WaitGroup
		{report("runtime.racewrite()", "main.f()"), true, ""},
		{racy, true, ""},
		{sent + racy + "Found 2 data race(s)\n", true, ""},
		{racy + sent, true, ""},
		{report("runtime.closechan()", "runtime.closechan()"), true, ""},
		{report("main.f()", "runtime.closechan()"), true, ""},
	} {
		if race, rest := reports(c.stderr); race != c.race || rest != c.rest {
			t.Errorf("%q: race %v, rest %q; want %v, %q", c.stderr, race, rest, c.race, c.rest)
		}
	}
}
