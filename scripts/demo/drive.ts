/** Lets the visitors through the shop, a few at a time, while it is deployed twice. */
import type { Browser } from 'playwright-core'
import type { DemoOptions } from './options.ts'
import { PEOPLE, personOf } from './people.ts'
import type { Progress } from './progress.ts'
import { RELEASES, type Shops } from './shop.ts'
import { comeAs, type Visitor } from './visitor.ts'
import { visitOf } from './visits.ts'

type Drive = {
  readonly browser: Browser
  readonly shops: Shops
  readonly options: DemoOptions
  readonly progress: Progress
  readonly isStopping: () => boolean
}

/** More at once would measure this machine's queue, not the shop. */
const AT_ONCE = 4
/** Every so manyeth visit is somebody of the shop itself, on staging. */
const STAGING_EVERY = 9
const STALE_TABS = 6

export async function drive({ browser, shops, options, progress, isStopping }: Drive) {
  const startedMs = Date.now()
  const all = Math.round(options.visitors)
  let done = 0

  const visit = async (index: number, story: number, isNewest: boolean): Promise<void> => {
    const shop = index % STAGING_EVERY === STAGING_EVERY - 1 ? shops.staging : shops.production
    const visitor = await comeAs(browser, personOf(index), index)
    // What a story waits for in vain is the shop's fault, and what the demo is about.
    await visitOf(story, isNewest)(visitor, shop.url).catch(() => undefined)
    await visitor.leave()
    progress.count('visits', ++done, all)
  }

  for (const [position, release] of RELEASES.entries()) {
    const stale = position === 0 ? [] : await openTabs(browser, shops)
    shops.deploy(release)
    await Promise.all(stale.map((tab, index) => clickStale(tab, index)))
    // Each release has its share of the time: the last one must not find it used up.
    const endMs = startedMs + (options.minutes * 60_000 * (position + 1)) / RELEASES.length
    const from = Math.round((all * position) / RELEASES.length)
    const to = Math.round((all * (position + 1)) / RELEASES.length)
    let next = from
    const work = async (): Promise<void> => {
      while (next < to && Date.now() < endMs && !isStopping()) {
        const index = next++
        await visit(index, index - from, position === RELEASES.length - 1)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }
  return { done, people: Math.min(PEOPLE, done) }
}

/** People who have the shop open while it is deployed. */
function openTabs(browser: Browser, shops: Shops): Promise<Visitor[]> {
  const open = async (index: number): Promise<Visitor> => {
    const tab = await comeAs(browser, personOf(index * 7 + 1), index * 7 + 1)
    await tab.page.goto(shops.production.url).catch(() => undefined)
    await tab.page
      .locator('.card')
      .first()
      .waitFor()
      .catch(() => undefined)
    return tab
  }
  return Promise.all(Array.from({ length: STALE_TABS }, (_, index) => open(index)))
}

/** Their page asks for code that is gone: for every third the shop then loads the whole page by itself. */
async function clickStale(tab: Visitor, index: number): Promise<void> {
  if (index % 3 === 2) {
    await tab.press('Cart')
    await tab.page
      .getByText(/Your cart/)
      .waitFor()
      .catch(() => undefined)
  } else {
    await tab.press(/^Account$|^[A-Z]\S+ \S+$/)
    await tab.page
      .getByText('The shop was updated')
      .waitFor()
      .catch(() => undefined)
    await tab.press('Load again')
  }
  await tab.think()
  await tab.leave()
}
