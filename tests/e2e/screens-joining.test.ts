/**
 * How somebody comes in: by an invitation in a mail, with a new password by mail, with a passkey of the browser, and into an
 * organization that requires a second factor. A mail server runs beside it.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openMailServer } from '../../packages/alerts/test/harness.ts'
import { createProject } from '../harness/api-client.ts'
import { freePort } from '../harness/free-ports.ts'
import { OWNER, type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { totp } from '../harness/totp.ts'
import { inEveryLook } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { signIn, visit } from './screens-visit.ts'

const PASSWORD = 'a long enough one'
const NEW_PASSWORD = 'quite another one'

describe('coming in', () => {
  let sonde: RunningSonde
  let browser: Browser
  let mail: Awaited<ReturnType<typeof openMailServer>>
  let url: string
  before(async () => {
    mail = await openMailServer()
    // It stands in links and is what passkeys are bound to, so it is chosen before the start.
    const port = await freePort()
    url = `http://localhost:${port}`
    sonde = await startSonde({
      port,
      env: {
        SONDE_PUBLIC_URL: url,
        SONDE_SMTP_URL: mail.url,
        SONDE_MAIL_FROM: 'Sonde <sonde@example.com>',
      },
    })
    createProject(sonde, 'acme/shop')
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
    await mail?.close()
  })

  const isStatus = (complaint: string): boolean => complaint.startsWith('Failed to load resource')
  async function inBrowser<T>(run: (page: Page) => Promise<T>): Promise<T> {
    const { page, complaints, close } = await visit(browser, url)
    try {
      const result = await run(page)
      assert.deepEqual(
        complaints().filter((complaint) => !isStatus(complaint)),
        [],
      )
      return result
    } finally {
      await close()
    }
  }
  const asOwner = (run: (page: Page) => Promise<void>) =>
    inBrowser(async (page) => {
      await page.goto('/sign-in?next=/acme')
      await signIn(page, OWNER)
      await page.waitForURL((address) => address.pathname === '/acme')
      await run(page)
    })
  /** The newest mail to somebody about something. */
  async function mailTo(to: string, subject: RegExp): Promise<string> {
    const deadline = Date.now() + 15_000
    for (;;) {
      const found = mail.mails.findLast((each) => each.to === to && subject.test(each.subject ?? ''))
      if (found) return found.text ?? ''
      assert.ok(Date.now() < deadline, `no mail to ${to} about ${subject.source}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const linkIn = (text: string): string => {
    const link = /http:\/\/localhost:\d+\S*token=[\w-]{43}/.exec(text)?.[0] ?? ''
    assert.ok(link.startsWith(url))
    return link.slice(url.length)
  }
  const atHome = (page: Page) => page.waitForURL((address) => address.pathname === '/acme')

  test('an invitation in a mail makes an account, whose person works in the organization', async () => {
    await asOwner(async (page) => {
      await page.goto('/acme/settings')
      await page.getByRole('link', { name: 'Invite members' }).click()
      await page.getByText('No pending invitations').waitFor()
      await page.getByLabel('E-mail addresses').fill('not an address')
      await page.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByText('is not an e-mail address').first().waitFor()
      await page.getByLabel('E-mail addresses').fill('Mia@example.com, owner@example.com')
      await page.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByText('Whoever is a member already got none').waitFor()
      // What became of the earlier form is not said beside what is wrong with this one.
      await page.getByLabel('E-mail addresses').fill('owner@example.com')
      await page.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByText('owner@example.com is a member already').waitFor()
      assert.equal(await page.getByText('Invitations sent').count(), 0)
      await page.getByLabel('E-mail addresses').fill('mia@example.com, mia at home')
      await page.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByText('is not an e-mail address: mia, at, home').waitFor()
      const pending = page.getByRole('list', { name: 'Pending invitations' })
      await pending.getByText('mia@example.com').waitFor()
      await inEveryLook(page)
    })
    const link = linkIn(await mailTo('mia@example.com', /Join acme on Sonde/i))
    await inBrowser(async (page) => {
      // Programs that look at links use nothing up.
      for (const _ of [1, 2]) await page.goto(link)
      await page.getByRole('heading', { level: 1, name: /Join/ }).waitFor()
      assert.equal(await page.getByLabel('E-mail').inputValue(), 'mia@example.com')
      await page.getByLabel('Name').fill('Mia')
      await page.getByLabel('Password').fill('password1')
      await page.getByRole('button', { name: 'Create account and join' }).click()
      await page.getByText('one of the most used passwords').waitFor()
      await inEveryLook(page)
      assert.equal(await page.getByLabel('Name').inputValue(), 'Mia')
      await page.getByLabel('Password').fill(PASSWORD)
      // By keyboard alone from here.
      await page.keyboard.press('Enter')
      await atHome(page)
      await page.goto('/acme/shop/issues')
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.goto(link)
      await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
      await inEveryLook(page)
    })
  })

  test('a link that is passed on is shown once; a newer one ends it; who is signed in accepts with a click', async () => {
    const links: string[] = []
    await asOwner(async (page) => {
      await page.goto('/acme/settings/invitations')
      await page.getByLabel('E-mail addresses').fill('passed@example.com')
      await page.getByRole('button', { name: 'Create links instead' }).click()
      await page.getByText('Copy the link now').waitFor()
      links.push((await page.locator('.saved-notice code').textContent()) ?? '')
      await page.getByRole('button', { name: 'New link for passed@example.com' }).click()
      await page.waitForFunction(
        (old) => document.querySelector('.saved-notice code')?.textContent !== old,
        links[0],
      )
      links.push((await page.locator('.saved-notice code').textContent()) ?? '')
      await page.goto(links[1] ?? '')
      await page.getByText('You are signed in as owner@example.com').waitFor()
      await page.goto('/acme/settings/invitations')
      assert.ok(!(await page.content()).includes(links[1] ?? ''))
    })
    await inBrowser(async (page) => {
      await page.goto(links[0] ?? '')
      await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
      await page.goto(links[1] ?? '')
      await page.getByRole('link', { name: 'Sign in to accept' }).click()
      await page.getByLabel('E-mail').waitFor()
      await signIn(page, { email: 'mia@example.com', password: PASSWORD })
      await page.waitForURL((address) => address.pathname === '/settings/invitation')
      await page.getByText('You are signed in as mia@example.com').waitFor()
    })
  })

  test('a password that was forgotten is set anew by a mail, and ends the sessions', async () => {
    await inBrowser(async (page) => {
      await page.goto('/sign-in')
      await page.getByRole('link', { name: 'Forgot password?' }).click()
      await page.getByLabel('E-mail').fill('nobody@example.com')
      await page.getByRole('button', { name: 'Send link' }).click()
      const answer = page.getByText('If an account has this address')
      await answer.waitFor()
      await inEveryLook(page)
      await page.getByRole('link', { name: 'ask once more' }).click()
      await page.getByLabel('E-mail').fill('mia@example.com')
      await page.getByRole('button', { name: 'Send link' }).click()
      await answer.waitFor()
      const link = linkIn(await mailTo('mia@example.com', /Set a new password/))
      assert.ok(!mail.mails.some(({ to }) => to === 'nobody@example.com'))
      await page.goto(link)
      await page.getByLabel('New password').fill('short')
      await page.getByRole('button', { name: 'Set password' }).click()
      await page.getByText('a password has 8 to 128 characters').waitFor()
      await inEveryLook(page)
      await page.getByLabel('New password').fill(NEW_PASSWORD)
      await page.getByRole('button', { name: 'Set password' }).click()
      await page.getByText('Your password is changed').waitFor()
      await page.goto(link)
      await page.getByText('This link was used, has expired or is not complete').waitFor()
      await page.goto('/sign-in?next=/acme')
      await signIn(page, { email: 'mia@example.com', password: NEW_PASSWORD })
      await atHome(page)
    })
    const told = await mailTo('mia@example.com', /password was changed by a link/)
    assert.match(told, /^Browser: Chrome \d+ on Linux$/m)
  })

  test('an organization that requires a second factor opens once there is one; a passkey is one', async () => {
    await asOwner(async (page) => {
      await page.goto('/acme/settings')
      await page.getByRole('button', { name: 'Require a second factor' }).click()
      await page.getByText('your own account has no second factor').waitFor()
      await page.goto('/settings/account')
      const own = page.getByRole('region', { name: 'Two-factor sign-in' })
      await own.getByLabel('Your password').fill(OWNER.password)
      await own.getByRole('button', { name: 'Turn on' }).click()
      const uri = await page.getByRole('link', { name: /app on this device/ }).getAttribute('href')
      await page.getByLabel('6-digit code').fill(totp(uri ?? ''))
      await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click()
      await page.getByRole('link', { name: 'I’ve saved these codes' }).click()
      await page.goto('/acme/settings')
      await page.getByRole('button', { name: 'Require a second factor' }).click()
      await page.getByText('Members without a second factor must now set one up').waitFor()
      await inEveryLook(page)
    })
    await mailTo(OWNER.email, /Two-factor sign-in was turned on/)

    await inBrowser(async (page) => {
      const devices = await page.context().newCDPSession(page)
      await devices.send('WebAuthn.enable')
      const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      await page.goto('/sign-in?next=/acme/shop/issues')
      await signIn(page, { email: 'mia@example.com', password: NEW_PASSWORD })
      await page.waitForURL((address) => address.pathname === '/settings/account')
      await page.getByText(/opens only with a second factor/).waitFor()
      await inEveryLook(page)

      const passkeys = page.getByRole('region', { name: 'Passkeys' })
      await passkeys.getByLabel('Name of the passkey').fill('Laptop')
      await passkeys.getByLabel('Your password').fill('not my password')
      await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('this is not your current password').waitFor()
      // The device keeps what the server refused; nobody signs in with it.
      await devices.send('WebAuthn.clearCredentials', { authenticatorId })
      await passkeys.getByLabel('Your password').fill(NEW_PASSWORD)
      await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('Passkey added.').waitFor()
      await page.getByRole('list', { name: 'Passkeys' }).getByText('never used').waitFor()
      await mailTo('mia@example.com', /A passkey was added/)
      await page.goto('/acme/shop/issues')
      await page.waitForURL((address) => address.pathname === '/acme/shop/issues')

      // After the password.
      await page.context().clearCookies()
      await page.goto('/sign-in?next=/acme')
      // Not offered while the password is typed: the device would answer by itself.
      await devices.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
      await page.reload()
      await signIn(page, { email: 'mia@example.com', password: NEW_PASSWORD })
      await page.getByRole('heading', { name: 'Use your passkey' }).waitFor()
      await inEveryLook(page)
      await devices.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true })
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await atHome(page)

      // Instead of it: offered in the field for the address, where this device answers by itself.
      await page.context().clearCookies()
      await page.goto('/sign-in?next=/acme')
      await atHome(page)
      await page.goto('/settings/account')
      await page
        .getByText(/last used/)
        .first()
        .waitFor()
      await inEveryLook(page)
      await page.getByLabel('Remove Laptop', { exact: true }).click()
      await passkeys.getByLabel('Your password').first().fill(NEW_PASSWORD)
      await page.getByRole('button', { name: 'Remove passkey Laptop' }).click()
      await page.getByText('Passkey removed.').waitFor()
      await page.goto('/acme/shop/issues')
      await page.waitForURL((address) => address.pathname === '/settings/account')
    })
  })
})
