//go:build prelude

//pangolin:for errors

package prelude

import "errors"

// assignAs stores err in *target if its dynamic type can be assigned, and says
// so.
func assignAs(err error, target any) bool

// asTarget panics as errors.As does if target is no pointer to an interface
// or a type that implements error.
func asTarget(target any)

//pangolin:model errors.Is
func errorsIs(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	return errorIs(err, target, isComparable(target))
}

func errorIs(err, target error, comparable bool) bool {
	for {
		if comparable && err == target {
			return true
		}
		if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			if err = x.Unwrap(); err == nil {
				return false
			}
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if e != nil && errorIs(e, target, comparable) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

//pangolin:model errors.As
func errorsAs(err error, target any) bool {
	if err == nil {
		return false
	}
	if target == nil {
		panic("errors: target cannot be nil")
	}
	asTarget(target)
	return errorAs(err, target)
}

func errorAs(err error, target any) bool {
	for {
		if assignAs(err, target) {
			return true
		}
		if x, ok := err.(interface{ As(any) bool }); ok && x.As(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			if err = x.Unwrap(); err == nil {
				return false
			}
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if e != nil && errorAs(e, target) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

var _ = errors.New

// SPDX-License-Identifier: BSD-3-Clause
