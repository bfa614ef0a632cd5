/**
 * What to paste into an application so that its errors arrive. One entry per platform that has a snippet; SDKs are
 * the unmodified ones from their registries.
 */
export type Platform = {
  /** As stored with a project and as SDKs say it. */
  readonly id: string
  readonly name: string
  readonly install: string
  readonly setup: (dsn: string) => string
  /** Raises an error on purpose. */
  readonly test: string
}

export const PLATFORMS: readonly Platform[] = [
  {
    id: 'javascript',
    name: 'JavaScript (browser)',
    install: 'npm install @sentry/browser',
    setup: (dsn) => `import * as Sentry from '@sentry/browser'

Sentry.init({
  dsn: '${dsn}',
})`,
    test: `setTimeout(() => {
  throw new Error('First error for Sonde')
})`,
  },
  {
    id: 'node',
    name: 'Node.js',
    install: 'npm install @sentry/node',
    setup: (dsn) => `// instrument.mjs, loaded first: node --import ./instrument.mjs app.mjs
import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: '${dsn}',
})`,
    test: `setTimeout(() => {
  throw new Error('First error for Sonde')
})`,
  },
  {
    id: 'python',
    name: 'Python',
    install: 'pip install sentry-sdk',
    setup: (dsn) => `import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
)`,
    test: 'raise RuntimeError("First error for Sonde")',
  },
  {
    id: 'go',
    name: 'Go',
    install: 'go get github.com/getsentry/sentry-go',
    setup: (dsn) => `if err := sentry.Init(sentry.ClientOptions{
	Dsn: "${dsn}",
}); err != nil {
	log.Fatal(err)
}
defer sentry.Flush(2 * time.Second)`,
    test: 'sentry.CaptureException(errors.New("First error for Sonde"))',
  },
]

/** `javascript-react` has no snippet of its own yet: the part before the hyphen has. Otherwise the first. */
export function platformFor(id: string): Platform {
  const first = PLATFORMS[0] as Platform
  return (
    PLATFORMS.find((platform) => platform.id === id) ??
    PLATFORMS.find((platform) => platform.id === id.split('-')[0]) ??
    first
  )
}
