module sonde.invalid/go-sentry

go 1.25.0

require github.com/jianyuan/go-sentry/v2 v2.8.5-0.20260212151526-49ef3a5c44c6

require (
	github.com/google/go-querystring v1.2.0 // indirect
	github.com/peterhellberg/link v1.2.0 // indirect
)
