# What a developer types. The gate is .ci/run.

.PHONY: test bench demo build ci

test:
	go test ./...

# Ratios of one run, measured beside their floors; meaningful on a quiet machine only.
bench:
	go test -run '^$$' -bench . -benchtime 20000x ./bot
	go test -run '^$$' -bench . -benchtime 1x ./internal/outbox
	go test -run '^$$' -bench . ./db ./internal/text
	go test -run '^$$' -bench . -benchtime 1x ./cmd/hodor

demo:
	go run ./cmd/hodor demo

build:
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o hodor ./cmd/hodor

ci:
	.ci/run
