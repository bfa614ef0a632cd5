/** Errors come first, their source maps later: what a person has open becomes readable, and two issues of one error one. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { apiClient } from '../harness/api-client.ts'
import { sondeJson } from '../harness/start-sonde.ts'
import { injectDebugIds, uploadBuild } from '../harness/upload-build.ts'
import { signedInPlain } from './plain-page.ts'
import { newEventId, sendEvent } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'

const screens = useSignedInScreens()
const root = mkdtempSync(join(tmpdir(), 'sonde-late-map-'))
after(() => rmSync(root, { recursive: true, force: true }))

type Build = { readonly out: string; readonly file: string }

/** A build of the shop, minified; bundlers name its file anew each time. */
async function build(name: string, message: string): Promise<Build> {
  const source = join(root, name, 'src')
  const out = join(root, name, 'dist')
  const file = `main-${name}.js`
  mkdirSync(source, { recursive: true })
  writeFileSync(join(source, 'texts.ts'), `export const NO_LINES = ${JSON.stringify(message)}\n`)
  writeFileSync(
    join(source, 'cart.ts'),
    `import { NO_LINES } from './texts.ts'
export function totalOf(cart: { lines?: number[] }): number {
  if (!cart.lines) throw new Error(NO_LINES)
  return cart.lines.length
}
`,
  )
  writeFileSync(
    join(source, 'main.ts'),
    `import { totalOf } from './cart.ts'
Object.assign(globalThis, { checkout: () => totalOf({}) })
`,
  )
  const bundle = await rolldown({ input: join(source, 'main.ts') })
  await bundle.write({
    dir: out,
    format: 'iife',
    minify: true,
    sourcemap: true,
    entryFileNames: file,
  })
  await bundle.close()
  return { out, file }
}

/** Runs it and sends what it throws as an SDK in a page does. */
async function crash({ out, file }: Build, id: string): Promise<void> {
  const script = `https://shop.example/assets/${file}`
  const code = readFileSync(join(out, file), 'utf8')
  const debugId = /\/\/# debugId=(\S+)/.exec(code)?.[1]
  assert.ok(debugId)
  const page: { checkout?: () => number } = {}
  runInNewContext(code, page, { filename: script })
  let thrown = new Error('it did not throw')
  try {
    page.checkout?.()
  } catch (error) {
    thrown = error as Error
  }
  const frames = thrown.stack?.split('\n').flatMap((line) => {
    const at = /at (?:(\S+) \()?(https:\S+?):(\d+):(\d+)/.exec(line)
    if (!at) return []
    const [, name = '?', filename = '', lineno, colno] = at
    return [
      {
        function: name,
        filename,
        abs_path: filename,
        lineno: Number(lineno),
        colno: Number(colno),
        in_app: true,
      },
    ]
  })
  assert.ok(frames && frames.length > 0, thrown.stack)
  await sendEvent(screens.shop.dsn, {
    event_id: id,
    platform: 'javascript',
    timestamp: Date.now() / 1000,
    debug_meta: { images: [{ type: 'sourcemap', code_file: script, debug_id: debugId }] },
    exception: {
      values: [{ type: 'Error', value: thrown.message, stacktrace: { frames: frames.toReversed() } }],
    },
  })
}

type Issue = { readonly id: string; readonly shortId: string; readonly count: string }
type Reprocessing = { readonly id: string; readonly dateFinished: string | null }

test('an upload makes the open issue readable, two issues one, and old addresses lead on', () =>
  screens.asOwner(async (page) => {
    const { sonde } = screens
    const api = apiClient(sonde)
    const first = await build('first', 'the cart lost its lines')
    const second = await build('second', 'the basket is empty')
    const { token } = sondeJson<{ token: string }>(sonde.dataDir, [
      'token',
      'create',
      '--name',
      'ci',
      '--org',
      'acme',
      '--scopes',
      'org:ci',
    ])
    // The files have their debug ids, and are deployed before they are uploaded.
    for (const { out } of [first, second]) injectDebugIds(out)
    const [one, two] = [newEventId(), newEventId()]
    await crash(first, one)
    await api.until<readonly Issue[]>('/api/0/projects/acme/shop/issues/', (rows) => rows.length === 1)
    await crash(second, two)
    const [newer, older] = await api.until<readonly Issue[]>(
      '/api/0/projects/acme/shop/issues/',
      (rows) => rows.length === 2,
    )
    assert.ok(newer && older)
    await page.goto(`/acme/shop/issues/${older.shortId}`)
    await page.getByText('main-first.js').first().waitFor()
    assert.equal(await page.getByText('if (!cart.lines) throw').count(), 0)

    for (const { out } of [first, second])
      await uploadBuild(out, { url: sonde.url, project: 'acme/shop', token })
    await api.until<readonly Issue[]>(
      '/api/0/projects/acme/shop/issues/',
      ([merged, ...more]) => more.length === 0 && merged?.count === '2',
    )
    // By itself, as whoever uploaded it watches.
    await page.getByText('if (!cart.lines) throw').first().waitFor()
    assert.equal(new URL(page.url()).pathname, `/acme/shop/issues/${older.shortId}`)

    // The other one's links, as somebody kept them.
    const plain = await signedInPlain(sonde.url)
    await plain.goto(`/acme/shop/issues/${newer.shortId}/events/${two}?environment=production`)
    assert.equal(plain.url.pathname, `/acme/shop/issues/${older.shortId}/events/${two}`)
    assert.notEqual(plain.url.search, '')
    await plain.goto(`/acme/shop/issues/${newer.id}`)
    assert.equal(plain.url.pathname, `/acme/shop/issues/${older.shortId}`)
    const { status, body } = await api.get<Issue>(`/api/0/organizations/acme/issues/${newer.id}/`)
    assert.deepEqual([status, body.id], [200, older.id])

    const asked = sondeJson<{ id: string; isNew: boolean }>(sonde.dataDir, [
      'sourcemaps',
      'reprocess',
      'acme/shop',
    ])
    assert.ok(asked.isNew)
    await api.until<readonly Reprocessing[]>(
      '/api/0/projects/acme/shop/source-maps/reprocessing/',
      (reprocessing) => reprocessing.some(({ id, dateFinished }) => id === asked.id && dateFinished !== null),
    )
  }))
