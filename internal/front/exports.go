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

// To ask for export data is most of what listing a small package costs: the go command looks at everything below
// it, and compiles what is about to be checked from source here. So within a shared context packages are
// listed without, and the export data of the standard library is asked for once in a process.

// standardExports are files with export data of the standard library, by environment and directory of the package.
var standardExports = struct {
	sync.Mutex
	files map[string]string
}{files: map[string]string{}}

// listing is packages.Load, with export data of those packages only of which it may be read. Where there is anything
// unusual it is packages.Load, so that nobody is told other things than without sharing.
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

// exported finds export data for those of all packages that have to have it, and says whether it could.
func (l *loader) exported(config *packages.Config, all []*packages.Package) bool {
	root := standardRoot(all)
	var wanted []*packages.Package
	for _, p := range all {
		standard := root != "" && strings.HasPrefix(p.Dir, root)
		switch {
		case len(p.Errors) > 0 || p.Module == nil && !standard && p.PkgPath != "command-line-arguments":
			return false
		case !standard && !isBuiltin(p.PkgPath) || p.PkgPath == "unsafe":
			continue // compiled from source, or known to everybody
		case p.ID != p.PkgPath:
			return false // a variant for a test
		}
		wanted = append(wanted, p)
	}
	return export(config, wanted)
}

// standardRoot is the directory of the standard library among whose packages there is always runtime.
func standardRoot(all []*packages.Package) string {
	for _, p := range all {
		if p.PkgPath == "runtime" && p.Module == nil {
			return strings.TrimSuffix(p.Dir, "runtime")
		}
	}
	return ""
}

// settings are what the export data of the standard library depends on, with what "go env -w" has written.
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
		written, _ := os.ReadFile(filepath.Join(dir, "go", "env")) // there need not be one
		b.Write(written)
	}
	return b.String()
}

// export asks the go command for the export data that is not known yet.
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
