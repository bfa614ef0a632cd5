/** Monitors of scheduled jobs in Chromium: made by a form and by check-ins, a run that is missed, muted, changed and deleted. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { runProgram } from '../compat/support/run-program.ts'
import { createProject } from '../harness/api-client.ts'
import { pressOn, tabTo } from './keyboard.ts'
import { useSignedInScreens, WAYS } from './screens-signed-in.ts'

const CRONS = '/acme/shop/crons'

describe('monitors of scheduled jobs', () => {
  const screens = useSignedInScreens()

  /** Loads the page again until the row is there as it should be. */
  async function rowWith(page: Page, ...texts: readonly (string | RegExp)[]): Promise<void> {
    let row = page.getByRole('row')
    for (const text of texts) row = row.filter({ hasText: text })
    for (let tries = 0; (await row.count()) === 0; tries++) {
      assert.ok(tries < 100, `no row with ${texts.join(', ')} in ${await page.locator('main').innerText()}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await page.reload()
    }
  }
  const next = (page: Page) => page.getByRole('region', { name: 'Next runs' })
  const save = (page: Page) => page.getByRole('button', { name: 'Save monitor' })
  const box = (page: Page, name: string) =>
    page.getByLabel(name, { exact: true }).and(page.locator('input:not([type=radio])'))
  const fill = (page: Page, name: string, text: string) => box(page, name).fill(text)
  const records = <T>(run: (open: DatabaseSync) => T): T => {
    const open = new DatabaseSync(join(screens.sonde.dataDir, 'records.sqlite'), { timeout: 10_000 })
    try {
      return run(open)
    } finally {
      open.close()
    }
  }

  test('nobody is left without a next step: the lines of code are of this project, and the commands work', () =>
    screens.asOwner(async (page) => {
      const { dsn } = createProject(screens.sonde, 'acme/fresh')
      await page.goto('/acme/fresh/crons')
      const code = await page.getByLabel('code for JavaScript and Node.js', { exact: true }).innerText()
      assert.ok(code.includes(dsn) && code.includes('withMonitor'))
      assert.ok((await page.getByLabel('code for Python', { exact: true }).innerText()).includes(dsn))
      const commands = await page.getByLabel('commands for curl', { exact: true }).innerText()
      const [, url = '', body = ''] = /curl '([^']+)'[^]+-d '([^']+)'/.exec(commands) ?? []
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, body })
      assert.equal(answer.status, 202)
      await rowWith(page, 'nightly-job', 'Every day at 02:00, UTC', 'OK')
    }))

  for (const [way, javaScriptEnabled] of WAYS)
    test(`the form says what its schedule comes to and what is wrong, ${way}`, () =>
      screens.asOwner(
        async (page) => {
          await page.goto(`${CRONS}/new`)
          await fill(page, 'Name', `Backup ${way}`)
          await fill(page, 'Crontab', '30 2 * * 1-5')
          await fill(page, 'Time zone', 'Europe/Berlin')
          if (!javaScriptEnabled) await page.getByRole('button', { name: 'Preview' }).click()
          await next(page).getByText('At 02:30, Monday through Friday, Europe/Berlin').waitFor()
          assert.equal(await next(page).getByRole('listitem').count(), 5)
          await fill(page, 'Crontab', '61 * * * *')
          await fill(page, 'Time zone', 'Mars/Base')
          await fill(page, 'Missed after, minutes', 'soon')
          await fill(page, 'Slug', 'Not a slug')
          await save(page).click()
          for (const [name, error] of [
            ['Crontab', /is a crontab of five fields/],
            ['Time zone', /is not a time zone/],
            ['Missed after, minutes', /is a whole number/],
            ['Slug', /has lower-case letters/],
          ] as const) {
            const field = box(page, name)
            await page
              .locator(`#${await field.getAttribute('id')}-error`)
              .filter({ hasText: error })
              .waitFor()
            assert.equal(await field.getAttribute('aria-invalid'), 'true')
          }
          await page.getByLabel('Interval').check()
          await fill(page, 'Every', '2')
          await page.getByLabel('Unit').selectOption('hour')
          await fill(page, 'Time zone', 'Europe/Berlin')
          await fill(page, 'Missed after, minutes', '3')
          await fill(page, 'Slug', '')
          await save(page).click()
          await page.getByText('Monitor created. It waits for its first check-in.').waitFor()
          await page.getByText('Every 2 hours').waitFor()
          await page.getByText(/^backup-with(out)?-javascript: missed 3 min after its time/).waitFor()
        },
        { javaScriptEnabled },
      ))

  test('runs of @sentry/node are there with state, trace and issue, and the list is of one environment', () =>
    screens.asOwner(async (page) => {
      const program = join(import.meta.dirname, '..', 'compat', 'node', 'crons.ts')
      const run = await runProgram(process.execPath, [program], screens.shop.dsn)
      assert.equal(run.code, 0, run.stderr)
      await page.goto(CRONS)
      await rowWith(page, 'node-backup', 'compat-node', 'OK')
      await rowWith(page, 'node-invoices', 'Every 2 hours', 'Failed')
      await page.getByLabel('Environment: All environments').click()
      await page.getByRole('checkbox', { name: 'compat-node' }).check()
      await page.waitForURL(/environment=compat-node/)
      await page.getByRole('link', { name: 'node-invoices' }).click()
      await page.getByRole('heading', { level: 1, name: 'node-invoices' }).waitFor()
      assert.match(page.url(), /environment=compat-node/)
      await rowWith(page, 'Failed', 'jobs@1.0.0', 'the printer is on fire')
      await page.getByRole('region', { name: 'Incidents' }).getByText('open').waitFor()
      const trace = page.getByRole('table').last().getByRole('link').first()
      assert.match((await trace.getAttribute('href')) ?? '', /^\/acme\/traces\/[0-9a-f]{32}/)
      await page.goto(`${CRONS}?environment=of-nobody`)
      await page.getByRole('heading', { name: 'No monitors in this environment' }).waitFor()
    }))

  test('a run that does not come is missed: incident, state and list tell it, and the next one ends it', () =>
    screens.asOwner(async (page) => {
      const { origin, username, pathname } = new URL(screens.shop.dsn)
      const checkIn = (more = ''): Promise<Response> =>
        fetch(`${origin}/api${pathname}/cron/hourly/${username}/?environment=production${more}`)
      const id = await newMonitor(page, 'Hourly')
      assert.equal((await checkIn('&status=ok&duration=1.5')).status, 202)
      await page.goto(`${CRONS}/${id}`)
      await rowWith(page, 'OK', '1.5 s')
      // An hour goes by.
      records((open) => {
        const due = 'UPDATE cron_environment SET next_ms = ?, due_ms = ? WHERE monitor_id = ?'
        open.prepare(due).run(Date.now() - 60_000, Date.now() - 30_000, id)
      })
      await rowWith(page, 'production', 'Missed', 'Open incident')
      await page.goto(CRONS)
      await rowWith(page, 'Hourly', 'Missed')
      await page.getByRole('img', { name: 'Last 2 runs: 1 missed, 1 OK' }).waitFor()
      await page.goto(`${CRONS}/${id}`)
      await page.getByRole('link', { name: 'Open incident' }).click()
      await page.getByText('production missed its check-in').waitFor()
      assert.equal((await checkIn('&status=ok')).status, 202)
      await page.getByRole('link', { name: 'Hourly' }).click()
      await page.getByRole('heading', { level: 1, name: 'Hourly' }).waitFor()
      await rowWith(page, /^production\s*OK/)
      await page.getByRole('region', { name: 'Incidents' }).getByText(/^for /).waitFor()
    }))

  test('is muted, disabled, changed and deleted by keys alone', () =>
    screens.asOwner(async (page) => {
      const id = await newMonitor(page, 'By keys')
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await pressOn(button('Mute'))
      await page.getByText('Monitor muted. It has its incidents and tells nobody.').waitFor()
      await pressOn(button('Disable'))
      await page.getByText('Monitor disabled.').waitFor()
      for (const badge of ['Muted', 'Disabled']) await page.getByText(badge, { exact: true }).waitFor()
      await pressOn(page.getByRole('link', { name: 'Edit' }))
      await page.getByRole('heading', { level: 1, name: 'Edit monitor' }).waitFor()
      await tabTo(box(page, 'Name'))
      await page.keyboard.type('Renamed')
      await page.keyboard.press('Enter')
      await page.getByText('Monitor saved.').waitFor()
      assert.match(await page.getByRole('heading', { level: 1 }).innerText(), /Renamed/)
      for (const badge of ['Muted', 'Disabled']) await page.getByText(badge, { exact: true }).waitFor()
      await pressOn(page.getByText('Delete…'))
      await pressOn(button('Delete monitor'))
      await page.getByText('Monitor deleted. Its incidents are kept.').waitFor()
      assert.equal((await page.goto(`${CRONS}/${id}`))?.status(), 404)
    }))

  test('two hundred monitors are one list that fits a phone, in the dark too', () =>
    screens.asOwner(
      async (page) => {
        records((open) => {
          const insert = open.prepare(
            `INSERT OR IGNORE INTO cron_monitor (project_id, slug, name, config, actions, owner, is_enabled, is_muted, created_by,
               created_ms, updated_ms) SELECT id, ?, ?, ?, '[]', '', 1, 0, '', 0, 0 FROM project WHERE slug = 'shop'`,
          )
          const config = JSON.stringify({ schedule: { type: 'crontab', value: '0 * * * *' } })
          for (let at = 0; at < 200; at++) insert.run(`many-${at}`, `A job of many ${'x'.repeat(at)}`, config)
        })
        await page.goto(CRONS)
        assert.ok((await page.getByRole('row').count()) > 200)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        assert.ok(wide <= 0, `${wide} px too wide`)
      },
      { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
    ))

  /** Every hour. Returns its id. */
  async function newMonitor(page: Page, name: string): Promise<number> {
    await page.goto(`${CRONS}/new`)
    await fill(page, 'Name', name)
    await fill(page, 'Crontab', '@hourly')
    await save(page).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    return Number(/\/crons\/(\d+)/.exec(page.url())?.[1])
  }
})
