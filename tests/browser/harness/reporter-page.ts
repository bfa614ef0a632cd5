/** The usual page of a test: it starts the reporter with some options and leaves `sonde` for the test to call. */
import type * as sondeBrowser from '@sonde/browser'
import type { Browser } from 'playwright-core'
import { type OpenPage, openPage } from './open-page.ts'
import { type Site, type SiteOptions, startSite } from './site.ts'

declare global {
  /** Everything that `@sonde/browser` exports, in a page of `reporterPage`. */
  var sonde: typeof sondeBrowser
}

export type ReporterPage = AsyncDisposable & OpenPage & { readonly site: Site }

/**
 * `options` is TypeScript inside of an object literal, after the usual `dsn`, `tunnel` and `release`. The page is open
 * when it resolves; `before` may prepare it, for example its clock.
 */
export async function reporterPage(
  browser: Browser,
  options = '',
  site: Partial<SiteOptions> & { readonly before?: (tab: OpenPage, site: Site) => Promise<unknown> } = {},
): Promise<ReporterPage> {
  const started = await startSite({
    script: `
import * as sonde from '@sonde/browser'
Object.assign(window, { sonde })
sonde.init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1.2.3', environment: 'test', ${options} })`,
    ...site,
  })
  const tab = await openPage(browser)
  await site.before?.(tab, started)
  await tab.page.goto(started.url)
  return {
    ...tab,
    site: started,
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]()
      await started[Symbol.asyncDispose]()
    },
  }
}
