/** Alert rules and incidents: a rule made with the keyboard, its preview, what it fires on, and what people do then. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { apiClient } from '../harness/api-client.ts'
import { inEveryLook } from './axe-looks.ts'
import { checkoutError, messageEvent, sendEvent } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'
import { hydrated } from './screens-visit.ts'

const screens = useSignedInScreens()
const ALERTS = '/acme/shop/alerts'

const sent = async (event: Parameters<typeof sendEvent>[1]): Promise<void> => {
  const id = await sendEvent(screens.shop.dsn, event)
  await apiClient(screens.sonde).until(`/api/0/projects/acme/shop/events/${id}/`, () => true)
}

describe('alerts', () => {
  test('a rule is made by keys, fires on an event, and its incident is acknowledged, noted and resolved', () =>
    screens.asOwner(async (page) => {
      await page.goto(`${ALERTS}/new`)
      await hydrated(page)
      await page.getByLabel('Name').focus()
      await page.keyboard.type('Cart errors')
      await page.getByLabel('regresses').focus()
      await page.keyboard.press('Space')
      await page.getByRole('combobox', { name: 'Search events' }).focus()
      await page.keyboard.type('message:cart* ')
      await page.getByRole('button', { name: 'Save rule' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('Alert rule created.').waitFor()
      const row = page.getByRole('listitem').filter({ hasText: 'Cart errors' })
      assert.match(await row.innerText(), /An issue is new for message:cart\*/)

      await sent(messageEvent(Date.now() - 1_000, 'shelf is empty'))
      await sent(messageEvent(Date.now() - 1_000, 'cart is gone'))
      const open = row.getByRole('link', { name: '1 open incident' })
      for (let tries = 0; (await open.count()) === 0; tries++) {
        assert.ok(tries < 60, 'the rule fires')
        await page.goto(ALERTS)
      }
      await open.click()
      await page.getByRole('heading', { name: 'cart is gone' }).waitFor()
      await hydrated(page)
      // The list by keys: the first row, and into it.
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Acknowledge' }).click()
      await page.getByText('Incident acknowledged.').waitFor()
      await page.getByLabel('Add a note').fill('Rolled back')
      await page.getByRole('button', { name: 'Add note' }).click()
      await page.getByRole('listitem').filter({ hasText: 'Rolled back' }).waitFor()
      assert.match(await page.locator('#told').innerText(), /in the inbox/)
      await page.getByRole('button', { name: 'Resolve' }).click()
      await page.getByText('Incident resolved.').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Resolve' }).count(), 0)
    }))

  test('the preview follows what is typed, and says what would have fired', () =>
    screens.asOwner(async (page) => {
      await sent(checkoutError(Date.now() - 1_000, 'u-1'))
      await page.goto(`${ALERTS}/new`)
      await hydrated(page)
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByText(/Would have fired \d+ times in the last 14 days/).waitFor()
      await preview.getByRole('link', { name: 'SHOP-2' }).waitFor()
      const search = page.getByRole('combobox', { name: 'Search events' })
      await search.fill('message:shelf*')
      await preview.getByText('Would have fired once in the last 14 days.').waitFor()
      await search.fill('timesSeen:>1')
      await preview.getByText(/is a field of issues/).waitFor()
      await page.goto(`${ALERTS}/new?kind=metric`)
      await hydrated(page)
      await preview.getByText('Would not have fired in the last 14 days.').waitFor()
      await page
        .getByLabel('Metric')
        .selectOption({ label: 'Share of navigations that failed, hung or were left' })
      await page.getByLabel('Threshold %', { exact: true }).fill('much')
      await preview.getByText('The threshold is a number').waitFor()
      await inEveryLook(page)
    }))

  test('rules are turned off, muted, duplicated and deleted without scripts', () =>
    screens.asOwner(
      async (page) => {
        await page.goto(ALERTS)
        const row = page.getByRole('listitem').filter({ hasText: 'New and returning issues' })
        const more = () => row.locator('.alert-menu > summary').first().click()
        await row.getByRole('button', { name: 'Turn off' }).first().click()
        await page.getByText('Alert rule turned off.').waitFor()
        await row.getByRole('button', { name: 'Turn on' }).first().click()
        await more()
        await row.getByRole('button', { name: '8 hours' }).first().click()
        await row.getByText('muted until').waitFor()
        await more()
        await row.getByRole('button', { name: 'Duplicate' }).click()
        const copy = page.getByRole('listitem').filter({ hasText: '(copy)' })
        await copy.getByText('off', { exact: true }).waitFor()
        await copy.locator('.alert-menu > summary').click()
        await copy.getByText('Delete…').click()
        await copy.getByRole('button', { name: 'Delete rule' }).click()
        await page.getByText('Alert rule deleted.').waitFor()
        assert.equal(await copy.count(), 0)
      },
      { javaScriptEnabled: false },
    ))

  test('a rule more than a project may have is not duplicated, and the list says why', () =>
    screens.asOwner(
      async (page) => {
        const records = new DatabaseSync(join(screens.sonde.dataDir, 'records.sqlite'), { timeout: 10_000 })
        records.exec(`WITH RECURSIVE
          own AS (SELECT * FROM alert_rule WHERE project_id = (SELECT id FROM project WHERE slug = 'shop')),
          n(value) AS (SELECT (SELECT count(*) FROM own) + 1 UNION ALL SELECT value + 1 FROM n WHERE value < 500)
          INSERT INTO alert_rule (project_id, kind, name, value, is_enabled, origin, created_by, created_ms, updated_ms)
          SELECT project_id, kind, 'Filler ' || n.value, r.value, 0, '', '', created_ms, updated_ms
          FROM n, (SELECT * FROM own ORDER BY id LIMIT 1) r`)
        await page.goto(ALERTS)
        const row = page.getByRole('listitem').filter({ hasText: 'New and returning issues' })
        await row.locator('.alert-menu > summary').first().click()
        await row.getByRole('button', { name: 'Duplicate' }).click()
        await page.getByText('Not duplicated: the project has 500 rules').waitFor()
        records.exec(`DELETE FROM alert_rule WHERE name LIKE 'Filler %'`)
        records.close()
      },
      { javaScriptEnabled: false },
    ))

  test('a metric rule is refused beside its fields, tried and saved without scripts', () =>
    screens.asOwner(
      async (page) => {
        await page.goto(`${ALERTS}/new?kind=metric`)
        await page.getByLabel('Name').fill('Slow spans')
        await page.getByLabel('Metric').selectOption('spans|')
        await page.getByLabel('Measure of spans').fill('p95(nonsense')
        await page.getByLabel('All members').uncheck()
        await page.getByRole('button', { name: 'Save rule' }).click()
        await page.getByText('At least one is needed').waitFor()
        await page.getByLabel('All members').check()
        await page.getByRole('button', { name: 'Save rule' }).click()
        await page.getByText('cannot be computed').first().waitFor()
        await page.getByLabel('Measure of spans').fill('p95(span.duration)')
        await page.getByLabel(/^Threshold(?! that)/).fill('1,500')
        await page.getByRole('button', { name: 'Preview' }).last().click()
        await page.getByText('Would not have fired in the last 14 days.').waitFor()
        await page.getByRole('button', { name: 'Save rule' }).click()
        await page.getByText('p95(span.duration) in 5 minutes is above 1.5 s').waitFor()
        await page.getByRole('link', { name: 'Slow spans' }).click()
        assert.equal(await page.getByLabel('Measure of spans').inputValue(), 'p95(span.duration)')
        assert.equal(await page.getByLabel(/^Threshold(?! that)/).inputValue(), '1500')
      },
      { javaScriptEnabled: false },
    ))
})
