package native

import (
	"context"
	"errors"
)

func follow(context.Context, []Plan, Options) ([]Followed, error) {
	return nil, errors.New("native: not there yet")
}
