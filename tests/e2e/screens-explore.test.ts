/** Explore and the SQL console as somebody uses them, in a real browser and without its scripts. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { pageLoad, sendTransaction } from './performance-events.ts'
import { signedInPlain } from './plain-page.ts'
import { quietVisit, sessionOf } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  const nowMs = Date.now()
  for (let n = 0; n < 6; n++)
    await sendTransaction(
      dsn,
      pageLoad({
        route: n < 4 ? '/cart' : '/',
        atMs: nowMs - 60_000 - n * 1000,
        lcp: 900,
        cls: 0,
        user: `u-${n}`,
      }),
    )
  await apiClient(sonde).until(
    '/api/0/organizations/acme/events/?dataset=spans&field=count()&query=op:pageload',
    (body) => (body as { data: { 'count()': number }[] }).data[0]?.['count()'] === 6,
  )
  browser = await launchChromium()
  signedIn = await sessionOf(sonde.url)
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

const withPage = (run: (page: Page) => Promise<void>): Promise<void> =>
  quietVisit(browser, sonde.url, { storageState: signedIn }, run)

const rowsOf = (page: Page, region: string): Promise<string[][]> =>
  page
    .getByRole('region', { name: region })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim())),
    )

describe('Explore', () => {
  test('goes from groups to spans to their trace, all of it in the address', () =>
    withPage(async (page) => {
      await page.goto('/acme/shop/explore?statsPeriod=24h&query=op:pageload&group=transaction')
      const groups = await rowsOf(page, 'Aggregates')
      assert.deepEqual(
        groups.map((row) => row.slice(0, 2)),
        [
          ['/cart', '4'],
          ['/', '2'],
        ],
      )
      await page.getByRole('link', { name: 'Spans of /cart' }).click()
      await page.getByRole('region', { name: 'Spans' }).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('query'), 'op:pageload transaction:"/cart"')
      assert.equal((await rowsOf(page, 'Spans')).length, 4)
      await page.getByRole('region', { name: 'Spans' }).getByRole('link').first().click()
      await page.waitForURL(/\/acme\/traces\/[0-9a-f]{32}\?span=/)
    }))

  test('leads to an alert on what it shows, filters included', () =>
    withPage(async (page) => {
      await page.goto(
        '/acme/shop/explore?query=op:pageload&measure=p75(duration)&browser=Chrome&browser=Safari&environment=production',
      )
      await page.getByRole('link', { name: 'Create alert' }).click()
      await page.getByRole('heading', { name: 'New alert rule' }).waitFor()
      const valueOf = (name: string) => page.locator(`[name="${name}"]`).inputValue()
      assert.equal(await valueOf('spanMeasure'), 'p75(duration)')
      assert.equal(await valueOf('query'), 'op:pageload browser:[Chrome, Safari]')
      assert.equal(await valueOf('environment'), 'production')
      await page.getByText(/in the last 14 days/).waitFor()
    }))

  test('offers keys and values that occur, and says what cannot be understood', () =>
    withPage(async (page) => {
      await page.goto('/acme/explore?statsPeriod=24h')
      const field = page.getByRole('combobox', { name: 'Search spans' })
      await field.pressSequentially('transaction:')
      await page.getByRole('option', { name: '/cart' }).click()
      await field.press('Enter')
      await page.waitForURL(/query=transaction/)
      await page.getByRole('region', { name: 'Aggregates' }).waitFor()
      await field.fill('duration:fast')
      await field.press('Enter')
      await page.getByRole('alert').waitFor()
      assert.match(await page.getByRole('alert').innerText(), /needs a duration/)
    }))

  test('works without scripts', async () => {
    const page = await signedInPlain(sonde.url)
    const routes = (): string[] =>
      page
        .part('[role=region][aria-label=Aggregates]')
        .parts('tbody tr')
        .map((row) => row.parts('td')[1]?.text ?? '')
    await page.goto('/acme/shop/explore?statsPeriod=24h')
    page.fill('Field 2', 'transaction')
    await page.press('Run')
    assert.deepEqual(
      routes().toSorted((one, other) => one.localeCompare(other)),
      ['/', '/', '/cart', '/cart'],
    )
    await page.follow('transaction')
    assert.deepEqual(routes(), ['/', '/', '/cart', '/cart'])
  })
})

describe('the SQL console', () => {
  test('runs and is switched off', (t) =>
    withPage(async (page) => {
      await t.test('it runs with the keyboard, shows types and cost, and gives files', async () => {
        await page.goto('/acme/sql')
        const statement = page.getByRole('textbox', { name: 'Query' })
        await statement.fill("SELECT op, count() AS n FROM spans WHERE op = 'pageload' GROUP BY op")
        await statement.press('Control+Enter')
        await page.getByRole('region', { name: 'Result' }).waitFor()
        assert.deepEqual(await rowsOf(page, 'Result'), [['pageload', '6']])
        assert.match(await page.getByRole('region', { name: 'Result' }).innerText(), /UInt64/)
        const file = page.waitForEvent('download')
        await page.getByRole('button', { name: 'CSV' }).click()
        const stream = await (await file).createReadStream()
        assert.equal((await stream.toArray()).join(''), 'op,n\r\npageload,6\r\n')
        await page.getByRole('link', { name: 'Link to this query' }).click()
        await page.getByText('has not run').waitFor()
        assert.match(new URL(page.url()).searchParams.get('q') ?? '', /^SELECT op/)
        assert.match(await statement.inputValue(), /^SELECT op/)
        assert.equal(await page.getByRole('region', { name: 'Result' }).count(), 0)
        await page.getByRole('button', { name: 'Run' }).click()
        await page.getByRole('region', { name: 'Result' }).waitFor()
      })
      await t.test('it is disabled and enabled by an owner', async () => {
        await page.getByText('Access', { exact: true }).click()
        await page.getByRole('button', { name: 'Disable the console' }).click()
        await page.getByRole('heading', { name: 'The SQL console is disabled' }).waitFor()
        const { origin } = new URL(page.url())
        const form = { q: 'SELECT 1', format: 'csv' }
        for (const path of ['/acme/sql', '/acme/sql/download'])
          assert.equal((await page.request.post(path, { form, headers: { origin } })).status(), 403)
        assert.equal((await page.request.get('/acme/sql/download?q=SELECT%201&format=csv')).status(), 405)
        await page.goto('/acme/sql')
        await page.getByText('Access', { exact: true }).click()
        await page.getByRole('button', { name: 'Enable the console' }).click()
        await page.getByRole('textbox', { name: 'Query' }).waitFor()
      })
    }))

  test('says where a statement is wrong, and keeps it', async () => {
    const page = await signedInPlain(sonde.url)
    const wrong = 'SELECT op,\n  nope\nFROM spans'
    await page.goto(`/acme/sql?q=${encodeURIComponent(wrong)}`)
    await page.press('Run')
    assert.match(page.part('[role=alert]').text, /nope.*\(line 2, character 3\)/)
    assert.equal(page.valueOf('Query'), wrong)
    await page.goto(`/acme/sql?q=${encodeURIComponent("SELECT * FROM file('/etc/passwd')")}`)
    assert.equal(page.parts('[role=alert]').length, 0)
    await page.press('Run')
    assert.match(page.part('[role=alert]').text, /"file" is not offered/)
  })
})
