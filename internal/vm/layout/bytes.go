// SPDX-License-Identifier: BSD-3-Clause

package layout

import "pangolin/internal/ir"

// Shift finds the word of an object, count elements of type t, that stands n bytes behind word
// off, where Go has them. There is none if what stands there is no component, or behind the end
// (the end itself is a place).
func Shift(t *ir.Type, count, off int, n int64) (word int, ok bool) {
	size, _ := byteSize(t)
	if size == 0 || t.Size == 0 {
		return off, n == 0
	}
	at := int64(off/t.Size)*int64(size) + int64(bytesBefore(t, off%t.Size)) + n
	switch end := int64(count) * int64(size); {
	case at < 0 || at > end:
		return 0, false
	case at == end:
		return count * t.Size, true
	}
	word, ok = wordAt(t, uint64(at)%size)
	return int(uint64(at)/size)*t.Size + word, ok
}

// Bytes is how many bytes behind its begin Go has a word of an object, elements of type t.
func Bytes(t *ir.Type, off int) uint64 {
	size, _ := byteSize(t)
	if t.Size == 0 {
		return 0
	}
	return uint64(off/t.Size)*size + bytesBefore(t, off%t.Size)
}

// bytesBefore is where a word of a value begins.
func bytesBefore(t *ir.Type, word int) uint64 {
	size, _ := byteSize(t)
	switch t.Class {
	case ir.Array:
		n, _ := byteSize(t.Elem)
		return uint64(word/t.Elem.Size)*n + bytesBefore(t.Elem, word%t.Elem.Size)
	case ir.Struct:
		for i, at := range fieldBytes(t) {
			if f := t.Fields[i]; f.Offset <= word && word < f.Offset+f.Type.Size {
				return at + bytesBefore(f.Type, word-f.Offset)
			}
		}
	}
	return uint64(word) * (size / uint64(t.Size))
}

// wordAt is the word of a value that begins at a byte.
func wordAt(t *ir.Type, at uint64) (word int, ok bool) {
	size, _ := byteSize(t)
	switch t.Class {
	case ir.Array:
		n, _ := byteSize(t.Elem)
		if n == 0 {
			return 0, at == 0
		}
		word, ok = wordAt(t.Elem, at%n)
		return int(at/n)*t.Elem.Size + word, ok
	case ir.Struct:
		for i, begin := range fieldBytes(t) {
			f := t.Fields[i]
			if n, _ := byteSize(f.Type); begin <= at && at < begin+n {
				word, ok = wordAt(f.Type, at-begin)
				return f.Offset + word, ok
			}
		}
		return 0, false
	}
	each := size / uint64(max(t.Size, 1))
	return int(at / max(each, 1)), each > 0 && at%each == 0 && at < size
}

// fieldBytes are where the fields of a struct begin.
func fieldBytes(t *ir.Type) []uint64 {
	out := make([]uint64, len(t.Fields))
	end := uint64(0)
	for i, f := range t.Fields {
		n, a := byteSize(f.Type)
		end = (end + a - 1) / a * a
		out[i] = end
		end += n
	}
	return out
}

// Size is how many bytes Go has for a value of a type.
func Size(t *ir.Type) uint64 {
	size, _ := byteSize(t)
	return size
}

// Field is how many bytes behind the begin of a struct Go has its field i.
func Field(t *ir.Type, i int) uint64 { return fieldBytes(t)[i] }
