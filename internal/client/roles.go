// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SetRoles limits operations to threads as the -roles flag says it:
// "Put:1,Get:*,Len:~1,Close:once", or Close:last, Set:first, Reset:alone, Add:not-Wait, Go:not-Wait+Stop. It returns the operations with their roles set, and
// reports names that are unknown or given twice and numbers out of range.
func SetRoles(ops []Op, flag string) ([]Op, error) {
	out := append([]Op(nil), ops...)
	if strings.TrimSpace(flag) == "" {
		return out, nil
	}
	given, once := make(map[string]bool), ""
	for _, item := range strings.Split(flag, ",") {
		name, who, ok := strings.Cut(strings.TrimSpace(item), ":")
		if !ok {
			return nil, fmt.Errorf("role %q: want OPERATION:THREAD, OPERATION:~THREAD, OPERATION:*, OPERATION:once, OPERATION:last, OPERATION:first, OPERATION:alone or OPERATION:not-OPERATION+OPERATION", item)
		}
		roles, err := parseRoles(who)
		if err != nil {
			return nil, fmt.Errorf("role %q: %w", item, err)
		}
		if given[name] {
			return nil, fmt.Errorf("role %q: %s is given twice", item, name)
		}
		given[name] = true
		for _, other := range roles.Others() {
			if !slices.ContainsFunc(ops, func(o Op) bool { return o.Name == other }) {
				return nil, fmt.Errorf("role %q: there is no operation %s (there are %s)", item, other, names(ops))
			}
		}
		if roles.Once && once != "" {
			return nil, fmt.Errorf("role %q: one operation may be called once or last, and that is %s", item, once)
		}
		if roles.Once {
			once = name
		}
		if !setRole(out, name, roles) {
			return nil, fmt.Errorf("role %q: there is no operation %s (there are %s)", item, name, names(ops))
		}
	}
	return out, nil
}

// names lists the operations' names: "Get and Put".
func names(ops []Op) string {
	var list []string
	for i := range ops {
		if !slices.Contains(list, ops[i].Name) {
			list = append(list, ops[i].Name)
		}
	}
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

func setRole(ops []Op, name string, roles Roles) (found bool) {
	for i := range ops {
		if ops[i].Name == name {
			ops[i].Who, found = roles, true
		}
	}
	return found
}

func parseRoles(who string) (Roles, error) {
	switch who {
	case "*":
		return Roles{}, nil
	case "once":
		return Roles{Once: true}, nil
	case "last":
		return Roles{Once: true, Last: true}, nil
	case "first":
		return Roles{First: true}, nil
	case "alone":
		return Roles{Alone: true}, nil
	}
	if other, ok := strings.CutPrefix(who, "not-"); ok && other != "" {
		return Roles{Not: other}, nil
	}
	number, except := strings.CutPrefix(who, "~")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > MaxThreads {
		return Roles{}, fmt.Errorf("thread %q: want 1 to %d, once, last, first, alone or not-OPERATION+OPERATION", number, MaxThreads)
	}
	if except {
		return Roles{Except: n}, nil
	}
	return Roles{Only: n}, nil
}
