/** One issue in Chromium: its chart, its events, and what else stands on its screens. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import { asOwner, at, EVENTS, ISSUE, openEvent, params, useIssueScreens } from './issue-screens.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

useIssueScreens()

describe('the chart of an issue', () => {
  test('is bars without JavaScript, and its table has every number', () =>
    asOwner(
      async (page) => {
        await page.goto(ISSUE)
        assert.ok((await page.locator('.chart-svg rect').count()) > 5)
        const counts = await page.locator('.chart-table td.num').allTextContents()
        assert.equal(
          counts.reduce((sum, text) => sum + Number(text), 0),
          EVENTS,
        )
        assert.match((await page.locator('.chart-table').textContent()) ?? '', /shop@4\.11\.0/)
      },
      { javaScriptEnabled: false },
    ))

  test('says the exact value under the pointer, and a brush narrows the events by the address', () =>
    asOwner(async (page) => {
      await page.goto(ISSUE)
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
    }))

  test('is drawn anew in its width and in the other theme', () =>
    asOwner(async (page) => {
      await page.goto(ISSUE)
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
    }))
})

describe("an issue's events", () => {
  for (const [how, options] of [
    ['with JavaScript', {}],
    ['without JavaScript', { javaScriptEnabled: false }],
  ] as const) {
    test(`are narrowed by a press on a tag, ${how}`, () =>
      asOwner(async (page) => {
        await page.goto(ISSUE)
        const shares = page.getByRole('complementary')
        await shares.getByRole('link', { name: 'us-east-1' }).click()
        await page.waitForURL((url) => url.searchParams.get('query') === 'region:us-east-1')
        await page.locator('.tag', { hasText: 'us-east-1' }).waitFor()
        await shares.getByRole('link', { name: 'value 1' }).click()
        await page.waitForURL((url) => (url.searchParams.get('query') ?? '').includes('"value 1"'))
        await page.getByText('u-10@example.com').or(page.getByText('u-4@example.com')).first().waitFor()
        await shares.getByRole('link', { name: 'eu-west-1' }).click()
        await page.waitForURL((url) => (url.searchParams.get('query') ?? '').endsWith('region:eu-west-1'))
      }, options))
  }

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

  test('say that the status changed, and offer the way back', () =>
    asOwner(async (page) => {
      await openEvent(page, at('untyped'))
      await page.keyboard.press('e')
      await page.getByText(/: Resolved\./).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor()
    }))

  test('give an issue back exactly the state that it had', () =>
    asOwner(async (page) => {
      await openEvent(page, at('untyped'))
      const api = `/api/0/organizations/acme/issues/${at('untyped').split('/').at(-1) ?? ''}/`
      const headers = { origin: new URL(page.url()).origin }
      const reopen = page.getByRole('button', { name: 'Reopen' })
      for (const substatus of ['new', 'regressed']) {
        const put = await page.request.put(api, { headers, data: { status: 'unresolved', substatus } })
        assert.equal(put.status(), 200)
        await openEvent(page, at('untyped'))
        for (const key of ['e', 'm']) {
          await page.keyboard.press(key)
          await reopen.waitFor()
          await page.getByRole('button', { name: 'Undo' }).click()
          await reopen.waitFor({ state: 'hidden' })
          const now = (await (await page.request.get(api)).json()) as Record<string, string>
          assert.deepEqual([now['status'], now['substatus']], ['unresolved', substatus])
        }
      }
    }))

  test('say what changed without JavaScript too, with the way back', () =>
    asOwner(
      async (page) => {
        await page.goto(at('untyped'))
        await page.getByRole('button', { name: 'Ignore' }).click()
        await page.getByText('Ignored. Hidden from the issue list.').waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Change undone.').waitFor()
        await page.getByRole('button', { name: 'Ignore' }).waitFor()
      },
      { javaScriptEnabled: false },
    ))

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`have no violation that axe knows, and fit 360 px: ${colorScheme}`, () =>
      asOwner(
        async (page) => {
          // The policy forbids scripts of others on the page itself; the browser's own door is open.
          const source = readFileSync(AXE, 'utf8')
          const paths = [`${ISSUE}?query=region%3Aus-east-1`, at('group'), `${ISSUE}/tags/user`]
          for (const path of colorScheme === 'dark' ? paths.slice(0, 2) : [...paths, `${ISSUE}/events`]) {
            await page.goto(path)
            // Drawn or counted, the page is as scripts leave it.
            await page.locator('.chart canvas, .tag-table, .event-table').first().waitFor()
            await page.evaluate(source)
            const found = await page.evaluate(async () => {
              const { axe } = window as unknown as {
                axe: {
                  run(within: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
                }
              }
              const { violations } = await axe.run('#main')
              return {
                violations: violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`),
                tooWide: document.documentElement.scrollWidth - window.innerWidth,
              }
            })
            assert.deepEqual(found, { violations: [], tooWide: 0 }, path)
          }
        },
        { colorScheme, viewport: { width: 360, height: 740 } },
      ))
  }
})
