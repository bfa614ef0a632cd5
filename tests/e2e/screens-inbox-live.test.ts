/** The bell in Chromium: told at once that the inbox changed, over one stream for each tab; asking by itself while there is none. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { messageEvent, sendEvent } from './screens-events.ts'
import { visitSignedIn } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser
let shop: CreatedProject

before(async () => {
  sonde = await startSonde()
  shop = createProject(sonde, 'acme/shop')
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

/** Well below the time after which the bell asks by itself. */
const AT_ONCE_MS = 10_000

const bell = (page: Page, unread: number) =>
  page.getByRole('link', { name: unread === 0 ? 'Inbox' : `Inbox: ${unread} unread`, exact: true })

/** A new issue, which the rule that each project begins with tells. */
const somethingNew = (title: string): Promise<string> =>
  sendEvent(shop.dsn, messageEvent(Date.now(), title, 'error'))

test('it counts what is told at once, and what is read in another window', async () => {
  const { page } = await visitSignedIn(browser, sonde.url)
  const streams = new Set<string>()
  page.on('request', (request) => {
    if (request.url().includes('/live/')) streams.add(new URL(request.url()).pathname)
  })
  const own = page.waitForResponse('**/api/0/inbox/live/')
  await page.goto('/settings/account')
  await bell(page, 0).waitFor()
  await own
  await somethingNew('Told by a stream of its own')
  await bell(page, 1).waitFor({ timeout: AT_ONCE_MS })
  assert.deepEqual([...streams], ['/api/0/inbox/live/'])

  streams.clear()
  const ofList = page.waitForResponse('**/api/0/organizations/acme/live/**')
  await page.goto('/acme/shop/issues')
  await bell(page, 1).waitFor()
  await ofList
  await somethingNew('Told by the stream of the list')
  await bell(page, 2).waitFor({ timeout: AT_ONCE_MS })
  assert.deepEqual([...streams], ['/api/0/organizations/acme/live/'], 'one stream is enough')

  // A soft navigation to a screen without a list: the bell goes on with a stream of its own.
  const ownAgain = page.waitForResponse('**/api/0/inbox/live/')
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await ownAgain
  await somethingNew('Told after the list was left')
  await bell(page, 3).waitFor({ timeout: AT_ONCE_MS })

  const other = await page.context().newPage()
  await other.goto('/settings/inbox')
  await other.getByRole('button', { name: /mark all/i }).click()
  await bell(other, 0).waitFor()
  await page.bringToFront()
  await bell(page, 0).waitFor({ timeout: AT_ONCE_MS })
  await page.context().close()
})

test('it asks by itself while the stream fails', async () => {
  const api = apiClient(sonde)
  const { page } = await visitSignedIn(browser, sonde.url)
  await page.route('**/live/**', (route) => route.abort())
  await page.clock.install()
  await page.goto('/settings/account')
  await bell(page, 0).waitFor()
  await somethingNew('Nobody tells of it')
  await api.until<unknown[]>('/api/0/projects/acme/shop/issues/', ({ length }) => length === 4)
  const endMs = Date.now() + AT_ONCE_MS
  while (!(await bell(page, 1).isVisible())) {
    assert.ok(Date.now() < endMs, 'it asked in vain')
    const asked = page.waitForResponse('**/settings/inbox/count', { timeout: 2_000 }).catch(() => undefined)
    await page.clock.fastForward(21_000)
    await asked
  }
  await page.context().close()
})
