// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"regexp"
	"slices"
	"strings"
)

// NativeOutcome reads the runtime's report out of a program's standard error.
//
// The report starts with the first line "panic: …" or "fatal error: …" and runs to
// the first goroutine trace. What stands before it was written by the program.
func NativeOutcome(stdout, stderr string, exit int) Outcome {
	o := Outcome{Stdout: stdout, Stderr: stderr, Exit: exit}
	if exit == 0 {
		return o
	}
	start := reportStart.FindStringIndex(stderr)
	if start == nil {
		return o
	}
	o.Stderr = stderr[:start[0]]
	report, traces := stderr[start[0]:], ""
	if trace := traceStart.FindStringIndex(report); trace != nil {
		report, traces = report[:trace[0]], report[trace[0]:]
	}
	if deadlockLine.MatchString(report) {
		o.Deadlock = true
		o.Waits = waitReasons(traces)
		return o
	}
	o.Panic = normalisePanic(report)
	return o
}

var (
	reportStart  = regexp.MustCompile(`(?m)^(panic: |fatal error: )`)
	traceStart   = regexp.MustCompile(`(?m)^(goroutine \d+ |runtime stack:)`)
	deadlockLine = regexp.MustCompile(`^fatal error: .*(asleep - deadlock!|\) - deadlock!)`)
	signalLine   = regexp.MustCompile(`(?m)^\[signal .*\]\n?`)
	address      = regexp.MustCompile(`\b0x[0-9a-f]+\b`)
	waitReason   = regexp.MustCompile(`(?m)^goroutine \d+(?: gp=\S+ m=\S+(?: mp=\S+)?)? \[([^\],]*)[^\]]*\]:`)
)

// normalisePanic drops what differs between two equal runs: the signal's
// program counter and addresses of printed values.
func normalisePanic(report string) string {
	report = signalLine.ReplaceAllString(report, "")
	report = address.ReplaceAllString(report, "0x?")
	return strings.TrimSpace(report)
}

// waitReasons lists what the goroutines of a trace wait for, sorted. It is not
// nil, even if nobody is left to wait (the main goroutine ended by Goexit).
func waitReasons(traces string) []string {
	waits := []string{}
	for _, match := range waitReason.FindAllStringSubmatch(traces, -1) {
		waits = append(waits, match[1])
	}
	slices.Sort(waits)
	return waits
}
