package native

import (
	"context"
	"errors"
)

var errNotYet = errors.New("native: not there yet")

func judge(context.Context, []Trial, Options) ([][]Judgement, error) { return nil, errNotYet }

func follow(context.Context, []Plan, Options) ([]Followed, error) { return nil, errNotYet }
