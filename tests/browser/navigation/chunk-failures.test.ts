import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage, type OpenPage } from '../harness/open-page.ts'
import { type RecorderSite, startRecorderSite } from './recorder-site.ts'

const SCRIPT = `
import { chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
init({ dsn: SITE.dsn, tunnel: '/monitoring', features: [navigations(), pageDataFailures(), chunkFailures()] })
declare global { var load: (path: string) => Promise<unknown> }
globalThis.load = (path) => import(/* @vite-ignore */ path)
`
const CHUNK = '/assets/cart-1a2b3c.js'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

/** A page of build 1; what the server answers for the chunk and for the page later is for each case to say. */
async function failing(
  what: { chunk: number; build?: number },
  also?: (tab: OpenPage, site: RecorderSite) => Promise<void>,
) {
  let build = 1
  const site = await startRecorderSite({
    script: SCRIPT,
    html: () => `<!doctype html><html lang="en"><head><title>t</title><link rel="icon" href="data:,">
<script type="module" src="/page.js?build=${build}"></script></head><body></body></html>`,
    handle(req, res) {
      if (req.url !== CHUNK) return false
      res.writeHead(what.chunk, { 'content-type': 'text/javascript' }).end('syntax error here')
      return true
    },
  })
  const tab = await openPage(browser)
  await tab.page.goto(site.url)
  await tab.page.waitForFunction(() => 'load' in globalThis)
  build = what.build ?? 1
  await also?.(tab, site)
  await tab.page.evaluate((path) => {
    const { load } = globalThis as unknown as { load: (path: string) => Promise<unknown> }
    void load(path)
  }, CHUNK)
  return {
    site,
    tab,
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

describe('chunks that cannot be loaded', () => {
  const cases: [title: string, kind: string, status: number | undefined, Parameters<typeof failing>][] = [
    ['a tab older than the deployment', 'old_build', 404, [{ chunk: 404, build: 2 }]],
    ['a file that this very build lacks', 'not_found', 404, [{ chunk: 404 }]],
    ['a server that fails', 'server', 503, [{ chunk: 503 }]],
    ['a file that cannot be run', 'unknown', 200, [{ chunk: 200 }]],
    [
      'a blocker',
      'blocked',
      undefined,
      [
        { chunk: 200 },
        async (tab) => void (await tab.page.route(`**${CHUNK}`, (route) => route.abort('blockedbyclient'))),
      ],
    ],
  ]
  for (const [title, kind, status, args] of cases)
    it(`are told apart: ${title}`, async () => {
      await using page = await failing(...args)
      if (kind === 'unknown') {
        // A syntax error is no failure to load; the same words come when it is loaded in vain.
        await page.tab.page.evaluate(
          (path) =>
            void Promise.reject(
              new TypeError(`Failed to fetch dynamically imported module: ${location.origin}${path}`),
            ),
          CHUNK,
        )
      }
      const { facts } = await page.site.waitForEntry('ui.chunk_failure', () => true)
      assert.deepEqual(
        [facts.kind, facts.status, facts.url, facts.build],
        [kind, status, CHUNK, 'page.js?build=1'],
      )
      assert.equal(page.site.entries('ui.page_data_failure').length, 0)
    })

  it('are told apart: no network', async () => {
    await using page = await failing({ chunk: 200 }, async (tab) => {
      // After the reporter's own listener: what is told here, it has seen.
      await tab.page.evaluate(() => addEventListener('unhandledrejection', () => (document.title = 'failed')))
      await tab.context.setOffline(true)
      await tab.page.waitForFunction(() => !navigator.onLine)
    })
    await page.tab.page.waitForFunction(() => document.title === 'failed')
    await page.tab.context.setOffline(false)
    const { facts } = await page.site.waitForEntry('ui.chunk_failure', () => true)
    assert.deepEqual([facts.kind, facts.status], ['offline', undefined])
  })
})
