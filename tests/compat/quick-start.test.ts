/**
 * The samples of docs/start, as they stand there: each either runs here against the built Sonde and must become the issue that its page
 * says, or is listed with the reason why it does not run.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { ensureGo, ensurePython } from '../../scripts/test/compat-tools.mjs'
import { launchChromium } from '../e2e/chromium.ts'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import type { Issue } from './support/api-shapes.ts'
import { buildGo } from './support/build-go.ts'
import { findTool } from './support/find-tool.ts'
import { runProgram } from './support/run-program.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGES = join(ROOT, 'docs', 'start')
const DSN = 'https://<key>@sonde.example/1'

const NO_PACKAGE = 'its SDK is none of the packages that tests install'
const NO_RUNTIME = 'its runtime is none of those that tests install'
/** Page and file → why it is not run here. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'angular src/main.ts': NO_PACKAGE,
  'astro sentry.client.config.js': NO_PACKAGE,
  'astro sentry.server.config.js': NO_PACKAGE,
  'dotnet Program.cs': NO_RUNTIME,
  'java Main.java': `${NO_RUNTIME}; the SDK is in Maven’s registry`,
  'java build.gradle': NO_RUNTIME,
  'mobile App.js': 'it needs a device or an emulator',
  'nextjs app/break/page.tsx': 'tests/stock-tools/next.test.ts runs the SDK in an application of its own',
  'nextjs instrumentation-client.ts':
    'tests/stock-tools/next.test.ts runs the SDK in an application of its own',
  'nextjs instrumentation.ts': 'tests/stock-tools/next.test.ts runs the SDK in an application of its own',
  'nextjs next.config.ts': 'tests/stock-tools/next.test.ts runs the SDK in an application of its own',
  'nextjs sentry.server.config.ts':
    'tests/stock-tools/next.test.ts runs the SDK in an application of its own',
  'node server.mjs': 'Express is none of the packages that tests install',
  'php app.php': NO_RUNTIME,
  'react app.jsx': 'tests/stock-tools/vite.test.ts runs the SDK in an application of its own',
  'react main.jsx': 'tests/stock-tools/vite.test.ts runs the SDK in an application of its own',
  'ruby app.rb': NO_RUNTIME,
  'svelte src/hooks.client.js': NO_PACKAGE,
  'svelte src/hooks.server.js': NO_PACKAGE,
  'svelte src/main.js': NO_PACKAGE,
  'vue main.js': NO_PACKAGE,
}

type Sample = { readonly page: string; readonly file: string; readonly code: string }

/** Code whose first line is a comment with the name of its file. A tag has no line for that: it is `page.html`. */
function samplesOf(page: string): Sample[] {
  const text = readFileSync(join(PAGES, `${page}.md`), 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, language, code = '']) => {
    const named = /^(?:<\?php )?(?:\/\/|#) (\S+\.\w+)$/m.exec(code.split('\n')[0] ?? '')?.[1]
    const file = named ?? (language === 'html' ? 'page.html' : undefined)
    return file === undefined ? [] : [{ page, file, code }]
  })
}

const pages = readdirSync(PAGES).map((file) => file.replace(/\.md$/, ''))
const samples = pages.flatMap(samplesOf)

function sample(page: string, file: string, dsn: string): string {
  const found = samples.find((one) => one.page === page && one.file === file)
  assert.ok(found, `docs/start/${page}.md has no ${file}`)
  return found.code.replaceAll(DSN, dsn).replaceAll('https://sonde.example', new URL(dsn).origin)
}

/** What the page says that the screen shows. */
function titles(page: string): string[] {
  const text = readFileSync(join(PAGES, `${page}.md`), 'utf8')
  return [...text.matchAll(/\*\*On the screen:\*\* an issue `([^`]+)`/g)].map(([, title = '']) => title)
}

const RUN = [
  'browser main.js',
  'browser page.html',
  'go main.go',
  'node app.mjs',
  'node caught.mjs',
  'node instrument.mjs',
  'opentelemetry hello.mjs',
  'python app.py',
  'react sonde.js',
]

test('every sample runs here or says why it does not', () => {
  const named = samples.map(({ page, file }) => `${page} ${file}`).sort()
  assert.deepEqual(named, [...RUN, ...Object.keys(NOT_RUN)].sort())
})

test('every page says what the screen will show', () => {
  for (const page of pages.filter((name) => name !== 'README')) assert.ok(titles(page).length > 0, page)
})

describe('samples of the quick start', () => {
  let sonde: RunningSonde
  let browser: Browser
  let folder: string

  before(async () => {
    const cache = join(ROOT, '.cache', 'compat')
    mkdirSync(cache, { recursive: true })
    // Below the root, so that the samples find the SDKs.
    folder = mkdtempSync(join(cache, 'quick-start-'))
    ;[sonde, browser] = await Promise.all([startSonde(), launchChromium()])
  })
  after(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
    assert.equal(await sonde?.stop(), 0)
  })

  const newProject = (name: string): string => createProject(sonde, `acme/${name}`).dsn

  function write(page: string, file: string, dsn: string): string {
    const place = join(folder, page, file)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, sample(page, file, dsn))
    return place
  }

  async function shows(project: string, wanted: readonly string[]): Promise<void> {
    const issues = await apiClient(sonde).until<readonly Issue[]>(
      `/api/0/projects/acme/${project}/issues/?limit=100`,
      (list) => list.length >= wanted.length,
    )
    assert.deepEqual(issues.map(({ title }) => title).sort(), [...wanted].sort())
  }

  test('Node.js', async () => {
    const dsn = newProject('node')
    const [instrument = '', app = '', caught = ''] = ['instrument.mjs', 'app.mjs', 'caught.mjs'].map((file) =>
      write('node', file, dsn),
    )
    const run = (file: string) => runProgram(process.execPath, ['--import', instrument, file], dsn)
    const [broken] = await Promise.all([run(app), run(caught)])
    assert.equal(broken.code, 1, 'an uncaught error ends the process, as without the SDK')
    const [first = ''] = titles('node')
    const rows = await apiClient(sonde).until<readonly Issue[]>(
      '/api/0/projects/acme/node/issues/?query=',
      (list) => list.length === 2,
    )
    const uncaught = rows.find(({ title }) => title === first)
    assert.deepEqual([uncaught?.level, uncaught?.isUnhandled], ['fatal', true])
    const tagged = await apiClient(sonde).get<readonly Issue[]>(
      '/api/0/projects/acme/node/issues/?query=part:import',
    )
    assert.match(tagged.body[0]?.title ?? '', /^SyntaxError: /)
  })

  const python = findTool(ensurePython)
  test('Python', { skip: python.skip }, async () => {
    const dsn = newProject('python')
    const run = await runProgram(python.path, [write('python', 'app.py', dsn)], dsn)
    assert.match(run.stderr, /First error for Sonde/)
    await shows('python', titles('python'))
  })

  const go = findTool(ensureGo)
  test('Go', { skip: go.skip }, async () => {
    const dsn = newProject('go')
    write('go', 'main.go', dsn)
    for (const file of ['go.mod', 'go.sum'])
      cpSync(join(import.meta.dirname, 'go', file), join(folder, 'go', file))
    const run = await runProgram(buildGo(go.path, join(folder, 'go'), 'quick-start'), [], dsn)
    assert.equal(run.code, 0, run.stderr)
    await shows('go', titles('go'))
  })

  test('OpenTelemetry', async () => {
    const dsn = newProject('otel')
    const { origin, username, pathname } = new URL(dsn)
    const run = await runProgram(process.execPath, [write('opentelemetry', 'hello.mjs', dsn)], dsn, {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${origin}/api${pathname}/otlp/v1/traces`,
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: `x-sentry-auth=sentry sentry_key=${username}`,
    })
    assert.match(run.stdout, /^[0-9a-f]{32}\n$/, run.stderr)
    await shows('otel', titles('opentelemetry'))
  })

  /** Opens a page that has this in it, on an origin of its own. */
  async function open(html: string): Promise<void> {
    const server = createServer((_req, res) => res.setHeader('content-type', 'text/html').end(html))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    // What was not sent yet goes when a page is left.
    await page.waitForLoadState('networkidle')
    await page.close({ runBeforeUnload: true })
    server.close()
    server.closeAllConnections()
  }

  async function bundled(file: string): Promise<string> {
    const bundle = await rolldown({
      input: file,
      cwd: ROOT,
      platform: 'browser',
      resolve: { conditionNames: ['@sonde/source', 'browser', 'import', 'default'] },
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    })
    const { output } = await bundle.generate({ format: 'iife' })
    await bundle.close()
    return output[0].code.replaceAll('</script', '<\\/script')
  }

  test('a page with Sentry’s SDK', async () => {
    const script = await bundled(write('browser', 'main.js', newProject('browser')))
    await open(`<!doctype html><title>Shop</title><script>${script}</script>`)
    await shows('browser', titles('browser').slice(0, 1))
  })

  test('a page with the script tag', async () => {
    await open(`<!doctype html><title>Shop</title>${sample('browser', 'page.html', newProject('tag'))}`)
    await shows('tag', titles('browser').slice(1))
  })

  test('a page with React and Sonde’s own reporter', async () => {
    const script = await bundled(write('react', 'sonde.js', newProject('react')))
    await open(`<!doctype html><title>Shop</title><div id="root"></div><script>${script}</script>`)
    await shows('react', titles('react').slice(1))
  })
})
