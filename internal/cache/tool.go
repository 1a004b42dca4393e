// SPDX-License-Identifier: BSD-3-Clause

package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// toolModule is the path of this module.
const toolModule = "pangolin"

// Tool is a digest of this program, as far as its results depend on it: of Pangolin's source where
// a module version stands for that (the checksum of go.sum), and of the executable file otherwise,
// as in a checkout. A test binary of somebody else's module that requires a version of Pangolin has
// the first one, so that a change of its tests is no change of the tool.
func Tool() (string, error) { return tool() }

var tool = sync.OnceValues(func() (string, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		if sum := released(info); sum != "" {
			return sum, nil
		}
	}
	f, err := os.Open("/proc/self/exe") // on Linux: the running file itself, even if the name belongs to another one by now
	if err != nil {
		file, failed := os.Executable()
		if failed != nil {
			return "", failed
		}
		if f, err = os.Open(file); err != nil {
			return "", err
		}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})

// released is the checksum of the module's source; "" if the program was built from a checkout, or
// a dependency was replaced.
func released(info *debug.BuildInfo) string {
	sum := ""
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == toolModule && m.Replace == nil && m.Sum != "" {
			sum = m.Path + " " + m.Sum
		}
	}
	if sum == "" {
		return ""
	}
	sum += "\n" + info.GoVersion // Go's version decides on the type checker and the build tags of releases
	for _, s := range info.Settings {
		if !strings.HasPrefix(s.Key, "vcs") {
			sum += "\n" + s.Key + "=" + s.Value
		}
	}
	for _, m := range info.Deps { // the dependencies
		if m.Replace != nil {
			return ""
		}
		sum += "\n" + m.Path + " " + m.Sum
	}
	return sum
}
