/** The screens of the built Sonde in Chromium, filled through its doors. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { signedInPlain } from './plain-page.ts'
import { checkoutError, hostileEvent, messageEvent, sendEvent } from './screens-events.ts'
import { hydrated, sessionOf, type Visit, visit } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser
let shop: CreatedProject
let latestCheckoutId = ''
let hostileIssue = ''
let session: ReturnType<BrowserContext['storageState']>
const ISSUE = '/acme/shop/issues/SHOP-1'

before(async () => {
  sonde = await startSonde()
  shop = createProject(sonde, 'acme/shop')
  const nowMs = Date.now()
  const api = apiClient(sonde)
  const arrives = (id: string) =>
    api.until<{ groupID: string }>(`/api/0/projects/acme/shop/events/${id}/`, ({ groupID }) => groupID !== '')
  await arrives(await sendEvent(shop.dsn, checkoutError(nowMs - 3_600_000, 'u-1')))
  latestCheckoutId = await sendEvent(shop.dsn, checkoutError(nowMs - 60_000, 'u-2'))
  await sendEvent(shop.dsn, messageEvent(nowMs - 30_000, 'Payment provider answered slowly: 812 ms'))
  await arrives(latestCheckoutId)
  hostileIssue = (await arrives(await sendEvent(shop.dsn, hostileEvent(nowMs - 5_000)))).groupID
  browser = await launchChromium()
  session = sessionOf(sonde.url)
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

/** Opens a browser for one test, and holds the page to having complained of nothing. */
async function withVisit(
  open: () => Promise<Visit>,
  run: (visited: Visit) => Promise<void>,
  isExpected: (complaint: string) => boolean = () => false,
): Promise<void> {
  const visited = await open()
  try {
    await run(visited)
    assert.deepEqual(
      visited.complaints().filter((complaint) => !isExpected(complaint)),
      [],
    )
  } finally {
    await visited.close()
  }
}

/** Signed in once: a password takes its time to check. */
const owner = async (options: BrowserContextOptions = {}) =>
  visit(browser, sonde.url, { ...options, storageState: await session })
/** Chromium names every refused answer on the console. */
const isStatus = (complaint: string): boolean => complaint.startsWith('Failed to load resource')

test('projects', (t) =>
  withVisit(
    () => owner({ permissions: ['clipboard-read', 'clipboard-write'] }),
    async ({ page }) => {
      await page.goto('/acme')
      await t.test('are listed with their DSN, which can be copied', async () => {
        const card = page.getByRole('article').filter({ hasText: 'shop' })
        await card.getByText(shop.dsn).waitFor()
        await card.getByRole('button', { name: 'Copy DSN of shop' }).click()
        await card.getByText('Copied').waitFor()
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shop.dsn)
      })
      await t.test('a name that is taken by Sonde is refused beside its field', async () => {
        await page.getByText('New project').click()
        await page.getByLabel('Name').fill('settings')
        await page.getByRole('button', { name: 'Create project' }).click()
        await page.getByText('is used by Sonde itself').waitFor()
        assert.equal(await page.getByLabel('Name').inputValue(), 'settings')
      })
      await t.test(
        'a new one waits with its DSN and turns into its overview by itself when the first event arrives',
        async () => {
          await page.getByLabel('Name').fill('worker')
          await page.getByLabel('Platform').selectOption('python')
          await page.getByRole('button', { name: 'Create project' }).click()
          await page.getByRole('heading', { name: 'Waiting for the first event' }).waitFor()
          assert.equal(new URL(page.url()).pathname, '/acme/worker')
          const dsn = (await page.locator('.dsn-large code').textContent()) ?? ''
          assert.match(dsn, /^http:\/\/[0-9a-f]{32}@/)
          assert.match((await page.locator('.setup').textContent()) ?? '', /sentry_sdk\.init/)
          await sendEvent(dsn, messageEvent(Date.now(), 'First light'))
          await page.getByText('First light: 1 event.').waitFor()
          await page.getByText('is the first release: there is nothing to compare it with').waitFor()
        },
      )
    },
    isStatus,
  ))

describe('the list of issues', () => {
  test('has a first stop that skips to the content, its rows, and its search in the address', () =>
    withVisit(owner, async ({ page }) => {
      await page.goto('/acme/shop/issues')
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content')
      await page.keyboard.press('Enter')
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'main')
      const row = page.getByRole('row').filter({ hasText: 'SHOP-1' })
      const text = (await row.textContent()) ?? ''
      for (const part of ['TypeError', "reading 'amount'", '/checkout/[step]', 'error', 'unhandled'])
        assert.ok(text.includes(part), `${part} is not in ${text}`)
      assert.deepEqual(await row.locator('td.col-num').allTextContents(), ['2', '2'])
      await page.getByLabel('Search issues').fill('level:warning')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.waitForURL((url) => url.searchParams.get('query') === 'level:warning')
      await row.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: /Payment provider/ }).waitFor()
    }))

  test('says how to widen what matches nothing, and that a new one came, which it shows when asked', () =>
    withVisit(owner, async ({ page }) => {
      await page.goto('/acme/shop/issues?query=is%3Aresolved+TypeError&period=1h')
      await page.getByRole('heading', { name: 'No matching issues' }).waitFor()
      await page.getByRole('link', { name: 'Include all statuses' }).click()
      await page.getByRole('row').filter({ hasText: 'SHOP-1' }).waitFor()
      await page.goto('/acme/shop/issues')
      await sendEvent(shop.dsn, messageEvent(Date.now(), 'Arrived while the list was open'))
      await page.getByRole('button', { name: /^\d+ new/ }).click()
      await page.getByRole('link', { name: 'Arrived while the list was open' }).waitFor()
    }))
})

describe('an issue', () => {
  test('shows its exceptions and all that was sent with it', (t) =>
    withVisit(owner, async ({ page }) => {
      await page.goto(ISSUE)
      await t.test(
        'the most recent call first, our frames open and those of libraries folded, and the cause',
        async () => {
          const types = await page.locator('.exception-type').allTextContents()
          assert.deepEqual(types, ['TypeError', 'RangeError'])
          const first = page.locator('.exception').first()
          assert.equal(await first.locator('.frame-function').first().textContent(), 'totalOf')
          await first.getByText('const discount = applyDiscount(cart.coupon).amount').waitFor()
          assert.match((await first.locator('.code-current').first().textContent()) ?? '', /^42/)
          assert.equal(await first.getByText('renderWithHooks').isVisible(), false)
          await page.getByRole('button', { name: 'All frames' }).click()
          await first.getByText('renderWithHooks').waitFor()
        },
      )
      const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
      for (const part of [
        'caused by',
        'checkout.step',
        'coupon SPRING has no currency',
        'button#to-checkout > span.label',
        'POST https://shop.example/checkout/payment',
        'Köln',
        'u-2@example.com',
        'Mac OS X',
        'sentry.javascript.react 11.12.0',
        'in shop@4.12.0',
        'Event grouping',
      ])
        assert.ok(text.includes(part), `${part} is not shown`)
      assert.ok(await page.getByText(latestCheckoutId.slice(0, 8)).first().isVisible())
      await page.getByRole('link', { name: 'Older' }).click()
      await page.getByText('u-1@example.com').first().waitFor()
      const json = await page.request.get(`${ISSUE}/events/${latestCheckoutId}/json`)
      assert.equal(((await json.json()) as { event_id: string }).event_id, latestCheckoutId)
    }))

  for (const [how, options] of [
    ['with JavaScript', {}],
    ['without JavaScript', { javaScriptEnabled: false }],
  ] as const) {
    test(`is resolved and reopened ${how}`, () =>
      withVisit(
        () => owner(options),
        async ({ page }) => {
          await page.goto(ISSUE)
          await page.getByRole('button', { name: 'Resolve' }).click()
          await page.getByRole('button', { name: 'Reopen' }).waitFor()
          await page.goto('/acme/shop/issues?query=is%3Aresolved')
          await page.getByRole('link', { name: /TypeError/ }).click()
          await page.getByRole('button', { name: 'Reopen' }).click()
          await page.getByRole('button', { name: 'Resolve' }).waitFor()
        },
      ))
  }

  test('whose every text is hostile runs none of it and leaves its surroundings as they are', () =>
    withVisit(
      () => owner({ viewport: { width: 360, height: 740 } }),
      async ({ page }) => {
        for (const path of ['/acme/shop/issues', `/acme/shop/issues/${hostileIssue}`]) {
          await page.goto(path)
          await page.getByText('window.hacked=1').first().waitFor()
          const seen = () =>
            page.evaluate(() => ({
              hacked: 'hacked' in window,
              images: document.querySelectorAll('img').length,
              direction: getComputedStyle(document.querySelector('main') as Element).direction,
              tooWide: document.documentElement.scrollWidth - window.innerWidth,
              headings: document.querySelectorAll('h1').length,
              mains: document.querySelectorAll('main').length,
              nameless: [...document.querySelectorAll('button, a[href], input:not([type=hidden]), select')]
                .filter((element) => {
                  const labels = (element as HTMLInputElement).labels?.length ?? 0
                  const text = element.textContent?.trim() ?? ''
                  return (
                    labels === 0 &&
                    !element.getAttribute('aria-label') &&
                    (text === '' || element.tagName === 'SELECT')
                  )
                })
                .map((element) => element.outerHTML.slice(0, 200)),
            }))
          const harmless = { hacked: false, images: 0, direction: 'ltr', tooWide: 0 }
          const expected = { ...harmless, headings: 1, mains: 1, nameless: [] }
          assert.deepEqual(await seen(), expected, path)
          await page.setViewportSize({ width: 1280, height: 720 })
          assert.deepEqual(await seen(), expected, `${path}, wide`)
          await page.setViewportSize({ width: 360, height: 740 })
        }
      },
    ))

  test('cannot be changed by who may only look, whether by the screen or past it', async () => {
    const guest = { email: 'guest@example.com', password: 'only here to look' }
    const args = ['--org', 'acme', '--role', 'viewer', '--email', guest.email, '--password', guest.password]
    sondeJson(sonde.dataDir, ['user', 'create', ...args])
    const storageState = await sessionOf(sonde.url, guest)
    await withVisit(
      () => visit(browser, sonde.url, { storageState }),
      async ({ page }) => {
        await page.goto(ISSUE)
        await page.getByRole('heading', { level: 1, name: 'TypeError' }).waitFor()
        assert.equal(await page.getByRole('button', { name: 'Resolve' }).count(), 0)
        const origin = new URL(sonde.url).origin
        const form = { status: 'resolved' }
        assert.equal((await page.request.post(ISSUE, { form, headers: { origin } })).status(), 403)
        const projects = await (await page.request.get('/acme')).text()
        assert.ok(projects.includes(shop.dsn) && !projects.includes('New project'))
      },
    )
  })

  test('that does not exist, or an organization that cannot be seen, is not found', async () => {
    const page = await signedInPlain(sonde.url)
    for (const path of ['/acme/shop/issues/SHOP-999', '/acme/nope/issues', '/nobody', '/acme/shop/nope']) {
      assert.equal(await page.goto(path), 404, path)
      page.part('h1, h2', 'Page not found')
    }
  })
})

test('every screen renders in the browser as on the server, in a time zone and with a clock of its own', () =>
  withVisit(
    () => owner({ timezoneId: 'Asia/Kathmandu', locale: 'ar-EG' }),
    async ({ page }) => {
      await page.clock.install({ time: Date.now() - 86_400_000 * 3 })
      for (const path of [
        '/acme',
        '/acme/shop',
        '/acme/shop/issues',
        '/acme/shop/issues?query=nothing-like-this',
        '/acme/shop/settings',
        `/acme/shop/issues/${hostileIssue}`,
        ISSUE,
      ]) {
        await page.goto(path)
        await hydrated(page)
      }
      await page.getByText('+05:45').first().waitFor()
      assert.match((await page.locator('.event-bar time').first().textContent()) ?? '', /^\d+(s|min) ago$/)
    },
  ))
