// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// located maps files, as verdicts name them, to their names as seen from the root of the repository: the next directory upwards with a .git,
// or the current one. What is not below the root, such as the standard library, has the name "".
func located() func(string) string {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	root := upwards(dir, ".git")
	if root == "" {
		root = dir
	}
	return locatedIn(dir, root)
}

// locatedHere is located for names as seen from the current directory, if files are in it or below, and absolute ones otherwise.
func locatedHere() func(string) string {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	top := filepath.VolumeName(dir) + string(filepath.Separator)
	below := locatedIn(dir, top)
	return func(file string) string {
		name := below(file)
		if name == "" {
			return ""
		}
		name = top + filepath.FromSlash(name)
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
		return filepath.ToSlash(name)
	}
}

// locatedIn maps files, as verdicts that were made in a directory name them, to their names as seen from a root.
func locatedIn(dir, root string) func(string) string {
	module, path := upwards(dir, "go.mod"), ""
	if module != "" {
		text, _ := os.ReadFile(filepath.Join(module, "go.mod")) // without it no file has its path
		path = modfile.ModulePath(text)
	}
	return func(file string) string {
		if file == "" {
			return ""
		}
		list := []string{filepath.Join(dir, filepath.FromSlash(file))}
		if rest, ok := strings.CutPrefix(file, path+"/"); ok && path != "" { // files outside of the directory are named by their package's path
			list = append(list, filepath.Join(module, filepath.FromSlash(rest)))
		}
		for _, name := range list {
			below, err := filepath.Rel(root, name)
			if _, failed := os.Stat(name); failed == nil && err == nil && filepath.IsLocal(below) {
				return filepath.ToSlash(below)
			}
		}
		return ""
	}
}

// upwards is the next directory, from one upwards, that has an entry of a name; "": none has.
func upwards(dir, name string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}
