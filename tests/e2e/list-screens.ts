/** A Sonde with more issues than a page shows, and its owner's browser, for the files that look at the lists. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { messageEvent, type SentEvent, sendEvent } from './screens-events.ts'
import { sessionOf, visit } from './screens-visit.ts'

export const ISSUES = 57
export const PAGE_ROWS = 50
export const LIST = '/acme/shop/issues'

export let sonde: RunningSonde
export let browser: Browser
export let shop: CreatedProject
/** Of the owner, signed in once: cookies for every test. */
let session: ReturnType<BrowserContext['storageState']>

/** A title of its own for each number: digits alone would be grouped together. */
export const name = (index: number): string =>
  `Job ${String.fromCharCode(97 + (index % 26))}${String.fromCharCode(97 + Math.floor(index / 26))} failed`

/** Starts them before the tests of the file and stops them after. */
export function useListScreens(): void {
  before(async () => {
    sonde = await startSonde()
    shop = createProject(sonde, 'acme/shop')
    const api = createProject(sonde, 'acme/api', 'python')
    const nowMs = Date.now()
    const events: readonly SentEvent[] = Array.from({ length: ISSUES }, (_, index) => ({
      ...messageEvent(nowMs - (index + 1) * 60_000, name(index), index === 3 ? 'fatal' : 'error'),
      environment: index < 5 ? 'staging' : 'production',
      tags: { region: index % 2 === 0 ? 'eu-west-1' : 'us-east-1' },
    }))
    await Promise.all(events.map((event) => sendEvent(shop.dsn, event)))
    await sendEvent(api.dsn, messageEvent(nowMs - 500_000, 'Something of the API'))
    const client = apiClient(sonde)
    await client.until<unknown[]>(
      '/api/0/projects/acme/shop/issues/?limit=100',
      (rows) => rows.length === ISSUES,
    )
    await client.until<unknown[]>('/api/0/projects/acme/api/issues/', (rows) => rows.length === 1)
    browser = await launchChromium()
    session = sessionOf(sonde.url)
  })

  after(async () => {
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
  })
}

/** A signed-in person of their own, whose pages complain of nothing. */
export async function asOwner(
  run: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
  isExpected: (complaint: string) => boolean = () => false,
): Promise<void> {
  const visited = await visit(browser, sonde.url, { ...options, storageState: await session })
  try {
    await run(visited.page)
    assert.deepEqual(
      visited.complaints().filter((complaint) => !isExpected(complaint)),
      [],
    )
  } finally {
    await visited.close()
  }
}

export const rows = (page: Page) => page.locator('tbody tr')
export const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.closest('tr')?.querySelector('.issue-name')?.textContent ?? '')

/** The list, once its scripts run: the box for the whole page is theirs. */
export async function openList(page: Page, path = LIST): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Select all on this page').waitFor()
}
