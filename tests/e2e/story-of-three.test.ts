/**
 * Three people and an error, by keyboard alone and on a phone's width: it comes in by the SDK, ownership gives it to a team,
 * somebody takes it and asks somebody else, merges and takes that back, resolves it in the next release; it comes back there,
 * and who resolved it is told. Each step stands in the activity, and what people did in the audit log.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultStackParser, makeNodeTransport, NodeClient, Scope } from '@sentry/node'
import type { Browser, Page } from 'playwright-core'
import { openMailServer } from '../../packages/alerts/test/harness.ts'
import { type ApiClient, apiClient, createProject } from '../harness/api-client.ts'
import { OWNER, type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { arrowTo, fitsWidth, pressOn, refuseMouse, tabTo } from './keyboard.ts'
import { becomes, visit, type Visit } from './screens-visit.ts'

const PASSWORD = OWNER.password
const BOB = { name: 'Bob Smith', email: 'bob@example.com' }
const CARLA = { name: 'Carla Jones', email: 'carla@example.com' }
const PHONE = { viewport: { width: 390, height: 844 } }
const LIST = '/acme/shop/issues'
/** Told by mail and by the stream of the inbox, on a machine that has much to do. */
const TOLD_WITHIN_MS = 60_000

const mail = await openMailServer()
let sonde: RunningSonde
let browser: Browser
let api: ApiClient
let dsn: string
const visits: Visit[] = []

type Issue = {
  id: string
  shortId: string
  title: string
  status: string
  assignedTo: { name: string } | null
}

const issueOf = async (title: string, is: (issue: Issue) => boolean = () => true): Promise<Issue> => {
  const all = await api.until<Issue[]>('/api/0/projects/acme/shop/issues/?query=', (list) =>
    list.some((issue) => issue.title.includes(title) && is(issue)),
  )
  return all.find((issue) => issue.title.includes(title)) ?? assert.fail(title)
}

/** By the SDK as a Node program has it, with the stack of this file. */
async function happens(message: string, release: string): Promise<void> {
  const client = new NodeClient({
    dsn,
    release,
    environment: 'production',
    integrations: [],
    transport: makeNodeTransport,
    stackParser: defaultStackParser,
  })
  client.init()
  const scope = new Scope()
  scope.setClient(client)
  const error = new RangeError(message)
  error.name = message.includes('card') ? 'CardError' : 'BankError'
  scope.captureException(error)
  assert.equal(await client.close(30_000), true)
}

/** The page of somebody who has signed in by typing. */
async function signedIn({ email }: { readonly email: string }): Promise<Page> {
  const opened = await visit(browser, sonde.url, PHONE)
  visits.push(opened)
  const { page } = opened
  await refuseMouse(page)
  await page.goto('/sign-in')
  await tabTo(page.getByLabel('E-mail'))
  await page.keyboard.type(email)
  await tabTo(page.getByLabel('Password'))
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/sign-in')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Resolves once somebody was sent a mail whose subject says it. */
async function mailTo({ email }: { readonly email: string }, subject: RegExp) {
  const fits = ({ to, subject: said = '' }: { to: string; subject?: string | undefined }): boolean =>
    to === email && subject.test(said)
  const endMs = Date.now() + TOLD_WITHIN_MS
  for (;;) {
    const found = mail.mails.find(fits)
    if (found) return found
    const subjects = mail.mails.map(({ to, subject: said }) => `${to}: ${said}`).join('\n')
    assert.ok(Date.now() < endMs, `no mail to ${email} says ${subject}; there were\n${subjects}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** What the page of the issue tells, newest first. */
async function activity(page: Page, shortId: string): Promise<string> {
  await page.goto(`${LIST}/${shortId}/activity`)
  await page.locator('.activity-list').waitFor()
  await fitsWidth(page)
  return page.locator('.activity-list').innerText()
}

before(async () => {
  sonde = await startSonde({
    env: { SONDE_SMTP_URL: mail.url, SONDE_MAIL_FROM: 'Sonde <sonde@example.com>' },
  })
  dsn = createProject(sonde, 'acme/shop', 'node').dsn
  for (const { name, email } of [BOB, CARLA]) {
    const who = ['--name', name, '--email', email, '--password', PASSWORD]
    sondeJson(sonde.dataDir, ['user', 'create', '--org', 'acme', ...who], sonde.env)
  }
  api = apiClient(sonde)
  browser = await launchChromium()
})
after(async () => {
  for (const { close } of visits) await close()
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
  await mail.close()
})

describe('three people and an error', () => {
  test('from the event to the one who is told that it is back, without a mouse', async (t) => {
    const [olga, bob, carla] = [await signedIn(OWNER), await signedIn(BOB), await signedIn(CARLA)]
    await haveTeam(olga)

    await t.test('the owner says what the team owns', async () => {
      await olga.goto('/acme/shop/settings/ownership')
      await tabTo(olga.getByLabel('Rules', { exact: true }))
      await olga.keyboard.type('path:*/e2e/* #payments')
      await pressOn(olga.getByRole('button', { name: 'Save ownership rules' }))
      await olga.getByText('Ownership rules saved.').waitFor()
      await fitsWidth(olga)
    })

    await t.test('an event comes in and is the team’s at once', async () => {
      await happens('the card was charged twice', 'shop@1.0.0')
      await happens('the bank did not answer', 'shop@1.0.0')
      for (const title of ['CardError', 'BankError'])
        assert.equal((await issueOf(title)).assignedTo?.name, 'payments')
    })
    const [card, bank] = [await issueOf('CardError'), await issueOf('BankError')]
    assert.equal(new Set([card.id, bank.id]).size, 2)

    await t.test('somebody of the team finds and takes it', async () => {
      await bob.goto(LIST)
      await pressOn(bob.getByRole('link', { name: 'Assigned to me' }))
      await bob.getByRole('link', { name: 'Assigned to me', exact: true }).waitFor()
      await bob.waitForURL(/my_teams/)
      await rowOf(bob, 'CardError')
      await fitsWidth(bob)
      await bob.keyboard.press('Enter')
      await bob.waitForURL(`**${LIST}/${card.shortId}`)
      await bob.getByLabel('Assigned to #payments. Assign to another (a)').waitFor()
      await bob.keyboard.press('a')
      await arrowTo(bob.getByRole('button', { name: 'Assign to me' }))
      await bob.keyboard.press('Enter')
      await toast(bob, 'Assigned to you.')
      // The menu that was used has the focus, under its new name.
      await tabTo(bob.getByLabel('Assigned to Bob Smith. Assign to another (a)'))
      await fitsWidth(bob)
    })

    await t.test('comments, and asks somebody who is told by inbox and by mail', async () => {
      await carla.goto('/settings/account')
      const unread = await carla.getByRole('link', { name: /^Inbox/ }).getAttribute('aria-label')
      const field = bob.getByLabel('Write a comment')
      await tabTo(field)
      await bob.keyboard.type('The bank says **twice** too. Yours, @car')
      await bob.getByRole('option', { name: /Carla Jones/ }).waitFor()
      await bob.keyboard.press('ArrowDown')
      await bob.keyboard.press('ArrowUp')
      await bob.keyboard.press('Enter')
      await bob.keyboard.press('Control+Enter')
      await bob.locator('.comment').getByText('@Carla Jones').waitFor()
      assert.equal(await field.inputValue(), '')
      // Where one was: the next comment is written there.
      await becomes(() => field.evaluate((element) => element === document.activeElement), true)
      const letter = await mailTo(CARLA, /mentioned you/)
      assert.match(letter.text ?? '', /You get this because you were mentioned\./)

      const bell = carla.getByRole('link', { name: /^Inbox: \d+ unread$/ })
      await bell.waitFor({ timeout: TOLD_WITHIN_MS })
      assert.notEqual(await bell.getAttribute('aria-label'), unread)
      await pressOn(bell)
      await carla.getByText('Bob Smith mentioned you in acme/shop').waitFor()
      await fitsWidth(carla)
      const entry = carla.locator('.inbox-item', { hasText: 'mentioned you' })
      await pressOn(entry.getByRole('link', { name: /CardError/ }))
      await carla.locator('.comment .mention-me').waitFor()
      await fitsWidth(carla)
      await pressOn(carla.getByLabel('Add a reaction').first())
      await pressOn(carla.getByRole('button', { name: 'Thumbs up' }).first())
      await carla.getByRole('button', { name: /^Thumbs up, 1: / }).waitFor()
    })

    await t.test('merges two issues, and takes it back', async () => {
      await bob.keyboard.press('Escape')
      await bob.goto(LIST)
      for (const title of ['CardError', 'BankError']) {
        await rowOf(bob, title)
        await bob.keyboard.press('x')
      }
      await bob.getByText('2 selected').waitFor()
      await pressOn(bob.getByRole('button', { name: 'Merge', exact: true }))
      await bob.getByRole('heading', { name: 'Merge 2 issues' }).waitFor()
      const into = bob.getByRole('radio', { name: /CardError/ })
      await tabTo(bob.getByRole('radio', { checked: true }))
      if (!(await into.isChecked())) await bob.keyboard.press('ArrowDown')
      assert.equal(await into.isChecked(), true)
      await fitsWidth(bob)
      await pressOn(bob.getByRole('button', { name: 'Merge 2 issues' }))
      await bob.getByText('Issues merged.').waitFor()
      await fitsWidth(bob)
      await pressOn(bob.getByRole('button', { name: 'Undo', exact: true }))
      await bob.getByText('Merge undone.').waitFor()
      await issueOf('BankError', ({ id }) => id === bank.id)
    })

    await t.test('resolves it in the next release', async () => {
      await bob.goto(`${LIST}/${card.shortId}`)
      await pressOn(bob.getByLabel('Resolve in a release'))
      await arrowTo(bob.getByRole('button', { name: 'Resolve in the next release' }))
      await fitsWidth(bob)
      await bob.keyboard.press('Enter')
      await toast(bob, 'Resolved. It will reopen if it happens again.')
      await bob.getByText('in the next release after').first().waitFor()
      // What was pressed is gone; the focus is not.
      const reopen = bob.getByRole('button', { name: 'Reopen' })
      await becomes(() => reopen.evaluate((element) => element === document.activeElement), true)
    })

    await t.test('it comes back in that release, and who resolved it is told', async () => {
      await bob.goto('/settings/inbox')
      await happens('the card was charged twice', 'shop@1.1.0')
      await issueOf('CardError', ({ id, status }) => id === card.id && status === 'unresolved')
      const letter = await mailTo(BOB, /regress|came back/i)
      assert.match(letter.text ?? '', /CardError/)
      await bob.getByRole('link', { name: /^Inbox: \d+ unread$/ }).waitFor({ timeout: TOLD_WITHIN_MS })
      await bob.goto('/settings/inbox')
      const entry = bob.locator('.inbox-item', { hasText: /regress|came back/i })
      await pressOn(entry.getByRole('link', { name: /CardError/ }).first())
      await bob.getByRole('button', { name: 'Resolve', exact: true }).waitFor()
    })

    await t.test('all of it stands in the activity, in its order', async () => {
      const text = await activity(bob, card.shortId)
      const steps = [
        /Came back in shop@1\.1\.0/,
        /Resolved in the next release after shop@1\.0\.0 by Bob Smith/,
        new RegExp(`Unmerged: ${bank.shortId} by Bob Smith`),
        new RegExp(`${bank.shortId} merged into this one by Bob Smith`),
        /Bob Smith .*\s+The bank says twice too. Yours, @Carla Jones/,
        /Self-assigned by Bob Smith/,
        /Assigned to #payments by the ownership rule “path:\*\/e2e\/\* #payments”/,
        /First seen in shop@1\.0\.0/,
      ]
      let from = 0
      for (const step of steps) {
        const at = text.slice(from).search(step)
        assert.ok(at >= 0, `${step} is not in its place in\n${text}`)
        from += at
      }
      assert.match(text, /Notified \d (person|people) by the alert rule /)
    })

    await t.test('and what people did in the audit log, which the owner reads', async () => {
      await olga.goto('/acme/settings')
      await pressOn(olga.getByRole('link', { name: 'Audit log' }).first())
      await olga.getByRole('heading', { level: 1, name: /audit log/i }).waitFor()
      await fitsWidth(olga)
      const text = await olga.locator('main').innerText()
      for (const words of [
        /Bob Smith resolved issues/,
        /Bob Smith (undid a change to issues|gave a merged issue back)/,
        /Bob Smith merged issues/,
        /Bob Smith commented on an issue/,
        /Bob Smith assigned issues/,
        /changed the ownership rules/,
        /Carla Jones signed in/,
      ])
        assert.match(text, words)
    })
  })
})

/** Set up, not told: by the owner, over the API. */
async function haveTeam({ request }: Page): Promise<void> {
  const headers = { origin: sonde.url, 'x-sonde-page': '1' }
  const isDone = (status: number): void => assert.ok(status < 400, String(status))
  const call = async (path: string, data: object): Promise<void> =>
    isDone((await request.fetch(`${sonde.url}/api/0${path}`, { method: 'POST', headers, data })).status())
  await call('/organizations/acme/teams/', { name: 'Payments', slug: 'payments' })
  await call('/projects/acme/shop/teams/payments/', { role: 'member' })
  const form = { form: 'add-member', email: BOB.email }
  isDone((await request.post(`${sonde.url}/acme/settings/teams/payments`, { headers, form })).status())
}

/** The keys of the list, until the cursor is on that row. */
async function rowOf(page: Page, title: string): Promise<void> {
  const row = page.locator('tbody tr', { hasText: title })
  await row.waitFor()
  await page.getByLabel('Select all on this page').waitFor({ state: 'attached' })
  for (const key of ['j', 'j', 'j', 'k', 'k', 'k']) {
    if (await row.evaluate((element) => element.contains(document.activeElement))) return
    await page.keyboard.press(key)
  }
  assert.fail(`j and k do not reach ${title}`)
}

const toast = (page: Page, hasText: string) => page.locator('.toast', { hasText }).waitFor()
