// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// init -ci writes files for continuous integration.

//go:embed templates
var templates embed.FS

// ciFile is one of them.
type ciFile struct {
	template string
	name     string // below the root of the repository
	mode     fs.FileMode
	what     string
}

// ciFiles are the files of init -ci.
var ciFiles = []ciFile{
	{"pangolin.yml", ".github/workflows/pangolin.yml", 0o666, "four machines verify, one puts the results together"},
	{"pre-commit", ".githooks/pre-commit", 0o777, "git config core.hooksPath .githooks turns it on"},
	{"pangolin.Containerfile", "pangolin.Containerfile", 0o666, "an image with Pangolin and Go"},
}

// initCI writes the files that are not there; undo removes those that are as they were written.
func initCI(con *console, undo bool) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	root := upwards(dir, ".git")
	if root == "" {
		return errors.New("init -ci: the current directory is in no git repository: git init makes one")
	}
	var errs []error
	for _, f := range ciFiles {
		name := filepath.Join(root, filepath.FromSlash(f.name))
		text, err := templates.ReadFile(path.Join("templates", f.template))
		if err != nil {
			panic(err) // it is embedded
		}
		if undo {
			errs = append(errs, f.remove(con, name, text))
		} else {
			errs = append(errs, f.write(con, name, text))
		}
	}
	return errors.Join(errs...)
}

// write writes the file; one that is there with another content stays, which is an error.
func (f *ciFile) write(con *console, name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.mode)
	if errors.Is(err, fs.ErrExist) {
		if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
			fmt.Fprintf(con.out, "%s is there already\n", relative(name))
			return nil
		}
		return fmt.Errorf("init -ci: %s is there and has another content: it stays as it is (move it away to have it written)", relative(name))
	}
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	fmt.Fprintf(con.out, "wrote %s: %s\n", relative(name), f.what)
	return nil
}

func (f *ciFile) remove(con *console, name string, text []byte) error {
	switch old, err := os.ReadFile(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !bytes.Equal(old, text):
		fmt.Fprintf(con.out, "%s has changed and stays\n", relative(name))
		return nil
	}
	if err := os.Remove(name); err != nil {
		return err
	}
	fmt.Fprintf(con.out, "removed %s\n", relative(name))
	return nil
}
