/** SvelteKit as it comes from npm: its router, its data requests and its server, with the reporter's adapter in the root layout. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { drive, type Driven } from '../browser/navigation/drive.ts'
import { launchChromium } from '../e2e/chromium.ts'
import { type App, copyApp } from './support/app.ts'
import { type RecordedApp, startRecordedApp } from './support/recorded-app.ts'
import { mustRun } from './support/run-tool.ts'

type Handler = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

let browser: Browser
let app: App
let handler: Handler

before(async () => {
  app = copyApp('sveltekit')
  ;[browser] = await Promise.all([launchChromium(), mustRun('vite', ['build'], { cwd: app.folder, env: {} })])
  ;({ handler } = await import(pathToFileURL(join(app.folder, 'build', 'handler.js')).href))
})
after(async () => {
  await browser?.close()
  app?.remove()
})

async function open(): Promise<Driven & { site: RecordedApp }> {
  const site = await startRecordedApp((req, res) => handler(req, res, () => res.writeHead(404).end()))
  const driven = await drive(browser, site)
  await driven.page.locator('body[data-hydrated]').waitFor()
  return { ...driven, site }
}
const goTo = ({ page }: Driven, name: string) => page.getByRole('button', { name: `goto ${name}` }).click()

test('records navigations with templates, triggers and phases, and the way back and forward', async () => {
  await using shop = await open()
  await shop.click('/orders/7')
  await shop.shows('order')
  const { facts } = await shop.ended('/orders/7', 'committed')
  assert.deepEqual(
    [facts.from_route, facts.to_route, facts.trigger, facts.router, facts.requests],
    ['/', '/orders/[order]', 'click', 'sveltekit', 1],
  )
  assert.ok(facts['phase.data'] >= 0 && facts.visible_after >= facts['phase.data'], JSON.stringify(facts))
  // It waits for a frame between the press and the start.
  assert.ok(facts['phase.intent'] >= 1 && facts['phase.paint'] >= 0 && facts.bytes > 0, JSON.stringify(facts))
  await shop.click('/orders/7#total')
  await shop.page.goBack()
  await shop.page.goBack()
  await shop.shows('home')
  await shop.ended('/', 'committed')
  await shop.page.goForward()
  await shop.shows('order')
  await shop.site.waitForEntry('ui.navigation', (entry) => entry.facts.trigger === 'forward')
  await goTo(shop, '/orders/7')
  await shop.click('/orders/8')
  await shop.ended('/orders/8', 'committed')
  assert.deepEqual(
    shop.site.entries('ui.navigation').map((entry) => entry.facts.trigger),
    ['click', 'back', 'forward', 'click'],
    'neither a jump within the page nor the page that is shown is one',
  )
})

test('follows redirects of server and universal loads', async () => {
  await using shop = await open()
  await shop.click('/old')
  await shop.shows('order')
  const target = await shop.ended('/orders/9', 'committed')
  await shop.click('/moved')
  await shop.ended('/orders/8', 'committed')
  const entries = shop.site.entries('ui.navigation')
  assert.deepEqual(
    entries.map((entry) => `${entry.facts.to_route} ${entry.facts.outcome} ${entry.facts.trigger}`),
    [
      '/old redirected click',
      '/older redirected redirect',
      '/orders/[order] committed redirect',
      '/moved redirected click',
      '/orders/[order] committed redirect',
    ],
  )
  assert.equal(target.facts.redirected_from, entries[1]?.id)
  assert.deepEqual(
    [entries[0]?.facts.redirect_to, entries[1]?.facts.redirect_to],
    ['/older', '/orders/[order]'],
  )
  // One of the server's load, and one of the order.
  assert.deepEqual([entries[0]?.facts.requests, target.facts.requests], [1, 1])
})

test('tells what hangs while it hangs, what is replaced, and what is blocked', async () => {
  await using shop = await open()
  shop.site.hold('/hung/__data.json')
  await shop.click('/hung')
  const { facts } = await shop.ended('/hung', 'pending')
  assert.deepEqual([facts.stuck_in, facts.waiting_for], ['data', '/hung/__data.json'])
  await shop.click('/orders/7')
  await shop.shows('order')
  const replaced = await shop.ended('/orders/7', 'committed')
  assert.deepEqual([replaced.facts.trigger, replaced.facts.requests], ['click', 1])
  await goTo(shop, '/hung')
  await goTo(shop, '/orders/7')
  await shop.click('/guarded')
  await shop.ended('/guarded', 'aborted')
  assert.deepEqual(shop.told(), [
    '/hung pending',
    '/hung superseded',
    '/orders/7 committed',
    '/hung superseded',
    '/orders/7 committed',
    '/guarded aborted blocked',
  ])
})
test('what code asked for and then was another thing is a redirect or was replaced: it is not known which', async () => {
  await using shop = await open()
  await goTo(shop, '/old')
  await shop.ended('/orders/9', 'committed')
  assert.deepEqual(shop.told(), ['/old unknown replaced', '/older unknown replaced', '/orders/9 committed'])
})

test('tells what failed: loads of the server and the page, data, code', async () => {
  await using shop = await open()
  const client = join(app.folder, 'build', 'client')
  const code = readdirSync(client, { recursive: true, encoding: 'utf8' }).find(
    (path) => path.endsWith('.js') && readFileSync(join(client, path), 'utf8').includes('<h1>gone'),
  )
  shop.site.refuse(`/${code}`, 404)
  shop.site.refuse('/orders/8/__data.json', 503)
  for (const [path, heading] of [
    ['/broken', 'error 500'],
    ['/missing', 'error 404'],
    ['/thrown', 'error 500'],
    ['/orders/8', 'error 503'],
    ['/gone', 'error 500'],
  ] as const) {
    await shop.click(path)
    await shop.shows(heading)
    await shop.ended(path, 'errored')
  }
  assert.deepEqual(shop.told(), [
    '/broken errored http_500',
    '/missing errored http_404',
    '/thrown errored TypeError',
    '/orders/8 errored http_503',
    '/gone errored chunk',
  ])
  const [thrown] = await shop.site.waitForItems('event')
  assert.equal(thrown?.payload.exception.values[0].mechanism.type, 'sveltekit')
  await shop.site.waitForEntry('ui.chunk_failure', (entry) => entry.facts.url === `/${code}`)
  const failed = await shop.site.waitForEntry('ui.page_data_failure', () => true)
  assert.deepEqual(
    [failed.facts.endpoint, failed.facts.status, failed.facts.seen],
    ['/orders/[id]/__data.json', 503, true],
  )
})

test('data that was fetched ahead counts from the press on', async () => {
  await using shop = await open()
  shop.site.hold('/ahead/__data.json')
  const asked = shop.page.waitForRequest(/ahead\/__data/)
  await shop.page.getByRole('link', { name: '/ahead' }).hover()
  await asked
  await shop.click('/ahead')
  const hung = await shop.ended('/ahead', 'pending')
  assert.deepEqual([hung.facts.waiting_for, hung.facts.requests], ['/ahead/__data.json', 1])
  shop.site.letGo('/ahead/__data.json')
  await shop.shows('ahead')
  const { facts } = await shop.ended('/ahead', 'committed')
  assert.ok(facts['phase.data'] <= facts.visible_after, JSON.stringify(facts))
})
