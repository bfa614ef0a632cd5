/** Astro as it comes from npm: a static site with `<ClientRouter />`, and the reporter's adapter in its layout. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { drive, type Driven } from '../browser/navigation/drive.ts'
import { launchChromium } from '../e2e/chromium.ts'
import { type App, copyApp } from './support/app.ts'
import { type RecordedApp, startRecordedApp } from './support/recorded-app.ts'
import { mustRun } from './support/run-tool.ts'

let browser: Browser
let app: App

before(async () => {
  app = copyApp('astro')
  ;[browser] = await Promise.all([
    launchChromium(),
    mustRun('astro', ['build'], { cwd: app.folder, env: { ASTRO_TELEMETRY_DISABLED: '1' } }),
  ])
})
after(async () => {
  await browser?.close()
  app?.remove()
})

/** As a server of static files: `/old` has moved, `/broken` has its page and fails. */
function answer(req: IncomingMessage, res: ServerResponse): void {
  const { pathname } = new URL(req.url ?? '/', 'http://site')
  if (pathname === '/old') return void res.writeHead(307, { location: '/orders/9' }).end()
  const isFile = extname(pathname) !== ''
  const bytes = read(isFile ? pathname : join(pathname, 'index.html'))
  const status = pathname === '/broken' ? 500 : bytes ? 200 : 404
  res.writeHead(status, { 'content-type': isFile ? 'text/javascript' : 'text/html' })
  res.end(bytes ?? read('404.html'))
}
function read(path: string): Buffer | undefined {
  try {
    return readFileSync(join(app.dist, path))
  } catch {
    return undefined
  }
}

async function open(): Promise<Driven & { site: RecordedApp }> {
  const site = await startRecordedApp(answer)
  const driven = await drive(browser, site)
  return { ...driven, site }
}

test('records navigations with templates, triggers and phases, and the way back and forward', async () => {
  await using shop = await open()
  await shop.click('/orders/7')
  await shop.shows('order')
  const { facts } = await shop.ended('/orders/7', 'committed')
  assert.deepEqual(
    [facts.from_route, facts.to_route, facts.trigger, facts.router, facts.requests],
    ['/', '/orders/[order]', 'click', 'astro', 1],
  )
  assert.ok(facts['phase.data'] >= 0 && facts.visible_after >= facts['phase.data'], JSON.stringify(facts))
  assert.ok(facts['phase.commit'] >= 0 && facts['phase.paint'] >= 0 && facts.bytes > 0, JSON.stringify(facts))
  await shop.click('#total')
  await shop.page.goBack()
  await shop.page.goBack()
  await shop.shows('home')
  await shop.ended('/', 'committed')
  await shop.page.goForward()
  await shop.shows('order')
  await shop.site.waitForEntry('ui.navigation', (entry) => entry.facts.trigger === 'forward')
  await shop.click('/orders/8')
  await shop.ended('/orders/8', 'committed')
  await shop.page.getByRole('button').click()
  await shop.site.waitForEntry('ui.navigation', (entry) => entry.facts.trigger === 'programmatic')
  assert.deepEqual(
    shop.site.entries('ui.navigation').map((entry) => entry.facts.trigger),
    ['click', 'back', 'forward', 'click', 'programmatic'],
    'a jump within the page is none',
  )
})

test('follows redirects of the server', async () => {
  await using shop = await open()
  await shop.click('/old')
  await shop.shows('order')
  const target = await shop.ended('/orders/9', 'committed')
  const [first] = shop.site.entries('ui.navigation')
  assert.deepEqual(
    [first?.facts.outcome, first?.facts.redirect_to, first?.facts.requests],
    ['redirected', '/orders/[order]', 1],
  )
  assert.deepEqual(
    [target.facts.redirected_from, target.facts.trigger, target.facts.to_route],
    [first?.id, 'redirect', '/orders/[order]'],
  )
})

test('tells what hangs while it hangs, what is replaced, and what is given up', async () => {
  await using shop = await open()
  shop.site.hold('/hung')
  await shop.click('/hung')
  const { facts } = await shop.ended('/hung', 'pending')
  assert.deepEqual([facts.stuck_in, facts.waiting_for, facts.requests], ['data', '/hung', 1])
  await shop.click('/orders/7')
  await shop.shows('order')
  await shop.ended('/orders/7', 'committed')
  await shop.click('/hung')
  await shop.click('#total')
  await shop.ended('/hung', 'aborted')
  assert.deepEqual(shop.told(), ['/hung pending', '/hung superseded', '/orders/7 committed', '/hung aborted'])
})

test('the swap of a page that was replaced meanwhile does not end what replaced it', async () => {
  await using shop = await open()
  shop.site.hold('/hung')
  await shop.page.evaluate(() =>
    document.addEventListener(
      'astro:before-swap',
      () => document.querySelector<HTMLElement>('a[href="/hung"]')?.click(),
      { once: true },
    ),
  )
  await shop.click('/orders/7')
  await shop.shows('order')
  await shop.ended('/hung', 'pending')
  shop.site.letGo('/hung')
  await shop.shows('hung')
  await shop.ended('/hung', 'committed')
  assert.deepEqual(shop.told(), ['/orders/7 superseded', '/hung pending', '/hung committed'])
})

test('tells what failed: pages, and what the site itself throws', async () => {
  await using shop = await open()
  for (const [path, heading] of [
    ['/missing', 'missing'],
    ['/broken', 'broken'],
    ['/thrown', 'broken'],
    ['/torn', 'broken'],
  ] as const) {
    await shop.click(path)
    await shop.shows(heading)
    await shop.ended(path, 'errored')
  }
  assert.deepEqual(shop.told(), [
    '/missing errored http_404',
    '/broken errored http_500',
    '/thrown errored TypeError',
    '/torn errored RangeError',
  ])
  const mechanisms = (await shop.site.waitForItems('event', 2)).map(
    ({ payload }) => payload.exception.values[0].mechanism.type,
  )
  assert.ok(mechanisms.includes('astro'), String(mechanisms))
})

for (const [why, path, reason] of [
  ['the new page has no router', '/plain', undefined],
  ['a listener of the site prevents it', '/stopped', undefined],
  ['the page could not be fetched', '/gone', 'network'],
] as const)
  test(`is a full load where ${why}`, async () => {
    await using shop = await open()
    // The browser asks once more, as a document.
    await shop.page.route(`**${path}`, (route) =>
      path === '/gone' && route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
    )
    await shop.click(path)
    await shop.shows(path.slice(1))
    const { facts } = await shop.ended(path, 'full_load')
    assert.equal(facts.reason, reason)
  })
