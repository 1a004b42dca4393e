package native

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// workshop is a directory where a runner is put together: the changed library, the
// driver, and the code under test, each package of its own.
type workshop struct {
	dir    string
	remove bool
	// repeated are the packages that are initialised for each execution, as prefixes of
	// import paths.
	repeated []string
}

// module is the name of the module in a workshop, so that programs find pangolin/mark.
const module = "pangolin"

func newWorkshop(opt Options) (*workshop, error) {
	w := &workshop{dir: opt.Work}
	if w.dir == "" {
		dir, err := os.MkdirTemp("", "native")
		if err != nil {
			return nil, err
		}
		w.dir, w.remove = dir, true
	}
	return w, w.write(map[string]string{"go.mod": "module " + module + "\n\ngo 1.26\n", "mark/mark.go": markSource()})
}

func markSource() string {
	text, err := patches.ReadFile("patch/mark.go.txt")
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// runnerSources are the files of a runner, below the package with the given path.
func runnerSources(path string) (map[string]string, error) {
	files := map[string]string{"turn/tree.go": treeSource}
	for to, from := range map[string]string{"judge.go": "judge", "driver.go": "driver", "outcomes.go": "outcomes", "main.go": "main", "memory.go": "memory", "order.go": "order",
		"outside.go": "outside", "sample.go": "sample", "draw.go": "draw", "symbols.go": "symbols"} {
		text, err := patches.ReadFile("patch/" + from + ".go.txt")
		if err != nil {
			return nil, err
		}
		files[to] = strings.ReplaceAll(string(text), `"TURN"`, `"`+path+`/turn"`)
	}
	return files, nil
}

func (w *workshop) close() {
	if w.remove {
		os.RemoveAll(w.dir)
	}
}

// write writes files below the directory.
func (w *workshop) write(files map[string]string) error {
	for name, text := range files {
		file := filepath.Join(w.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// goCommand runs the go command in the workshop.
func (w *workshop) goCommand(ctx context.Context, args ...string) ([]byte, error) {
	return w.goIn(ctx, w.dir, args...)
}

func (w *workshop) goIn(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.Join(append(choosing(os.Getenv("GOFLAGS")), "-buildvcs=false"), " "), "CGO_ENABLED=0")
	if dir == w.dir {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, stderr.String())
	}
	return out, nil
}

// choosing are the flags that say which code is compiled.
func choosing(flags string) []string {
	return slices.DeleteFunc(strings.Fields(flags), func(f string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		return name != "tags" && name != "mod" && name != "modfile"
	})
}

// importer makes the exported types of packages known to go/types.
func (w *workshop) importer(ctx context.Context, paths []string) (types.Importer, error) {
	exports := map[string]string{}
	if len(paths) > 0 {
		out, err := w.goCommand(ctx, append([]string{"list", "-export", "-deps", "-e", "-json=ImportPath,Export"}, paths...)...)
		if err != nil {
			return nil, err
		}
		for dec := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct{ ImportPath, Export string }
			if err := dec.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			exports[p.ImportPath] = p.Export
		}
	}
	return exportImporter(exports), nil
}

// exportImporter reads the compiler's export data from the given files.
func exportImporter(exports map[string]string) types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("package %s is not available", path)
		}
		return os.Open(exports[path])
	})
}

// build compiles the runner that is package main of the given path, for a module of a
// directory, with files overlaid; the packages of the patterns get their turns.
func (w *workshop) build(ctx context.Context, dir, main string, overlay map[string]string, patterns []string) error {
	goroot, err := w.goCommand(ctx, "env", "GOROOT")
	if err != nil {
		return err
	}
	root := strings.TrimSpace(string(goroot))
	changed, err := library(root)
	if err != nil {
		return err
	}
	files := map[string]string{}
	for path, text := range changed {
		name := "overlay/" + path + ".txt"
		files[name] = text
		overlay[filepath.Join(root, "src", path)] = filepath.Join(w.dir, name)
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return err
	}
	files["overlay.json"] = string(text)
	if err := w.write(files); err != nil {
		return err
	}
	args := []string{"build", "-trimpath", "-overlay", filepath.Join(w.dir, "overlay.json"), "-ldflags=-w -checklinkname=0", "-o", filepath.Join(w.dir, "runner")}
	for _, p := range patterns {
		args = append(args, "-gcflags="+p+"=-race -d=checkptr=1")
	}
	_, err = w.goIn(ctx, dir, append(args, main)...)
	return err
}

// SPDX-License-Identifier: BSD-3-Clause
