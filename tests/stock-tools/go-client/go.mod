module sonde.invalid/go-client

go 1.25.0

require github.com/atlassian/go-sentry-api v1.0.0
