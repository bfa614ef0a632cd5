/** One Chromium for a test file, a context of its own for each page. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export type OpenPage = AsyncDisposable & {
  readonly page: Page
  readonly context: BrowserContext
  /** Uncaught exceptions and console errors of the page. */
  readonly complaints: string[]
}

/** Not yet anywhere: `page.goto(site.url)` starts it, `page.clock.install()` before that makes its time stand. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() }
}
