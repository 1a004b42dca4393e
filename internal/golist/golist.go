// SPDX-License-Identifier: BSD-3-Clause

// Package golist keeps what the go command has answered about packages, and gives it again as long
// as the go command would answer the same. To ask it takes 30 to 70 ms of processor time, more than
// many a search.
//
//	text, asking := golist.From(ctx).Get(&q)
//	if text == nil {
//		...                        // ask the go command
//		asking.Keep(&Answer{Packages: packages, Text: text})
//	}
//
// An answer is kept with a digest of all that it depends on (state.go), which Get computes again.
// doc/cache.md has the condition. The package does not start the go command, and knows nothing of
// the form of its answers.
package golist

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Notes is where answers are kept: small texts under keys, each of which may be lost at any time.
type Notes interface {
	Note(key string) string
	SetNote(key, text string) error
}

// Kept are the answers that are kept; nil: none are, and none will be.
type Kept struct{ notes Notes }

type keptKey struct{}

// Within makes a context in which answers are kept.
func Within(ctx context.Context, notes Notes) context.Context {
	return context.WithValue(ctx, keptKey{}, &Kept{notes})
}

// From are the answers that are kept within a context.
func From(ctx context.Context) *Kept {
	k, _ := ctx.Value(keptKey{}).(*Kept)
	return k
}

// Question is a question to the go command about packages.
type Question struct {
	Dir      string // absolute, where the go command runs
	Environ  []string
	Patterns []string
	What     string // which facts are wanted, and in which form: part of the key

	written []byte // content of the file of settings
}

// Package is a package of an answer, as far as it tells what the answer depends on.
type Package struct {
	Path, Dir string
	Standard  bool   // it belongs to the standard library
	Export    string // file with export data that the answer names; "": none
}

// Answer is what is kept.
type Answer struct {
	Packages []Package // all that the answer is about, with what they import
	Text     []byte
}

// record is the form in which an answer is kept.
type record struct {
	Basis Basis
	State string // digest of what the basis was
	Text  []byte
}

// Asking is a question that the go command is about to be asked; nil: its answer is not kept.
type Asking struct {
	kept   *Kept
	q      *Question
	since  time.Time
	before string // digest of what the answer depends on whatever it is
}

// Get is the text of the answer that was kept, if the go command would answer the same now; nil: it
// has to be asked, and Asking.Keep keeps what it says.
func (k *Kept) Get(q *Question) ([]byte, *Asking) {
	if k == nil {
		return nil, nil
	}
	q.written, _ = os.ReadFile(q.settings()) // it need not exist; what cannot be read makes the state unfit
	if !q.fit() {
		return nil, nil
	}
	if r := k.recall(q.key()); r != nil {
		if now := q.state(&r.Basis); now.fit && now.digest == r.State {
			return r.Text, nil
		}
	}
	a := &Asking{kept: k, q: q, since: time.Now()}
	before := q.state(&Basis{})
	if a.before = before.digest; !before.fit {
		return nil, nil
	}
	return nil, a
}

// Keep keeps the answer, unless something that it depends on was changed shortly before the
// question or later: then nobody knows which of the two states it is about.
func (a *Asking) Keep(answer *Answer) error {
	if a == nil || len(answer.Packages) == 0 {
		return nil
	}
	b, ok := a.q.basis(answer.Packages)
	if !ok {
		return nil
	}
	now := a.q.state(b)
	if !now.fit || !now.changed.Before(a.since) || a.q.state(&Basis{}).digest != a.before {
		return nil
	}
	text, err := json.Marshal(&record{*b, now.digest, answer.Text})
	if err != nil {
		return err
	}
	return a.kept.notes.SetNote(a.q.key(), checksum(text)+"\n"+string(text))
}

// recall reads a record; nil if there is none, or it is damaged.
func (k *Kept) recall(key string) *record {
	sum, text, _ := strings.Cut(k.notes.Note(key), "\n")
	r := new(record)
	if sum != checksum([]byte(text)) || json.Unmarshal([]byte(text), r) != nil {
		return nil
	}
	return r
}

func checksum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// form is the form of records and of states. It changes with either.
const form = "pangolin-golist-1"

// changing are variables that differ from terminal to terminal, and that the go command does not read.
var changing = []string{"_", "OLDPWD", "SHLVL", "TERM", "COLUMNS", "LINES"}

// key identifies a question, with all of the environment but what changes from terminal to terminal.
func (q *Question) key() string {
	h := sha256.New()
	for _, text := range []string{form, q.What, q.Dir} {
		field(h, text)
	}
	for _, p := range q.Patterns {
		field(h, "pattern "+p)
	}
	environ := slices.Clone(q.Environ) // of two values of a variable the last one counts
	slices.SortStableFunc(environ, func(a, b string) int { return strings.Compare(nameOf(a), nameOf(b)) })
	for _, e := range environ {
		if !slices.Contains(changing, nameOf(e)) {
			field(h, "variable "+e)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func nameOf(variable string) string {
	name, _, _ := strings.Cut(variable, "=")
	return name
}

// field writes a text with its length, so that no two lists of texts have the same bytes.
func field(h io.Writer, text string) { fmt.Fprintf(h, "%d:%s\n", len(text), text) }

// variable is the value of a variable in the question's environment, or that which "go env -w" has
// written; "" if it has none.
func (q *Question) variable(name string) string {
	return cmp.Or(valueIn(q.Environ, name), valueIn(strings.Split(string(q.written), "\n"), name))
}

func valueIn(list []string, name string) string {
	for _, e := range slices.Backward(list) {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// settings is the file to which "go env -w" writes; "": there is none.
func (q *Question) settings() string {
	file := valueIn(q.Environ, "GOENV")
	if file == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		return filepath.Join(dir, "go", "env")
	}
	if file == "off" {
		return ""
	}
	return file
}

// harmless are the flags in GOFLAGS under which an answer is kept: those that make the go command
// read no other file, and write none.
var harmless = []string{"-trimpath", "-tags=", "-mod=readonly", "-mod=vendor", "-buildvcs="}

// fit reports whether all that the answer depends on is known: the question is about modules, with
// patterns that are resolved in directories, and asks no other program.
func (q *Question) fit() bool {
	for _, flag := range strings.Fields(q.variable("GOFLAGS")) {
		if !slices.ContainsFunc(harmless, func(h string) bool { return flag == h || strings.HasSuffix(h, "=") && strings.HasPrefix(flag, h) }) {
			return false
		}
	}
	driver := q.variable("GOPACKAGESDRIVER")
	if work := q.variable("GOWORK"); work != "" && work != "off" || q.variable("GO111MODULE") != "" && q.variable("GO111MODULE") != "on" ||
		driver != "" && driver != "off" || driver == "" && inPath("gopackagesdriver") || strings.Contains(q.variable("GOTOOLCHAIN"), "path") {
		return false
	}
	return !slices.ContainsFunc(q.Patterns, func(p string) bool {
		_, wide := wideIn(q.Dir, p)
		return strings.Contains(p, "@") || strings.Contains(p, "=") || slices.Contains([]string{"all", "std", "cmd", "tool", "work", "main"}, p) ||
			strings.Contains(p, "...") && !wide
	})
}

// wideIn is the directory beneath which a pattern with "..." in it looks for packages. It is false
// for other patterns, and for those of import paths, which look in all modules.
func wideIn(dir, pattern string) (string, bool) {
	before, _, wide := strings.Cut(filepath.ToSlash(pattern), "...")
	relative := strings.HasPrefix(before, "./") || strings.HasPrefix(before, "../")
	if !wide || !relative && !filepath.IsAbs(pattern) {
		return "", false
	}
	root := filepath.FromSlash(before[:strings.LastIndex(before, "/")+1])
	if relative {
		root = filepath.Join(dir, root)
	}
	return filepath.Clean(root), true
}
