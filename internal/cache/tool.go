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
	"time"

	"pangolin/internal/filestamp"
)

// toolModule is the path of this module.
const toolModule = "pangolin"

// Tool is a digest of this program, as far as its results depend on it: of Pangolin's source where
// a module version stands for that (the checksum of go.sum), and of the executable file otherwise,
// as in a checkout. A test binary of somebody else's module that requires a version of Pangolin has
// the first one, so that a change of its tests is no change of the tool.
func Tool() (string, error) { return tool() }

var tool = sync.OnceValues(func() (string, error) {
	if sum := module(); sum != "" {
		return sum, nil
	}
	f, err := executable()
	if err != nil {
		return "", err
	}
	defer f.Close()
	return digestOf(f)
})

// Tool is the function Tool. The digest of an executable file takes longer than many a search (35 ms
// for 41 MB), so it is noted in the directory under what the file system says of the file, which
// differs for every file that was written, or replaced another.
func (d *Dir) Tool() (string, error) {
	if sum := module(); sum != "" {
		return sum, nil
	}
	f, err := executable()
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	s := filestamp.Of(info)
	if !s.Sure || !s.Before(time.Now()) {
		return Tool()
	}
	key := hex.EncodeToString(digest([]byte("executable " + f.Name() + " " + s.Text)))
	sum, check, _ := strings.Cut(d.Note(key), "\n")
	if check == hex.EncodeToString(digest([]byte(key+sum))) {
		return sum, nil
	}
	if sum, err = Tool(); err == nil {
		err = d.SetNote(key, sum+"\n"+hex.EncodeToString(digest([]byte(key+sum))))
	}
	return sum, err
}

// module is the checksum of a released version; "" for other programs.
func module() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return released(info)
	}
	return ""
}

// executable is this program's file.
func executable() (*os.File, error) {
	if f, err := os.Open("/proc/self/exe"); err == nil { // on Linux: the running file itself, even if the name belongs to another one by now
		return f, nil
	}
	file, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(file)
}

func digestOf(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

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
