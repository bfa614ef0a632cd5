/** Replays of mobile SDKs in Chromium: videos of segments, played as one, beside what happened; and what is none. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { custom, newReplayId } from '../harness/replay-events.ts'
import { filmColors, sendReplayVideo } from '../harness/replay-videos.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inBothThemes } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { fitsWidth } from './keyboard.ts'
import { newEventId, sendEvent } from './screens-events.ts'
import { sessionOf, visit } from './screens-visit.ts'

const CLIP_MS = 2_000

describe('replays of mobile SDKs', () => {
  let sonde: RunningSonde
  let browser: Browser
  let app: CreatedProject
  let owner: Awaited<ReturnType<typeof sessionOf>>
  const [filmed, broken] = [newReplayId(), newReplayId()]
  const errorId = newEventId()

  before(async () => {
    sonde = await startSonde()
    app = createProject(sonde, 'acme/app', 'android')
    browser = await launchChromium()
    const film = { everyMs: CLIP_MS / 2 + 200 }
    const first = await filmColors(browser, { ...film, colors: ['red', 'yellow'] })
    const second = await filmColors(browser, { ...film, colors: ['green', 'blue'] })
    const fromMs = Date.now() - 120_000
    const told = { replayId: filmed, durationMs: CLIP_MS, user: { username: 'ada' }, error_ids: [errorId] }
    await sendReplayVideo(app.dsn, {
      ...told,
      segment: 0,
      atMs: fromMs,
      video: first,
      events: [
        custom(fromMs + 500, 'breadcrumb', {
          timestamp: (fromMs + 500) / 1000,
          category: 'ui.tap',
          message: 'pay_button',
        }),
        custom(fromMs + 700, 'performanceSpan', {
          op: 'resource.http',
          description: 'https://shop.example/pay',
          startTimestamp: (fromMs + 700) / 1000,
          endTimestamp: (fromMs + 900) / 1000,
          data: { method: 'POST', statusCode: 502 },
        }),
      ],
    })
    // The app was in the background for a while.
    await sendReplayVideo(app.dsn, { ...told, segment: 1, atMs: fromMs + 30_000, video: second })
    await sendEvent(app.dsn, {
      event_id: errorId,
      platform: 'java',
      timestamp: (fromMs + 30_900) / 1000,
      exception: { values: [{ type: 'IllegalStateException', value: 'the cart is gone' }] },
      contexts: { replay: { replay_id: filmed } },
    })
    const video = Buffer.from('\0\0\0\x18ftypmp42 and then nothing')
    await sendReplayVideo(app.dsn, {
      replayId: broken,
      segment: 0,
      atMs: fromMs,
      durationMs: CLIP_MS,
      video,
      user: { username: 'grace' },
    })
    const api = apiClient(sonde)
    await api.until(`/api/0/projects/acme/app/events/${errorId}/`, () => true)
    await api.until<{ data: { count_segments: number }[] }>(
      '/api/0/organizations/acme/replays/',
      ({ data }) => data.length === 2 && data.some((row) => row.count_segments === 2),
    )
    owner = await sessionOf(sonde.url)
  })
  after(async () => {
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
  })

  async function at(path: string, run: (page: Page) => Promise<void>): Promise<void> {
    const own = await visit(browser, sonde.url, { storageState: owner })
    own.page.setDefaultTimeout(8_000)
    try {
      await own.page.goto(path)
      await run(own.page)
      assert.deepEqual(own.complaints(), [])
    } finally {
      await own.close()
    }
  }
  const position = (page: Page): Promise<number> =>
    page
      .getByRole('slider', { name: 'Position in the replay' })
      .evaluate((input) => Number((input as HTMLInputElement).value))
  /** What the shown video has in its middle. */
  const color = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const video = document.querySelector<HTMLVideoElement>('video.replay-video:not([hidden])')
      if (!video || video.readyState < 2) return 'none'
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: 1, height: 1 })
      const brush = canvas.getContext('2d')!
      brush.drawImage(video, 0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = brush.getImageData(0, 0, 1, 1).data
      if (red > 128) return green > 128 ? 'yellow' : 'red'
      return blue > 128 ? 'blue' : green > 64 ? 'green' : 'black'
    })
  async function shows(page: Page, wanted: string): Promise<void> {
    for (let tries = 0; tries < 80; tries++) {
      if ((await color(page)) === wanted) return
      await page.waitForTimeout(50)
    }
    assert.equal(await color(page), wanted)
  }

  test('the videos are played as one, with what happened beside them', () =>
    at('/acme/app/replays?query=user.name%3Aada', async (page) => {
      const table = page.getByRole('region', { name: 'Table of replays' })
      await table.getByRole('link', { name: 'ada' }).click()
      await shows(page, 'red')
      assert.equal(await page.locator('iframe').count(), 0)
      const events = page.getByRole('region', { name: 'Events' })
      await events.getByText('pay_button').waitFor()
      await events.getByText('the cart is gone').waitFor()
      await page.locator('.replay-marks .mark-error').waitFor({ state: 'attached' })
      await page.locator('.replay-marks .mark-request').waitFor({ state: 'attached' })
      await page.getByRole('button', { name: /^Network/ }).click()
      await page.getByRole('region', { name: 'Network' }).getByText('502').waitFor()
      await inBothThemes(page, 'main')
      await page.locator('h1').click()
      await page.keyboard.press('Space')
      await shows(page, 'yellow')
      // Nothing was recorded between the two: it is passed over.
      await shows(page, 'blue')
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
      assert.equal(await position(page), 30_000 + CLIP_MS)
      await shows(page, 'blue')
      await page.setViewportSize({ width: 390, height: 800 })
      await fitsWidth(page)
    }))

  test('a second in the address, keys, and the list of errors move it; the error leads there', () =>
    at(`/acme/app/replays/${filmed}?t=1.5`, async (page) => {
      await shows(page, 'yellow')
      await page.locator('h1').click()
      await page.keyboard.press('l')
      assert.equal(await position(page), 11_500)
      await page.getByText('Nothing was recorded here.').waitFor()
      await page.getByRole('button', { name: /^Errors/ }).click()
      await page.getByRole('region', { name: 'Errors' }).getByRole('button', { name: 'Go to 0:30' }).click()
      await shows(page, 'green')
      await page.keyboard.press('ArrowLeft')
      assert.equal(await position(page), 25_900)
      await page
        .getByRole('region', { name: 'Errors' })
        .getByRole('link', { name: /the cart is gone/ })
        .click()
      await page.getByRole('link', { name: /^Replay at 0:28/ }).click()
      await page.waitForURL((url) => url.pathname.endsWith(filmed) && url.search === '?t=28')
    }))

  test('a video is served by the byte, as a video and nothing else, and to nobody without an account', () =>
    at(`/acme/app/replays/${filmed}`, async (page) => {
      const videos = `${sonde.url}/acme/app/replays/${filmed}/videos`
      const url = `${videos}/1`
      const part = await page.request.get(url, { headers: { range: 'bytes=4-7' } })
      assert.deepEqual([part.status(), await part.text()], [206, 'ftyp'])
      const headers = part.headers()
      assert.equal(headers['content-type'], 'video/mp4')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(headers['content-security-policy'] ?? '', /default-src 'none'.*sandbox/)
      assert.equal((await page.request.get(`${videos}/7`)).status(), 404)
      const stranger = await fetch(url, { redirect: 'manual' })
      assert.notEqual(stranger.status, 200)
      const api = apiClient(sonde)
      const whole = await api.download(`/api/0/projects/acme/app/replays/${filmed}/videos/1/`)
      const bytes = Buffer.from(await whole.arrayBuffer())
      assert.deepEqual([whole.status, bytes.subarray(4, 8).toString()], [200, 'ftyp'])
    }))

  test('what only claims to be a video is said to be none, and the rest is shown', () =>
    at(`/acme/app/replays/${broken}`, async (page) => {
      await page.getByText(/This part cannot be shown: the video of segment 0/).waitFor()
      await page.getByText('Nothing was recorded here.').waitFor()
      await page.getByRole('region', { name: 'Events' }).or(page.getByText('Nothing of this kind')).waitFor()
    }))

  test('is deleted with its videos', () =>
    at(`/acme/app/replays/${filmed}`, async (page) => {
      await page.getByText('Delete replay').click()
      await page.getByRole('button', { name: 'Delete this replay' }).click()
      await page.getByRole('region', { name: 'Table of replays' }).waitFor()
      const answer = await page.request.get(`${sonde.url}/acme/app/replays/${filmed}/videos/0`)
      assert.equal(answer.status(), 404)
    }))
})
