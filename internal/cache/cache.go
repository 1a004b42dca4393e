// SPDX-License-Identifier: BSD-3-Clause

// Package cache keeps results by content in a directory that any number of processes share.
//
//	d, err := cache.Open(dir)
//	text, err := d.Get(key)                    // ErrNone if there is none
//	err = d.Put(key, cache.Entry{Text: text})  // *Conflict if there is a different one
//
// A key is the SHA-256, in hexadecimal, of everything that a result depends on; the caller computes
// it. A result is one file, with its key and the digest of its text inside. Get checks both, so a
// file that is damaged, cut short or misplaced is no result: it counts as absent, and the next Put
// replaces it. A file is written elsewhere and then linked to its name, which happens whole or not
// at all: a process may be killed at any moment. Put never overwrites a sound result. An equal
// second one is ignored; a different second one is kept beside the first, and both are conflicts
// from then on, because what is kept under one key must always be the same.
//
// The directory has a limit in bytes; Trim removes what has not been used for the longest time (Get
// notes a use once an hour). Another process may remove any file at any moment: who needs a result
// and finds none computes it.
//
// Beside the results is a log of what was computed when, to which processes append lines, and files
// by which they show that they are at work (log.go): for people, and no result depends on them.
//
// The package knows nothing of verdicts. It does not call fsync: after a loss of power a file may
// be cut short, which Get notices.
package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErrNone says that there is no sound result under a key.
var ErrNone = errors.New("no such result")

// Conflict is the error of a key with two different results.
type Conflict struct {
	Key   string
	First string // the file with the result that was there
	Other string // the file with the one that was put
}

func (c *Conflict) Error() string {
	return fmt.Sprintf("the same task has had two different results, and nobody knows which is right: %s and %s (please report both; \"pangolin cache clean\" removes them)", c.First, c.Other)
}

// Entry is a result.
type Entry struct {
	Text []byte
	// Same is what equal results have in common: Text without what differs from run to run, such as
	// seconds. nil: Text itself.
	Same []byte
}

// Variable is the environment variable that names the directory of results: an absolute path, or "off".
const Variable = "PANGOLIN_CACHE"

// Default is the directory of results for users who name none: the value of the environment
// variable, or else "pangolin/results" in the user's cache directory. "": there is none, or the
// variable is "off".
func Default() (string, error) {
	switch dir := os.Getenv(Variable); {
	case dir == "off":
		return "", nil
	case dir != "" && !filepath.IsAbs(dir):
		return "", fmt.Errorf("%s is %q: want an absolute path, or off", Variable, dir)
	case dir != "":
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", nil // without a home directory nothing is kept
	}
	return filepath.Join(dir, "pangolin", "results"), nil
}

// Dir is a directory of results.
type Dir struct {
	path string
	// LogLimit is the size in bytes at which a file of the log is renamed.
	LogLimit int64
}

// The contents of the directory: files of results, in directories named by the first two digits of
// their keys; files that are being written; and a file whose time is that of the last Trim.
const (
	writing   = "tmp"
	trimmedAt = "trimmed"
	suffix    = ".result"
	conflicts = ".conflict"
)

// magic begins every file. It changes with the form of files, so that files of an older form count
// as absent.
const magic = "pangolin-result-1"

// usedAgain is how old the time of the last use may be before Get writes a new one.
const usedAgain = time.Hour

// Open opens a directory, and makes it if it is not there.
func Open(path string) (*Dir, error) {
	if err := os.MkdirAll(filepath.Join(path, writing), 0o777); err != nil {
		return nil, fmt.Errorf("the directory of results cannot be made: %w", err)
	}
	return &Dir{path, logLimit}, nil
}

// Path is the path of the directory.
func (d *Dir) Path() string { return d.path }

// file is the name of the file of a key.
func (d *Dir) file(key string) string { return filepath.Join(d.path, key[:2], key+suffix) }

// other is the name of the file of a second, different result.
func (d *Dir) other(key string) string { return filepath.Join(d.path, key[:2], key+conflicts) }

// IsKey says whether a text has the form of a key.
func IsKey(text string) bool { return valid(text) == nil }

// valid returns an error if a text is no key.
func valid(key string) error {
	if _, err := hex.DecodeString(key); err != nil || len(key) != 2*sha256.Size {
		return fmt.Errorf("%q is no key of a result: a key is a SHA-256 in hexadecimal", key)
	}
	return nil
}

// Get gives the text of the result under a key, or ErrNone, or a *Conflict if two different results
// were put.
func (d *Dir) Get(key string) ([]byte, error) {
	if err := valid(key); err != nil {
		return nil, err
	}
	file := d.file(key)
	e, err := read(file, key)
	if err != nil {
		return nil, err
	}
	if other := d.other(key); exists(other) {
		return nil, &Conflict{key, file, other}
	}
	if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) > usedAgain {
		now := time.Now()
		_ = os.Chtimes(file, now, now) // on failure the file is removed earlier than necessary
	}
	return e.Text, nil
}

// Put keeps a result under a key. It is a *Conflict if a different one is there.
func (d *Dir) Put(key string, e Entry) error {
	if err := valid(key); err != nil {
		return err
	}
	if e.Same == nil {
		e.Same = e.Text
	}
	file, text := d.file(key), Seal(key, &e)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	for {
		err := d.create(file, text)
		if !errors.Is(err, os.ErrExist) {
			return err
		}
		switch old, err := read(file, key); {
		case errors.Is(err, ErrNone): // damaged, or removed meanwhile
			if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		case err != nil:
			return err
		case bytes.Equal(old.Same, digest(e.Same)):
			return nil
		default:
			other := d.other(key)
			if err := d.create(other, text); err != nil && !errors.Is(err, os.ErrExist) { // two different results are enough to report a conflict
				return err
			}
			return &Conflict{key, file, other}
		}
	}
}

// create makes a file with a content, completely or not at all; os.ErrExist if there is a file of
// that name.
func (d *Dir) create(file string, text []byte) error {
	return d.write(text, func(written string) error {
		err := os.Link(written, file)
		if err == nil || errors.Is(err, os.ErrExist) {
			return err
		}
		// The file system has no links. Renaming is complete or nothing as well, but replaces what
		// another process has put meanwhile.
		if _, there := os.Lstat(file); there == nil {
			return os.ErrExist
		}
		return os.Rename(written, file)
	})
}

// write writes a text to a temporary file and calls place, which moves it to its place; then the
// temporary file is removed.
func (d *Dir) write(text []byte, place func(written string) error) error {
	f, err := os.CreateTemp(filepath.Join(d.path, writing), "")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return place(f.Name())
}

// Sealed is a result as it was read: its text, and the digest of Entry.Same.
type Sealed struct{ Text, Same []byte }

func digest(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:]
}

// Seal is a result as bytes that Unseal checks: a line with a magic word, the key, the digests of
// Same and of the text, and the text's length in bytes; then the text. Files have this form.
func Seal(key string, e *Entry) []byte {
	same := e.Same
	if same == nil {
		same = e.Text
	}
	head := fmt.Sprintf("%s %s %x %x %d\n", magic, key, digest(same), digest(e.Text), len(e.Text))
	return append([]byte(head), e.Text...)
}

// Unseal reads what Seal has written. Bytes that are no sound result of that key are ErrNone.
func Unseal(key string, all []byte) (Sealed, error) {
	head, text, _ := bytes.Cut(all, []byte("\n"))
	words := strings.Fields(string(head))
	if len(words) != 5 || words[0] != magic || words[1] != key || words[3] != hex.EncodeToString(digest(text)) || words[4] != strconv.Itoa(len(text)) {
		return Sealed{}, ErrNone
	}
	same, err := hex.DecodeString(words[2])
	if err != nil {
		return Sealed{}, ErrNone
	}
	return Sealed{text, same}, nil
}

// read reads the file of a key.
func read(file, key string) (Sealed, error) {
	all, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return Sealed{}, ErrNone
	}
	if err != nil {
		return Sealed{}, err
	}
	one, err := Unseal(key, all)
	if err != nil {
		return Sealed{}, fmt.Errorf("%w: %s is damaged", err, file)
	}
	return one, nil
}
