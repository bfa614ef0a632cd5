/**
 * `npm run bench -- --trace`: the screen of a trace with 10,000 and with 100,000 spans. Frames while it is scrolled, in
 * Chromium; what the server takes for its data, and how many bytes that is.
 */
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../tests/e2e/chromium.ts'
import { messageEvent, sendEvent } from '../tests/e2e/screens-events.ts'
import { visitSignedIn } from '../tests/e2e/screens-visit.ts'
import { sendLargeTrace } from '../tests/e2e/trace-events.ts'
import { apiClient, createProject } from '../tests/harness/api-client.ts'
import { startSonde, WITHOUT_SPIKE_LIMITS } from '../tests/harness/start-sonde.ts'
import { atMost, type Figure, median } from './report/figure.ts'
import { type PageClient, signedInClient } from './screens/page-client.ts'
import { mainThreadMs } from './trace/main-thread.ts'
import { framesOf, type FrameTimes, type ScrollWay } from './trace/scroll-frames.ts'

const SIZES = [
  { name: '10,000 spans', count: 10_000 },
  { name: '100,000 spans', count: 100_000 },
] as const
/** At 60 frames a second each may take this long. */
const FRAME_MS = 1000 / 60
const MAX_ROWS = 120
const WARM_UP = 3
const REQUESTS = 20
const part = 'trace'

export async function trace(say: (text: string) => void): Promise<Figure[]> {
  const sonde = await startSonde({ env: WITHOUT_SPIKE_LIMITS })
  try {
    const { dsn } = createProject(sonde, 'acme/shop', 'node')
    const api = apiClient(sonde)
    const figures: Figure[] = []
    const ids: string[] = []
    for (const { name, count } of SIZES) {
      const id = await sendLargeTrace(dsn, Date.now() - 400_000, count)
      // Stored in the order in which it came: the trace is there when what was sent after it is.
      const event = await sendEvent(dsn, messageEvent(Date.now(), `after ${name}`))
      await api.until(`/api/0/projects/acme/shop/events/${event}/`, () => true)
      say(`${name} are stored`)
      ids.push(id)
    }
    const client = await signedInClient(sonde.url)
    for (const [at, { name, count }] of SIZES.entries()) {
      const { spanCount } = await client.read<{ readonly spanCount: number }>(`/acme/traces/${ids[at]}`)
      if (spanCount < count) throw new Error(`${spanCount} of ${name} were stored`)
      figures.push(...(await served(client, name, `/acme/traces/${ids[at]}`)))
    }
    client.close()
    await using browser = await launchChromium()
    const { page, close } = await visitSignedIn(browser, sonde.url)
    await page.goto(`/acme/traces/${ids[0]}`)
    figures.push(...(await scrolled(browser, page, say)))
    await close()
    return figures
  } finally {
    await sonde.stop()
  }
}

async function served(client: PageClient, name: string, path: string): Promise<Figure[]> {
  for (let n = 0; n < WARM_UP; n++) await client.ask(path, 'data')
  const took: number[] = []
  let bytes = 0
  for (let n = 0; n < REQUESTS; n++) {
    const asked = await client.ask(path, 'data')
    took.push(asked.tookMs)
    bytes = asked.bytes
  }
  took.sort((a, b) => a - b)
  const p95 = took[Math.ceil(took.length * 0.95) - 1] ?? Number.NaN
  const html = await client.ask(path, 'html')
  return [
    {
      part,
      name: `${name}: data of the page, p95`,
      value: p95,
      unit: 'ms',
      against: { name: 'p50', value: median(took) },
    },
    { part, name: `${name}: bytes of it as sent`, value: bytes, unit: 'B' },
    { part, name: `${name}: bytes of the whole page as sent`, value: html.bytes, unit: 'B' },
  ]
}

/** How each way scrolls, and beside it frames in which nothing moves: what the machine gives at all. */
const WAYS: Readonly<Record<string, ScrollWay>> = {
  'nothing moves': { kind: 'still' },
  'wheel, 7 lines a frame': { kind: 'steps', px: 196 },
  'flick, 40 lines a frame': { kind: 'steps', px: 1_120 },
  'scrollbar, anywhere each frame': { kind: 'jumps' },
}
const FRAMES = 300

async function scrolled(browser: Browser, page: Page, say: (text: string) => void): Promise<Figure[]> {
  const grid = page.getByRole('treegrid')
  await grid.waitFor()
  await page.waitForFunction(
    (most) => document.querySelectorAll('.waterfall .span-row').length < most,
    MAX_ROWS,
  )
  const figures: Figure[] = []
  let idle: FrameTimes | undefined
  for (const [name, way] of Object.entries(WAYS)) {
    const { result: frames, cpuMs } = await mainThreadMs(browser, page, () => framesOf(grid, way, FRAMES))
    const cpuOfFrameMs = cpuMs / FRAMES
    say(
      `${name}: ${frames.perSec.toFixed(1)} frames/s, p95 ${frames.p95Ms.toFixed(1)} ms, longest ${frames.longestMs.toFixed(1)} ms, ${frames.late} of ${FRAMES} late, ${cpuOfFrameMs.toFixed(1)} ms of processor time each, ${frames.mostRows} rows`,
    )
    idle ??= frames
    figures.push(
      {
        part,
        name: `10,000 spans, ${name}: frames a second`,
        value: frames.perSec,
        unit: '/s',
        against: { name: 'when nothing moves', value: idle.perSec },
      },
      {
        part,
        name: `10,000 spans, ${name}: processor time of the page's thread, a frame`,
        value: cpuOfFrameMs,
        unit: 'ms',
        budget: atMost(FRAME_MS, cpuOfFrameMs, `${FRAME_MS.toFixed(1)} ms`),
      },
      {
        part,
        name: `10,000 spans, ${name}: most rows in the document`,
        value: frames.mostRows,
        unit: 'rows',
        budget: atMost(MAX_ROWS, frames.mostRows, `${MAX_ROWS}`),
      },
    )
  }
  return figures
}
