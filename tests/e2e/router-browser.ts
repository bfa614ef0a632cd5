/** What every browser test of the router needs: a page that reports what it should not have said. */
import type { RouterEvent } from '@sonde/router'
import type { Browser, BrowserContext, Page } from 'playwright-core'

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

export async function openPage(
  browser: Browser,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<TestPage> {
  const context = await browser.newContext(options)
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
    [Symbol.asyncDispose]: () => context.close(),
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
