/**
 * `npm run bench -- --reporter`: what the reporter costs a visitor, in bytes and on the main thread. Others are measured
 * the same way: entries of packages/browser/size, bundled and minified by the same bundler, pages in the same Chromium.
 */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { entryPath, REPORTER_BUDGETS, weighEntry } from '../scripts/check/reporter-sizes.ts'
import { openPage } from '../tests/browser/harness/open-page.ts'
import { startSite } from '../tests/browser/harness/site.ts'
import { launchChromium } from '../tests/e2e/chromium.ts'
import { atMost, type Figure, median } from './report/figure.ts'
import { pageLoads } from './reporter/page-load.ts'

const ROOT = join(import.meta.dirname, '..')
/** Which of them does the same work as each of ours. */
const PEERS: Readonly<Record<string, readonly (readonly [entry: string, name: string])[]>> = {
  errors: [['sentry-errors', '@sentry/browser, errors only']],
  tracing: [['sentry-tracing', '@sentry/browser, with browser tracing']],
  all: [
    ['datadog-rum', '@datadog/browser-rum'],
    ['grafana-faro', '@grafana/faro-web-sdk'],
  ],
}
// Odd, so that the median is one that was measured; the first of each only warms up.
const ROUNDS = 16

export async function reporter(say: (text: string) => void): Promise<Figure[]> {
  await using browser = await launchChromium()
  return [...(await sizes()), ...(await costs(browser, say)), ...(await pageLoads(browser, say))]
}

async function sizes(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { entry, package: name, what, maxGzipBytes } of REPORTER_BUDGETS) {
    const { gzipBytes } = await weighEntry(ROOT, entryPath(ROOT, entry, name))
    const [first, ...others] = PEERS[entry] ?? []
    for (const peer of [first, ...others]) {
      const against = peer && {
        name: peer[1],
        value: (await weighEntry(ROOT, entryPath(ROOT, `others/${peer[0]}`))).gzipBytes,
      }
      figures.push({
        part: 'gzip',
        name: what,
        value: gzipBytes,
        unit: 'B',
        ...(against && { against }),
        budget: atMost(maxGzipBytes, gzipBytes, `${maxGzipBytes} B`),
      })
    }
  }
  return figures
}

type Cost = { readonly initMs: number; readonly workMs: number }

/** 1,000 breadcrumbs and 100 spans in the trace of the page load. */
const page = (imports: string, init: string): string => `
${imports}
const startMs = performance.now()
${init}
const initMs = performance.now() - startMs
const workStartMs = performance.now()
for (let n = 0; n < 1000; n++)
  addBreadcrumb({ category: 'cart', message: 'added ' + n, level: 'info', data: { id: n, name: 'thing', price: { cents: 5 } } })
for (let n = 0; n < 100; n++) startSpan({ name: 'price ' + n, op: 'function', attributes: { n } }, () => n)
Object.assign(window, { cost: { initMs, workMs: performance.now() - workStartMs } })`

const OURS = page(
  `import { addBreadcrumb, breadcrumbs, init, startSpan, tracing } from '@sonde/browser'`,
  `init({ dsn: SITE.dsn, tunnel: '/monitoring', tracesSampleRate: 1, features: [breadcrumbs(), tracing()] })`,
)
const SENTRYS = page(
  `import { addBreadcrumb, browserTracingIntegration, init, startSpan } from '@sentry/browser'`,
  `init({ dsn: SITE.dsn, tunnel: '/monitoring', tracesSampleRate: 1, integrations: [browserTracingIntegration()] })`,
)

async function costs(browser: Browser, say: (text: string) => void): Promise<Figure[]> {
  const ours: Cost[] = []
  const theirs: Cost[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // In turn, each in a page of its own: what slows the machine down slows both.
    const costsOfRound = [await costOf(browser, OURS), await costOf(browser, SENTRYS)] as const
    say(`round ${round}: ${costsOfRound.map((cost) => JSON.stringify(cost)).join(' against ')}`)
    if (round === 0) continue
    ours.push(costsOfRound[0])
    theirs.push(costsOfRound[1])
  }
  return (
    [
      ['initMs', 'init with breadcrumbs and tracing'],
      ['workMs', '1,000 breadcrumbs and 100 spans'],
    ] as const
  ).map(([field, name]) => {
    const value = median(ours.map((cost) => cost[field]))
    const against = { name: '@sentry/browser', value: median(theirs.map((cost) => cost[field])) }
    return {
      part: 'main thread',
      name,
      value,
      unit: 'ms',
      against,
      budget: atMost(0.5, value / against.value, '50 %'),
    }
  })
}

async function costOf(browser: Browser, script: string): Promise<Cost> {
  // An isolated page has a clock of 5 µs, others of 100 µs.
  const pageHeaders = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  }
  await using site = await startSite({ script, minify: true, pageHeaders })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const cost = await tab.page.waitForFunction(() => (window as { cost?: Cost }).cost)
  return (await cost.jsonValue()) as Cost
}
