/** A page of a site whose navigations are recorded, and what a test does with it. */
import type { Browser, Page } from 'playwright-core'
import { openPage } from '../harness/open-page.ts'
import type { Entry, RecorderSite } from './recorder-site.ts'

export type Driven = AsyncDisposable & {
  readonly site: RecorderSite
  readonly page: Page
  /** The link of this name. */
  click(name: string): Promise<void>
  /** Waits for the page with this heading. */
  shows(heading: string): Promise<void>
  /** Waits for the record of a navigation that ended so. */
  ended(path: string, outcome: string): Promise<Entry>
  /** `to outcome reason` of every record so far. */
  told(): string[]
}

/** Opens the page, which shows the heading `home`. Both end with it. */
export async function drive(browser: Browser, site: RecorderSite): Promise<Driven> {
  const tab = await openPage(browser)
  await tab.page.goto(site.url)
  const shows = (heading: string): Promise<void> =>
    tab.page.getByRole('heading', { name: heading, exact: true }).waitFor()
  await shows('home')
  return {
    site,
    page: tab.page,
    click: (name) => tab.page.getByRole('link', { name, exact: true }).click(),
    shows,
    ended: (path, outcome) =>
      site.waitForEntry('ui.navigation', ({ facts }) => facts.to === path && facts.outcome === outcome),
    told: () =>
      site
        .entries('ui.navigation')
        .map(({ facts }) => [facts.to, facts.outcome, facts.reason].filter(Boolean).join(' ')),
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}
