// SPDX-License-Identifier: BSD-3-Clause

// Package bundle packs what a task needs to be done elsewhere: what the go command answers about
// its packages, and the text of all their files, the standard library left out.
//
//	b, err := bundle.Make(ctx, dir, tasks...)   where the sources are
//	text := b.Encode()                          the same bytes in every directory, for every user
//	b, err = bundle.Decode(text)                elsewhere; whoever sent it
//	err = b.Unpack(scratch)
//	answers, err := standard.Answers(ctx, b, scratch)
//	ctx, _, err = front.Replay(ctx, answers)    here task.Here does the tasks in scratch/dir
//
// A bundle is a head line, a manifest (JSON) and the contents of files. The manifest has the digest
// of each content, so the manifest's own digest stands for the whole (Digest). Contents that are
// the same are there once.
//
// Of the standard library a bundle has the digests of the packages (Standard); sources and export
// data are those of the Go that Decode's caller has, if it is the same Go. What Make cannot pack so
// that the verdict is the same, it refuses (Refused). The package verifies nothing.
package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Manifest says what a bundle contains.
type Manifest struct {
	// Go are variables of "go env" on which the answers depend, by name.
	Go map[string]string
	// Tags are the build tags in force.
	Tags []string `json:",omitempty"`
	// Answers are what the go command answers to the questions of the tasks, without the packages
	// of the standard library. Files are named as in Files.
	Answers []Answer
	// Standard are the packages of the standard library that the others use, by import path.
	Standard []Digested
	// Files are all files, by name.
	Files []File
}

// Answer is a front.Answer without the packages of the standard library; these have their import
// path for an ID.
type Answer struct {
	Patterns []string
	Tests    bool `json:",omitempty"`
	Roots    []string
	Packages []Package
}

// Package is a package outside of the standard library.
type Package struct {
	ID, Name, Path string
	ForTest        string            `json:",omitempty"`
	Module         *Module           `json:",omitempty"` // nil: the package was given as files
	Files, Ignored []string          `json:",omitempty"`
	Imports        map[string]string `json:",omitempty"`
}

// Module is the module of a package.
type Module struct {
	Path      string
	GoVersion string `json:",omitempty"`
}

// Digested is a package of the standard library and the digest of its files.
type Digested struct{ Path, Digest string }

// File is a file with the digest of its content and its size in bytes.
type File struct {
	// Name is dir/... for what lies below the directory of the request, in the same place below it;
	// else elsewhere/ with the path of a package and the file's own name.
	Name, Digest string
	Size         int64
}

// Bundle is a manifest with the contents of its files.
type Bundle struct {
	Manifest Manifest
	Contents map[string][]byte // by digest

	digest string
}

// The first parts of the names of files, which are directories below the one that Unpack writes to.
const (
	Dir       = "dir"       // the directory of the request
	elsewhere = "elsewhere" // what lies outside of it
)

// head is the first line of an encoded bundle; the number is that of the manifest's bytes.
const head = "pangolin bundle 1 %d\n"

// New makes a bundle. It fails if Decode would refuse it.
func New(m Manifest, contents map[string][]byte) (*Bundle, error) {
	text, err := json.Marshal(&m)
	if err != nil {
		return nil, err
	}
	b := &Bundle{Manifest: m, Contents: contents, digest: sum(text)}
	if err := m.check(); err != nil {
		return nil, err
	}
	_, err = b.order()
	return b, err
}

// Digest is the SHA-256 of the manifest, in hexadecimal. Bundles with the same digest have the same
// answers and the same files.
func (b *Bundle) Digest() string { return b.digest }

// Encode is the bundle as bytes.
func (b *Bundle) Encode() []byte {
	text, err := json.Marshal(&b.Manifest)
	if err != nil {
		panic(err) // it was marshalled before
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, head, len(text))
	out.Write(text)
	order, err := b.order()
	if err != nil {
		panic(err) // New has looked
	}
	for _, f := range order {
		out.Write(b.Contents[f.Digest])
	}
	return out.Bytes()
}

// order are the files that have a content for the first time, in the order of their names.
func (b *Bundle) order() (list []File, err error) {
	known := map[string]bool{}
	for _, f := range b.Manifest.Files {
		if known[f.Digest] {
			continue
		}
		known[f.Digest] = true
		content, ok := b.Contents[f.Digest]
		if !ok || int64(len(content)) != f.Size {
			return nil, fmt.Errorf("the content of %s is missing or has another size", f.Name)
		}
		list = append(list, f)
	}
	return list, nil
}

// sum is a digest in hexadecimal.
func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}

// files are the contents by name.
func (b *Bundle) files() func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		for _, f := range b.Manifest.Files {
			if !yield(f.Name, b.Contents[f.Digest]) {
				return
			}
		}
	}
}

// sorted reports whether a list is in strict order: no two are equal.
func sorted[T any](list []T, name func(*T) string) bool {
	for i := 1; i < len(list); i++ {
		if name(&list[i-1]) >= name(&list[i]) {
			return false
		}
	}
	return true
}
