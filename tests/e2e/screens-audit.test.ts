/** The audit log of an organization and of the installation: in Chromium, and its files. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { OWNER, sondeJson } from '../harness/start-sonde.ts'
import { signedInPlain } from './plain-page.ts'
import { useSignedInScreens } from './screens-signed-in.ts'

const PASSWORD = 'another password 1'
const screens = useSignedInScreens()

describe('audit log', () => {
  const member = { email: 'mia@example.com', password: PASSWORD }
  before(async () => {
    const args = ['--org', 'acme', '--email', member.email, '--name', 'Mia', '--password', PASSWORD]
    sondeJson(screens.sonde.dataDir, ['user', 'create', ...args, '--role', 'member'])
    const wrong = { email: member.email, password: 'not her password' }
    await fetch(`${screens.sonde.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: screens.sonde.url },
      body: JSON.stringify(wrong),
    })
  })

  const download = (cookie: string, fields: Record<string, string>): Promise<Response> =>
    fetch(`${screens.sonde.url}/acme/settings/audit/download`, {
      method: 'POST',
      headers: { cookie, origin: screens.sonde.url },
      body: new URLSearchParams(fields),
    })
  const entries = (page: Page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem')

  test('tells who did what, is narrowed by the keyboard, and is taken along as CSV and JSON', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme/settings')
      await page.getByRole('link', { name: 'Audit log', exact: true }).press('Enter')
      await page.getByRole('heading', { level: 1, name: /audit log/ }).waitFor()
      await entries(page).filter({ hasText: 'created a project: acme/shop' }).waitFor()
      await entries(page)
        .filter({ hasText: `Somebody failed to sign in: ${member.email}` })
        .waitFor()

      await page.getByLabel('Person or token').fill('MIA@')
      await page.getByLabel('Person or token').press('Enter')
      await page.waitForURL(/who=MIA/)
      await entries(page).filter({ hasText: 'acme/shop' }).waitFor({ state: 'detached' })
      await entries(page).filter({ hasText: 'created an account' }).waitFor()

      await page.getByLabel('Action').selectOption('account.*')
      await page.getByRole('button', { name: 'Filter' }).press('Enter')
      await page.waitForURL(/action=account/)
      await entries(page).filter({ hasText: 'created an account' }).waitFor({ state: 'detached' })
      assert.equal(await entries(page).count(), 1)

      const fileOf = async (format: string): Promise<string> => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: `Download as ${format}` }).click(),
        ])
        assert.equal(download.suggestedFilename(), `sonde-audit-acme.${format.toLowerCase()}`)
        return readFile(await download.path(), 'utf8')
      }
      const [head, line, end] = (await fileOf('CSV')).split('\r\n')
      assert.equal(head, 'id,date_created,actor,actor_name,action,subject,subject_email,ip_address,detail')
      assert.match(line ?? '', /^\d+,20\S+Z,stranger,Somebody,account\.sign-in-failure,\w+,mia@example\.com,/)
      assert.equal(end, '')
      const [entry, ...more] = JSON.parse(await fileOf('JSON')) as Record<string, unknown>[]
      assert.deepEqual(
        [entry?.['action'], entry?.['subject_email'], more],
        ['account.sign-in-failure', member.email, []],
      )

      await page.getByRole('link', { name: 'Clear filter' }).click()
      await entries(page).filter({ hasText: 'downloaded the audit log' }).first().waitFor()
      await page.getByLabel('To (UTC)').fill('2020-01-01')
      await page.getByRole('button', { name: 'Filter' }).click()
      await page.getByText('No entries match').waitFor()
    }))

  test('a member is told whom to ask, and gets no file', async () => {
    const plain = await signedInPlain(screens.sonde.url, member)
    assert.equal(await plain.goto('/acme/settings/audit'), 200)
    plain.shows('Only owners and admins can see the audit log')
    assert.ok(!plain.html.includes('created a project'))
    const answer = await download(plain.cookie(), { format: 'csv' })
    assert.equal(answer.status, 403)
    assert.equal(await plain.goto('/settings/audit'), 404)
  })

  test('goes on page by page; the operator sees the installation', async () => {
    const plain = await signedInPlain(screens.sonde.url, OWNER)
    for (let at = 0; at < 60; at++) {
      const answer = await download(plain.cookie(), { format: 'json', who: `nobody ${at}` })
      assert.deepEqual([answer.status, await answer.text()], [200, '[]\n'])
    }
    assert.equal(await plain.goto('/settings/audit'), 200)
    plain.shows('who: nobody 59')
    assert.equal(plain.parts('ol[aria-label=Entries] > li').length, 50)
    await plain.follow('Older')
    const older = plain.parts('ol[aria-label=Entries] > li').map(({ text }) => text)
    assert.ok(older.length >= 10 && !older.some((text) => text.includes('nobody 59')))
    plain.shows('who: nobody 0')
    await plain.follow('Newest')
    plain.shows('who: nobody 59')
  })
})
