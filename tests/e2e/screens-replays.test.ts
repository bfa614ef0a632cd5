/** Replays in Chromium: recorded by the SDK as it comes from npm, found, played, followed and deleted; and hostile ones. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, FrameLocator, Page, Request } from 'playwright-core'
import { buildShop, type BuiltShop } from '../compat/browser/build-shop.ts'
import { type ShopServer, startShopServer } from '../compat/browser/shop-server.ts'
import { visitShop } from '../compat/browser/visit-shop.ts'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { custom, element, hostilePage, newReplayId, pageOf, sendReplay } from '../harness/replay-events.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inBothThemes } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { fitsWidth } from './keyboard.ts'
import { navigationSpan, sendSpans } from './performance-events.ts'
import { sessionOf, visit } from './screens-visit.ts'

const TRACE = newReplayId()

type Listed = { readonly id: string; readonly user: { readonly display_name: string | null } }

describe('replays', () => {
  let sonde: RunningSonde
  let browser: Browser
  let shop: CreatedProject
  let owner: Awaited<ReturnType<typeof sessionOf>>
  let built: BuiltShop
  let shopServer: ShopServer
  let evil: Server
  let evilUrl = ''
  let recorded: Listed
  const asked: string[] = []
  const [hostile, long] = [newReplayId(), newReplayId()]

  before(async () => {
    sonde = await startSonde()
    shop = createProject(sonde, 'acme/shop')
    browser = await launchChromium()
    evil = createServer((request, answer) => {
      asked.push(request.url ?? '')
      answer.writeHead(200, { 'access-control-allow-origin': '*' }).end('')
    })
    // Also who only connects is counted.
    evil.on('connection', () => asked.push('connection'))
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
    evilUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`
    built = await buildShop('shop@1.4.2')
    shopServer = await startShopServer(built.folder, sonde.url)
    await visitShop(browser, shopServer.url, { dsn: shop.dsn })
    const fromMs = Date.now() - 120_000
    await sendReplay(shop.dsn, { replayId: hostile, segment: 0 }, hostilePage(fromMs, evilUrl))
    const page = pageOf(fromMs, { body: [element('h1', {}, 'Cart'), element('p', {}, 'Two books')] })
    const told = {
      trace_ids: [TRACE],
      user: { username: 'grace' },
      contexts: { culture: { timezone: 'America/Argentina/Buenos_Aires' } },
    }
    // Sonde's own reporter was on the page too, in the same trace.
    const [opened, failed] = [
      navigationSpan('/cart', '/checkout', fromMs + 20_000),
      navigationSpan('/checkout', '/thanks', fromMs + 40_000, { 'sonde.navigation.outcome': 'errored' }),
    ]
    await sendSpans(shop.dsn, [
      { ...opened, trace_id: TRACE },
      { ...failed, trace_id: TRACE },
    ])
    await sendReplay(shop.dsn, { replayId: long, segment: 0, ...told }, [
      ...page,
      custom(fromMs + 2_000, 'breadcrumb', {
        timestamp: (fromMs + 2_000) / 1000,
        category: 'ui.slowClickDetected',
        message: 'button#pay',
        data: { endReason: 'timeout', clickCount: 4 },
      }),
      custom(fromMs + 3_000, 'performanceSpan', {
        op: 'resource.fetch',
        description: 'https://shop.example/api/pay',
        startTimestamp: (fromMs + 2_500) / 1000,
        endTimestamp: (fromMs + 3_000) / 1000,
        data: { method: 'POST', statusCode: 503 },
      }),
      { type: 3, timestamp: fromMs + 9_000, data: { source: 3, id: 1, x: 0, y: 0 } },
    ])
    await sendReplay(shop.dsn, { replayId: long, segment: 1 }, [
      {
        type: 3,
        timestamp: fromMs + 60_000,
        data: {
          source: 0,
          texts: [],
          attributes: [],
          removes: [],
          adds: [
            { parentId: 5, nextId: null, node: { ...element('p', {}, 'Thank you'), id: 900 } },
            { parentId: 900, nextId: null, node: { type: 3, textContent: 'Thank you', id: 901 } },
          ],
        },
      },
      { type: 3, timestamp: fromMs + 90_000, data: { source: 3, id: 1, x: 0, y: 0 } },
    ])
    const api = apiClient(sonde)
    const { data } = await api.until<{ data: Listed[] }>(
      '/api/0/organizations/acme/replays/',
      (list) => list.data.length === 3 && list.data.some((row) => row.user.display_name === 'ada'),
    )
    recorded = data.find((row) => row.user.display_name === 'ada')!
    owner = await sessionOf(sonde.url)
  })
  after(async () => {
    await browser?.close()
    await shopServer?.stop()
    built?.remove()
    evil?.closeAllConnections()
    evil?.close()
    assert.equal(await sonde?.stop(), 0)
  })

  /** What the frame's policy refuses is said on the console, and is no complaint of the screen. */
  async function at(path: string, run: (page: Page) => Promise<void>): Promise<void> {
    const own = await visit(browser, sonde.url, { storageState: owner })
    own.page.setDefaultTimeout(8_000)
    try {
      await own.page.goto(path)
      await run(own.page)
      const complaints = own
        .complaints()
        .filter(
          (text) =>
            !/Content Security Policy|sandbox|media playback error|NotAllowedError|NotSupportedError/i.test(
              text,
            ),
        )
      assert.deepEqual(complaints, [])
    } finally {
      await own.close()
    }
  }
  const playerOf = (page: Page): FrameLocator =>
    page.frameLocator('iframe.replay-page').frameLocator('iframe')
  const pageIn = (page: Page): FrameLocator => playerOf(page).frameLocator('.replayer-wrapper > iframe')
  const position = (page: Page): Promise<number> =>
    page
      .getByRole('slider', { name: 'Position in the replay' })
      .evaluate((input) => Number((input as HTMLInputElement).value))

  test('what the SDK recorded is in the list, found by its words, and played with what happened', () =>
    at('/acme/shop/replays?query=user.name%3Aada', async (page) => {
      const table = page.getByRole('region', { name: 'Table of replays' })
      await table.getByRole('link', { name: 'ada' }).click()
      await pageIn(page).getByRole('button').first().waitFor()
      const marks = page.locator('.replay-marks')
      await marks.locator('.mark-click').first().waitFor({ state: 'attached' })
      await marks.locator('.mark-error').first().waitFor({ state: 'attached' })
      await page.getByRole('button', { name: /^Console/ }).click()
      await page.getByRole('region', { name: 'Console' }).getByText('card was asked for').waitFor()
      await page.getByRole('button', { name: /^Network/ }).click()
      await page.getByRole('region', { name: 'Network' }).getByText('stock.json').first().waitFor()
      await page.getByRole('button', { name: /^Errors/ }).click()
      await page.getByRole('region', { name: 'Errors' }).getByText('order 1001').first().waitFor()
    }))

  test('an error leads to its second of the replay, and an issue to its replays', () =>
    at(`/acme/shop/replays/${recorded.id}`, async (page) => {
      await page.getByRole('region', { name: 'Events' }).getByRole('link').first().click()
      await page.getByRole('link', { name: /^Replay at/ }).click()
      await page.waitForURL(/\/replays\/[0-9a-f]{32}\?t=\d+/)
      await page.goBack()
      await page.getByRole('link', { name: /^\d+ replays?$/ }).click()
      await page
        .getByRole('region', { name: 'Table of replays' })
        .getByRole('link', { name: 'ada' })
        .waitFor()
    }))

  test('a second in the address, keys and the lists move it', () =>
    at(`/acme/shop/replays/${long}?t=70`, async (page) => {
      await pageIn(page).getByText('Thank you').first().waitFor()
      assert.equal(await position(page), 70_000)
      await page.locator('h1').click()
      await page.keyboard.press('j')
      await page.keyboard.press('ArrowLeft')
      assert.equal(await position(page), 55_000)
      await pageIn(page).getByText('Thank you').waitFor({ state: 'detached' })
      await page.keyboard.press('l')
      assert.equal(await position(page), 65_000)
      await page.getByRole('button', { name: 'Speed 8×' }).click()
      await page.keyboard.press('k')
      await page.getByRole('button', { name: 'Pause' }).waitFor()
      await page.waitForFunction(
        () => Number(document.querySelector<HTMLInputElement>('.replay-range')?.value) > 68_000,
      )
      await page.keyboard.press('k')
      await page.getByRole('button', { name: 'Play' }).waitFor()
      const events = page.getByRole('region', { name: 'Events' })
      await events.getByText('Rage click').waitFor()
      await events.getByRole('button', { name: 'Go to 0:02' }).click()
      assert.equal(await position(page), 2_000)
      await page.getByRole('button', { name: /^Network/ }).click()
      await page.getByRole('region', { name: 'Network' }).getByText('503').waitFor()
      await inBothThemes(page, 'main')
      await page.setViewportSize({ width: 390, height: 800 })
      await fitsWidth(page)
    }))

  test('navigations and page data of the reporter stand in it, and clocks of both zones', () =>
    at(`/acme/shop/replays/${long}?t=22`, async (page) => {
      await pageIn(page).getByText('Two books').waitFor()
      const marks = page.locator('.replay-marks')
      await marks.locator('.mark-data').first().waitFor({ state: 'attached' })
      await page.getByRole('button', { name: /^Navigations/ }).click()
      const navigations = page.getByRole('region', { name: 'Navigations' })
      await navigations.getByText('click · committed').waitFor()
      await navigations.getByText('click · errored').waitFor()
      await page.getByRole('button', { name: /^Page data/ }).click()
      const data = page.getByRole('region', { name: 'Page data' })
      await data.getByText('210 ms').first().waitFor()
      await data.getByRole('button', { name: 'Go to 0:40' }).click()
      assert.equal(await position(page), 40_000)
      const clock = await page.locator('.replay-clock').innerText()
      const [, own = '', theirs = ''] =
        /^(\d\d):.* · (\d\d):\d\d:\d\d in America\/Argentina\/Buenos Aires$/.exec(clock) ?? []
      assert.equal((Number(own) - Number(theirs) + 24) % 24, 3, `UTC and UTC-3: ${clock}`)
      await data.getByRole('link', { name: '/checkout' }).click()
      await page.waitForURL(
        (url) => url.pathname === '/acme/shop/navigations' && url.searchParams.has('navigation'),
      )
      await page.goto(`/acme/shop/replays/${long}`)
      await page.getByRole('heading', { name: 'Seen by' }).waitFor()
    }))

  /** Played to its end; `raw`: as sent, without what the pipeline takes out. */
  async function playHostile(raw: boolean): Promise<void> {
    asked.length = 0
    await at('/acme/shop/replays', async (page) => {
      const requests: Request[] = []
      const said: string[] = []
      page.on('request', (request) => requests.push(request))
      page.on('console', (message) => said.push(message.text()))
      await page.evaluate(() => {
        const heard: unknown[] = []
        Object.assign(globalThis, { heard })
        addEventListener('message', ({ data }) => heard.push(data))
      })
      if (raw)
        await page.route('**/recording?from=0', (route) =>
          route.fulfill({
            json: { segments: [hostilePage(Date.now() - 120_000, evilUrl)], next: null, unreadable: [] },
          }),
        )
      await page
        .getByRole('region', { name: 'Table of replays' })
        .getByRole('link', { name: 'Anonymous visitor' })
        .click()
      await pageIn(page).getByText('The hostile page').waitFor()
      await page.getByRole('button', { name: 'Play', exact: true }).click()
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
      await page.getByRole('region', { name: 'Events' }).getByText('<img src=x onerror=alert(1)>').waitFor()
      const heard = await page.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)
      assert.ok(!heard.includes('RAN'), 'a script of the recording ran')
      assert.deepEqual(
        said.filter((text) => text === 'RAN'),
        [],
      )
      // What the policy refused was never sent; that nothing came is asserted where it would have come to.
      const left = requests
        .filter((request) => request.failure()?.errorText !== 'csp')
        .map((request) => request.url())
        .filter((url) => !url.startsWith(sonde.url) && !/^(?:data|blob|about):/.test(url))
      assert.deepEqual(left, [])
      assert.match(page.url(), /\/acme\/shop\/replays\/[0-9a-f]{32}$/)
      const player = page.frames().find((frame) => frame.url().startsWith('data:text/html'))
      assert.ok(player)
      const reach = await player.evaluate(() => {
        const refusal = (read: () => unknown): string => {
          try {
            return `reached ${String(read())}`
          } catch (error) {
            return (error as Error).name
          }
        }
        return [
          origin,
          refusal(() => document.cookie),
          refusal(() => parent.document.title),
          refusal(() => localStorage),
        ]
      })
      assert.deepEqual(reach, ['null', 'SecurityError', 'SecurityError', 'SecurityError'])
      const fetched = await player.evaluate(
        (url) =>
          fetch(url, { mode: 'no-cors' }).then(
            () => 'sent',
            () => 'refused',
          ),
        evilUrl,
      )
      assert.equal(fetched, 'refused')
    })
    assert.deepEqual(asked, [], 'something reached the other server')
  }

  test('a hostile recording reaches nothing and runs nothing', () => playHostile(false))
  test('nor does one that the pipeline never cleaned', () => playHostile(true))

  test('is deleted with its recording', () =>
    at(`/acme/shop/replays/${long}`, async (page) => {
      await page.getByText('Delete replay').click()
      await page.getByRole('button', { name: 'Delete this replay' }).click()
      await page.getByRole('region', { name: 'Table of replays' }).waitFor()
      assert.equal(await page.getByText('grace').count(), 0)
      const answer = await page.request.get(`${sonde.url}/acme/shop/replays/${long}`)
      assert.equal(answer.status(), 404)
      const segments = await page.request.get(`${sonde.url}/acme/shop/replays/${long}/recording`)
      assert.deepEqual(await segments.json(), { segments: [], next: null, unreadable: [] })
    }))
})
