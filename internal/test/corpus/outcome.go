// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Outcome is what one execution of a program shows: what it printed and how it
// ended. Two executions with equal outcomes cannot be told apart from outside.
type Outcome struct {
	Stdout string
	Stderr string // what the program itself wrote, without the runtime's report of a panic
	Exit   int    // exit status; 2 for panics, fatal errors and deadlocks

	// Panic is the runtime's report without goroutine traces and with
	// addresses masked: "panic: …", or "fatal error: …" for the errors that
	// cannot be recovered. Empty for a deadlock.
	Panic string

	Deadlock bool // all goroutines are asleep
	Race     bool // a data race was found: never seen natively
	Endless  bool // never ends although every goroutine gets its turns; natively, the time limit

	// Waits says what each goroutine of a deadlock waits for, sorted, in the
	// runtime's words ("chan receive", "sync.Mutex.Lock", …). Nil means not
	// recorded: Waits is compared only where both sides have it.
	Waits []string
}

// Enumerate gives every outcome of the program in file, in any order. It is
// what the virtual machine is asked for.
type Enumerate func(file string) ([]Outcome, error)

// String writes the outcome in the form of the corpus headers, which
// ParseOutcome reads back. Waits is left out: it is no part of the identity.
func (o Outcome) String() string {
	var items []string
	quoted := func(word, text string) { items = append(items, strings.TrimSpace(word+" "+strconv.Quote(text))) }
	if o.Stdout != "" {
		quoted("", o.Stdout)
	}
	if o.Stderr != "" {
		quoted("stderr", o.Stderr)
	}
	if text, ok := strings.CutPrefix(o.Panic, panicPrefix); ok {
		quoted("panic", text)
	} else if o.Panic != "" {
		quoted("fatal", strings.TrimPrefix(o.Panic, fatalPrefix))
	}
	for _, end := range []struct {
		word string
		set  bool
	}{{"deadlock", o.Deadlock}, {"race", o.Race}, {"endless", o.Endless}} {
		if end.set {
			items = append(items, end.word)
		}
	}
	if o.Exit != o.impliedExit() {
		items = append(items, fmt.Sprintf("exit %d", o.Exit))
	}
	if len(items) == 0 {
		return `""`
	}
	return strings.Join(items, " ")
}

const (
	panicPrefix = "panic: "
	fatalPrefix = "fatal error: "
)

// impliedExit is the exit status that goes without saying.
func (o Outcome) impliedExit() int {
	if o.Panic != "" || o.Deadlock {
		return 2
	}
	return 0
}

// ParseOutcome reads what String writes: any of a quoted standard output,
// `stderr "…"`, `panic "…"`, `fatal "…"`, `deadlock`, `race`, `endless` and
// `exit N`, separated by spaces.
func ParseOutcome(text string) (Outcome, error) {
	var o Outcome
	exit := -1
	for rest := strings.TrimSpace(text); rest != ""; {
		word, tail, _ := strings.Cut(rest, " ")
		if rest[0] == '"' {
			word, tail = "stdout", rest
		}
		var err error
		if rest, err = o.parseItem(word, tail, &exit); err != nil {
			return Outcome{}, fmt.Errorf("outcome %q: %w", text, err)
		}
		rest = strings.TrimSpace(rest)
	}
	if o.Exit = o.impliedExit(); exit >= 0 {
		o.Exit = exit
	}
	return o, nil
}

// parseItem reads the argument of word from the start of tail and returns what
// follows it.
func (o *Outcome) parseItem(word, tail string, exit *int) (rest string, err error) {
	switch word {
	case "deadlock":
		o.Deadlock = true
		return tail, nil
	case "race":
		o.Race = true
		return tail, nil
	case "endless":
		o.Endless = true
		return tail, nil
	case "exit":
		number, rest, _ := strings.Cut(tail, " ")
		*exit, err = strconv.Atoi(number)
		return rest, err
	}
	quoted, err := strconv.QuotedPrefix(tail)
	if err != nil {
		return "", fmt.Errorf("%s wants a quoted string, not %q", word, tail)
	}
	text, err := strconv.Unquote(quoted)
	if err != nil {
		return "", err
	}
	switch word {
	case "stdout":
		o.Stdout = text
	case "stderr":
		o.Stderr = text
	case "panic":
		o.Panic = panicPrefix + text
	case "fatal":
		o.Panic = fatalPrefix + text
	default:
		return "", fmt.Errorf("unknown word %q", word)
	}
	return tail[len(quoted):], nil
}

// identity is what makes two outcomes the same. A race ends what can be said
// about an execution, so all racing executions count as one outcome.
func (o Outcome) identity() string {
	if o.Race {
		return "race"
	}
	return o.String()
}

// Distinct returns the outcomes sorted, each once. Outcomes that differ only in
// who waits for what are kept apart.
func Distinct(outcomes []Outcome) []Outcome {
	key := func(o Outcome) string { return o.identity() + "\x00" + strings.Join(o.Waits, "\x00") }
	sorted := slices.Clone(outcomes)
	sort.SliceStable(sorted, func(i, j int) bool { return key(sorted[i]) < key(sorted[j]) })
	return slices.CompactFunc(sorted, func(a, b Outcome) bool { return key(a) == key(b) })
}
