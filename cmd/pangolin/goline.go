// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
)

// Requiring Pangolin may raise the version of Go in a go.mod or go.work. The former version is noted beside the new one, for init -undo.

var (
	goLine        = regexp.MustCompile(`(?m)^go (\S+)$`)
	toolchainLine = regexp.MustCompile(`(?m)^toolchain (\S+)\n`)
	raisedLine    = regexp.MustCompile(`(?m)^go \S+ // pangolin init found go (\S+?)(?:, toolchain (\S+))?$`)
)

// noteVersion writes the former version of Go beside the new one in a go.mod or go.work.
func noteVersion(file string, before []byte) error {
	had := goLine.FindSubmatch(before)
	text, err := os.ReadFile(file)
	if err != nil || had == nil || string(goLine.Find(text)) == string(had[0]) {
		return err
	}
	note := " // pangolin init found go " + string(had[1])
	if t := toolchainLine.FindSubmatch(before); t != nil {
		note += ", toolchain " + string(t[1])
	}
	at := goLine.FindIndex(text)
	if at == nil {
		return nil
	}
	return os.WriteFile(file, append(text[:at[1]:at[1]], note+string(text[at[1]:])...), 0o666)
}

// restoreVersion restores the version of Go that noteVersion has noted in the text before, if any.
func restoreVersion(file string, before []byte) error {
	noted := raisedLine.FindSubmatch(before)
	text, err := os.ReadFile(file)
	if err != nil || noted == nil {
		return err
	}
	lines := "go " + string(noted[1])
	if len(noted[2]) > 0 {
		lines += "\n\ntoolchain " + string(noted[2])
	}
	at := raisedLine.FindIndex(text)
	if at == nil {
		at = goLine.FindIndex(text)
	}
	if at == nil {
		return nil
	}
	return os.WriteFile(file, []byte(string(text[:at[0]])+lines+string(text[at[1]:])), 0o666)
}

// vendor updates the module's vendor directory, if it has one.
func vendor(ctx context.Context, module string) error {
	if _, err := os.Stat(filepath.Join(filepath.Dir(module), "vendor", "modules.txt")); err != nil {
		return nil
	}
	_, err := goCommand(ctx, "mod", "vendor")
	return err
}
