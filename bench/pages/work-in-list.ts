/** Somebody works in the list of issues while events arrive. */
import { setInterval } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { messageEvent, sendEvent } from '../../tests/e2e/screens-events.ts'

const ARRIVALS_EVERY_MS = 150

export async function openList(page: Page): Promise<void> {
  await page.goto('/acme/shop/issues')
  await page.getByLabel('Select all on this page').waitFor()
}

/** Events through the endpoint, some of issues that are there and some of new ones, until it is stopped. */
export function keepSending(dsn: string): { stop(): Promise<number> } {
  const stopping = new AbortController()
  let sent = 0
  const sending = (async () => {
    for await (const _ of setInterval(ARRIVALS_EVERY_MS)) {
      if (stopping.signal.aborted) return
      const isNew = sent % 3 === 0
      const words = isNew
        ? `Arrived ${'again '.repeat(1 + (sent % 40))}`
        : `Issue of ${'word '.repeat(1 + (sent % 9))}`
      await sendEvent(dsn, messageEvent(Date.now(), words))
      sent++
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await sending
      return sent
    },
  }
}

/** Each step waits for what it shows, as a person would. */
export async function workInList(page: Page): Promise<void> {
  for (const key of ['j', 'j', 'j', 'k', 'j', 'x', 'j', 'x', 'k', 'k', 'x']) await page.keyboard.press(key)
  const boxes = page.locator('tbody input[type=checkbox]')
  for (const row of [2, 5, 8]) await boxes.nth(row).click()
  await page.getByLabel('Select all on this page').click()
  await page.getByLabel('Select all on this page').click()
  await page.getByLabel(/^Environment:/).click()
  await page.keyboard.press('Escape')
  const search = page.getByRole('combobox', { name: 'Search issues' })
  await search.click()
  await search.pressSequentially('level:war', { delay: 40 })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
}

/** From now on each key takes so long: what measures must see it. */
export async function slowHandler(page: Page, ms: number): Promise<void> {
  await page.evaluate((forMs) => {
    document.addEventListener('keydown', () => {
      const endMs = performance.now() + forMs
      while (performance.now() < endMs);
    })
  }, ms)
}
