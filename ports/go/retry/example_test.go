package retry_test

import (
	"fmt"
	"time"

	"samewait.example/go/retry"
)

func Example() {
	options := retry.Defaults()
	options.MaxAttempts = 5
	options.InitialDelay = time.Second
	options.MaxDelay = 5 * time.Second
	policy, err := retry.New(options)
	if err != nil {
		fmt.Println(err)
		return
	}
	for s := policy.Schedule(); s.Next(); {
		fmt.Print(s.Delay(), " ")
	}
	next, _ := policy.NextDelay(5, nil)
	fmt.Println(next.GiveUp)
	// Output: 1s 2s 4s 5s max_attempts
}

func ExamplePolicy_Ladder() {
	policy, _ := retry.Exponential(11, 100*time.Millisecond, time.Hour)
	ladder, _ := policy.Ladder("orders", "", retry.DefaultThreshold)
	for _, rung := range ladder.Rungs() {
		fmt.Println(rung.Name, rung.TTL)
	}
	fmt.Println(ladder.RungFor(40 * time.Second))
	// Output:
	// orders.retry.51200ms 51.2s
	// orders.retry.51200ms <nil>
}
