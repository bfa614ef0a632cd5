/** The grouping rules of a project: tried on stored events, saved, in force, and named at the event. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { apiClient } from '../harness/api-client.ts'
import { newEventId, sendEvent, type SentEvent } from './screens-events.ts'
import { useSignedInScreens, WAYS } from './screens-signed-in.ts'

const screens = useSignedInScreens()

const thrown = (type: string, value: string): SentEvent => ({
  event_id: newEventId(),
  timestamp: Date.now() / 1000,
  platform: 'python',
  level: 'error',
  exception: {
    values: [
      {
        type,
        value,
        stacktrace: {
          frames: [
            { filename: 'shop/views.py', function: 'pay', in_app: true },
            { filename: 'shop/pool.py', function: `connect_${type.toLowerCase()}`, in_app: true },
          ],
        },
      },
    ],
  },
})

const sent = async (type: string, value: string): Promise<void> => {
  const id = await sendEvent(screens.shop.dsn, thrown(type, value))
  await apiClient(screens.sonde).until(`/api/0/projects/acme/shop/events/${id}/`, () => true)
}

describe('the grouping rules of a project', () => {
  before(async () => {
    await sent('ConnectionError', 'no route to db-7')
    await sent('PoolTimeout', 'waited 30 s for a connection')
  })

  for (const [how, javaScriptEnabled] of WAYS) {
    test(`${how}: are tried on recent events before they are saved, and say what is wrong in which line`, () =>
      screens.asOwner(
        async (page) => {
          await page.goto('/acme/shop/settings')
          await page.getByRole('link', { name: 'Fingerprint and stack-trace rules' }).click()
          const rules = page.getByLabel('Fingerprint rules')
          await rules.fill('error.type:ConnectionError -> system-down\ntyp:PoolTimeout -> system-down')
          await page.getByRole('button', { name: 'Test on recent events' }).click()
          await page.getByText('Line 2, column 1: there is no matcher typ').waitFor()
          await rules.fill('error.type:ConnectionError -> system-down\ntype:PoolTimeout -> system-down')
          await page.getByRole('button', { name: 'Test on recent events' }).click()
          await page.getByText('2 of the last 2 events would be grouped differently.').waitFor()
          await page.getByRole('heading', { name: 'Would merge' }).waitFor()
          const merge = page.locator('.trial-list > li').filter({ hasText: 'new issue' }).first()
          assert.deepEqual((await merge.getByRole('link').allTextContents()).sort(), ['SHOP-1', 'SHOP-2'])
          assert.match((await rules.inputValue()).split('\n')[1] ?? '', /^type:PoolTimeout/)
          await page.goto('/acme/shop/settings/grouping')
          assert.equal(await rules.inputValue(), '')
        },
        { javaScriptEnabled },
      ))
  }

  test('hold for new events once they are saved, and are named at the event', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme/shop/settings/grouping')
      await page
        .getByLabel('Fingerprint rules')
        .fill('error.type:{ConnectionError,PoolTimeout} -> system-down title="Database is down"')
      await page.getByLabel('Stack-trace rules').fill('function:pay -app')
      await page.getByRole('button', { name: 'Save rules' }).click()
      await page.getByText('Grouping rules saved.').waitFor()
      await page.reload()
      assert.match(await page.getByLabel('Fingerprint rules').inputValue(), /^error.type:\{Conn/)
      // Rules hold from about a quarter of a second on: what was on its way is grouped as before.
      await assert.doesNotReject(async () => {
        for (let attempt = 0; ; attempt++) {
          await sent('ConnectionError', 'again')
          await page.goto('/acme/shop/issues')
          if ((await page.getByRole('link', { name: 'Database is down' }).count()) > 0) return
          assert.ok(attempt < 20, 'the rule never held')
        }
      })
      await sent('PoolTimeout', 'again')
      await page.goto('/acme/shop/issues')
      await page.getByRole('link', { name: 'Database is down' }).first().click()
      const grouping = page.locator('#grouping')
      await grouping.getByText('Grouped by a fingerprint rule.').waitFor()
      await grouping.getByText('error.type:{ConnectionError,PoolTimeout} -> system-down').waitFor()
      await grouping.getByText('changed 1 frames').waitFor()
      assert.equal(await page.getByRole('link', { name: 'Database is down' }).count(), 0)
    }))

  test('on a phone nothing is wider than the screen', () =>
    screens.asOwner(
      async (page) => {
        await page.goto('/acme/shop/settings/grouping')
        await page
          .getByLabel('Fingerprint rules')
          .fill(`error.type:${'x'.repeat(290)} -> a\nlevel -> ${'y'.repeat(300)}`)
        await page.getByRole('button', { name: 'Test on recent events' }).click()
        await page.getByText('Line 2').waitFor()
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        assert.ok(width <= 360, `${width}`)
      },
      { viewport: { width: 360, height: 740 } },
    ))
})
