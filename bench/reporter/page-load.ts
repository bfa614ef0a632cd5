/**
 * What a reporter takes of the main thread while the demo's page loads, from its script's first byte until its trace was
 * sent: processor time and long tasks beside the same page without one.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openPage } from '../../tests/browser/harness/open-page.ts'
import { startSite } from '../../tests/browser/harness/site.ts'
import { slowDown } from '../pages/felt.ts'
import { atMost, type Figure, median } from '../report/figure.ts'
import { mainThreadMs } from '../trace/main-thread.ts'

const DEMO = join(import.meta.dirname, '..', '..', 'examples', 'page', 'index.html')
/** What the page itself does: a list, and data that it fetches. */
const APP = `
const list = document.createElement('ul')
for (let n = 0; n < 300; n++) list.append(Object.assign(document.createElement('li'), { textContent: 'Thing ' + n }))
document.querySelector('main').append(list)
for (let n = 0; n < 10; n++) void fetch('/data/' + n).then((answer) => answer.text())
requestAnimationFrame(() => {})`

const NAMES = ['none', 'ours', 'theirs'] as const
type Name = (typeof NAMES)[number]
const PAGES: Readonly<Record<Name, string>> = {
  none: APP,
  ours: `import { breadcrumbs, init, navigations, tracing, vitals } from '@sonde/browser'
init({ dsn: SITE.dsn, tunnel: '/monitoring', tracesSampleRate: 1, features: [breadcrumbs(), tracing(), navigations(), vitals()] })
${APP}`,
  theirs: `import { browserTracingIntegration, init } from '@sentry/browser'
init({ dsn: SITE.dsn, tunnel: '/monitoring', tracesSampleRate: 1, integrations: [browserTracingIntegration()] })
${APP}`,
}

// Odd, so that the median is one that was measured; the first of each only warms up.
const ROUNDS = 12
/** A page-load trace ends a second after its last span, and is sent then. */
const UNTIL_SENT_MS = 3_000
const SLOWER = 4

type Load = { readonly cpuMs: number; readonly longTasks: number; readonly longestMs: number }

export async function pageLoads(browser: Browser, say: (text: string) => void): Promise<Figure[]> {
  return [...(await loadsAt(browser, 1, say)), ...(await loadsAt(browser, SLOWER, say))]
}

async function loadsAt(browser: Browser, slower: number, say: (text: string) => void): Promise<Figure[]> {
  const loads: Record<Name, Load[]> = { none: [], ours: [], theirs: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const name of NAMES) {
      const load = await loadOf(browser, PAGES[name], slower)
      if (round > 0) loads[name].push(load)
    }
  const cpu = (name: Name): number => median(loads[name].map(({ cpuMs }) => cpuMs))
  const long = (name: Name): number => loads[name].reduce((sum, { longTasks }) => sum + longTasks, 0)
  const longest = (name: Name): number => median(loads[name].map(({ longestMs }) => longestMs))
  const at = slower === 1 ? '' : `, processor ${slower} times slower`
  for (const name of NAMES)
    say(
      `page load${at}, ${name}: ${cpu(name).toFixed(1)} ms, ${long(name)} long tasks in ${ROUNDS - 1} loads, longest task ${longest(name).toFixed(0)} ms`,
    )
  const [ours, theirs] = [cpu('ours') - cpu('none'), cpu('theirs') - cpu('none')]
  const added = Math.max(0, long('ours') - long('none'))
  const part = 'main thread'
  return [
    {
      part,
      name: `the demo's page load: what the reporter adds${at}`,
      value: ours,
      unit: 'ms',
      against: { name: '@sentry/browser', value: theirs },
      budget: atMost(1 / 3, ours / theirs, 'a third'),
    },
    {
      part,
      name: `long tasks it adds in ${ROUNDS - 1} loads${at}`,
      value: added,
      unit: 'tasks',
      budget: atMost(0, added, 'none'),
    },
  ]
}

async function loadOf(browser: Browser, script: string, slower: number): Promise<Load> {
  const html = readFileSync(DEMO, 'utf8')
    .replaceAll(/<script[\s\S]*?<\/script>/g, '')
    .replace('</body>', '<script src="/page.js"></script></body>')
  await using site = await startSite({
    script,
    minify: true,
    html: (path) => (path === '/' ? html : undefined),
    handle(req, res) {
      if (!req.url?.startsWith('/data/')) return false
      res.end('{}')
      return true
    },
    isOurs: () => false,
  })
  await using tab = await openPage(browser)
  const { page } = tab
  if (slower > 1) await slowDown(page, slower)
  await page.addInitScript(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { longTasks: tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  const { result, cpuMs } = await mainThreadMs(browser, page, async () => {
    await page.goto(site.url)
    await page.waitForTimeout(UNTIL_SENT_MS)
    return page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks)
  })
  return { cpuMs, longTasks: result.length, longestMs: Math.max(0, ...result) }
}
