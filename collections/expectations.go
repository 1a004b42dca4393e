package collections

import (
	"embed"
	"encoding/csv"
	"fmt"
	"io/fs"
	"path"
)

// Expectations holds every package's EXPECT.csv, as queue/EXPECT.csv and so on.
//
//go:embed */EXPECT.csv
var Expectations embed.FS

// Rows reads the lines of every EXPECT.csv, in the order of packages and lines, by column. The column "package" is the
// directory.
func Rows(files fs.FS) ([]map[string]string, error) {
	names, err := fs.Glob(files, "*/EXPECT.csv")
	if err != nil {
		return nil, err
	}
	var rows []map[string]string
	for _, name := range names {
		f, err := files.Open(name)
		if err != nil {
			return nil, err
		}
		records, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, r := range records[1:] {
			row := map[string]string{"package": path.Dir(name)}
			for i, column := range records[0] {
				row[column] = r[i]
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// SPDX-License-Identifier: BSD-3-Clause
