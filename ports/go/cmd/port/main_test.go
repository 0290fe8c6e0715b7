package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// plain stands for $P in the requests below.
const plain = `{"max_attempts":5,"initial_delay":1,"multiplier":2,"max_delay":0,"jitter_factor":-0.0,"max_message_age":0}`

func TestAnswers(t *testing.T) {
	for _, c := range []struct{ request, want string }{
		{`"ask":"backoff","policy":$P,"attempt":3`, `"value":{"delay":4000000000}`},
		{`"ask":"backoff","policy":$P,"attempt":3,"Attempt":4,"POLICY":null`, `"value":{"delay":4000000000}`}, // W-1
		{`"ask":"backoff","policy":$P,"attempt":0`, `"rejected":{"code":"invalid_argument","field":"attempt"}`},
		{`"ask":"backoff","policy":$P,"attempt":"x"`, `"error":"attempt: strconv.Atoi: parsing \"\\\"x\\\"\": invalid syntax"`},
		{`"ask":"backoff","policy":$P`, `"error":"attempt is missing"`},
		{`"ask":"backoff","policy":null,"attempt":1`, `"error":"policy is missing"`},
		{`"ask":"tea"`, `"unsupported":"no question \"tea\" is known here"`},
		{`"ask":"schedule","policy":$P`, `"value":{"delays":[1000000000,2000000000,4000000000,8000000000]}`},
		{`"ask":"policy","make":{"none":{}},"then":[{"give_up_after":1.5}]`,
			`"value":{"policy":{"initial_delay":0,"jitter_factor":0,"max_attempts":1,"max_delay":0,"max_message_age":1.5,"multiplier":2}}`},
		{`"ask":"policy","make":{"fields":$P},"then":[]`,
			`"value":{"policy":{"initial_delay":1,"jitter_factor":0,"max_attempts":5,"max_delay":0,"max_message_age":0,"multiplier":2}}`},
		{`"ask":"policy","make":{"fixed":{"max_attempts":0,"delay":"NaN"}},"then":[]`,
			`"rejected":{"code":"invalid_policy","field":"max_attempts"}`},
		{`"ask":"policy","make":{"fixed":{"max_attempts":1,"delay":"NaN"}},"then":[{"with_jitter":2}]`,
			`"rejected":{"code":"invalid_policy","field":"initial_delay"}`},
		{`"ask":"next_delay","policy":$P,"attempt":5,"message_age":"Infinity"`, `"value":{"give_up":"max_attempts"}`},
		{`"ask":"next_delay","policy":$P,"attempt":5,"message_age":"NaN"`, `"rejected":{"code":"invalid_argument","field":"message_age"}`},
		{`"ask":"next_delay","policy":$P,"attempt":0,"message_age":"NaN"`, `"rejected":{"code":"invalid_argument","field":"attempt"}`},
		{`"ask":"jitter","policy":$P,"delay":1e300,"draw":0`, `"rejected":{"code":"invalid_argument","field":"delay"}`},
		{`"ask":"jitter_samples","policy":$P,"delay":1.5,"count":3`, `"value":{"delays":[1500000000,1500000000,1500000000]}`},
		{`"ask":"jitter_samples","policy":$P,"delay":"NaN","count":0`, `"rejected":{"code":"invalid_argument","field":"delay"}`},
		{`"ask":"jitter_samples","policy":$P,"delay":0,"count":9223372036854775807`, `"rejected":{"code":"invalid_argument","field":"count"}`},
		{`"ask":"rung_for","policy":$P,"queue":"q","exchange":"","threshold":2,"delay":3`, `"value":{"rung":"q.retry.4s"}`},
		{`"ask":"rung_for","policy":$P,"queue":"q","exchange":"","threshold":2,"delay":1`, `"value":{"rung":null}`},
		{`"ask":"ladder","policy":$P,"queue":"q","exchange":"x","threshold":8`,
			`"value":{"rungs":[{"arguments":{"x-dead-letter-exchange":"x","x-dead-letter-routing-key":"q","x-message-ttl":8000},"name":"q.retry.8s","ttl_ms":8000}]}`},
		{`"ask":"queue","policy":$P,"message_ttl":0,"ack_timeout":0,"steps":[]`, `"value":{"trace":[]}`},
		{`"ask":"queue","policy":$P,"message_ttl":0,"ack_timeout":0,"steps":[{"at":0.3,"do":"put","message":"m","delivery":"?"},{"at":0.3,"do":"ack","message":"m"}]`,
			`"value":{"trace":[{"at":0.3,"event":"ready","message":"m"},{"at":0.3,"code":"unknown_delivery","do":"ack","event":"refused","message":"m"}]}`},
		{`"ask":"queue","policy":$P,"message_ttl":0,"ack_timeout":0,"steps":[{"at":0.0005,"do":"wait"}]`,
			`"error":"step 1: at: 0.0005 is not a whole number of milliseconds from 0 to the horizon"`},
		{`"ask":"queue","policy":$P,"message_ttl":0,"ack_timeout":0,"steps":[{"at":0,"do":"add_consumer","consumer":"c","prefetch":0}]`,
			`"error":"step 1: prefetch: 0 is less than 1"`},
	} {
		request := `{"id":"7",` + strings.ReplaceAll(c.request, "$P", plain) + "}"
		got, _ := handle([]byte(request))
		if want := `{"id":"7",` + c.want + "}"; string(got) != want {
			t.Errorf("%s\ngot  %s\nwant %s", c.request, got, want)
		}
	}
}

func TestPanicIsAnError(t *testing.T) {
	questions["panic"] = func(*object) (any, error) { panic("tea") }
	defer delete(questions, "panic")
	if got, _ := handle([]byte(`{"id":"1","ask":"panic"}`)); string(got) != `{"id":"1","error":"panic: tea"}` {
		t.Errorf("got %s", got)
	}
}

// A request is answered while the input stays open and a part of the next one has come already (W-3).
func TestAnswersAreFlushed(t *testing.T) {
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error)
	go func() { done <- serve(in, out) }()

	want := `{"id":"1","unsupported":"no question \"tea\" is known here"}` + "\n"
	got := make([]byte, len(want))
	for i := 0; i < 2; i++ {
		io.WriteString(requests, `{"id":"1","ask":"tea"}`+"\n"+`{"id"`)
		if _, err := io.ReadFull(answers, got); err != nil || string(got) != want {
			t.Fatalf("got %q, %v", got, err)
		}
		io.WriteString(requests, `:"1","ask":"tea"}`+"\n")
		io.ReadFull(answers, got)
	}
	requests.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestGarbageIsPassedOver(t *testing.T) {
	var out bytes.Buffer
	err := serve(strings.NewReader("tea\nnull\n{}\n[]\n"+`{"id":"1","ask":3}`), &out)
	if err != nil || !strings.HasPrefix(out.String(), `{"id":"1","error":`) {
		t.Errorf("got %q, %v", out.String(), err)
	}
}
