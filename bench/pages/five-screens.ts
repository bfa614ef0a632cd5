/** The five main screens of a project, as somebody with a slower machine meets them, and the ways between them. */
import type { Page } from 'playwright-core'
import { atMost, type Figure, median } from '../report/figure.ts'
import { interactionToNextPaintMs, largestPaintMs, slowDown } from './felt.ts'

/** A browser that has nothing in its cache, with the observers in place. */
export type Fresh = <Result>(run: (page: Page) => Promise<Result>) => Promise<Result>
export type MainScreen = { readonly name: string; readonly path: string }

export const mainScreens = (project: string, issue: string): readonly MainScreen[] => [
  { name: 'issues', path: `${project}/issues` },
  { name: 'issue', path: issue },
  { name: 'performance', path: `${project}/performance` },
  { name: 'vitals', path: `${project}/vitals` },
  { name: 'navigations', path: `${project}/navigations` },
]

// Odd, so that the median is one that was measured.
const ROUNDS = 5
const SLOWER = 4
const MAX_LCP_MS = 2_500
const MAX_INP_MS = 200
const MENUS = 3
const KEYS = ['j', 'j', 'k', '?', 'Escape']

export async function paintsAndInteractions(
  fresh: Fresh,
  screens: readonly MainScreen[],
  say: (text: string) => void,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, path } of screens) {
    const paints: number[] = []
    const waits: number[] = []
    for (let round = 0; round < ROUNDS; round++)
      await fresh(async (page) => {
        await slowDown(page, SLOWER)
        await page.goto(path)
        paints.push(await largestPaintMs(page))
        const handled = await interact(page)
        const { ms, seen } = await interactionToNextPaintMs(page)
        say(`${name}: LCP ${paints.at(-1)} ms, INP ${ms} ms of ${seen} of ${handled} interactions`)
        waits.push(ms)
      })
    const [lcp, inp] = [median(paints), median(waits)]
    const how = `processor ${SLOWER} times slower: ${name}`
    figures.push(
      {
        part: 'pages',
        name: `LCP, ${how}`,
        value: lcp,
        unit: 'ms',
        budget: atMost(MAX_LCP_MS, lcp, `${MAX_LCP_MS} ms`),
      },
      {
        part: 'pages',
        name: `INP, ${how}`,
        value: inp,
        unit: 'ms',
        budget: atMost(MAX_INP_MS, inp, `${MAX_INP_MS} ms`),
      },
    )
  }
  return figures
}

/** Opens and closes the menus of the page's head and presses keys; returns how many interactions that were. */
async function interact(page: Page): Promise<number> {
  const menus = page.locator('#root summary:visible')
  const count = Math.min(MENUS, await menus.count())
  if (count === 0) throw new Error(`${page.url()} has no menu`)
  for (let at = 0; at < count; at++) for (let time = 0; time < 2; time++) await menus.nth(at).click()
  for (const key of KEYS) await page.keyboard.press(key)
  return 2 * count + KEYS.length
}

const TOURS = 8
const MAX_NAVIGATION_MS = 100

/**
 * Around all of them by their links, each pressed without being pointed at before: nothing is fetched ahead for it. From
 * the press until the first frame in which the next screen stands.
 */
export async function navigations(
  fresh: Fresh,
  screens: readonly MainScreen[],
  say: (text: string) => void,
): Promise<Figure[]> {
  const took = new Map<string, number[]>(screens.map(({ name }) => [name, []]))
  await fresh(async (page) => {
    await page.goto(screens[0]?.path ?? '')
    await page.waitForLoadState('networkidle')
    // The first tour fetches the code of each screen.
    for (let tour = 0; tour <= TOURS; tour++)
      for (const screen of [...screens.slice(1), ...screens.slice(0, 1)]) {
        const ms = await pressLinkTo(page, screen.path)
        if (tour > 0) took.get(screen.name)?.push(ms)
      }
  })
  for (const [name, all] of took) say(`to ${name}: ${all.map((ms) => ms.toFixed(0)).join(' ')} ms`)
  const all = [...took.values()].flat().toSorted((a, b) => a - b)
  const p75 = all[Math.ceil(all.length * 0.75) - 1] ?? Number.NaN
  return [
    {
      part: 'pages',
      name: 'navigation between the main screens, p75',
      value: p75,
      unit: 'ms',
      against: { name: 'p50', value: median(all) },
      // Of the value, not of the ratio to the median.
      budget: atMost(MAX_NAVIGATION_MS, p75, `${MAX_NAVIGATION_MS} ms`),
    },
  ]
}

async function pressLinkTo(page: Page, path: string): Promise<number> {
  const link = page.locator(`a[href="${path}"], a[href^="${path}?"]`).first()
  await link.waitFor()
  return link.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const before = document.title
        const startMs = performance.now()
        const look = (): void => {
          if (document.title === before) requestAnimationFrame(look)
          else requestAnimationFrame(() => resolve(performance.now() - startMs))
        }
        ;(element as HTMLElement).click()
        requestAnimationFrame(look)
      }),
  )
}
