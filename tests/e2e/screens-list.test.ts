/** The lists of issues in Chromium: searching, choosing, keys, and what happens while something arrives. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { messageEvent, type SentEvent, sendEvent } from './screens-events.ts'
import { signIn, visit, visitSignedIn } from './screens-visit.ts'

const ISSUES = 57
const PAGE_ROWS = 50
const LIST = '/acme/shop/issues'
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

let sonde: RunningSonde
let browser: Browser
let shop: CreatedProject
/** Of the owner, signed in once: cookies for every test. */
let session: ReturnType<BrowserContext['storageState']>

/** A title of its own for each number: digits alone would be grouped together. */
const name = (index: number): string =>
  `Job ${String.fromCharCode(97 + (index % 26))}${String.fromCharCode(97 + Math.floor(index / 26))} failed`

before(async () => {
  sonde = await startSonde()
  shop = createProject(sonde, 'acme/shop')
  const api = createProject(sonde, 'acme/api', 'python')
  const nowMs = Date.now()
  const events: readonly SentEvent[] = Array.from({ length: ISSUES }, (_, index) => ({
    ...messageEvent(nowMs - (index + 1) * 60_000, name(index), index === 3 ? 'fatal' : 'error'),
    environment: index < 5 ? 'staging' : 'production',
    tags: { region: index % 2 === 0 ? 'eu-west-1' : 'us-east-1' },
  }))
  await Promise.all(events.map((event) => sendEvent(shop.dsn, event)))
  await sendEvent(api.dsn, messageEvent(nowMs - 500_000, 'Something of the API'))
  const client = apiClient(sonde)
  await client.until<unknown[]>(
    '/api/0/projects/acme/shop/issues/?limit=100',
    (rows) => rows.length === ISSUES,
  )
  await client.until<unknown[]>('/api/0/projects/acme/api/issues/', (rows) => rows.length === 1)
  browser = await launchChromium()
  const owner = await visitSignedIn(browser, sonde.url)
  session = owner.page.context().storageState()
  await session
  await owner.close()
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

/** A signed-in person of their own, whose pages complain of nothing. */
async function asOwner(
  run: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
  isExpected: (complaint: string) => boolean = () => false,
): Promise<void> {
  const visited = await visit(browser, sonde.url, { ...options, storageState: await session })
  try {
    await run(visited.page)
    assert.deepEqual(
      visited.complaints().filter((complaint) => !isExpected(complaint)),
      [],
    )
  } finally {
    await visited.close()
  }
}

const rows = (page: Page) => page.locator('tbody tr')
const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.closest('tr')?.querySelector('.issue-name')?.textContent ?? '')

/** The list, once its scripts run: the box for the whole page is theirs. */
async function openList(page: Page, path = LIST): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Choose all on this page').waitFor()
}

describe('the search', () => {
  test('offers keys and values at the cursor, is driven by the keyboard alone, and stands in the address', () =>
    asOwner(async (page) => {
      await openList(page)
      await page.keyboard.press('/')
      const box = page.getByRole('combobox', { name: 'Search issues' })
      assert.equal(await box.evaluate((element) => element === document.activeElement), true)
      await box.fill('is:unresolved lev')
      await page.getByRole('option', { name: /^level/ }).waitFor()
      assert.equal(await box.getAttribute('aria-expanded'), 'true')
      await page.keyboard.press('ArrowDown')
      const active = await box.getAttribute('aria-activedescendant')
      assert.match((await page.locator(`[id="${active}"]`).textContent()) ?? '', /^level/)
      await page.keyboard.press('Enter')
      assert.equal(await box.inputValue(), 'is:unresolved level:')
      await page.getByRole('option', { name: 'fatal' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      assert.equal(await box.inputValue(), 'is:unresolved level:fatal ')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('query')?.trim() === 'is:unresolved level:fatal')
      await page.getByText('1 issue', { exact: true }).waitFor()
      assert.equal(await rows(page).count(), 1)
      await page.goBack()
      await page.waitForFunction(
        (expected) => document.querySelectorAll('tbody tr').length === expected,
        PAGE_ROWS,
      )
      assert.equal(await box.inputValue(), 'is:unresolved')
    }))

  test('offers the values that events really have, with a press', () =>
    asOwner(async (page) => {
      await openList(page)
      const box = page.getByRole('combobox', { name: 'Search issues' })
      await box.fill('region:')
      await page.getByRole('option', { name: /^eu-west-1/ }).click()
      assert.equal(await box.inputValue(), 'region:eu-west-1 ')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByText(`${Math.ceil(ISSUES / 2)} issues`, { exact: true }).waitFor()
    }))

  test('says what it cannot understand, and marks where', () =>
    asOwner(async (page) => {
      await page.goto(`${LIST}?query=level%3Aerror+is%3Anonsense+x`)
      const alert = page.getByRole('alert')
      assert.match((await alert.textContent()) ?? '', /"is:nonsense" is not known \(at character 13\)/)
      assert.equal(await alert.locator('mark').textContent(), 'is:nonsense')
      assert.equal(await page.getByLabel('Search issues').getAttribute('aria-invalid'), 'true')
    }))

  test('keeps environment and period of the address in every way to another list', () =>
    asOwner(async (page) => {
      await openList(page, `${LIST}?environment=staging&statsPeriod=24h`)
      assert.equal(await rows(page).count(), 5)
      await page.getByLabel('Sort by').selectOption('new')
      await page.waitForURL((url) => url.searchParams.get('sort') === 'new')
      await page.getByRole('link', { name: 'All', exact: true }).click()
      await page.waitForURL((url) => url.searchParams.get('query') === '')
      assert.equal(query(page).get('environment'), 'staging')
      assert.equal(query(page).get('statsPeriod'), '24h')
      assert.equal(query(page).get('sort'), 'new')
      assert.equal(await rows(page).count(), 5)
    }))
})

describe('the keys', () => {
  test('move a cursor that is the focus, choose rows, and open an issue', () =>
    asOwner(async (page) => {
      await openList(page)
      await page.keyboard.press('j')
      assert.equal(await focused(page), name(0))
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('k')
      assert.equal(await focused(page), name(1))
      await page.keyboard.press('x')
      await page.getByText('1 chosen').waitFor()
      assert.equal(await page.getByLabel('Choose SHOP-').nth(1).isChecked(), true)
      // Tab goes on from the cursor: nobody is held.
      await page.keyboard.press('Tab')
      assert.equal(await focused(page), name(2))
      await page.keyboard.press('k')
      await page.keyboard.press('o')
      await page.getByRole('heading', { level: 1, name: name(1) }).waitFor()
      await page.goBack()
      await page.getByLabel('Choose all on this page').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: name(0) }).waitFor()
    }))
})

describe('choosing', () => {
  test('takes a range with Shift, and what was resolved can be taken back', () =>
    asOwner(async (page) => {
      await openList(page)
      const boxes = page.getByLabel('Choose SHOP-')
      await boxes.nth(1).click()
      await boxes.nth(4).click({ modifiers: ['Shift'] })
      await page.getByText('4 chosen').waitFor()
      await page.getByRole('button', { name: 'Resolve' }).click()
      await page.getByText('4 issues resolved').waitFor()
      await page.getByText(`${PAGE_ROWS} of ${ISSUES - 4} issues`).waitFor()
      assert.equal(await page.getByRole('link', { name: name(1) }).count(), 0)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Taken back for 4 issues').waitFor()
      await page.getByText(`${PAGE_ROWS} of ${ISSUES} issues`).waitFor()
      await rows(page).nth(1).getByText('new', { exact: true }).waitFor()
    }))

  test('of one row by its key leaves the cursor on the row that follows', () =>
    asOwner(async (page) => {
      await openList(page)
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('m')
      await page.getByText('1 issue ignored').waitFor()
      await page.waitForFunction(
        (expected) => document.activeElement?.closest('tr')?.textContent.includes(expected),
        name(2),
      )
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('link', { name: name(1) }).waitFor()
    }))

  test('all that match asks first, changes those on other pages too, and is taken back as a whole', () =>
    asOwner(async (page) => {
      await openList(page)
      await page.getByLabel('Choose all on this page').click()
      await page.getByText(`${PAGE_ROWS} chosen`).waitFor()
      await page.getByRole('button', { name: `Choose all ${ISSUES} that match` }).click()
      await page.getByRole('button', { name: 'Resolve' }).click()
      const dialog = page.getByRole('dialog', { name: `Resolve all ${ISSUES} issues that match?` })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'hidden' })
      assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Resolve')
      await page.getByRole('button', { name: 'Resolve' }).click()
      await dialog.getByRole('button', { name: 'Resolve all' }).click()
      await page.getByRole('heading', { name: 'No unresolved issue' }).waitFor()
      await page.getByText(`${ISSUES} issues resolved`).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(`${PAGE_ROWS} of ${ISSUES} issues`).waitFor()
    }))

  test('works without JavaScript, the question and the way back included', () =>
    asOwner(
      async (page) => {
        await page.goto(LIST)
        await page.getByLabel('Choose SHOP-').nth(0).check()
        await page.getByLabel('Choose SHOP-').nth(2).check()
        await page.getByRole('button', { name: 'Ignore' }).click()
        await page.getByText('2 issues ignored').waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Taken back for 2 issues').waitFor()
        await page.getByRole('button', { name: 'Resolve' }).click()
        await page.getByText('No issue was chosen').waitFor()
        await page.getByLabel(`All ${ISSUES} that match`).check()
        await page.getByRole('button', { name: 'Resolve' }).click()
        await page.getByText(`Resolve all ${ISSUES} issues that match?`).waitFor()
        await page.getByRole('button', { name: 'Resolve all' }).click()
        await page.getByText(`${ISSUES} issues resolved`).waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText(`Taken back for ${ISSUES} issues`).waitFor()
      },
      { javaScriptEnabled: false },
      (complaint) => complaint.startsWith('Failed to load resource'),
    ))

  test('is for who may change issues: others have no boxes, and what they post is refused', async () => {
    const guest = { email: 'guest@example.com', password: 'only here to look' }
    const args = ['--org', 'acme', '--role', 'viewer', '--email', guest.email, '--password', guest.password]
    sondeJson(sonde.dataDir, ['user', 'create', ...args])
    const { page, close } = await visit(browser, sonde.url)
    await page.goto(LIST)
    await signIn(page, guest)
    await page.getByRole('link', { name: name(0) }).waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 0)
    const headers = { origin: new URL(sonde.url).origin }
    const form = { status: 'resolved', all: '1', confirmed: '1' }
    assert.equal((await page.request.post(LIST, { form, headers })).status(), 403)
    await close()
  })
})

describe('while events arrive', () => {
  for (const [how, isStreamed] of [
    ['told by the stream', true],
    ['asking by itself while the stream is away', false],
  ] as const) {
    test(`the list counts what is new, ${how}, and moves no row until it is asked`, () =>
      asOwner(
        async (page) => {
          if (!isStreamed) await page.route('**/live/**', (route) => route.abort())
          await openList(page)
          const first = rows(page).first()
          const before = {
            text: await first.locator('.issue-name').textContent(),
            box: await first.boundingBox(),
          }
          const title = `Arrived ${isStreamed ? 'by the stream' : 'without it'}`
          await sendEvent(shop.dsn, messageEvent(Date.now(), title))
          const bar = page.getByRole('button', { name: /^1 new/ })
          await bar.waitFor()
          assert.deepEqual(
            { text: await first.locator('.issue-name').textContent(), box: await first.boundingBox() },
            before,
          )
          await bar.click()
          await page.getByRole('link', { name: title }).waitFor()
          assert.equal(await first.locator('.issue-name').textContent(), title)
          await bar.waitFor({ state: 'detached' })
          await page.waitForFunction(
            (expected) => document.activeElement?.closest('tr')?.textContent.includes(expected),
            title,
          )
        },
        {},
        (complaint) => !isStreamed && complaint.includes('ERR_FAILED'),
      ))
  }

  test('the numbers of a row follow where it stands', () =>
    asOwner(async (page) => {
      await openList(page)
      const row = rows(page).filter({ hasText: name(9) })
      const index = await row.evaluate((element) => (element as HTMLTableRowElement).rowIndex)
      await sendEvent(shop.dsn, messageEvent(Date.now() - 9_000, name(9), 'error'))
      await row.locator('td.col-num').first().getByText('2', { exact: true }).waitFor()
      assert.equal(await row.evaluate((element) => (element as HTMLTableRowElement).rowIndex), index)
    }))
})

describe('the pages', () => {
  test('go on by cursor and back, by the address alone', () =>
    asOwner(async (page) => {
      await openList(page, `${LIST}?sort=new`)
      const first = await rows(page).first().textContent()
      await page.getByRole('link', { name: 'Next' }).click()
      await page.waitForURL((url) => url.searchParams.has('cursor'))
      await page.waitForFunction((most) => document.querySelectorAll('tbody tr').length < most, PAGE_ROWS)
      await page.getByRole('link', { name: 'Previous' }).click()
      await page.waitForFunction((most) => document.querySelectorAll('tbody tr').length === most, PAGE_ROWS)
      assert.equal((await rows(page).first().textContent())?.slice(0, 20), first?.slice(0, 20))
    }))

  test('of an organisation show the issues of all its projects, and search them', () =>
    asOwner(async (page) => {
      await openList(page, '/acme/issues')
      await page.getByRole('link', { name: 'Something of the API' }).waitFor()
      await page.getByRole('link', { name: name(4) }).waitFor()
      const box = page.getByRole('combobox', { name: 'Search issues' })
      await box.fill('project:')
      await page.getByRole('option', { name: /^api/ }).click()
      await page.keyboard.press('Enter')
      await page.getByText('1 issue', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Something of the API' }).click()
      await page.waitForURL((url) => url.pathname === '/acme/api/issues/API-1')
    }))
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing stands in the way of assistive technology, ${colorScheme}`, () =>
    asOwner(
      async (page) => {
        const check = async (what: string): Promise<void> => {
          const found = await page.evaluate(async () => {
            const { axe } = window as unknown as {
              axe: {
                run(within: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
              }
            }
            const { violations } = await axe.run('#main')
            return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
          })
          assert.deepEqual(found, [], what)
        }
        await openList(page)
        // The policy of the page allows no other script; this one comes past it.
        await page.evaluate(readFileSync(AXE, 'utf8'))
        await page.getByLabel('Choose SHOP-').first().click()
        await page.getByRole('combobox', { name: 'Search issues' }).fill('is:')
        await page.getByRole('option').first().waitFor()
        await page.keyboard.press('ArrowDown')
        await check('with a row chosen and suggestions open')
      },
      { colorScheme },
    ))
}
