/**
 * Weighs what each integration adds to @sentry/browser in an app's bundle, in gzip bytes: `init` alone, then `init` with
 * that one integration. Prints the list that stands in `packages/queries/src/coverage/sdk-weights.ts`.
 *
 *     node bench/sdk-weights.ts
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
/** Those that are not in every bundle anyway, by how events name them. */
const INTEGRATIONS = {
  BrowserTracing: 'browserTracingIntegration',
  Replay: 'replayIntegration',
  ReplayCanvas: 'replayCanvasIntegration',
  Feedback: 'feedbackIntegration',
  BrowserProfiling: 'browserProfilingIntegration',
  CaptureConsole: 'captureConsoleIntegration',
  ConsoleLogs: 'consoleLoggingIntegration',
  HttpClient: 'httpClientIntegration',
  ReportingObserver: 'reportingObserverIntegration',
  GraphQLClient: 'graphqlClientIntegration',
  ContextLines: 'contextLinesIntegration',
  ExtraErrorData: 'extraErrorDataIntegration',
  RewriteFrames: 'rewriteFramesIntegration',
  ThirdPartyErrorsFilter: 'thirdPartyErrorFilterIntegration',
  ModuleMetadata: 'moduleMetadataIntegration',
} as const

async function gzipBytesOf(integration: string | undefined): Promise<number> {
  const names = ['init', ...(integration === undefined ? [] : [integration])]
  const made =
    integration === undefined ? '' : `, integrations: [${integration}(${OPTIONS[integration] ?? ''})]`
  const code = `import { ${names.join(', ')} } from '@sentry/browser'
    init({ dsn: 'https://0123456789abcdef0123456789abcdef@sonde.example/1'${made} })`
  const bundle = await rolldown({
    input: 'virtual:page',
    cwd: ROOT,
    platform: 'browser',
    resolve: { conditionNames: ['production', 'import', 'browser', 'default'] },
    transform: { target: 'es2020', define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'virtual:page' ? join(ROOT, 'page.js') : undefined),
        load: (id) => (id === join(ROOT, 'page.js') ? code : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
  return gzipSync(output[0].code, { level: 9 }).length
}

/** What an integration cannot be made without. */
const OPTIONS: Readonly<Record<string, string>> = {
  graphqlClientIntegration: '{ endpoints: [] }',
  thirdPartyErrorFilterIntegration:
    "{ filterKeys: ['shop'], behaviour: 'drop-error-if-contains-third-party-frames' }",
}

const { version } = JSON.parse(
  readFileSync(join(ROOT, 'node_modules', '@sentry', 'browser', 'package.json'), 'utf8'),
) as { version: string }
const base = await gzipBytesOf(undefined)
process.stdout.write(`@sentry/browser ${version}, ${new Date().toISOString().slice(0, 10)}\nbase: ${base}\n`)
for (const [name, integration] of Object.entries(INTEGRATIONS))
  process.stdout.write(`${name}: ${(await gzipBytesOf(integration)) - base}\n`)
