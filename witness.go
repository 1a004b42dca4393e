// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"pangolin/verdict"
)

// write writes the witness if there is a directory for it, and sets the file in the violation. If that fails, the verdict is printed all
// the same, and a note says why there is no file.
func (t *target) write(v *verdict.Violation) {
	if t.request.Out == "" {
		return
	}
	v.Witness = t.request.keep(witnessName(t.witness(), v), t.Name(), v.Execution)
}

// witness is the beginning of the names of the collection's witnesses.
func (t *target) witness() string {
	return strings.ReplaceAll(t.Listed.Path, "/", ".") + "." + t.Found.Type
}

func witnessName(begins string, v *verdict.Violation) string {
	return begins + "-" + verdict.Property(v.Execution.Subject.Property).FileName() + ".json"
}

// keep writes a witness into the directory for witnesses, and returns the file's name; "" if that fails, which is noted.
func (r *Request) keep(name, about string, w *verdict.Witness) string {
	file, err := writeWitness(r.Out, name, w)
	if err != nil {
		r.Events.note("%s: the witness is printed only, it cannot be written: %v (Request.Out names another directory)", about, err)
		return ""
	}
	return file
}

// KeepWitness writes the witness of a violation, which another machine may have found, into a directory, and sets the file in the verdict.
func KeepWitness(dir string, v *verdict.Verdict) error {
	b := v.Violation
	if b == nil || b.Execution == nil {
		return nil
	}
	_, typ, _ := strings.Cut(v.Collection, ".")
	file, err := writeWitness(dir, witnessName(strings.ReplaceAll(v.Package, "/", ".")+"."+typ, b), b.Execution)
	if err == nil {
		b.Witness = file
	}
	return err
}

// writeWitness writes a witness into a directory: first under another name, which is then changed, so that there is never half a witness.
func writeWitness(dir, name string, w *verdict.Witness) (file string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	text, err := w.Text()
	if err != nil {
		return "", err
	}
	part, err := os.CreateTemp(dir, name+".*.part")
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, name)
	_, err = part.Write(append(text, '\n'))
	err = errors.Join(err, part.Chmod(0o644), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), file)
	}
	if err != nil {
		os.Remove(part.Name())
		return "", err
	}
	return file, nil
}
