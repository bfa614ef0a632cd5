import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { reporterPage } from '../harness/reporter-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

test('a page that throws 10,000 errors sends at most 100 and keeps at most 64, and counts the others', async () => {
  await using tab = await reporterPage(browser, 'features: [sonde.breadcrumbs()]')
  const grownBytes = await tab.page.evaluate(async () => {
    const memory = (): number =>
      (performance as { memory?: { usedJSHeapSize: number } }).memory!.usedJSHeapSize
    const beforeBytes = memory()
    for (let turn = 0; turn < 100; turn++) {
      for (let n = 0; n < 100; n++)
        window.dispatchEvent(new ErrorEvent('error', { error: new Error(`${turn}/${n}`) }))
      await new Promise((resolve) => setTimeout(resolve))
    }
    await sonde.flush()
    return memory() - beforeBytes
  })
  const report = await tab.site.waitForItems('client_report')
  const sent = tab.site.items('event').length
  const lost = report.flatMap(({ payload }) => payload.discarded_events)
  assert.ok(sent >= 64 && sent <= 100, `${sent} were sent`)
  assert.equal(
    lost.reduce((sum, { quantity }) => sum + quantity, 0),
    10_000 - sent,
  )
  assert.ok(lost.every(({ reason }) => ['queue_overflow', 'backpressure'].includes(reason)))
  assert.ok(grownBytes < 20_000_000, `the heap grew by ${grownBytes} bytes`)
})
