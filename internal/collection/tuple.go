package collection

import (
	"pangolin/history"
	"pangolin/oracle"
)

// form is how many words of the harness function a result takes, and what they
// become.
type form uint8

const (
	formValue   form = iota // one word: the integer
	formBool                // one word: 0 or 1, a bool
	formError               // one word: 0 nil, 1 an error
	formNilable             // two words: the integer, and 0 if it is nil
)

func (f form) words() int {
	if f == formNilable {
		return 2
	}
	return 1
}

// formOf is the form of a result in a slot: a bool that is an item is an integer
// to the oracle.
func formOf(c *codec, s oracle.Slot) form {
	switch {
	case c.shape == asError:
		return formError
	case c.nilable() && !c.zeroIsNil:
		return formNilable
	case c.shape == asBool && (s == "" || s == oracle.SlotOK || s == oracle.SlotNotOK):
		return formBool
	}
	return formValue
}

// Words is the number of ints that the harness function returns.
func (o *Operation) Words() int {
	n := 0
	for i := range o.Results {
		n += o.Results[i].form.words()
	}
	return n
}

// Args is what the oracle is told of a call whose harness function gets the given
// arguments.
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

// Tuple is what the harness function's result words say, as the oracle sees it.
// An item is not looked at if another result says that there is none; if none
// does, or it says that there is one, nil is not mistaken for 0.
func (o *Operation) Tuple(words []uint64) history.Tuple {
	var t history.Tuple
	for i := range o.Results {
		f := o.Results[i].form
		t = t.With(i, f.value(words))
		words = words[f.words():]
	}
	if done, known := o.done(t); !o.raw && known && !done && o.vanishes() {
		for i := range o.Results {
			if s := o.Results[i].Slot; s == oracle.SlotItem || s == oracle.SlotPriority {
				t = t.With(i, history.IntValue(0))
			}
		}
	}
	return t
}

// value reads the first result.
func (f form) value(words []uint64) history.Value {
	switch f {
	case formBool:
		return history.BoolValue(words[0] != 0)
	case formError:
		if words[0] != 0 {
			return history.ErrValue()
		}
		return history.NilValue()
	case formNilable:
		if words[1] == 0 {
			return history.NilValue()
		}
	}
	return history.IntValue(int64(words[0]))
}

// done reads whether the operation was done, if a bool or an error tells.
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

// vanishes tells the roles that have no item if they are not done.
func (o *Operation) vanishes() bool {
	switch o.Op.Role {
	case oracle.LoadOrStore, oracle.CompareAndSwap, oracle.Inc, oracle.Dec, oracle.AddTo, oracle.SubOf, "":
		return false
	}
	return true
}
