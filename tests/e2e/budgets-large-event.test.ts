/** The issue page for the largest events that SDKs send: 250 frames, 100 breadcrumbs, five causes, 30 threads. */
import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { largestPaintMs, medianOf, observePage, slowDown } from './budget-page.ts'
import { launchChromium } from './chromium.ts'
import { largestEvent } from './largest-event.ts'
import { messageEvent, sendEvent } from './screens-events.ts'
import { visit, visitSignedIn } from './screens-visit.ts'

const ROUNDS = 3
const SLOWER = 4
// The budget of the usual pages is 2.5 s; 900 kB of HTML on a slow processor may take until "poor" begins.
const MAX_LCP_MS = 4_000
const MAX_HTML_GZIP_BYTES = 90_000
/** How much longer the server may take for it than for an event of one line, on whatever machine. */
const MAX_TIMES_A_SMALL_ONE = 12

let sonde: RunningSonde
let browser: Browser
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>
const paths = { large: '', small: '' }

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  const api = apiClient(sonde)
  const issueOf = async (id: string): Promise<string> => {
    const path = `/api/0/projects/acme/shop/events/${id}/`
    return (await api.until<{ groupID: string }>(path, ({ groupID }) => groupID !== '')).groupID
  }
  const large = await issueOf(await sendEvent(dsn, largestEvent(Date.now() - 60_000)))
  const small = await issueOf(await sendEvent(dsn, messageEvent(Date.now() - 60_000, 'One line')))
  browser = await launchChromium()
  const { page, close } = await visitSignedIn(browser, sonde.url)
  signedIn = await page.context().storageState()
  for (const [name, id] of [
    ['large', large],
    ['small', small],
  ] as const) {
    await page.goto(`/acme/shop/issues/${id}`)
    paths[name] = new URL(page.url()).pathname
  }
  await close()
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

async function fresh<Result>(run: (page: Page) => Promise<Result>): Promise<Result> {
  const { page, close } = await visit(browser, sonde.url, { storageState: signedIn })
  try {
    await observePage(page)
    return await run(page)
  } finally {
    await close()
  }
}

/** Of ten requests for the whole page, the one in the middle. */
async function serverMs(page: Page, path: string): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < 12; n++) {
    const startedMs = performance.now()
    const answer = await page.request.get(path)
    await answer.body()
    if (n >= 2) took.push(performance.now() - startedMs)
  }
  return Math.round(medianOf(took))
}

test('the server answers with it about as fast as with a small one', (t) =>
  fresh(async (page) => {
    const [small, large] = [await serverMs(page, paths.small), await serverMs(page, paths.large)]
    const html = await (await page.request.get(paths.large)).body()
    const gzipBytes = gzipSync(html).length
    t.diagnostic(
      `server ms: ${large}, small event: ${small}; HTML ${html.length} bytes, gzipped ${gzipBytes}`,
    )
    assert.ok(large <= small * MAX_TIMES_A_SMALL_ONE, `${large} ms against ${small} ms`)
    assert.ok(gzipBytes <= MAX_HTML_GZIP_BYTES, `${gzipBytes} bytes of HTML`)
  }))

async function figures(
  t: TestContext,
  what: string,
  measure: (page: Page) => Promise<number>,
): Promise<number> {
  const all: number[] = []
  for (let round = 0; round < ROUNDS; round++) all.push(Math.round(await fresh(measure)))
  t.diagnostic(`${what} in ms: ${all.join(', ')}`)
  return medianOf(all)
}

test(`its largest paint is there within 4 s on a processor ${SLOWER} times slower`, async (t) => {
  const lcp = await figures(t, 'LCP', async (page) => {
    await slowDown(page, SLOWER)
    await page.goto(paths.large)
    return largestPaintMs(page)
  })
  assert.ok(lcp > 0 && lcp <= MAX_LCP_MS, `${lcp} ms`)
})
