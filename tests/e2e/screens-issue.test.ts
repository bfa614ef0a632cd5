/** One issue in Chromium: its chart, its events, and what else stands on its screens. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inBothThemes } from './axe-looks.ts'
import { asOwner, at, EVENTS, ISSUE, openEvent, origin, params, useIssueScreens } from './issue-screens.ts'
import { signedInPlain } from './plain-page.ts'
import { hydrated } from './screens-visit.ts'

useIssueScreens()

test('without JavaScript the chart is bars with a table of every number, and a link of a tag narrows the events', async () => {
  const page = await signedInPlain(origin())
  await page.goto(ISSUE)
  assert.ok(page.parts('.chart-svg rect').length > 5)
  const counts = page.parts('.chart-table td.num').map(({ text }) => Number(text))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    EVENTS,
  )
  assert.ok(page.parts('.chart-table', 'shop@4.11.0').length > 0)
  const shares = page.part('aside')
  const query = (): string => page.url.searchParams.get('query') ?? ''
  await shares.follow('us-east-1')
  assert.equal(query(), 'region:us-east-1')
  assert.ok(page.parts('.tag', 'us-east-1').length > 0)
  await shares.follow('value 1')
  assert.ok(query().includes('"value 1"'), query())
  page.shows(/u-(?:10|4)@example\.com/)
  await shares.follow('eu-west-1')
  assert.ok(query().endsWith('region:eu-west-1'), query())
})

test('an issue is narrowed', (t) =>
  asOwner(async (page) => {
    await page.goto(ISSUE)
    await t.test(
      'by a brush on its chart, which says the exact value under the pointer, by the address',
      async () => {
        const plot = page.locator('.chart .u-over')
        const box = await plot.boundingBox()
        assert.ok(box)
        await page.mouse.move(box.x + box.width - 6, box.y + 40)
        await page
          .locator('.chart-tip')
          .getByText(/^\d+ events?$/)
          .waitFor()
        const middle = box.y + box.height / 2
        await page.mouse.move(box.x + box.width * 0.25, middle)
        await page.mouse.down()
        await page.mouse.move(box.x + box.width * 0.8, middle, { steps: 4 })
        await page.mouse.up()
        await page.waitForURL((url) => url.searchParams.has('start'))
        const [start, end] = [params(page).get('start'), params(page).get('end')].map((text) =>
          Date.parse(text ?? ''),
        )
        assert.ok(start !== undefined && end !== undefined && end > start)
        await page.getByText('of the matching events').waitFor()
        const shownMs = Date.parse(
          (await page.locator('.event-bar time').first().getAttribute('datetime')) ?? '',
        )
        assert.ok(shownMs >= start && shownMs < end)
        await page.getByRole('link', { name: /^Remove filter time range/ }).click()
        await page.waitForURL((url) => !url.searchParams.has('start'))
      },
    )
    await t.test('by a press on a tag', async () => {
      const shares = page.getByRole('complementary')
      await shares.getByRole('link', { name: 'us-east-1' }).click()
      await page.waitForURL((url) => url.searchParams.get('query') === 'region:us-east-1')
      await page.locator('.tag', { hasText: 'us-east-1' }).waitFor()
      await shares.getByRole('link', { name: 'value 1' }).click()
      await page.waitForURL((url) => (url.searchParams.get('query') ?? '').includes('"value 1"'))
      await page.getByText('u-10@example.com').or(page.getByText('u-4@example.com')).first().waitFor()
      await shares.getByRole('link', { name: 'eu-west-1' }).click()
      await page.waitForURL((url) => (url.searchParams.get('query') ?? '').endsWith('region:eu-west-1'))
    })
    await t.test('and its chart is drawn anew in its width and in the other theme', async () => {
      const canvas = page.locator('.chart canvas')
      await canvas.waitFor()
      const pixels = () => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL())
      const [light, wide] = [await pixels(), (await canvas.boundingBox())?.width ?? 0]
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.waitForFunction(
        (before) => document.querySelector<HTMLCanvasElement>('.chart canvas')?.toDataURL() !== before,
        light,
      )
      await page.setViewportSize({ width: 700, height: 800 })
      await page.waitForFunction(
        (before) => (document.querySelector('.chart canvas')?.clientWidth ?? before) < before,
        wide,
      )
    })
  }))

describe("an issue's events", () => {
  test('are gone through with the keys [ and ], within what matches', () =>
    asOwner(async (page) => {
      await openEvent(page, `${ISSUE}?query=region%3Aus-east-1`)
      await page.getByText('u-1@example.com').first().waitFor()
      await page.keyboard.press('[')
      await page.getByText('u-4@example.com').first().waitFor()
      assert.equal(params(page).get('query'), 'region:us-east-1')
      await page.keyboard.press(']')
      await page.getByText('u-1@example.com').first().waitFor()
      await page.getByRole('link', { name: 'Oldest' }).click()
      await page.getByText('u-10@example.com').first().waitFor()
      await page.getByRole('link', { name: 'Recommended' }).click()
      await page.getByText('Recommended event').waitFor()
    }))

  test('are listed and searched; what cannot be understood is said beside the field', () =>
    asOwner(async (page) => {
      await page.goto(ISSUE)
      await page.getByRole('link', { name: 'All events' }).click()
      await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
      const rows = page.locator('tbody tr')
      assert.equal(await rows.count(), EVENTS)
      const field = page.getByLabel('Filter events')
      await field.fill('release:shop@4.11.0')
      await field.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('query') === 'release:shop@4.11.0')
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 5)
      await field.fill('is:resolved')
      await field.press('Enter')
      await page.getByRole('alert').waitFor()
      await page.goto(`${ISSUE}?query=user.email%3Anobody%40example.com`)
      await page.getByText('No matching events').waitFor()
    }))

  test('have a page of all values of a tag, which can be searched', () =>
    asOwner(async (page) => {
      await page.goto(ISSUE)
      await page.getByRole('complementary').getByRole('link', { name: 'user', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'user' }).waitFor()
      assert.equal(await page.locator('tbody tr').count(), EVENTS)
      await page.getByLabel('Filter values').fill('u-1')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 3)
      await page.getByRole('link', { name: 'id:u-11' }).click()
      await page.getByText('u-11@example.com').first().waitFor()
    }))
})

describe('the screens of an issue', () => {
  test('name issues that look alike, and what is alike in them', () =>
    asOwner(async (page) => {
      await page.goto(at('large'))
      const similar = page.locator('.similar')
      await similar.getByText(/same type/).waitFor()
      await similar.getByRole('link', { name: 'ImportFailed: row 18' }).click()
      await page.getByText('other_import', { exact: true }).first().waitFor()
    }))

  test('say that the status changed, and give it back exactly the state that it had', () =>
    asOwner(async (page) => {
      const api = `/api/0/organizations/acme/issues/${at('untyped').split('/').at(-1) ?? ''}/`
      const headers = { origin: origin() }
      const reopen = page.getByRole('button', { name: 'Reopen' })
      for (const substatus of ['new', 'regressed']) {
        const put = await page.request.put(api, { headers, data: { status: 'unresolved', substatus } })
        assert.equal(put.status(), 200)
        await openEvent(page, at('untyped'))
        for (const key of ['e', 'm']) {
          await page.keyboard.press(key)
          await reopen.waitFor()
          if (key === 'e') await page.getByText(/: Resolved\./).waitFor()
          await page.getByRole('button', { name: 'Undo' }).click()
          await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor()
          await reopen.waitFor({ state: 'hidden' })
          const now = (await (await page.request.get(api)).json()) as Record<string, string>
          assert.deepEqual([now['status'], now['substatus']], ['unresolved', substatus])
        }
      }
    }))

  test('say what changed without JavaScript too, with the way back', async () => {
    const page = await signedInPlain(origin())
    await page.goto(at('untyped'))
    await page.press('Ignore')
    page.shows('Ignored. Hidden from the issue list.')
    await page.press('Undo')
    page.shows('Change undone.')
    assert.equal(page.buttons('Ignore').length, 1)
  })

  // The other screens of an issue are among all screens; these need what only this Sonde has.
  test('have no violation that axe knows, and fit 360 px', () =>
    asOwner(
      async (page) => {
        for (const path of [`${ISSUE}?query=region%3Aus-east-1`, at('group')]) {
          await page.goto(path)
          // Drawn, the page is as scripts leave it.
          await page.locator('.chart canvas').first().waitFor()
          await hydrated(page)
          await inBothThemes(page, '#main')
          const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          assert.equal(tooWide, 0, path)
        }
      },
      { viewport: { width: 360, height: 740 } },
    ))
})
