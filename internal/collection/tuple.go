// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"context"
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// Form tells how many words of the harness function a result takes, and what value they become.
type Form uint8

const (
	FormValue   Form = iota // one word: the integer
	FormBool                // one word: 0 or 1, a bool
	FormError               // one word: 0 nil, 1 an error
	FormNilable             // two words: the integer, and 0 if it is nil
)

// Words is the number of words that a result of this form takes.
func (f Form) Words() int {
	if f == FormNilable {
		return 2
	}
	return 1
}

// FormOf is the form of a result in a slot. A bool that is an item, and not a success, is an int to the oracle.
func FormOf(c *Codec, s oracle.Slot) Form {
	switch {
	case c.Shape == AsError:
		return FormError
	case c.Nilable() && !c.ZeroIsNil:
		return FormNilable
	case c.Shape == AsBool && (s == "" || s == oracle.SlotOK || s == oracle.SlotNotOK):
		return FormBool
	}
	return FormValue
}

// Words is the number of ints that the harness function returns.
func (o *Operation) Words() int {
	n := 0
	for i := range o.Results {
		n += o.Results[i].Form.Words()
	}
	return n
}

// ItemWords lists the indices of the words that may be items; if a result's meaning is not known, it may be one.
func (o *Operation) ItemWords() []int {
	var out []int
	at := 0
	for i := range o.Results {
		switch f := o.Results[i].Form; {
		case f == FormBool || f == FormError || o.Results[i].Objects != nil:
		case slices.Contains([]oracle.Slot{"", oracle.SlotItem, oracle.SlotItemOrNil, oracle.SlotOld, oracle.SlotNew}, o.Results[i].Slot):
			out = append(out, at)
		}
		at += o.Results[i].Form.Words()
	}
	return out
}

// Args converts the arguments of a harness function to those that the oracle gets.
func (o *Operation) Args(args []int) history.Tuple {
	var t history.Tuple
	for i, a := range args {
		if n := o.Params[i].Values; n > 0 {
			a = (a%n + n) % n
		}
		t = t.With(i, history.IntValue(int64(a)))
	}
	return t
}

// Tuple converts the words that the harness function returned to the result that the oracle compares. The item is set to 0 if another
// result says that there is none. If no other result says so, nil differs from 0.
func (o *Operation) Tuple(words []uint64) history.Tuple {
	var t history.Tuple
	for i := range o.Results {
		f := o.Results[i].Form
		t = t.With(i, f.value(words))
		words = words[f.Words():]
	}
	if done, known := o.done(t); !o.Raw && known && !done && o.vanishes() {
		for i := range o.Results {
			if s := o.Results[i].Slot; s == oracle.SlotItem || s == oracle.SlotPriority {
				t = t.With(i, history.IntValue(0))
			}
		}
	}
	return t
}

// FirstError is the int of the first of Codec.Errors.
const FirstError = 2

// Fails reports whether a result is the error that the package's variable holds, all else being zero.
func (o *Operation) Fails(t history.Tuple, variable string) bool {
	return o.failsWith(t, func(c *Codec, v int64) bool {
		k := slices.Index(c.Errors, variable)
		return k >= 0 && v == int64(k+FirstError)
	})
}

// GivesUp reports whether a call with these arguments was given a context that is cancelled at any moment, and the result is that
// context's error, all else being zero.
func (o *Operation) GivesUp(args, t history.Tuple) bool {
	text := textNumber(context.Canceled.Error())
	return o.givenContext(args, 1) && o.failsWith(t, func(_ *Codec, v int64) bool { return v == text })
}

// TakesContext reports whether a parameter is a context that may be cancelled at any moment.
func (o *Operation) TakesContext() bool {
	return slices.ContainsFunc(o.Params, func(p Param) bool { return p.Codec != nil && p.Codec.Shape == AsContext })
}

// failsWith reports whether a result has an error that is as wanted, all else being zero. What a call that fails leaves in an argument does not count.
func (o *Operation) failsWith(t history.Tuple, wanted func(c *Codec, v int64) bool) bool {
	failed := false
	for i := range o.Results {
		c, v := o.Results[i].Codec, t.At(i)
		if o.Results[i].Filled {
			continue
		}
		if c != nil && c.Shape == AsFailure && c.Bit == 0 {
			if v.Kind != history.Int || !wanted(c, v.Int) {
				return false
			}
			failed = true
		} else if v.Int != 0 || v.Kind == history.Err || v.Kind == history.Panic {
			return false
		}
	}
	return failed
}

// ReturnsError reports whether one result is an error that is told apart by the package's variables, among them the one named.
func (o *Operation) ReturnsError(variable string) bool {
	return slices.ContainsFunc(o.Results, func(r Result) bool {
		return r.Codec != nil && r.Codec.Shape == AsFailure && r.Codec.Bit == 0 && slices.Contains(r.Codec.Errors, variable)
	})
}

// value converts the first word, or the first two.
func (f Form) value(words []uint64) history.Value {
	switch f {
	case FormBool:
		return history.BoolValue(words[0] != 0)
	case FormError:
		if words[0] != 0 {
			return history.ErrValue()
		}
		return history.NilValue()
	case FormNilable:
		if words[1] == 0 {
			return history.NilValue()
		}
	}
	return history.IntValue(int64(words[0]))
}

// done reports whether the operation succeeded, if a bool or an error among the results tells.
func (o *Operation) done(t history.Tuple) (done, known bool) {
	for i := range o.Results {
		switch v := t.At(i); o.Results[i].Slot {
		case oracle.SlotOK:
			return v.Int != 0, true
		case oracle.SlotNotOK:
			return v.Int == 0, true
		case oracle.SlotError:
			return v.Kind == history.Nil, true
		}
	}
	return false, false
}

// vanishes reports whether an operation of this role returns no item if it does not succeed.
func (o *Operation) vanishes() bool {
	switch o.Op.Role {
	case oracle.LoadOrStore, oracle.CompareAndSwap, oracle.Inc, oracle.Round, oracle.Dec, oracle.AddTo, oracle.SubOf, "":
		return false
	}
	return true
}
