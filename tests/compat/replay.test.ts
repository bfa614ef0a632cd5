/**
 * Replays as the unmodified `@sentry/browser` records them in Chromium: the whole session, or the buffer before an error; packed
 * by its compression worker or not. What is asserted is what went over the wire, what is stored, and what the player shows.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { buildShop } from './browser/build-shop.ts'
import { type ShopServer, startShopServer } from './browser/shop-server.ts'
import { type EventDetail, eventById } from './support/api-shapes.ts'
import { assertOutcomes } from './support/counts.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { signIn } from './support/screens.ts'

type Replay = {
  readonly id: string
  readonly replay_type: string
  readonly count_errors: number
  readonly count_segments: number
  readonly error_ids: readonly string[]
  readonly trace_ids: readonly string[]
  readonly urls: readonly string[]
  readonly user: { readonly display_name: string | null }
}
type RecordedEvent = {
  readonly type: number
  readonly timestamp: number
  readonly data: { readonly source?: number; readonly tag?: string; readonly payload?: Crumb }
}
type Crumb = { readonly category?: string; readonly message?: string; readonly op?: string }
type Visit = {
  readonly name: string
  readonly eventId: string
  readonly replayId: string
  readonly traceId: string
  /** Bodies of recordings as they were sent, without their first line. */
  readonly sent: readonly Uint8Array[]
  readonly statuses: readonly number[]
}

const MODES = [
  { name: 'session-packed', mode: 'session', compression: 'on' },
  { name: 'session-plain', mode: 'session', compression: 'off' },
  { name: 'buffer-packed', mode: 'buffer', compression: 'on' },
  { name: 'buffer-plain', mode: 'buffer', compression: 'off' },
] as const
const HIDDEN = ["Grace Hopper's account", 'none-of-your-business']

suite('replays of unmodified SDKs', () => {
  const leftovers: (() => void | Promise<void>)[] = []
  const visits = new Map<string, Visit>()
  let harness: Harness
  let browser: Browser
  let shop: ShopServer
  let screens: Page

  before(async () => {
    harness = await openHarness('javascript')
    browser = await launchChromium()
    const built = await buildShop('shop@5.0.0', join(import.meta.dirname, 'replay', 'page'))
    leftovers.push(() => built.remove())
    shop = await startShopServer(built.folder, harness.sonde.url)
    leftovers.push(() => shop.stop())
    await Promise.all(MODES.map(async (each) => visits.set(each.name, await visitAs(each))))
    screens = await signIn(browser, harness)
    screens.setDefaultTimeout(15_000)
  })
  after(async () => {
    await browser?.close()
    for (const remove of leftovers) await remove()
    await harness?.close()
  })

  /** Looks around, clicks what does nothing four times, then something breaks. */
  async function visitAs(how: (typeof MODES)[number]): Promise<Visit> {
    const page = await browser.newPage()
    const [sent, statuses]: [Uint8Array[], number[]] = [[], []]
    page.on('request', (request) => {
      const body = request.postDataBuffer()
      if (body && request.url().startsWith(harness.sonde.url)) sent.push(...recordingsIn(body))
    })
    page.on('response', (answer) => {
      if (answer.url().startsWith(harness.sonde.url)) statuses.push(answer.status())
    })
    await page.goto(`${shop.url}/?${new URLSearchParams({ ...how, dsn: harness.project.dsn })}`)
    await page.click('#show')
    await page.getByText('Thank you for the order').waitFor()
    for (let times = 0; times < 4; times++) await page.click('#dead')
    // The SDK waits seven seconds until it calls a click dead.
    await page.waitForTimeout(8_000)
    await page.click('#fail')
    await page.waitForFunction(() => window.visited.isSent, undefined, { timeout: 20_000 })
    const { eventId = '', replayId = '', traceId = '' } = await page.evaluate(() => window.visited)
    await page.close()
    return { name: how.name, eventId, replayId, traceId, sent, statuses }
  }
  const visitOf = (name: string): Visit => visits.get(name)!

  const replayOf = async ({ replayId, eventId }: Visit): Promise<Replay> => {
    const found = await harness.api.until<{ data: Replay }>(
      `/api/0/projects/acme/shop/replays/${replayId}/`,
      ({ data }) => data.error_ids.includes(eventId) && data.count_segments > 0,
    )
    return found.data
  }
  const recordingOf = async ({ replayId }: Visit): Promise<readonly RecordedEvent[]> => {
    const segments = await harness.api.until<readonly (readonly RecordedEvent[])[]>(
      `/api/0/projects/acme/shop/replays/${replayId}/recording-segments/`,
      (list) => list.length > 0,
    )
    return segments.flat()
  }

  for (const { name, mode, compression } of MODES)
    test(`${name}: is stored whole, with masked texts masked, and names its error and trace`, async () => {
      const visit = visitOf(name)
      assert.deepEqual(new Set(visit.statuses), new Set([200]))
      assert.ok(visit.sent.length > 0, 'a recording was sent')
      // zlib begins with 0x78, a list with a bracket.
      const [packed, plain] = [0x78, 0x5b]
      const begins = new Set(visit.sent.map((body) => body[0]))
      assert.deepEqual(begins, new Set([compression === 'on' ? packed : plain]))

      const replay = await replayOf(visit)
      assert.equal(replay.replay_type, mode)
      assert.equal(replay.user.display_name, name)
      assert.ok(replay.trace_ids.includes(visit.traceId), JSON.stringify(replay))
      const events = await recordingOf(visit)
      const text = JSON.stringify(events)
      assert.deepEqual(
        HIDDEN.filter((word) => text.includes(word)),
        [],
      )
      assert.ok(text.includes('Two books are in the cart'))
      // A picture of each change of a canvas comes too; drawing is code, and is not kept.
      assert.equal(events.filter(({ data }) => data.source === 9).length, 0)
      const said = events.flatMap(({ data }) => data.payload?.category ?? data.payload?.op ?? [])
      for (const kind of ['ui.click', 'navigation', 'console', 'resource.fetch', 'ui.slowClickDetected'])
        assert.ok(said.includes(kind), `${kind} in ${[...new Set(said)].join(', ')}`)

      const event: EventDetail = await eventById(harness, visit.eventId)
      const tagged = event.tags.find(({ key }) => key === 'replayId')?.value
      assert.equal(tagged, visit.replayId)
      assert.equal(event.contexts['trace']?.['trace_id'], visit.traceId)
    })

  test('rage and dead clicks are counted, and found by a search', async () => {
    for (const { name } of MODES) await replayOf(visitOf(name))
    const query = new URLSearchParams({ query: 'dead_clicks:>0 rage_clicks:>0 url:*thanks* errors:>0' })
    const { data } = await harness.api.until<{ data: readonly Replay[] }>(
      `/api/0/organizations/acme/replays/?${query}`,
      (found) => found.data.length === MODES.length,
    )
    assert.deepEqual(
      data.map(({ id }) => id).toSorted(),
      [...visits.values()].map(({ replayId }) => replayId).toSorted(),
    )
    await assertOutcomes(harness, [{ category: 'replay', outcome: 'accepted', reason: '', quantity: 8 }])
  })

  const pageIn = (page: Page): FrameLocator =>
    page.frameLocator('iframe.replay-page').frameLocator('iframe').frameLocator('.replayer-wrapper > iframe')

  for (const { name } of MODES)
    test(`${name}: is played from the error on, masked, and leads back to it`, async () => {
      const { eventId, replayId } = visitOf(name)
      const { groupID } = await eventById(harness, eventId)
      await screens.goto(`${harness.sonde.url}/acme/shop/issues/${groupID}/events/${eventId}`)
      await screens.getByRole('link', { name: /^Replay at/ }).click()
      await screens.waitForURL((url) => url.pathname.endsWith(`/replays/${replayId}`))
      const second = Number(new URL(screens.url()).searchParams.get('t'))
      assert.ok(second >= 4, `the error was some ten seconds behind the beginning: ${screens.url()}`)
      await pageIn(screens).getByText('Thank you for the order').waitFor()
      assert.match((await pageIn(screens).locator('h1').textContent()) ?? '', /^[* ]+$/)
      assert.doesNotMatch(await pageIn(screens).locator('#card').inputValue(), /business/)
      await screens.locator('.replay-marks .mark-rage, .replay-marks .mark-dead').first().waitFor({
        state: 'attached',
      })
      await screens.getByRole('button', { name: /^Errors/ }).click()
      await screens
        .getByRole('region', { name: 'Errors' })
        .getByRole('link', { name: /broken for/ })
        .click()
      await screens.waitForURL((url) => url.pathname.includes(`/issues/${groupID}`))
    })

  test('the trace of the error and what the visitor wrote lead to the replay', async () => {
    for (const { name } of MODES) {
      const { traceId, replayId } = visitOf(name)
      const toReplay = screens.locator(`a[href*="/replays/${replayId}"]`)
      await screens.goto(`${harness.sonde.url}/acme/traces/${traceId}`)
      await toReplay.first().waitFor()
      const [issue] = await harness.api.until<readonly { readonly id: string }[]>(
        `/api/0/projects/acme/shop/issues/?${new URLSearchParams({ query: `issue.category:feedback "feedback of ${name}"` })}`,
        (found) => found.length === 1,
      )
      await screens.goto(`${harness.sonde.url}/acme/shop/feedback?id=${issue?.id}`)
      await toReplay.first().waitFor()
    }
  })
})

/** The recordings of an envelope, by the lengths that its items' headers tell. */
function recordingsIn(body: Uint8Array): readonly Uint8Array[] {
  const found: Uint8Array[] = []
  let at = body.indexOf(0x0a) + 1
  while (at > 0 && at < body.length) {
    const end = body.indexOf(0x0a, at)
    if (end < 0) break
    const header = JSON.parse(Buffer.from(body.subarray(at, end)).toString()) as {
      readonly type: string
      readonly length?: number
    }
    const next = header.length === undefined ? body.indexOf(0x0a, end + 1) : end + 1 + header.length
    const payload = body.subarray(end + 1, next < 0 ? body.length : next)
    if (header.type === 'replay_recording') found.push(payload.subarray(payload.indexOf(0x0a) + 1))
    if (next < 0) break
    at = next + 1
  }
  return found
}
