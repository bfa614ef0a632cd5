/** The ownership of a project: rules tried on stored events and saved, CODEOWNERS, and an issue assigned as it is made. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, test } from 'node:test'
import { apiClient } from '../harness/api-client.ts'
import { newEventId, sendEvent, type SentEvent } from './screens-events.ts'
import { useSignedInScreens, WAYS } from './screens-signed-in.ts'

const screens = useSignedInScreens()
const OWNERSHIP = '/acme/shop/settings/ownership'

const thrown = (type: string, filename: string): SentEvent => ({
  event_id: newEventId(),
  timestamp: Date.now() / 1000,
  platform: 'python',
  level: 'error',
  exception: {
    values: [
      { type, value: 'it broke', stacktrace: { frames: [{ filename, function: 'pay', in_app: true }] } },
    ],
  },
})

type Issue = { id: string; title: string; assignedTo: { type: string; name: string } | null }

/** The issue of an event that nobody has seen before. */
async function sent(type: string, filename: string): Promise<Issue> {
  const api = apiClient(screens.sonde)
  await sendEvent(screens.shop.dsn, thrown(type, filename))
  const [issue] = await api.until<Issue[]>(
    `/api/0/projects/acme/shop/issues/?query=${encodeURIComponent(`error.type:${type}`)}`,
    (list) => list.length === 1,
  )
  assert.ok(issue)
  return issue
}

describe('the ownership of a project', () => {
  before(async () => {
    const records = new DatabaseSync(join(screens.sonde.dataDir, 'records.sqlite'))
    records.exec('PRAGMA busy_timeout = 10000')
    records.exec(`INSERT INTO team (org_id, slug, name, created_ms) SELECT id, 'payments', 'Payments', 0 FROM organization;
      INSERT INTO team_project (team_id, project_id, role) SELECT team.id, project.id, 'member' FROM team, project`)
    records.close()
    await sent('FirstError', 'shop/pay/card.py')
  })

  for (const [how, javaScriptEnabled] of WAYS) {
    test(`${how}: rules are tried on recent events before they are saved, and say what is wrong in which line`, () =>
      screens.asOwner(
        async (page) => {
          await page.goto('/acme/shop/settings')
          await page.getByRole('link', { name: 'Ownership rules and CODEOWNERS' }).click()
          const rules = page.getByLabel('Rules', { exact: true })
          await rules.fill('path:shop/* #payments\nfile:shop/pay/* #payments\npath:x/* #nobody')
          await page.getByRole('button', { name: 'Test on recent events' }).click()
          await page.getByText('line 2: "file" is not known').waitFor()
          await page.getByText('line 3: #nobody owns nothing here').waitFor()
          await rules.fill('path:shop/* #payments')
          await page.getByLabel('Path or URL to try').fill('shop/other.py')
          await page.getByRole('button', { name: 'Test on recent events' }).click()
          await page.getByText('1 of the newest events of 1 issue would have an owner.').waitFor()
          const event = page.locator('.ownership-events > li').first()
          assert.match(await event.innerText(), /FirstError[^]*#payments by line 1[^]*shop\/pay\/card\.py/)
          assert.match(await page.locator('.ownership-sample').innerText(), /#payments by line 1/)
          await page.goto(OWNERSHIP)
          assert.equal(await rules.inputValue(), '')
          const broken = '# kept\npath:shop/* #payments\nnonsense\npath:x/* #nobody'
          await rules.fill(broken)
          await page.getByLabel('New and regressed issues').selectOption('off')
          await page.getByLabel('Path or URL to try').fill('shop/kept.py')
          await page.getByRole('button', { name: 'Save ownership rules' }).click()
          await page.getByText('line 3: a rule begins with path:').waitFor()
          await page.getByText('line 4: #nobody').waitFor()
          // Nothing that was typed or chosen is lost, and nothing is saved by half.
          assert.equal(await rules.inputValue(), broken)
          assert.equal(await page.getByLabel('New and regressed issues').inputValue(), 'off')
          assert.equal(await page.getByLabel('Path or URL to try').inputValue(), 'shop/kept.py')
          await page.goto(OWNERSHIP)
          assert.equal(await rules.inputValue(), '')
        },
        { javaScriptEnabled },
      ))
  }

  test('a new issue has its team as soon as it is listed, and says by which rule; the page offers its owners', () =>
    screens.asOwner(async (page) => {
      await page.goto(OWNERSHIP)
      await page
        .getByLabel('Rules', { exact: true })
        .fill('path:shop/* owner@example.com\npath:shop/pay/* #payments')
      await page.getByRole('button', { name: 'Save ownership rules' }).click()
      await page.getByText('Ownership rules saved.').waitFor()
      await page.getByText('Last changed by').waitFor()
      const issue = await sent('SecondError', 'shop/pay/bank.py')
      assert.deepEqual(issue.assignedTo && [issue.assignedTo.type, issue.assignedTo.name], [
        'team',
        'payments',
      ])
      await page.goto(`/acme/shop/issues/${issue.id}`)
      const owners = page.getByRole('region', { name: 'Owners' })
      await owners.getByText('path:shop/pay/* #payments').waitFor()
      await owners
        .getByRole('button', { name: /Assign to/ })
        .first()
        .click()
      await page
        .getByText(/assigned to/i)
        .first()
        .waitFor()
    }))

  test('CODEOWNERS are pasted, their names are mapped, and what is not understood is said', () =>
    screens.asOwner(async (page) => {
      await page.goto(OWNERSHIP)
      await page.getByLabel('Repository').fill('acme/shop')
      await page.getByRole('textbox', { name: 'CODEOWNERS' }).fill('* @acme/pay\n!secret')
      await page.getByRole('button', { name: 'Save file' }).click()
      await page.getByText('CODEOWNERS file saved.').waitFor()
      await page.getByText('line 2: exclusions (!) are not supported').waitFor()
      await page.getByText('Nobody is meant by @acme/pay.').waitFor()
      await page.getByLabel('@acme/pay').fill('#payments')
      await page.locator('.ownership-name').getByRole('button', { name: 'Save' }).click()
      await page.getByText('Owner saved.').waitFor()
      const issue = await sent('ThirdError', 'other/place.py')
      assert.equal(issue.assignedTo?.name, 'payments')
      await page.getByText('Edit file').click()
      await page.getByRole('button', { name: 'Delete file' }).click()
      await page.getByText('CODEOWNERS file deleted.').waitFor()
    }))

  test('with the keyboard alone: rules are typed, tried and saved', () =>
    screens.asOwner(async (page) => {
      await page.goto(OWNERSHIP)
      await page.getByLabel('Rules', { exact: true }).focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('path:a/* #payments')
      for (let press = 0; press < 3; press++) await page.keyboard.press('Tab')
      await page.getByRole('button', { name: 'Save ownership rules' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('Ownership rules saved.').waitFor()
    }))

  test('open issues follow rules that are saved later, and are assigned when somebody asks for it', () =>
    screens.asOwner(async (page) => {
      const save = page.getByRole('button', { name: 'Save ownership rules' })
      const saved = page.getByText('Ownership rules saved.')
      await page.goto(OWNERSHIP)
      const rules = page.getByLabel('Rules', { exact: true })
      await rules.fill('# none')
      await save.click()
      await saved.waitFor()
      const { id } = await sent('OpenError', 'shop/open/a.py')
      await page.goto(OWNERSHIP)
      await rules.fill('path:shop/open/* #payments')
      await save.click()
      await saved.waitFor()
      const api = apiClient(screens.sonde)
      const path = `/api/0/projects/acme/shop/issues/?query=${encodeURIComponent('error.type:OpenError')}&expand=owners`
      const [found] = await api.until<(Issue & { owners: unknown[] })[]>(
        path,
        ([issue]) => issue?.owners.length === 1,
      )
      assert.deepEqual([found?.id, found?.assignedTo], [id, null])
      await page.getByText(/open issues? checked/).waitFor()
      await page.getByRole('button', { name: 'Assign open issues' }).click()
      await page.getByText(/, \d+ assigned/).waitFor()
      const [assigned] = await api.until<Issue[]>(path, ([issue]) => issue?.assignedTo !== null)
      assert.equal(assigned?.assignedTo?.name, 'payments')
    }))

  test('on a phone nothing is wider than the screen', () =>
    screens.asOwner(
      async (page) => {
        await page.goto(OWNERSHIP)
        await page
          .getByLabel('Rules', { exact: true })
          .fill(`path:${'x'.repeat(290)} #${'y'.repeat(60)}\nnonsense${'z'.repeat(200)}`)
        await page.getByRole('button', { name: 'Test on recent events' }).click()
        await page.getByText('line 2: a rule begins').waitFor()
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        assert.ok(width <= 360, `${width}`)
      },
      { viewport: { width: 360, height: 740 } },
    ))
})
