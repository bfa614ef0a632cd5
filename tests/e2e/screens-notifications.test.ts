/** Where notifications go: channels, the inbox, and what a mail ends. A receiver of webhooks and a mail server run beside it. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openMailServer, openReceiver } from '../../packages/alerts/test/harness.ts'
import { apiClient } from '../harness/api-client.ts'
import { OWNER, sondeJson } from '../harness/start-sonde.ts'
import { inEveryLook } from './axe-looks.ts'
import { signedInPlain } from './plain-page.ts'
import { messageEvent, sendEvent } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'

const [receiver, mail] = await Promise.all([openReceiver(), openMailServer()])
const screens = useSignedInScreens({
  SONDE_OUTGOING_ALLOW: '127.0.0.0/8',
  SONDE_SMTP_URL: mail.url,
  SONDE_MAIL_FROM: 'Sonde <sonde@example.com>',
})
after(async () => {
  receiver.close()
  await mail.close()
})

const CHANNELS = '/acme/settings/channels'

describe('channels', () => {
  test('a webhook: its secret is shown once and verifies a test message; answers are shown; it is sent again', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme/settings')
      await page.getByRole('link', { name: 'Channels' }).click()
      await page.getByText('No channels yet').waitFor()
      await inEveryLook(page)
      await page.getByRole('link', { name: 'Webhook', exact: true }).click()
      await page.getByLabel('Name').fill('Ours')
      await page.getByLabel('URL').fill('not an address')
      // The browser would refuse it first.
      await page.locator('form.settings-form').evaluate((form: HTMLFormElement) => (form.noValidate = true))
      await page.getByRole('button', { name: 'Add Webhook channel' }).click()
      await page.locator('#channel-url-error').waitFor()
      await page.getByLabel('URL').fill(`${receiver.url}/ours`)
      await page.getByRole('button', { name: 'Add Webhook channel' }).click()
      await page.getByText('Copy the signing secret now').waitFor()
      const secret = (await page.locator('.saved-notice code').textContent()) ?? ''
      await page.getByText('How to verify the signature').click()
      await inEveryLook(page)
      await page.getByRole('link', { name: 'Ours' }).first().click()
      await page.getByRole('heading', { level: 1, name: /Ours/ }).waitFor()
      assert.equal((await page.content()).includes(secret), false)

      await page.getByRole('button', { name: 'Send test message' }).click()
      await page.getByText('The other side took the message').waitFor()
      await page.getByText('200 ok').waitFor()
      const request = receiver.received.find(({ path }) => path === '/ours')
      assert.ok(request)
      const data = new Webhook(secret).verify(request.body, request.headers as Record<string, string>)
      assert.equal((data as { type: string }).type, 'alert.test')
      receiver.answer(() => ({ status: 500 }))
      await page.getByRole('button', { name: 'Send test message' }).click()
      await page.getByText('The message was not delivered').waitFor()
      await page.getByText('500 no').waitFor()
      receiver.answer(() => ({ status: 200 }))
      await inEveryLook(page)
    }))

  test('a Slack app: its steps, its two secrets of which either may be replaced, and where presses of buttons go', () =>
    screens.asOwner(async (page) => {
      await page.goto(CHANNELS)
      await page.getByRole('link', { name: 'Slack app', exact: true }).click()
      await page.getByText('users:read.email').waitFor()
      await inEveryLook(page)
      await page.getByLabel('Name').fill('Ops')
      await page.getByRole('textbox', { name: 'Channel', exact: true }).fill('#alerts')
      await page.getByLabel('Bot token').fill('xoxp-of-a-person')
      await page.getByLabel('Signing secret').fill('ab'.repeat(16))
      await page.getByRole('button', { name: 'Add Slack app channel' }).click()
      await page.getByText('is a bot token: xoxb-').waitFor()
      // What was typed into a secret does not come back.
      await page.getByLabel('Bot token').fill('xoxb-1-abc')
      await page.getByLabel('Signing secret').fill('ab'.repeat(16))
      await page.getByRole('button', { name: 'Add Slack app channel' }).click()
      await page.getByRole('heading', { level: 1, name: /Ops/ }).waitFor()
      const id = /\/channels\/(\d+)/.exec(page.url())?.[1]
      await page.getByText(`${screens.sonde.url}/api/0/channels/${id}/hook/`, { exact: true }).waitFor()
      await inEveryLook(page)
      await page.getByLabel('Bot token').fill('xoxb-2-def')
      await page.getByRole('button', { name: 'Save channel' }).click()
      await page.getByText('Channel saved').waitFor()
    }))

  test('what a rule told is in the log with the answer, and goes out again under the same key', () =>
    screens.asOwner(async (page) => {
      const { dataDir } = screens.sonde
      const alert = ['alert', 'create', '--project', 'acme/shop', '--type', 'new_issue']
      sondeJson(dataDir, [...alert, '--webhook', `${receiver.url}/rule`])
      await sendEvent(screens.shop.dsn, messageEvent(Date.now(), 'cart <b>is</b> empty'))
      const told = () => receiver.received.filter(({ path }) => path === '/rule')
      await page.goto(CHANNELS)
      await page.getByText(/used by .*\(shop\)/).waitFor()
      await apiClient(screens.sonde).until(
        '/api/0/projects/acme/shop/issues/',
        (list: unknown[]) => list.length > 0,
      )
      const names = await page.getByRole('list', { name: 'Channels' }).getByRole('link').allTextContents()
      await page.getByRole('link', { name: names.find((name) => name !== 'Ours') ?? '' }).click()
      await page.waitForURL(/\/channels\/\d+$/)
      const log = page.getByRole('list', { name: 'Deliveries' })
      await assertEventually(async () => told().length === 1)
      // The answer is noted after the receiver gave it.
      await assertEventually(async () => {
        await page.reload()
        return (await log.getByText('delivered').count()) === 1
      })
      await log.getByText('200 ok').waitFor()
      await log.getByText('cart <b>is</b> empty').waitFor()
      await inEveryLook(page)
      await log.getByRole('button', { name: /^Send again/ }).click()
      await page.getByText('The message goes out again').waitFor()
      await assertEventually(async () => told().length === 2)
      const [first, second] = told()
      assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
      assert.equal(first?.body, second?.body)
    }))

  test('without JavaScript: a Slack channel is added, tried, changed without its secret, and deleted', async () => {
    const page = await signedInPlain(screens.sonde.url)
    await page.goto(CHANNELS)
    await page.follow('Slack')
    page.shows('Incoming Webhooks')
    page.fill('Name', 'Team')
    page.fill('Webhook URL', 'ftp://nowhere')
    await page.press('Add Slack channel')
    assert.equal(page.status, 422)
    assert.equal(page.html.includes('ftp://nowhere'), false)
    page.fill('Webhook URL', `${receiver.url}/services/T/B/x`)
    await page.press('Add Slack channel')
    page.shows('Channel created.')
    await page.press('Send test message')
    page.shows('The other side took the message')
    assert.equal(receiver.received.at(-1)?.path, '/services/T/B/x')
    page.fill('Name', 'Team of shop')
    await page.press('Save channel')
    page.shows('Channel saved.')
    assert.equal(page.html.includes('/services/T/B/x'), false)
    await page.press('Send test message')
    page.shows('The other side took the message')
    await page.press('Delete channel')
    page.shows('Channel deleted.')
    assert.equal(page.has('Team of shop'), false)
  })

  test('who may not change channels sees their names alone', async () => {
    const viewer = { email: 'vi@example.com', password: 'correct horse battery' }
    const args = ['user', 'create', '--org', 'acme', '--role', 'viewer', '--email', viewer.email]
    const made = sondeJson<{ password?: string }>(screens.sonde.dataDir, args)
    const page = await signedInPlain(screens.sonde.url, { ...viewer, password: made.password ?? '' })
    await page.goto(CHANNELS)
    page.shows('Ours')
    page.shows('Admins and owners can add and change channels.')
    assert.equal(page.links('Slack').length, 0)
    assert.equal(await page.goto(`${CHANNELS}/1`), 403)
  })
})

describe('what a person is told', () => {
  test('the bell counts, the inbox leads to the issue and is read then', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme')
      await page.getByRole('link', { name: /^Inbox: \d+ unread/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
      await inEveryLook(page)
      await page.getByRole('link', { name: 'cart <b>is</b> empty' }).first().click()
      await page.waitForURL(/\/acme\/shop\/issues\/SHOP-1/)
      await page.goto('/settings/inbox')
      const unread = await page.getByRole('button', { name: /^Mark as read/ }).count()
      if (unread > 0) await page.getByRole('button', { name: 'Mark all as read' }).click()
      await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
      await page.getByRole('link', { name: 'Unread' }).click()
      await page.getByText('Everything is read').waitFor()
      await inEveryLook(page)
    }))

  test('a mail is ended by one post of a stranger with its token; the page and the settings say so', () =>
    screens.asOwner(async (page) => {
      await assertEventually(async () => mail.mails.some(({ to }) => to === OWNER.email))
      const list = mail.mails[0]?.headers.get('list') as { unsubscribe: { url: string } }
      const { pathname, search } = new URL(list.unsubscribe.url)
      const post = (path: string) =>
        fetch(`${screens.sonde.url}${path}`, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
      const token = new URLSearchParams(search).get('token') ?? ''
      await page.context().clearCookies()
      await page.goto(`/settings/unsubscribe?token=${token}`)
      await page.getByText('This ends email about acme/shop').waitFor()
      await inEveryLook(page)
      assert.equal((await post(`${pathname}?token=${token.slice(0, -2)}00`)).status, 404)
      assert.equal((await post(pathname + search)).status, 200)
      await page.reload()
      await page.getByText('You get no more email about acme/shop').waitFor()
      const plain = await signedInPlain(screens.sonde.url)
      await plain.goto('/settings/notifications')
      plain.shows(/acme\/shop.*Email: nothing/)
      plain.select('Email goes out', 'day')
      await plain.press('Save')
      plain.shows('Notification settings saved.')
      assert.equal(plain.valueOf('Email goes out'), 'day')
      await plain.press('Remove settings of acme/shop')
      plain.shows('No project has settings of its own.')
      const left = await fetch(`${screens.sonde.url}${pathname}${search}`, { redirect: 'manual' })
      assert.deepEqual(
        [left.status, left.headers.get('location')?.endsWith(`/settings/unsubscribe?token=${token}`)],
        [302, true],
      )
    }))

  test('the settings hold in every look', () =>
    screens.asOwner(async (page) => {
      await page.goto('/settings/notifications')
      await inEveryLook(page)
    }))
})

async function assertEventually(holds: () => Promise<boolean>): Promise<void> {
  const untilMs = Date.now() + 20_000
  while (!(await holds())) {
    assert.ok(Date.now() < untilMs, 'waited for it for 20 s')
    // The receiver and the mail server are in this process.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
