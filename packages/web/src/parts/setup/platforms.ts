/** Every platform that has a snippet, in the order in which they are offered. */
import { BROWSER_PLATFORMS, type Platform } from './browser-platforms.ts'

/** Snippets of what runs on servers. */
const SERVER_PLATFORMS: readonly Platform[] = [
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
  {
    id: 'ruby',
    name: 'Ruby',
    install: 'bundle add sentry-ruby',
    setup: (dsn) => `require "sentry-ruby"

Sentry.init do |config|
  config.dsn = "${dsn}"
end`,
    test: `begin
  1 / 0
rescue ZeroDivisionError => e
  Sentry.capture_exception(e)
end`,
  },
  {
    id: 'php',
    name: 'PHP',
    install: 'composer require sentry/sentry',
    setup: (dsn) => `\\Sentry\\init([
    'dsn' => '${dsn}',
]);`,
    test: `try {
    throw new \\Exception('First error for Sonde');
} catch (\\Throwable $e) {
    \\Sentry\\captureException($e);
}`,
  },
  {
    id: 'java',
    name: 'Java',
    install: `// build.gradle
implementation("io.sentry:sentry:8.+")`,
    setup: (dsn) => `import io.sentry.Sentry;

Sentry.init(options -> {
  options.setDsn("${dsn}");
});`,
    test: `try {
  throw new IllegalStateException("First error for Sonde");
} catch (Exception e) {
  Sentry.captureException(e);
}`,
  },
  {
    id: 'csharp',
    name: '.NET',
    install: 'dotnet add package Sentry',
    setup: (dsn) => `using var sentry = SentrySdk.Init(options =>
{
    options.Dsn = "${dsn}";
});`,
    test: `try
{
    throw new InvalidOperationException("First error for Sonde");
}
catch (Exception e)
{
    SentrySdk.CaptureException(e);
}`,
  },
]

export const PLATFORMS: readonly Platform[] = [...BROWSER_PLATFORMS, ...SERVER_PLATFORMS]

/** What SDKs and other tools call the same thing. */
const ALIASES: Readonly<Record<string, string>> = { dotnet: 'csharp', javascript_react: 'javascript-react' }

/** `python-django` has no snippet of its own: the part before the hyphen has. Otherwise the first. */
export function platformFor(id: string): Platform {
  const first = PLATFORMS[0] as Platform
  const name = ALIASES[id] ?? id
  const family = name.split('-')[0] ?? ''
  return (
    PLATFORMS.find((platform) => platform.id === name) ??
    PLATFORMS.find((platform) => platform.id === (ALIASES[family] ?? family)) ??
    first
  )
}
