/** What every browser test of the router needs: a page that reports what it should not have said. */
import type { RouterEvent } from '@sonde/router'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { closes } from './screens-visit.ts'

export type TestPage = AsyncDisposable & {
  readonly page: Page
  readonly context: BrowserContext
  /** Console errors and uncaught exceptions. */
  readonly complaints: string[]
  /** Full documents that were loaded. */
  readonly documents: string[]
  /** Opens a URL and waits until the router runs it. */
  start(url: string): Promise<void>
  click(name: string): Promise<void>
  /** Waits for the heading of the page that is shown. */
  heading(text: string): Promise<void>
  events(): Promise<RouterEvent[]>
}

declare global {
  var routerEvents: RouterEvent[]
}

/** Contexts whose page was closed: a page in one costs less than in a new one, since the scripts are in its cache. */
const free = new WeakMap<Browser, Map<boolean, BrowserContext[]>>()

export type PageOptions = {
  readonly javaScriptEnabled?: boolean
  /** For a test that moves the clock, which stays with its context. */
  readonly isAlone?: boolean
}

/** Without cookies and storage. */
export async function openPage(
  browser: Browser,
  { javaScriptEnabled = true, isAlone = false }: PageOptions = {},
): Promise<TestPage> {
  const pools = free.get(browser) ?? new Map<boolean, BrowserContext[]>()
  free.set(browser, pools)
  const pool = pools.get(javaScriptEnabled) ?? []
  pools.set(javaScriptEnabled, pool)
  const context = (isAlone ? undefined : pool.pop()) ?? (await browser.newContext({ javaScriptEnabled }))
  const page = await context.newPage()
  const complaints: string[] = []
  const documents: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(request.url())
  })
  return {
    page,
    context,
    complaints,
    documents,
    async start(url) {
      await page.goto(url)
      // React marks the elements that it has taken over.
      await page.waitForFunction(() =>
        Object.keys(document.querySelector('#root > nav, #root > main') ?? {}).some((key) =>
          key.startsWith('__react'),
        ),
      )
    },
    click: (name) => page.getByRole('link', { name, exact: true }).click(),
    heading: (text) =>
      page.getByRole('heading', { name: text, exact: true }).first().waitFor({ timeout: 30_000 }),
    events: () => page.evaluate(() => globalThis.routerEvents),
    async [Symbol.asyncDispose]() {
      if (isAlone) return context.close()
      if (!(await closes(page))) return context.close()
      // Session storage went with the page.
      await context.clearCookies()
      pool.push(context)
    },
  }
}

/** Resolves when the condition holds; rejects after half a minute with what it was about. */
export async function eventually(what: string, condition: () => boolean): Promise<void> {
  const endMs = Date.now() + 30_000
  while (!condition()) {
    if (Date.now() > endMs) throw new Error(`never happened: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
