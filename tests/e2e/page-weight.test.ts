/** What a page weighs on the wire. How long it takes is measured by `npm run bench -- --pages`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { largestEvent } from './largest-event.ts'
import { sendEvent } from './screens-events.ts'
import { visitSignedIn } from './screens-visit.ts'

const MAX_JS_GZIP_BYTES = 150_000
const MAX_HTML_GZIP_BYTES = 90_000

let sonde: RunningSonde
let browser: Browser
let large = ''

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  const event = `/api/0/projects/acme/shop/events/${await sendEvent(dsn, largestEvent(Date.now() - 60_000))}/`
  large = (await apiClient(sonde).until<{ groupID: string }>(event, ({ groupID }) => groupID !== '')).groupID
  browser = await launchChromium()
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

test('the JavaScript of the list is at most 150 kB gzipped, as the document asks for it', async (t) => {
  const { page, close } = await visitSignedIn(browser, sonde.url)
  const html = await (await page.request.get('/acme/shop/issues')).text()
  const urls = new Set(
    [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, url]) => url ?? ''),
  )
  let bytes = 0
  for (const url of urls) bytes += gzipSync(await (await page.request.get(url)).body()).length
  await close()
  t.diagnostic(`${bytes} bytes in ${urls.size} files`)
  assert.ok(urls.size >= 2 && bytes <= MAX_JS_GZIP_BYTES, `${bytes} bytes`)
})

test('the document of the largest event that SDKs send is at most 90 kB gzipped', async (t) => {
  const { page, close } = await visitSignedIn(browser, sonde.url)
  const html = await (await page.request.get(`/acme/shop/issues/${large}`)).body()
  await close()
  const bytes = gzipSync(html).length
  t.diagnostic(`${html.length} bytes, gzipped ${bytes}`)
  assert.ok(html.includes('frames') && bytes <= MAX_HTML_GZIP_BYTES, `${bytes} bytes`)
})
