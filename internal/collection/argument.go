// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/token"
	"strings"
)

// SplitType splits an argument PKG.Type into the package's pattern and the type, "" if there is none: a version (yaml.v3) or
// a file name is not a type. The package of .Type is the one in the current directory.
func SplitType(arg string) (pattern, typ string) {
	bare, instance := arg, ""
	if i := strings.IndexByte(arg, '['); i >= 0 {
		bare, instance = arg[:i], arg[i:]
	}
	i := strings.LastIndexByte(bare, '.')
	if i == 0 && token.IsIdentifier(bare[1:]) {
		return ".", arg[1:]
	}
	if i <= 0 || i < strings.LastIndexByte(bare, '/') || bare[i-1] == '.' || bare[i-1] == '/' {
		return arg, ""
	}
	name := bare[i+1:]
	version := strings.TrimLeft(strings.TrimPrefix(name, "v"), "0123456789") == "" && name[:min(1, len(name))] == "v"
	if !token.IsIdentifier(name) || name == "go" || version {
		return arg, ""
	}
	return bare[:i], name + instance
}
