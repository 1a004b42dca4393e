// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// With -watch, verify verifies once, and then what each saved file can reach, until it is interrupted.

const watchUsage = "go on: verify again what the files can reach that are saved, until an interrupt"

// settled is how long no file may change before the packages are verified: editors write several files, and some of them twice.
const settled = 200 * time.Millisecond

// watched is a package that was named, or a type of it.
type watched struct {
	argument string   // with which it is verified
	dirs     []string // its directory, and those of the packages that it imports, the standard library left out
}

func (f *verifyFlags) runOrWatch(ctx context.Context, args []string, con *console) error {
	if !f.watch {
		return f.wherever(ctx, args, con)
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("-watch: %w", err)
	}
	defer w.Close()
	if len(args) == 0 {
		args = []string{"."}
	}
	for todo := args; len(todo) > 0; {
		list, err := watchedBy(ctx, args)
		if err == nil {
			err = watch(w, list)
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("-watch: %w", err)
		}
		if todo, err = f.round(ctx, w, list, todo, con); err != nil {
			return err
		}
	}
	return nil
}

// watchedBy lists what arguments name.
func watchedBy(ctx context.Context, args []string) (list []watched, err error) {
	for _, arg := range args {
		pattern, typed := withoutType(arg)
		text, err := goCommand(ctx, "list", "-e", "-deps", "-f", `{{if .Module}}{{.ImportPath}}	{{.Dir}}	{{.DepOnly}}	{{join .Deps ","}}{{end}}`, pattern)
		if err != nil {
			return nil, err
		}
		dirs := map[string]string{}
		var named [][]string
		for line := range strings.Lines(text) {
			if fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(fields) == 4 {
				dirs[fields[0]] = fields[1]
				if fields[2] == "false" {
					named = append(named, fields)
				}
			}
		}
		for _, n := range named {
			one := watched{arg, []string{n[1]}}
			if !typed {
				one.argument = n[0]
			}
			for dep := range strings.SplitSeq(n[3], ",") {
				if dir := dirs[dep]; dir != "" {
					one.dirs = append(one.dirs, dir)
				}
			}
			list = append(list, one)
		}
	}
	return list, nil
}

// withoutType is a pattern of the go command, without the type that may be named behind it.
func withoutType(arg string) (pattern string, typed bool) {
	slash := strings.LastIndexByte(arg, '/') + 1
	path, typ, found := strings.Cut(arg[slash:], ".")
	if !found || typ == "" || path == "" || strings.HasPrefix(typ, ".") {
		return arg, false
	}
	return arg[:slash] + path, true
}

// watch watches directories.
func watch(w *fsnotify.Watcher, list []watched) error {
	known := w.WatchList()
	for _, one := range list {
		for _, dir := range one.dirs {
			if slices.Contains(known, dir) {
				continue
			}
			if err := w.Add(dir); err != nil {
				return err
			}
			known = append(known, dir)
		}
	}
	return nil
}

// round verifies what is to be done, and gives what is to be done next, once files have changed; nothing, if it is interrupted. A run of
// which a file changes ends, and is begun again.
func (f *verifyFlags) round(ctx context.Context, w *fsnotify.Watcher, list []watched, todo []string, con *console) (next []string, err error) {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- f.wherever(running, todo, con) }()
	quiet, changed, over := time.NewTimer(settled), map[string]bool{}, false
	for {
		select {
		case <-ctx.Done():
			if !over {
				<-done
			}
			return nil, nil
		case err := <-done:
			over = true
			if mistake := (*usageError)(nil); errors.As(err, &mistake) {
				return nil, err
			}
			exitCode(err, con) // prints it
			con.note(fmt.Sprintf("watching %d directories; an interrupt ends it", len(w.WatchList())))
		case e, more := <-w.Events:
			if more && (strings.HasSuffix(e.Name, ".go") || strings.HasPrefix(filepath.Base(e.Name), "go.")) && e.Op != fsnotify.Chmod {
				changed[filepath.Dir(e.Name)] = true
				quiet.Reset(settled)
			}
		case err := <-w.Errors:
			con.note(fmt.Sprintf("-watch: %v", err))
		case <-quiet.C:
			next := reached(list, changed)
			if len(next) == 0 {
				changed = map[string]bool{}
				continue
			}
			if !over {
				cancel()
				<-done
				next = append(next, todo...)
			}
			slices.Sort(next)
			next = slices.Compact(next)
			con.note("changed: " + strings.Join(next, " "))
			return next, nil
		}
	}
}

// reached are the arguments that directories can reach whose files have changed.
func reached(list []watched, changed map[string]bool) (args []string) {
	for _, one := range list {
		if slices.ContainsFunc(one.dirs, func(dir string) bool { return changed[dir] }) {
			args = append(args, one.argument)
		}
	}
	return args
}
