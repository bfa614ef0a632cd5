/** The operator's page in Chromium, with dead letters that a real pipeline made, and while it is stuck. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { openLogWriter } from '@sonde/log'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, sonde as runSonde, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { openPlainPage, type PlainPage } from './plain-page.ts'
import { sessionOf, visit } from './screens-visit.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const data = temporaryDataDir()
const backups = temporaryDataDir()
let sonde: RunningSonde
let browser: Browser
let shop: CreatedProject
let owner: Awaited<ReturnType<typeof sessionOf>>

before(async () => {
  // What no door would let in: only a log of its own can hold it.
  const log = await openLogWriter({ dir: join(data.dir, 'log'), logger: silentLogger })
  const meta = { v: 1, kind: 'envelope', receivedMs: Date.now(), projectId: 1, keyId: 1 }
  for (const [client, text] of [
    ['sentry.python/2.39.0', 'no envelope at all'],
    ['', '<img src=x onerror="globalThis.pwned=1">'],
    [`sentry.${'very-long-name.'.repeat(8)}/1.0`, `{"event_id":"x"}\nbroken ${'x'.repeat(70_000)}`],
  ] as const)
    await log.append(Buffer.from(`${JSON.stringify({ ...meta, client })}\n${text}`))
  await log.close()
  sonde = await startSonde({ dataDir: data.dir, env: { SONDE_BACKUP_TO: backups.dir } })
  shop = createProject(sonde, 'acme/shop')
  browser = await launchChromium()
  owner = await sessionOf(sonde.url)
})
after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
  data.remove()
  backups.remove()
})

async function atStatus(
  run: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
  path = '/settings/status',
): Promise<void> {
  const visited = await visit(browser, sonde.url, { storageState: owner, ...options })
  try {
    await visited.page.goto(path)
    await run(visited.page)
    // A form that is refused is answered with 422.
    assert.deepEqual(
      visited.complaints().filter((complaint) => !complaint.includes('422')),
      [],
    )
  } finally {
    await visited.close()
  }
}
async function plainStatus(): Promise<PlainPage> {
  const page = openPlainPage(sonde.url, owner)
  await page.goto('/settings/status')
  return page
}
const dead = (page: Page) => page.getByRole('region', { name: 'Dead letters' })
const row = (page: Page, text: string) => dead(page).getByRole('row').filter({ hasText: text })
const part = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Components' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })

function audit(like = 'dead_letter.%'): string[] {
  const records = new DatabaseSync(join(data.dir, 'records.sqlite'), { readOnly: true })
  const rows = records
    .prepare('SELECT action, subject FROM audit_entry WHERE action LIKE ? ORDER BY id')
    .all(like)
  records.close()
  return rows.map(({ action, subject }) => `${String(action)} ${String(subject)}`)
}

const stored = (page: Page) => page.getByRole('region', { name: 'Stored backups' })
const runs = (page: Page) => page.getByRole('region', { name: 'Runs' })
const atBackups = (run: (page: Page) => Promise<void>) => atStatus(run, {}, '/settings/backups')

describe('the page of backups', () => {
  test('makes a real backup, proves that it can be restored, and says so first', () =>
    atBackups(async (page) => {
      await page.getByText('No backup yet, in ').waitFor()
      await page.getByRole('button', { name: 'Back up now' }).click()
      await stored(page)
        .getByRole('button', { name: /^Verify / })
        .waitFor()
      await page.getByText(/^Last backup .+ not encrypted, in /).waitFor()
      await stored(page)
        .getByRole('button', { name: /^Verify / })
        .click()
      await runs(page).getByText('can be restored').waitFor()
    }))

  test('refuses a zone that is none and keeps what was typed; a schedule says when the next one is', () =>
    atBackups(async (page) => {
      await page.getByLabel('Back up', { exact: true }).selectOption('daily')
      await page.getByLabel('Time zone').fill('Europe/Nowhere')
      await page.getByRole('button', { name: 'Save schedule' }).click()
      await page.getByText('is not a time zone').waitFor()
      assert.equal(await page.getByLabel('Back up', { exact: true }).inputValue(), 'daily')
      await page.getByLabel('Time zone').fill('Europe/Berlin')
      await page.getByRole('button', { name: 'Save schedule' }).click()
      await page.getByText('Schedule saved.').waitFor()
      await page.getByText(/Next one \d{4}-/).waitFor()
      const { stdout } = runSonde(data.dir, ['backup', 'schedule', '--verify', 'never', '--keep-last', '2'])
      assert.match(stdout, /Schedule +every day at 03:00 Europe\/Berlin, next \d{4}-/)
      assert.match(stdout, /Keep +the last 2, one of each of 7 days/)
      assert.match(stdout, /State +last backup \d+ min ago, next one /)
      assert.match(runSonde(data.dir, ['doctor']).stdout, /\n +✓ +backups +ok +last backup/)
      // It would apply the rules by itself.
      assert.match(runSonde(data.dir, ['backup', 'schedule', '--off']).stdout, /Schedule +off\n/)
    }))

  test('says what the rules would delete, and deletes it when asked', () =>
    atBackups(async (page) => {
      for (const [label, count] of [
        ['Newest', '1'],
        ['Days', '0'],
        ['Weeks', '0'],
        ['Months', '0'],
      ] as const)
        await page.getByLabel(label, { exact: true }).fill(count)
      await page.getByRole('button', { name: 'Save retention' }).click()
      await page.getByText('Retention saved.').waitFor()
      await page.getByRole('button', { name: 'Back up now' }).click()
      await stored(page).getByText('not kept').waitFor()
      await stored(page).getByText('Prune now').click()
      await stored(page)
        .getByRole('button', { name: /^Delete 1 backup, free / })
        .click()
      await runs(page).getByText('1 deleted').waitFor()
      assert.equal(
        await stored(page)
          .getByRole('button', { name: /^Verify / })
          .count(),
        1,
      )
      assert.deepEqual(
        audit('backup.%').map((line) => /^backup\.(\w+)/.exec(line)?.[1]),
        ['create', 'verify', 'schedule', 'schedule', 'schedule', 'schedule', 'create', 'prune'],
      )
    }))
})

describe('the operator’s page', () => {
  test('says what the processes use, and the doctor says the same', async () => {
    const page = await plainStatus()
    const table = page.region('Processes')
    for (const name of ['front', 'back'])
      assert.match(table.part('tr', name).text, /^\w+ .+ \d+ (s|min) \d+\.\d MB \d+\.\d MB \d+%$/)
    const parts = page.region('Components').parts('th[scope=row]')
    const names = new Set(parts.map(({ text }) => text))
    for (const name of ['log', 'disk', 'pipeline', 'records', 'telemetry']) assert.ok(names.has(name), name)
    const tables = page.region('Telemetry tables').parts('th[scope=row]')
    assert.ok(
      tables.some(({ text }) => text === 'outcomes'),
      'of what the dead letters made',
    )
    for (const queue of ['notifications', 'reprocessing', 'uploads being assembled'])
      assert.match(page.region('Queues').part('tr', queue).text, / 0 –$/)
    page.region('Slow queries')
    const { stdout } = runSonde(data.dir, ['doctor'])
    assert.match(stdout, /Processes:\n +front +pid \d+ +up \d+ min +\d+ MB resident/)
    assert.match(stdout, /\n +. +disk +\w+ +[\d.]+ GB of/)
  })

  test('lists dead letters with their sender and size, and shows what is in one as text', () =>
    atStatus(async (page) => {
      await row(page, 'sentry.python/2.39.0').waitFor()
      await row(page, '70.').getByText('kB').waitFor()
      const { id } = { id: 2 }
      await dead(page)
        .getByRole('link', { name: `view dead letter ${id}` })
        .click()
      await page.getByRole('heading', { level: 1, name: `Dead letter ${id}` }).waitFor()
      await page.getByText('<img src=x onerror').waitFor()
      await page.getByText('Not a valid envelope.').waitFor()
      assert.equal(await page.evaluate(() => 'pwned' in globalThis), false)
    }))

  for (const colorScheme of ['light', 'dark'] as const)
    test(`has no violation that axe knows, and fits 360 px: ${colorScheme}`, () =>
      atStatus(
        async (page) => {
          const shots = process.env['SONDE_SHOTS']
          for (const path of ['/settings/status', '/settings/status/dead/1', '/settings/backups']) {
            await page.goto(path)
            await page.evaluate(readFileSync(AXE, 'utf8'))
            const found = await page.evaluate(async () => {
              const { axe } = globalThis as unknown as {
                axe: { run(at: string): Promise<{ violations: { id: string }[] }> }
              }
              return (await axe.run('#main')).violations.map(({ id }) => id)
            })
            assert.deepEqual(found, [], path)
            const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
            assert.equal(Math.max(0, tooWide), 0, path)
            const name = path.endsWith('1') ? 'dead' : path.split('/').at(-1)
            if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true })
          }
          if (!shots) return
          await page.setViewportSize({ width: 1280, height: 900 })
          await page.goto('/settings/status')
          await page.screenshot({ path: `${shots}/status-wide-${colorScheme}.png`, fullPage: true })
          await page.goto('/settings/backups')
          await page.screenshot({ path: `${shots}/backups-wide-${colorScheme}.png`, fullPage: true })
        },
        { colorScheme, viewport: { width: 360, height: 740 } },
      ))

  test('one that is replayed is tried again, told, and written down; the new one appears by itself', () =>
    atStatus(async (page) => {
      await page.getByLabel('Replay dead letter 1', { exact: true }).click()
      await dead(page).getByRole('status').getByText('1 was requeued').waitFor()
      await dead(page).getByRole('link', { name: 'view dead letter 4' }).waitFor()
      assert.equal(await page.getByLabel('Replay dead letter 1', { exact: true }).count(), 0)
      assert.deepEqual(audit(), ['dead_letter.replay 1'])
    }))

  test('one that is discarded is gone but for its line, also without scripts', async () => {
    const page = await plainStatus()
    const letters = page.region('Dead letters')
    await letters.press('Discard dead letter 2')
    letters.part('[role=status]', '1 was deleted.')
    await letters.follow('view dead letter 2')
    page.shows('Content discarded.')
    assert.equal(audit().at(-1), 'dead_letter.discard 2')
  })

  test('all that wait are discarded after a second click', () =>
    atStatus(async (page) => {
      await dead(page).getByText('Discard all').click()
      await dead(page)
        .getByRole('button', { name: /^Permanently delete \d items$/ })
        .click()
      await dead(page)
        .getByRole('status')
        .getByText(/^\d were deleted\.$/)
        .waitFor()
      await part(page, 'dead letters').getByText('none').waitFor()
      assert.equal(audit().at(-1), 'dead_letter.discard all')
    }))

  test('says how much is logged and what was, with the request that it was about', async () => {
    const set = runSonde(data.dir, ['log-level', 'info', '--for', '1h'])
    assert.match(
      set.stdout,
      /^front +info +for 3600 s more, then warn\nback +info +for 3600 s more, then warn\n$/,
    )
    const page = await plainStatus()
    const log = page.region('Sonde’s own log')
    assert.match(
      log.text,
      /log level: front info for \d+ \w+ more, then warn, back info for \d+ \w+ more, then warn/,
    )
    const changes = log.parts('tbody tr', 'the log level was changed').map(({ text }) => text)
    assert.equal(changes.length, 2, 'one of each process')
    for (const change of changes) assert.match(change, / warn (?:front|back) 1 /)
    const known = await fetch(`${sonde.url}/sign-in`, { method: 'POST', body: new URLSearchParams() })
    assert.match(known.headers.get('x-request-id') ?? '', /^[\da-f]{32}$/)
    assert.equal(runSonde(data.dir, ['log-level', 'warn', '--json']).code, 0)
    assert.match(runSonde(data.dir, ['log-level', 'loud']).stderr, /levels are trace, debug/)
  })

  test('works while the pipeline is stuck: says since when and why, and that it goes on, by itself', () =>
    atStatus(async (page) => {
      const blobs = join(data.dir, 'blobs')
      await rename(blobs, `${blobs}.away`)
      await writeFile(blobs, 'no folder')
      const file = '{"type":"attachment","filename":"a.txt","length":1}\nx\n'
      const door = `${sonde.url}/api/${shop.id}/envelope/?sentry_key=${shop.publicKey}`
      const sent = await fetch(door, { method: 'POST', body: `{"event_id":"${'a'.repeat(32)}"}\n${file}` })
      assert.equal(sent.status, 200)
      await part(page, 'pipeline').getByText('retrying to commit a batch').waitFor()
      await part(page, 'log').getByText('backlog of').waitFor()
      const first = page.getByRole('region', { name: 'Components' }).getByRole('rowheader').first()
      assert.equal(await first.textContent(), 'pipeline', 'what is wrong stands first')
      await page
        .getByRole('region', { name: 'Sonde’s own log' })
        .getByText('trying again: commit a batch')
        .first()
        .waitFor()
      await page.getByText('degraded').first().waitFor()
      await rm(blobs)
      await rename(`${blobs}.away`, blobs)
      await part(page, 'pipeline').getByText('healthy').waitFor()
      await part(page, 'log').getByText('no backlog').waitFor()
    }))
})
