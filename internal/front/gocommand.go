// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Environment is the environment of the go command. Listing foreign source must execute nothing
// that the source chooses: cgo is off (cgo.go), and no other toolchain is fetched because of a line
// in go.mod, unless the user's own GOTOOLCHAIN says so. If there is no home directory, or none for
// temporary files, the go command is given directories that it can use.
func Environment() []string {
	env := append(os.Environ(), "CGO_ENABLED=0")
	if os.Getenv("GOTOOLCHAIN") == "" {
		env = append(env, "GOTOOLCHAIN=local")
	}
	temporary := os.TempDir()
	if !isDirectory(temporary) {
		temporary = spareDirectory()
		env = append(env, "TMPDIR="+temporary, "GOTMPDIR="+temporary)
	}
	if _, err := os.UserHomeDir(); err == nil {
		return env
	}
	base := filepath.Join(temporary, fmt.Sprintf("pangolin-go-%d", os.Getuid()))
	if _, err := os.UserCacheDir(); err != nil && os.Getenv("GOCACHE") == "" {
		env = append(env, "GOCACHE="+filepath.Join(base, "cache"))
	}
	if os.Getenv("GOPATH") == "" {
		env = append(env, "GOPATH="+filepath.Join(base, "path"))
	}
	return env
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// spareDirectory is a directory for temporary files: in the user's cache, or the system's.
func spareDirectory() string {
	if cache, err := os.UserCacheDir(); err == nil {
		dir := filepath.Join(cache, "pangolin", "tmp")
		if os.MkdirAll(dir, 0o700) == nil {
			return dir
		}
	}
	return "/tmp"
}

// nothing explains in the go command's words why the patterns name no package. It asks again,
// because go/packages drops part of the answer.
func (l *loader) nothing(ctx context.Context, patterns []string) error {
	name := strings.Join(patterns, " ")
	if replaying(ctx) != nil { // no go command is started
		return problem("no package matches %s", name)
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "--"}, patterns...)...)
	cmd.Dir, cmd.Env = l.dir, Environment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	reason := unfetched(l.relativize(oneLine(stderr.String())))
	files := l.usesC(goFiles(patterns))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case files != nil:
		return files
	case reason != "" && err != nil:
		return problem("%s: %s", name, strings.TrimPrefix(reason, "go: "))
	case err != nil:
		return problem("%s: the go command cannot be run: %v", name, err)
	}
	return problem("no package matches %s", name)
}

// oneLine joins the lines of a message.
func oneLine(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if b.Len() > 0 {
			if !strings.HasSuffix(b.String(), ":") {
				b.WriteByte(';')
			}
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// unfetched adds to the go command's message about a missing toolchain how to get one.
func unfetched(reason string) string {
	if strings.Contains(reason, "GOTOOLCHAIN=local") {
		reason += "; no other toolchain is fetched, unless the environment variable GOTOOLCHAIN asks for it"
	}
	return reason
}

// goFiles are the patterns that name files.
func goFiles(patterns []string) []string {
	return slices.DeleteFunc(slices.Clone(patterns), func(p string) bool { return !strings.HasSuffix(p, ".go") })
}
