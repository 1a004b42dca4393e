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

// Nothing that a query names may vanish silently. A user who asks for two packages and reads that
// one is verified would take the other one for verified as well.

// Missed is something that a query names, or a package offers, that is not among the targets.
type Missed struct {
	Name    string // as verdicts name it: "queue.Ring", "example/broken", "./nope"
	Package string // import path; "" if unknown
	Err     error  // why it is no target
	What    Missing
}

// Missing is why something is missed, as a sort.
type Missing int

// The sorts of Missing.
const (
	Mistake   Missing = iota // the user's mistake: there is no such package or type, or what is asked does not fit it
	NotLoaded                // a package with errors
	Without                  // a package without collections
	NotTaken                 // a type that cannot be made or called as it is
	Unchanged                // a package that was skipped (Query.Unchanged)
)

// NoTarget is the error of a query that finds no target.
type NoTarget struct{ List []Missed }

func (e *NoTarget) Error() string {
	return Joined(e.List, Mistake, NotLoaded, Without, NotTaken, Unchanged).Error()
}

// refusal makes the error about a type a Missed: what is asked of it is wrong, or it cannot be
// verified as it is.
func refusal(name, path string, err error) Missed {
	if errors.Is(err, recognise.ErrNotTaken) {
		return Missed{name, path, err, NotTaken}
	}
	return Missed{name, path, err, Mistake}
}

// Joined is one error for the missed ones of some sorts, each text once; nil if there are none.
func Joined(list []Missed, sorts ...Missing) error {
	var all []error
	for _, m := range list {
		if slices.Contains(sorts, m.What) && !slices.ContainsFunc(all, func(e error) bool { return e.Error() == m.Err.Error() }) {
			all = append(all, m.Err)
		}
	}
	return errors.Join(all...)
}

// listAll asks the go command for the packages of all patterns, and finds the patterns that match
// none, which the go command passes over if others match.
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
		// The form of the pattern does not tell ("std", a symbolic link), so the go command is
		// asked about it alone.
		if _, err := q.list(ctx, []string{p}); ctx.Err() != nil {
			return nil, nil, ctx.Err()
		} else if err != nil {
			missed = append(missed, Missed{Name: p, Err: err})
		}
	}
	if len(missed) == 0 && err != nil { // the patterns are wrong together, such as files of two packages
		missed = append(missed, Missed{Name: strings.Join(patterns, " "), Err: err})
	}
	return listed, missed, nil
}

// files is the import path that the go command gives to a package of files.
const files = "command-line-arguments"

// wild reports whether a pattern stands for several packages ("./...", "std").
func wild(pattern string) bool {
	return strings.Contains(pattern, "...") || slices.Contains([]string{"all", "std", "cmd", "tool", "work"}, pattern)
}

// means reports whether a package may be one of a pattern's, judged by the pattern's form.
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
	// x/... matches x too, as for the go command.
	form := strings.ReplaceAll(regexp.QuoteMeta(path), `\.\.\.`, ".*")
	if head, ok := strings.CutSuffix(form, "/.*"); ok {
		form = head + "(/.*)?"
	}
	whole, err := regexp.Compile("^" + form + "$")
	return err == nil && slices.ContainsFunc(in, whole.MatchString)
}

// named reports whether the user has named this package, rather than matched it by a pattern for
// several.
func (q *Query) named(l *front.Listed) bool {
	return len(q.Packages) == 0 || slices.ContainsFunc(q.Packages, func(arg string) bool {
		pattern, _ := SplitType(arg)
		return !wild(pattern) && (l.Path == files || len(q.Packages) == 1 || q.means(pattern, l))
	})
}

// nothing is why a package has no targets. refused: it has types that cannot be verified, which was
// reported already.
func nothing(l *front.Listed, refused bool) error {
	if refused {
		return fmt.Errorf("package %s has no collection that can be verified (Request.Type names another type)", l.Path)
	}
	return fmt.Errorf("package %s has no collection: no exported type with operations that goroutines seem to share (Request.Type names another)", l.Path)
}
