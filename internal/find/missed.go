// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/front"
	"pangolin/internal/recognise"
)

// Nothing that a query names may vanish: who reads that one of two packages is verified takes the other one, of which
// nothing is said, for verified as well.

// Missed is something that a query names, or that a package offers, and that is not among the targets.
type Missed struct {
	Name    string // as verdicts name it: "queue.Ring", "example/broken", "./nope"
	Package string // its import path; "" if nobody knows
	Err     error  // why
	What    Missing
}

// Missing says what is missed.
type Missing int

// The sorts of what is missed.
const (
	Mistake   Missing = iota // what is asked is wrong: there is no such package or type, or what is said of it does not fit
	NotLoaded                // a package with errors
	Without                  // a package without collections
	NotTaken                 // a type that nobody can make or call as it is
	Unchanged                // a package that need not be looked at (Query.Unchanged)
)

// NoTarget is the error of a query without targets.
type NoTarget struct{ List []Missed }

func (e *NoTarget) Error() string {
	return Joined(e.List, Mistake, NotLoaded, Without, NotTaken, Unchanged).Error()
}

// refusal is the type that an error is about: what is asked of it is wrong, or it cannot be taken.
func refusal(name, path string, err error) Missed {
	if errors.Is(err, recognise.ErrNotTaken) {
		return Missed{name, path, err, NotTaken}
	}
	return Missed{name, path, err, Mistake}
}

// Joined is what is wrong with those that are missed of some sorts, each text once; nil: nothing is.
func Joined(list []Missed, sorts ...Missing) error {
	var all []error
	for _, m := range list {
		if slices.Contains(sorts, m.What) && !slices.ContainsFunc(all, func(e error) bool { return e.Error() == m.Err.Error() }) {
			all = append(all, m.Err)
		}
	}
	return errors.Join(all...)
}

// listAll asks the go command for the packages of patterns, and finds the patterns that match none: the go command passes over
// them if it finds others.
func (q *Query) listAll(ctx context.Context, patterns []string) (listed []*front.Listed, missed []Missed, err error) {
	listed, err = q.list(ctx, patterns)
	if len(patterns) == 1 && err != nil {
		return nil, []Missed{{Name: patterns[0], Err: err}}, nil
	}
	if len(patterns) == 1 || err == nil && slices.ContainsFunc(listed, func(l *front.Listed) bool { return l.Path == files }) {
		return listed, nil, err
	}
	for _, p := range patterns {
		if slices.ContainsFunc(listed, func(l *front.Listed) bool { return q.means(p, l) }) {
			continue
		}
		// Its form does not tell ("std", a symbolic link), so the go command is asked about it alone.
		if _, err := q.list(ctx, []string{p}); ctx.Err() != nil {
			return nil, nil, ctx.Err()
		} else if err != nil {
			missed = append(missed, Missed{Name: p, Err: err})
		}
	}
	if len(missed) == 0 && err != nil { // all together are wrong, as files of two packages are
		missed = append(missed, Missed{Name: strings.Join(patterns, " "), Err: err})
	}
	return listed, missed, nil
}

// files is the import path of a package that is given as files.
const files = "command-line-arguments"

// wild says that a pattern is one of several packages, none of which it names.
func wild(pattern string) bool {
	return strings.Contains(pattern, "...") || slices.Contains([]string{"all", "std", "cmd", "tool", "work"}, pattern)
}

// means says that a package is one of those of a pattern, as far as the pattern's form tells.
func (q *Query) means(pattern string, l *front.Listed) bool {
	path, _, _ := strings.Cut(pattern, "@")
	in := []string{l.Path, strings.TrimSuffix(l.Path, "_test")}
	if strings.HasPrefix(pattern, ".") || filepath.IsAbs(pattern) {
		dir, err := filepath.Abs(q.Dir)
		if err != nil {
			return false
		}
		if path = filepath.ToSlash(filepath.Clean(pattern)); !filepath.IsAbs(pattern) {
			path = filepath.ToSlash(filepath.Join(dir, pattern))
		}
		in = []string{filepath.ToSlash(l.Directory())}
	}
	// As the go command has it: x/... is x, too.
	form := strings.ReplaceAll(regexp.QuoteMeta(path), `\.\.\.`, ".*")
	if head, ok := strings.CutSuffix(form, "/.*"); ok {
		form = head + "(/.*)?"
	}
	whole, err := regexp.Compile("^" + form + "$")
	return err == nil && slices.ContainsFunc(in, whole.MatchString)
}

// named says that the user has named a package, and not found it among others.
func (q *Query) named(l *front.Listed) bool {
	return len(q.Packages) == 0 || slices.ContainsFunc(q.Packages, func(arg string) bool {
		pattern, _ := SplitType(arg)
		return !wild(pattern) && (l.Path == files || len(q.Packages) == 1 || q.means(pattern, l))
	})
}

// nothing is why a package has no targets; refused: it has types that could not be taken, of which that has been said.
func nothing(l *front.Listed, refused bool) error {
	if refused {
		return fmt.Errorf("package %s has no collection that can be verified (Request.Type names another type)", l.Path)
	}
	return fmt.Errorf("package %s has no collection: no exported type with operations (Request.Type names another)", l.Path)
}
