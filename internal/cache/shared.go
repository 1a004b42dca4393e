// SPDX-License-Identifier: BSD-3-Clause

package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
)

// stamp identifies the sources of a program that was not built from a release or a commit. The linker sets it:
//
//	go build -ldflags '-X pangolin/internal/cache.stamp=NAME' ./cmd/...
var stamp string

// Shared identifies the sources that this program was built from, with Go's version and the platform. It is the same for all commands of
// one release, one commit, or one stamp, so that one may take the results of another. A program that was built from files which differ
// from a commit has none.
func Shared() (string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", errNoSources
	}
	return shared(info, stamp)
}

// errNoSources says what to do to have an identity.
var errNoSources = errors.New("nobody can tell whether two programs have been built from the same sources of Pangolin: build both from a release or a commit without changes (go build ./cmd/...)")

func shared(info *debug.BuildInfo, stamp string) (string, error) {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	source := ""
	switch {
	case stamp != "":
		source = "stamp " + stamp
	case info.Main.Path != toolModule: // other versions of dependencies may have been chosen
		return "", errNoSources
	case settings["vcs.revision"] != "" && settings["vcs.modified"] == "false":
		source = "revision " + settings["vcs.revision"]
	case info.Main.Sum != "":
		source = "module " + info.Main.Sum
	default:
		return "", errNoSources
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", source, info.GoVersion)
	for _, key := range []string{"GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOEXPERIMENT", "DefaultGODEBUG", "-tags", "-race"} {
		fmt.Fprintf(h, "%s=%s\n", key, settings[key])
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
