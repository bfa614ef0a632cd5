/** Merging, giving back, splitting, deleting, discarding and sharing, as somebody at the screens does it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiClient } from '../harness/api-client.ts'
import { inEveryLook } from './axe-looks.ts'
import { messageEvent, sendEvent } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'
import { becomes, hydrated, visit } from './screens-visit.ts'

const screens = useSignedInScreens()
const LIST = '/acme/shop/issues'
const PHONE = { viewport: { width: 390, height: 800 } }

type Issue = { readonly id: string; readonly shortId: string; readonly title: string; readonly count: string }

/** Issues of these titles with one event each, at least as many events as `times` says of the first. */
async function issuesOf(titles: readonly string[], times = 2): Promise<readonly Issue[]> {
  const { shop, sonde } = screens
  const send = (title: string, at: number) =>
    sendEvent(shop.dsn, messageEvent(Date.now() - at * 60_000, title, 'error'))
  await Promise.all(
    titles.flatMap((title, index) =>
      index === 0 ? Array.from({ length: times }, (_, at) => send(title, at)) : [send(title, index)],
    ),
  )
  const api = apiClient(sonde)
  const mine = (rows: readonly Issue[]) => titles.map((title) => rows.find((row) => row.title === title))
  await api.until<Issue[]>('/api/0/projects/acme/shop/issues/?query=', (rows) => {
    const found = mine(rows)
    return found.every((row) => row !== undefined) && found[0]?.count === String(times)
  })
  return (await current())
    .filter(({ title }) => titles.includes(title))
    .toSorted((a, b) => titles.indexOf(a.title) - titles.indexOf(b.title))
}
async function current(): Promise<readonly Issue[]> {
  return (await apiClient(screens.sonde).get<Issue[]>('/api/0/projects/acme/shop/issues/?query=')).body
}
/** Title → events, of those that lists show. */
const counts = async (titles: readonly string[]): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await current()).filter(({ title }) => titles.includes(title)).map(({ title, count }) => [title, count]),
  )

async function choose(page: Page, issues: readonly Issue[]): Promise<void> {
  await page.goto(LIST)
  await page.getByLabel('Select all on this page').waitFor()
  for (const { shortId } of issues) await page.getByLabel(`Select ${shortId}`).check()
}
/** Presses what has the name, by the keyboard. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name, exact: typeof name === 'string' })
  await button.focus()
  await page.keyboard.press('Enter')
}
const moved = async (page: Page): Promise<void> => {
  await becomes(() => page.locator('#moving').count(), 0)
}
const isNoWider = async (page: Page): Promise<void> => {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  assert.ok(wider <= 0, `${wider} px wider than the window`)
}

describe('issues that people merge', () => {
  test('two, by keyboard from the list, taken back beside the message', (t) =>
    screens.asOwner(async (page) => {
      const titles = ['Payment gave up', 'Payment timed out']
      const issues = await issuesOf(titles)
      const [first, second] = issues as [Issue, Issue]
      await t.test('are asked about first, and the one with the most events stays', async () => {
        await choose(page, issues)
        await press(page, 'Merge')
        await page.getByRole('heading', { name: 'Merge 2 issues' }).waitFor()
        assert.equal(await page.getByRole('radio', { name: first.title }).isChecked(), true)
        await inEveryLook(page)
        await press(page, 'Merge 2 issues')
        await page.getByText('Issues merged. Their events follow.').waitFor()
        assert.deepEqual(await counts(titles), { [first.title]: '3' })
      })
      await t.test('have all events in the end, and the old number leads on', async () => {
        await moved(page)
        await page.goto(`${LIST}/${second.shortId}`)
        await page.waitForURL(`**/${first.shortId}`)
        await page.getByText('merged into this one').waitFor()
      })
      await t.test('are two again, from the button beside the message', async () => {
        await page.goBack()
        await page.getByText('Issues merged.').waitFor()
        await hydrated(page)
        await press(page, 'Undo')
        await page.getByText('Merge undone.').waitFor()
        assert.deepEqual(await counts(titles), { [first.title]: '2', [second.title]: '1' })
        await moved(page)
        await page.goto(`${LIST}/${second.shortId}`)
        await page.getByRole('heading', { name: second.title }).waitFor()
        assert.match(page.url(), new RegExp(`${second.shortId}$`))
      })
    }))

  test('many, each given back later on its own, and a fingerprint split off', (t) =>
    screens.asOwner(async (page) => {
      const titles = ['Cart is locked', 'Cart was lost', 'Cart has no owner', 'Cart went stale']
      const issues = await issuesOf(titles)
      const [first, second] = issues as [Issue, Issue]
      const parts = `${LIST}/${first.shortId}/merged`
      await t.test('a comment of one is shown with the whole', async () => {
        await page.goto(`${LIST}/${second.shortId}/activity`)
        await page.getByLabel('Write a comment').fill('Seen by support as well')
        await press(page, 'Comment')
        await page.getByText('Seen by support as well').waitFor()
        await choose(page, issues)
        await press(page, 'Merge')
        await press(page, 'Merge 4 issues')
        await page.getByText('Issues merged.').waitFor()
        assert.deepEqual(await counts(titles), { [first.title]: '5' })
        await page.goto(`${LIST}/${first.shortId}/activity`)
        const comment = page.locator('.comment', { hasText: 'Seen by support' })
        await comment.getByText(`on ${second.shortId}`).waitFor()
      })
      await t.test('one is given back, with its comment', async () => {
        await page.goto(parts)
        await inEveryLook(page)
        await press(page, `Give back ${second.shortId}`)
        await page.getByText('Issue given back.').waitFor()
        assert.deepEqual(await counts(titles), { [first.title]: '4', [second.title]: '1' })
        await page.goto(`${LIST}/${first.shortId}/activity`)
        await page
          .getByText(/Unmerged/)
          .first()
          .waitFor()
        assert.equal(await page.getByText('Seen by support as well').count(), 0)
        await page.goto(`${LIST}/${second.shortId}/activity`)
        await page.getByText('Seen by support as well').waitFor()
        await page.goto(parts)
        await moved(page)
      })
      await t.test('a fingerprint becomes an issue of its own', async () => {
        await hydrated(page)
        await page.getByRole('checkbox', { name: `Select ${titles[3]}` }).focus()
        await page.keyboard.press('Space')
        await press(page, 'Split into a new issue')
        await page.getByText('Fingerprints split into a new issue.').waitFor()
        assert.deepEqual(await counts(titles), {
          [first.title]: '3',
          [second.title]: '1',
          [titles[3] ?? '']: '1',
        })
        const split = (await current()).find(({ title }) => title === titles[3])
        assert.notEqual(split?.shortId, issues[3]?.shortId)
      })
    }))

  test('without JavaScript, on a phone’s width', () =>
    screens.asOwner(
      async (page) => {
        const titles = ['Stock ran dry', 'Stock is negative']
        const issues = await issuesOf(titles)
        const [first] = issues as [Issue]
        await page.goto(LIST)
        for (const { shortId } of issues) await page.getByLabel(`Select ${shortId}`).check()
        await page.getByRole('button', { name: 'Merge', exact: true }).click()
        await isNoWider(page)
        await page.getByRole('button', { name: 'Merge 2 issues' }).click()
        await page.getByText('Issues merged.').waitFor()
        await isNoWider(page)
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Merge undone.').waitFor()
        assert.deepEqual(await counts(titles), { [first.title]: '2', [titles[1] ?? '']: '1' })
      },
      { ...PHONE, javaScriptEnabled: false },
    ))

  test('one alone is refused in words', () =>
    screens.asOwner(async (page) => {
      const [one] = (await issuesOf(['Only one of its kind'])) as [Issue]
      await choose(page, [one])
      await press(page, 'Merge')
      await page.getByText(/select at least two issues to merge/).waitFor()
    }))
})

describe('issues that people delete', () => {
  test('are gone after a question, and there again when somebody takes that back, also when they came again', () =>
    screens.asOwner(async (page) => {
      const [issue] = (await issuesOf(['Mail was not sent'])) as [Issue]
      await choose(page, [issue])
      await press(page, 'Delete')
      await page.getByRole('heading', { name: 'Delete 1 issue?' }).waitFor()
      await page.getByText('For a day you can restore them').waitFor()
      await inEveryLook(page)
      await press(page, 'Delete')
      await page.waitForURL((url) => url.pathname === LIST)
      assert.deepEqual(await counts([issue.title]), {})
      await inEveryLook(page)
      await press(page, 'Undo')
      await page.getByText(/^Restored[,.]/).waitFor()
      assert.deepEqual(await counts([issue.title]), { [issue.title]: '2' })

      await choose(page, [issue])
      await press(page, 'Delete')
      await page.getByRole('heading', { name: 'Delete 1 issue?' }).waitFor()
      await press(page, 'Delete')
      await page.waitForURL((url) => url.pathname === LIST)
      const [again] = (await issuesOf([issue.title], 1)) as [Issue]
      assert.notEqual(again.shortId, issue.shortId)
      // Both are one when the first is restored.
      await page.getByRole('link', { name: 'Recently deleted' }).click()
      await page.getByRole('button', { name: `Restore ${issue.shortId}` }).waitFor()
      await inEveryLook(page)
      await press(page, `Restore ${issue.shortId}`)
      await page.getByText(/^Restored[,.]/).waitFor()
      await page.getByText('Nothing was deleted').waitFor()
      assert.deepEqual(await counts([issue.title]), { [issue.title]: '3' })
    }))

  test('and discard: later events are dropped and counted, until that is stopped', (t) =>
    screens.asOwner(async (page) => {
      const [issue] = (await issuesOf(['Robot knocked again'])) as [Issue]
      const { shop } = screens
      const row = page.locator('tr', { hasText: issue.title })
      await t.test('is listed with what it drops', async () => {
        await choose(page, [issue])
        await press(page, 'Delete')
        await press(page, 'Delete and discard future events')
        await page.waitForURL('**/settings/discarded')
        await row.waitFor()
        await inEveryLook(page)
        await sendEvent(shop.dsn, messageEvent(Date.now(), issue.title, 'error'))
        await becomes(async () => {
          await page.reload()
          return row.locator('td.num').textContent()
        }, '1')
        assert.deepEqual(await counts([issue.title]), {})
      })
      await t.test('is an outcome with a reason', async () => {
        const other = await page.context().newPage()
        await becomes(async () => {
          await other.goto('/settings/status')
          return other.getByText('discarded_hash').first().isVisible()
        }, true)
        await other.close()
      })
      await t.test('is stopped', async () => {
        await hydrated(page)
        await press(page, 'Stop discarding')
        await page.getByText('Nothing is discarded').waitFor()
        await issuesOf([issue.title], 1)
      })
    }))
})

describe('an issue that is shared', () => {
  test('opens for whoever has the link, until it is revoked or expires', (t) =>
    screens.asOwner(async (page) => {
      const [issue] = (await issuesOf(['Checkout is closed'])) as [Issue]
      const { browser, sonde } = screens
      const share = async (button: string): Promise<string> => {
        await press(page, button)
        await page.getByText('Copy the link now.').waitFor()
        return (await page.locator('.dsn code').textContent()) ?? ''
      }
      const opens = async (link: string, path = new URL(link).pathname): Promise<number> => {
        const { page: stranger, close } = await visit(browser, sonde.url, PHONE)
        try {
          const answer = await stranger.goto(path)
          if (answer?.status() === 200) {
            await stranger.getByRole('heading', { name: issue.title }).waitFor()
            assert.equal(await stranger.getByRole('link', { name: /acme|Issues/ }).count(), 0)
            await isNoWider(stranger)
          }
          return answer?.status() ?? 0
        } finally {
          await close()
        }
      }
      let link = ''
      await t.test('signed out, on a phone', async () => {
        await page.goto(`${LIST}/${issue.shortId}/share`)
        await inEveryLook(page)
        await hydrated(page)
        link = await share('Create link')
        assert.equal(await opens(link), 200)
      })
      await t.test('is not shown again, and ends with a new one', async () => {
        await page.reload()
        await page.getByText('A link is open since').waitFor()
        assert.equal(await page.locator('.dsn code').count(), 0)
        await hydrated(page)
        const next = await share('Create a new link')
        assert.deepEqual([await opens(link), await opens(next)], [404, 200])
        link = next
      })
      await t.test('revoked', async () => {
        await press(page, 'Revoke link')
        await page.getByRole('button', { name: 'Create link' }).waitFor()
        assert.equal(await opens(link), 404)
      })
      await t.test('expired', async () => {
        await hydrated(page)
        link = await share('Create link')
        const records = new DatabaseSync(join(sonde.dataDir, 'records.sqlite'))
        records.prepare('UPDATE issue_share SET expires_ms = 1 WHERE revoked_ms IS NULL').run()
        records.close()
        assert.equal(await opens(link), 404)
        await page.reload()
        assert.equal(await page.getByText('A link is open since').count(), 0)
      })
    }))
})
