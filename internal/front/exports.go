// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// Most of the time that it takes to list a small package goes into export data: for that the go
// command looks at all packages below it, and compiles what is about to be checked from source
// here. So within a shared context (Share) packages are listed without export data, and that of the
// standard library is asked for once in a process.

// standardExports caches the files with export data of standard packages, by environment and
// directory of the package.
var standardExports = struct {
	sync.Mutex
	files map[string]string
}{files: map[string]string{}}

// listing is packages.Load, but asks for export data only of packages that need it. In all unusual
// cases it is packages.Load, so that errors are the same with and without sharing.
func (l *loader) listing(config *packages.Config, patterns []string) ([]*packages.Package, error) {
	bare := *config
	bare.Mode &^= packages.NeedExportFile
	answer, err := packages.Load(&bare, patterns...)
	if err != nil {
		return packages.Load(config, patterns...)
	}
	var all []*packages.Package
	packages.Visit(answer, nil, func(p *packages.Package) { all = append(all, p) })
	if usual := l.exported(config, all); !usual {
		return packages.Load(config, patterns...)
	}
	return answer, nil
}

// exported fills in the export data of those packages that need it. It is false if it could not.
func (l *loader) exported(config *packages.Config, all []*packages.Package) bool {
	root := standardRoot(all)
	var wanted []*packages.Package
	for _, p := range all {
		standard := root != "" && strings.HasPrefix(p.Dir, root)
		switch {
		case len(p.Errors) > 0 || p.Module == nil && !standard && p.PkgPath != "command-line-arguments":
			return false
		case !standard && !isBuiltin(p.PkgPath) || p.PkgPath == "unsafe":
			continue // compiled from source, or unsafe
		case p.ID != p.PkgPath:
			return false // a variant for a test
		}
		wanted = append(wanted, p)
	}
	return export(config, wanted)
}

// standardRoot is the directory of the standard library, found by package runtime, which every
// program contains.
func standardRoot(all []*packages.Package) string {
	for _, p := range all {
		if p.PkgPath == "runtime" && p.Module == nil {
			return strings.TrimSuffix(p.Dir, "runtime")
		}
	}
	return ""
}

// settings are the parts of the environment that export data of the standard library depends on,
// with those that "go env -w" has written.
func settings(environment []string) string {
	var b strings.Builder
	for _, e := range environment {
		for _, prefix := range []string{"GO", "CGO_", "CC=", "CXX=", "AR=", "PATH="} {
			if strings.HasPrefix(e, prefix) {
				b.WriteString(e + "\x00")
			}
		}
	}
	if dir, err := os.UserConfigDir(); err == nil {
		written, _ := os.ReadFile(filepath.Join(dir, "go", "env")) // the file need not exist
		b.Write(written)
	}
	return b.String()
}

// export asks the go command for the export data that is not cached yet.
func export(config *packages.Config, wanted []*packages.Package) bool {
	standardExports.Lock()
	defer standardExports.Unlock()
	environment := settings(config.Env)
	var missing []string
	for _, p := range wanted {
		if standardExports.files[environment+"\x00"+p.Dir] == "" {
			missing = append(missing, p.PkgPath)
		}
	}
	asked := map[string]string{}
	if len(missing) > 0 {
		slices.Sort(missing)
		only := *config
		only.Mode, only.Tests = packages.NeedName|packages.NeedFiles|packages.NeedExportFile|packages.NeedModule, false
		answer, err := packages.Load(&only, missing...)
		if err != nil {
			return false
		}
		for _, p := range answer {
			asked[p.Dir] = p.ExportFile
			if p.Module == nil {
				standardExports.files[environment+"\x00"+p.Dir] = p.ExportFile
			}
		}
	}
	for _, p := range wanted {
		if p.ExportFile = standardExports.files[environment+"\x00"+p.Dir]; p.ExportFile == "" {
			p.ExportFile = asked[p.Dir]
		}
		if p.ExportFile == "" || !filepath.IsAbs(p.ExportFile) {
			return false
		}
	}
	return true
}
