/** Data retention of a project with its preview, and the storage pages, in Chromium. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { sessionOf, visit } from './screens-visit.ts'

const DAY_MS = 86_400_000
const GB = 1_000_000_000
const SPANS_A_DAY = 2_000_000
const data = temporaryDataDir()

/** 30 days of spans, of which the job would count none, and five days of a disk that gains 1 GB a day. */
function fill(): void {
  const records = new DatabaseSync(join(data.dir, 'records.sqlite'))
  const today = Date.now() - (Date.now() % DAY_MS)
  const { id } = records.prepare(`SELECT id FROM project WHERE slug = 'shop'`).get() as { id: number }
  const day = records.prepare('INSERT INTO storage_day VALUES (?, ?, ?, ?, ?, ?)')
  for (let ago = 0; ago < 30; ago++)
    day.run(id, 'spans', today - ago * DAY_MS, 1_000, SPANS_A_DAY, SPANS_A_DAY)
  records.exec('DELETE FROM disk_day')
  const disk = records.prepare(`INSERT INTO disk_day VALUES ('data', ?, ?, ?)`)
  for (let ago = 0; ago < 5; ago++) disk.run(today - ago * DAY_MS, (50 - ago) * GB, 60 * GB)
  records.close()
}

describe('retention and storage', () => {
  let sonde: RunningSonde
  let browser: Browser
  let owner: Awaited<ReturnType<typeof sessionOf>>

  before(async () => {
    sonde = await startSonde({ dataDir: data.dir })
    createProject(sonde, 'acme/shop')
    fill()
    browser = await launchChromium()
    owner = await sessionOf(sonde.url)
  })
  after(async () => {
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
    data.remove()
  })

  async function at(path: string, run: (page: Page) => Promise<void>): Promise<void> {
    const visited = await visit(browser, sonde.url, { storageState: owner })
    try {
      await visited.page.goto(path)
      await run(visited.page)
      // A form that is refused, or only tried, is answered with 422.
      assert.deepEqual(
        visited.complaints().filter((complaint) => !complaint.includes('422')),
        [],
      )
    } finally {
      await visited.close()
    }
  }
  const RETENTION = '/acme/shop/settings/retention'
  const days = (page: Page) => page.getByRole('textbox', { name: 'Spans: keep for days' })
  const going = (page: Page) => page.getByRole('group', { name: 'What goes with the next sweep' })

  test('a rule is tried before it is saved', () =>
    at(RETENTION, async (page) => {
      await page.getByText('Nothing goes with the next sweep.').waitFor()
      await days(page).fill('7')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('By the rules above, not saved yet.').waitFor()
      assert.match(await going(page).innerText(), /Spans\s+\d{4}-\d\d-\d\d\s+22,000\s+44\.0 MB/)
      assert.equal(await days(page).inputValue(), '7')
      await page.goto(RETENTION)
      await page.getByText('Nothing goes with the next sweep.').waitFor()
      assert.equal(await days(page).inputValue(), '')
    }))

  test('a limit of bytes is saved, and what is no rule is refused beside its field', () =>
    at(RETENTION, async (page) => {
      await days(page).fill('0')
      await page.getByRole('button', { name: 'Save retention' }).click()
      await page.getByText('is a whole number of days from 1 to 3650').waitFor()
      await days(page).fill('')
      await page.getByRole('textbox', { name: 'Spans: at most MB' }).fill('20')
      await page.getByRole('button', { name: 'Save retention' }).click()
      await page.getByText('Data retention saved.').waitFor()
      // 60 MB are there: the oldest days go until 18 MB are left.
      assert.match(await going(page).innerText(), /Spans\s+\d{4}-\d\d-\d\d\s+21,000\s+42\.0 MB/)
      assert.equal(await page.getByRole('textbox', { name: 'Spans: at most MB' }).inputValue(), '20')
    }))

  test('the storage of the installation is known by kind, project and day, with the day when the disk is full', () =>
    at('/settings/storage', async (page) => {
      const figure = (name: string) =>
        page.locator('.figure').filter({ has: page.getByText(name, { exact: true }) })
      assert.match(await figure('Growth per day').innerText(), /\+1\.0 GB/)
      const full = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10)
      assert.match(await figure('Disk full').innerText(), new RegExp(full))
      const kinds = page.getByRole('group', { name: 'Stored data by kind' })
      assert.match(await kinds.innerText(), /Spans\s+transactions and spans\s+30,000\s+60\.0 MB/)
      await page.getByRole('link', { name: '60.0 MB' }).click()
      await page.getByText('acme/shop, last 30 days (UTC).').waitFor()
      const byDay = page.getByRole('group', { name: 'Stored data by day' })
      assert.equal(await byDay.getByRole('row').count(), 31)
      await page.getByRole('link', { name: 'acme/shop' }).click()
      await page.waitForURL(`**${RETENTION}`)
    }))

  test('an organization sees its own part', () =>
    at('/acme/settings/storage', async (page) => {
      const projects = page.getByRole('group', { name: 'Stored data by project' })
      assert.match(await projects.innerText(), /acme\/shop\s+60\.0 MB/)
    }))
})
