/** Metrics in Chromium, sent over OTLP: the list, one metric in groups with its exemplars, and the alert that it begins. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inBothThemes } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { fitsWidth } from './keyboard.ts'
import { sessionOf, visit } from './screens-visit.ts'

const LIST = '/acme/shop/metrics?statsPeriod=1h'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const MINUTE_MS = 60_000
/** Where pictures go; none unless told. */
const PICTURES = process.env['SONDE_TEST_PICTURES']

describe('metrics', () => {
  let sonde: RunningSonde
  let browser: Browser
  let owner: Awaited<ReturnType<typeof sessionOf>>

  before(async () => {
    sonde = await startSonde()
    const { dsn } = createProject(sonde, 'acme/shop')
    browser = await launchChromium()
    const { origin, pathname, username } = new URL(dsn)
    const answer = await fetch(`${origin}/api${pathname}/otlp/v1/metrics?sentry_key=${username}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(exported(Date.now())),
    })
    assert.equal(answer.status, 200)
    owner = await sessionOf(sonde.url)
  })
  after(async () => {
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
  })

  async function at(path: string, run: (page: Page) => Promise<void>): Promise<void> {
    const visited = await visit(browser, sonde.url, { storageState: owner })
    try {
      await visited.page.goto(path)
      await run(visited.page)
      assert.deepEqual(visited.complaints(), [])
    } finally {
      await visited.close()
    }
  }

  const look = async (page: Page, name: string): Promise<void> => {
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
  }

  /** Until the pipeline has stored what was sent. */
  async function untilThere(page: Page): Promise<void> {
    const row = page.getByRole('link', { name: 'http.server.request.duration' })
    for (let tries = 0; tries < 50 && (await row.count()) === 0; tries++) {
      await page.waitForTimeout(200)
      await page.reload()
    }
    await row.waitFor()
  }

  test('are listed, searched, and open to a chart with every measure', () =>
    at(LIST, async (page) => {
      await untilThere(page)
      assert.equal(await page.locator('tbody tr').count(), 3)
      await look(page, 'list')
      await page.getByRole('combobox', { name: 'Search metrics' }).fill('request.duration')
      await page.getByRole('button', { name: 'Run' }).click()
      await page.waitForURL(/query=/)
      // The address is new before the rows are.
      await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' })
      assert.equal(await page.locator('tbody tr').count(), 1)
      await page.getByRole('link', { name: 'http.server.request.duration' }).click()
      await page.getByText('p95 of http.server.request.duration').waitFor()
      await page.locator('.metric-figures').getByText('p99').waitFor()
      await look(page, 'detail')
    }))

  const ONE = `${LIST}&metric=http.server.request.duration&type=histogram&unit=s&group=http.route`

  test('show groups of an attribute, the rest apart, and lead to traces and to an alert', () =>
    at(ONE, async (page) => {
      const groups = page.getByRole('region', { name: 'Groups' })
      await groups.getByText('Others (2)').waitFor()
      assert.equal(await groups.locator('tbody tr').count(), 6)
      await page
        .getByRole('region', { name: 'Measurements with their traces' })
        .getByRole('link')
        .first()
        .waitFor()
      const trace = page
        .getByRole('region', { name: 'Measurements with their traces' })
        .getByRole('link')
        .first()
      assert.match((await trace.getAttribute('href')) ?? '', new RegExp(`/acme/traces/${TRACE}`))
      await page.getByText('Show data table').click()
      await look(page, 'groups')
      await page.getByRole('link', { name: 'Create alert' }).click()
      const measure = page.getByRole('textbox', { name: 'Measure of a metric' })
      assert.equal(await measure.inputValue(), 'p95(http.server.request.duration,histogram,s)')
      await look(page, 'alert')
    }))

  test('fit a phone and are read in both themes', () =>
    at(ONE, async (page) => {
      await page.getByRole('region', { name: 'Groups' }).waitFor()
      await inBothThemes(page, 'main')
      await page.emulateMedia({ colorScheme: 'dark' })
      await look(page, 'dark')
      await page.setViewportSize({ width: 360, height: 800 })
      await fitsWidth(page)
      await look(page, 'narrow')
    }))
})

const nano = (ms: number): string => `${ms}000000`
const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } })

/** Half an hour of a histogram with seven routes, a cumulative counter and a level. */
function exported(nowMs: number): object {
  const minutes = Array.from({ length: 30 }, (_, index) => nowMs - (30 - index) * MINUTE_MS)
  const routes = Array.from({ length: 7 }, (_, index) => `/route-${index}`)
  const durations = minutes.flatMap((atMs, minute) =>
    routes.map((route, index) => ({
      timeUnixNano: nano(atMs),
      count: '10',
      sum: 1 + index,
      explicitBounds: [0.1, 0.5, 1, 5],
      bucketCounts: ['4', '3', '2', String(index % 2), String(1 - (index % 2))],
      attributes: [attribute('http.route', route)],
      exemplars:
        minute === 29
          ? [
              {
                timeUnixNano: nano(atMs),
                asDouble: index / 10,
                traceId: TRACE,
                spanId: 'b7ad6b716920333' + index,
              },
            ]
          : [],
    })),
  )
  const counts = minutes.map((atMs, minute) => ({
    timeUnixNano: nano(atMs),
    startTimeUnixNano: nano(nowMs - 90 * MINUTE_MS),
    asInt: String(minute * 7),
  }))
  const levels = minutes.map((atMs, minute) => ({ timeUnixNano: nano(atMs), asDouble: 1e6 * (minute % 9) }))
  return {
    resourceMetrics: [
      {
        resource: { attributes: [attribute('service.name', 'shop')] },
        scopeMetrics: [
          {
            scope: { name: 'test' },
            metrics: [
              {
                name: 'http.server.request.duration',
                unit: 's',
                histogram: { aggregationTemporality: 1, dataPoints: durations },
              },
              {
                name: 'orders',
                unit: '{order}',
                sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: counts },
              },
              { name: 'process.memory.usage', unit: 'By', gauge: { dataPoints: levels } },
            ],
          },
        ],
      },
    ],
  }
}
