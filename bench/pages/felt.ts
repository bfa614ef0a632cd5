/** What a person waits for on a page, measured in Chromium as the web measures it: LCP and INP. */
import type { Page } from 'playwright-core'

declare global {
  var largestPaintMs: number
  /** Longest event of each interaction, by its id. */
  var interactionMs: Map<number, number>
}

/** Before the first page is opened: the observers must be there when it paints. */
export async function observePage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.largestPaintMs = 0
    globalThis.interactionMs = new Map()
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.largestPaintMs = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    const take = (list: PerformanceObserverEntryList): void => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        const { interactionId, duration } = entry
        if (!interactionId) continue
        const before = globalThis.interactionMs.get(interactionId) ?? 0
        globalThis.interactionMs.set(interactionId, Math.max(before, duration))
      }
    }
    // 16 ms is the least that the platform tells; shorter interactions are not in the list.
    const options: PerformanceObserverInit & { durationThreshold: number } = {
      type: 'event',
      buffered: true,
      durationThreshold: 16,
    }
    new PerformanceObserver(take).observe(options)
    new PerformanceObserver(take).observe({ type: 'first-input', buffered: true })
  })
}

/** As a machine that is `rate` times slower; only the page, not the server. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Once the page has come to rest, nothing larger is painted any more. */
export async function largestPaintMs(page: Page): Promise<number> {
  await page.waitForLoadState('networkidle')
  await nextFrames(page)
  return page.evaluate(() => globalThis.largestPaintMs)
}

/** INP of the page so far: the slowest interaction, leaving out one of each 50 (https://web.dev/articles/inp). */
export async function interactionToNextPaintMs(page: Page): Promise<{ ms: number; seen: number }> {
  await nextFrames(page)
  const all = await page.evaluate(() => [...globalThis.interactionMs.values()])
  const slowestFirst = all.toSorted((a, b) => b - a)
  return { ms: slowestFirst[Math.floor(all.length / 50)] ?? 0, seen: all.length }
}

/** Two: the observers are told after the paint. */
async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
