/** A person is found, taken along and erased: on the pages of a project and of an organization, in Chromium. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiClient } from '../harness/api-client.ts'
import { sendItems } from './performance-events.ts'
import { newEventId } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'

const ANNA = { id: 'anna-4711', email: 'anna@example.com' } as const
const screens = useSignedInScreens()

describe('personal data', () => {
  before(async () => {
    const event = {
      event_id: newEventId(),
      platform: 'javascript',
      user: ANNA,
      extra: { loyalty_number: 'L-4711' },
      exception: { values: [{ type: 'Error', value: 'the cart is empty' }] },
    }
    await sendItems(screens.shop.dsn, [[{ type: 'event' }, event]])
    await apiClient(screens.sonde).until<unknown[]>(
      '/api/0/projects/acme/shop/events/',
      (events) => events.length > 0,
    )
  })

  const row = (page: Page, name: string, text: string | RegExp) =>
    page.getByRole('region', { name }).getByRole('row').filter({ hasText: text })

  test('who is searched for is found by kind, and nobody is said to be nobody', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme/shop/settings')
      await page.getByRole('link', { name: 'Find, export or erase a person' }).press('Enter')
      await page.getByText('Nobody was erased').waitFor()
      await page.getByLabel('E-mail').fill('anna')
      await page.getByLabel('E-mail').press('Enter')
      await page.getByText('is not an e-mail address').waitFor()
      await page.getByLabel('E-mail').fill('nobody@example.com')
      await page.getByRole('button', { name: 'Find' }).press('Enter')
      await page.getByText('Nothing is stored of this person').waitFor()
      await page.getByLabel('E-mail').fill(ANNA.email)
      await page.getByRole('button', { name: 'Find' }).press('Enter')
      await page.getByRole('cell', { name: 'events', exact: true }).waitFor()
      // Who it is stands in no address.
      assert.ok(!page.url().includes('anna'))
      await page.getByText(`id:${ANNA.id}`).waitFor()
    }))

  test('what is stored is a file of lines', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme/settings/personal-data')
      await page.getByLabel('User ID or user name').fill(ANNA.id)
      await page.getByRole('button', { name: 'Find' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export as JSON lines' }).click(),
      ])
      const [index, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\n')
      assert.equal((JSON.parse(index ?? '') as { kind: string }).kind, 'index')
      assert.ok(lines.some((line) => line.startsWith('{"kind":"events"') && line.includes(ANNA.email)))
    }))

  test('rules are previewed on what is stored, then applied to it', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme/shop/settings')
      await page.getByLabel('Additional sensitive fields').fill('loyalty')
      await page.getByRole('button', { name: 'Save scrubbing rules' }).click()
      await page.getByText('Scrubbing rules saved.').waitFor()
      await page.locator('#scrubbing').getByRole('button', { name: 'Preview' }).press('Enter')
      const events = page.getByRole('listitem').filter({ hasText: '1 of 1 events would change' })
      await events.getByText('extra.loyalty_number').waitFor()
      await events.getByText('L-4711').waitFor()
      await page.getByRole('button', { name: 'Apply to stored data' }).press('Enter')
      await apiClient(screens.sonde).until<{ state: string }[]>(
        '/api/0/projects/acme/shop/stored-scrubs/',
        ([run]) => run?.state === 'done',
        60_000,
      )
      await page.reload()
      await page.getByText('1 of 1 rows changed').waitFor()
    }))

  test('an event is deleted from its page or from the list, and had back', () =>
    screens.asOwner(async (page) => {
      const back = async (): Promise<void> => {
        await page.getByText('The event is deleted.').waitFor()
        await page.getByText('No matching events').waitFor()
        await page.getByRole('button', { name: 'Undo' }).press('Enter')
        await page.getByText('The deleted events are there again.').waitFor()
        await page.getByRole('checkbox', { name: 'Select event' }).waitFor()
      }
      await page.goto('/acme/shop/issues/SHOP-1')
      await page.getByRole('button', { name: 'Delete event' }).press('Enter')
      await back()
      await page.getByRole('checkbox', { name: 'Select event' }).check()
      await page.getByRole('button', { name: 'Delete selected events' }).press('Enter')
      await back()
      await page.getByRole('checkbox', { name: 'Select event' }).check()
      await page.getByRole('button', { name: 'Delete selected events' }).press('Enter')
      await page.getByRole('link', { name: 'Recently deleted' }).press('Enter')
      await page.getByRole('link', { name: 'Error: the cart is empty' }).waitFor()
      await page.getByRole('button', { name: 'Restore 1 event of SHOP-1' }).press('Enter')
      await page.getByText('Events restored.').waitFor()
      await page.getByText('Nothing was deleted').waitFor()
    }))

  test('somebody is erased once the name of the project is typed, and the list says so', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme/shop/settings/personal-data')
      await page.getByLabel('User ID or user name').fill(ANNA.id)
      await page.getByRole('button', { name: 'Find' }).click()
      await page.getByLabel('Type shop to erase this person').fill('shops')
      await page.getByRole('button', { name: 'Erase', exact: true }).click()
      await page.getByText('type shop to erase this person', { exact: true }).waitFor()
      await page.getByLabel('Type shop to erase this person').fill('shop')
      await page.getByRole('button', { name: 'Erase', exact: true }).press('Enter')
      await page.getByText('The person is being erased').waitFor()
      await row(page, 'Erased persons', 'acme/shop').first().waitFor()
      await page.goto('/acme/settings/audit')
      const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
      await entries.filter({ hasText: 'asked to erase a person from the data' }).first().waitFor()
    }))
})
