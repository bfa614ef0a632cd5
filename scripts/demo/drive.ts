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
const STALE_TABS = 3

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
    await Promise.all(stale.map((tab) => clickStale(tab)))
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
async function openTabs(browser: Browser, shops: Shops): Promise<Visitor[]> {
  const tabs: Visitor[] = []
  for (let index = 0; index < STALE_TABS; index++) {
    const tab = await comeAs(browser, personOf(index * 7 + 1), index * 7 + 1)
    await tab.page.goto(shops.production.url).catch(() => undefined)
    await tab.page
      .locator('.card')
      .first()
      .waitFor()
      .catch(() => undefined)
    tabs.push(tab)
  }
  return tabs
}

/** Their page asks for code that is gone. */
async function clickStale(tab: Visitor): Promise<void> {
  await tab.press(/^Account$|^[A-Z]\S+ \S+$/)
  await tab.page
    .getByText('The shop was updated')
    .waitFor()
    .catch(() => undefined)
  await tab.press('Load again')
  await tab.think()
  await tab.leave()
}
