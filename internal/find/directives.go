// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/front"
)

// DirectiveError is an error in one directive of a type.
type DirectiveError struct {
	Line string // the directive: "roles Put:1"
	Err  error
}

func (e *DirectiveError) Error() string { return fmt.Sprintf("//pangolin:%s: %s", e.Line, e.Err) }
func (e *DirectiveError) Unwrap() error { return e.Err }

// directed are the directives of one type.
type directed struct {
	*front.Directives
	typ  string // the type's name in its package
	name string // the type's name in verdicts: "queue.Ring"
}

// wrong adds to the error of a type the place of the directive that causes it: the one that
// Overrides could not read, or the first one without which try succeeds or fails differently. If
// there is none, it returns the error unchanged.
func (d directed) wrong(err error, try func(directives []string) error) error {
	if about := (*DirectiveError)(nil); errors.As(err, &about) {
		return fmt.Errorf("%s: %s: %w", d.At(d.typ, about.Line), d.name, about)
	}
	lines := d.ByType[d.typ]
	for i, line := range lines {
		without := slices.Delete(slices.Clone(lines), i, i+1)
		if other := try(without); other != nil && other.Error() == err.Error() {
			continue
		}
		return fmt.Errorf("%s: %s: %w", d.At(d.typ, line), d.name, &DirectiveError{line, unnamed{err, d.name + ": "}})
	}
	if !strings.HasPrefix(err.Error(), d.name+": ") {
		return fmt.Errorf("%s: %w", d.name, err)
	}
	return err
}

// unnamed is an error whose text lacks the names that are printed before it: that of the type, and
// of the request's field.
type unnamed struct {
	error
	name string
}

func (e unnamed) Error() string {
	text := strings.TrimPrefix(e.error.Error(), e.name)
	if field, rest, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(field, "Request.") && !strings.Contains(field, " ") {
		return rest
	}
	return text
}

func (e unnamed) Unwrap() error { return e.error }

// Wrong adds to the error of a target, which try returns for the target's directives, the place of
// the directive that causes it.
func (t *Target) Wrong(err error, try func(*Target) error) error {
	return t.directed.wrong(err, func(directives []string) error {
		other := *t
		other.Directives = directives
		return try(&other)
	})
}
