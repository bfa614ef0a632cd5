/** What a page weighs on the wire. How long it takes is measured by `npm run bench -- --pages`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { largestEvent } from './largest-event.ts'
import { type PlainPage, signedInPlain } from './plain-page.ts'
import { sendEvent } from './screens-events.ts'

const MAX_JS_GZIP_BYTES = 150_000
const MAX_HTML_GZIP_BYTES = 90_000

let sonde: RunningSonde
let page: PlainPage
let large = ''

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  const event = `/api/0/projects/acme/shop/events/${await sendEvent(dsn, largestEvent(Date.now() - 60_000))}/`
  large = (await apiClient(sonde).until<{ groupID: string }>(event, ({ groupID }) => groupID !== '')).groupID
  page = await signedInPlain(sonde.url)
})

after(async () => {
  assert.equal(await sonde?.stop(), 0)
})

test('the JavaScript of the list is at most 150 kB gzipped, as the document asks for it', async (t) => {
  await page.goto('/acme/shop/issues')
  const urls = new Set(
    [...page.html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, url]) => url ?? ''),
  )
  let bytes = 0
  for (const url of urls) bytes += gzipSync(await (await fetch(sonde.url + url)).bytes()).length
  t.diagnostic(`${bytes} bytes in ${urls.size} files`)
  assert.ok(urls.size >= 2 && bytes <= MAX_JS_GZIP_BYTES, `${bytes} bytes`)
})

test('the document of the largest event that SDKs send is at most 90 kB gzipped', async (t) => {
  await page.goto(`/acme/shop/issues/${large}`)
  const bytes = gzipSync(page.html).length
  t.diagnostic(`${page.html.length} characters, gzipped ${bytes} bytes`)
  assert.ok(page.html.includes('frames') && bytes <= MAX_HTML_GZIP_BYTES, `${bytes} bytes`)
})
