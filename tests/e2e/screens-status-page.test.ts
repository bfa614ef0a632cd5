/**
 * A status page in Chromium: made and published by keys, read by strangers in every look and without scripts, subscribed to by mail,
 * told by a monitor that really fails. A mail server and the checked service run beside it.
 */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openMailServer } from '../../packages/alerts/test/harness.ts'
import { createProject } from '../harness/api-client.ts'
import { freePort } from '../harness/free-ports.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inEveryLook } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { fitsWidth, pressOn, refuseMouse, tabTo } from './keyboard.ts'
import { sessionOf, visit } from './screens-visit.ts'

const SETTINGS = '/acme/settings/status-page'
const INCIDENTS = '/acme/settings/status-page/incidents'
const PUBLIC = '/status/acme-status'
const INTERNAL = 'zq7-internal-name'

describe('a status page', () => {
  let sonde: RunningSonde
  let browser: Browser
  let mail: Awaited<ReturnType<typeof openMailServer>>
  let service: Server
  let url: string
  let isWell = true
  let owner: BrowserContextOptions['storageState']
  before(async () => {
    mail = await openMailServer()
    service = createServer((_, res) => res.writeHead(isWell ? 200 : 500).end())
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    // It stands in links of mails, so it is chosen before the start.
    const port = await freePort()
    url = `http://localhost:${port}`
    sonde = await startSonde({
      port,
      env: {
        SONDE_PUBLIC_URL: url,
        SONDE_SMTP_URL: mail.url,
        SONDE_MAIL_FROM: 'Sonde <sonde@example.com>',
        SONDE_OUTGOING_ALLOW: '127.0.0.0/8',
      },
    })
    createProject(sonde, 'acme/shop')
    browser = await launchChromium()
    owner = await sessionOf(url)
  })
  after(async () => {
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
    await mail?.close()
    service?.close()
  })

  const isStatus = (complaint: string): boolean => complaint.startsWith('Failed to load resource')
  async function inBrowser(
    run: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const { page, complaints, close } = await visit(browser, url, options)
    try {
      await run(page)
      assert.deepEqual(
        complaints().filter((complaint) => !isStatus(complaint)),
        [],
      )
    } finally {
      await close()
    }
  }
  const asOwner = (run: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) =>
    inBrowser(run, { ...(owner !== undefined && { storageState: owner }), ...options })
  const asStranger = (run: (page: Page) => Promise<void>) => inBrowser(run, { javaScriptEnabled: false })
  /** The newest mail to somebody about something. */
  async function mailTo(to: string, subject: RegExp) {
    const deadline = Date.now() + 20_000
    for (;;) {
      const found = mail.mails.findLast((each) => each.to === to && subject.test(each.subject ?? ''))
      if (found) return found
      assert.ok(Date.now() < deadline, `no mail to ${to} about ${subject.source}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const linkIn = (text = ''): string =>
    /http:\/\/localhost:\d+\/\S*token=\S+/.exec(text)?.[0] ?? assert.fail(text)
  /** Loads the page until it has the text: what is shown may be some seconds old. */
  async function untilShown(page: Page, text: string | RegExp): Promise<void> {
    for (let tries = 0; (await page.getByText(text).count()) === 0; tries++) {
      assert.ok(tries < 100, `no ${String(text)} in ${await page.locator('body').innerText()}`)
      await new Promise((resolve) => setTimeout(resolve, 200))
      await page.reload()
    }
  }
  /** Its monitor is due now. */
  function checkNow(): void {
    const records = new DatabaseSync(join(sonde.dataDir, 'records.sqlite'), { timeout: 10_000 })
    records.prepare('UPDATE uptime_state SET due_ms = ?').run(Date.now())
    records.close()
  }
  const statusOf = async (path: string) => (await fetch(url + path)).status

  test('is made by keys, and nobody but its owners sees it before it is published', () =>
    asOwner(async (page) => {
      await refuseMouse(page)
      await page.goto(SETTINGS)
      const title = page.getByLabel('Title', { exact: true })
      await tabTo(title)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('Acme status')
      await tabTo(page.getByLabel('Slug'))
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('Not a slug')
      await pressOn(page.getByRole('button', { name: 'Create status page' }))
      await page.getByText('has a-z, 0-9, - and _ only').waitFor()
      await tabTo(page.getByLabel('Slug'), 'Shift+Tab')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('acme-status')
      await page.keyboard.press('Enter')
      await page.getByText('Status page created.').waitFor()
      assert.deepEqual([await statusOf(PUBLIC), await statusOf('/status/unknown')], [404, 404])
    }))

  test('a page that is not published answers as one that is not there, whatever is asked of it', async () => {
    const answers = async (slug: string) => {
      const body = async (path: string): Promise<string> => {
        const answer = await fetch(`${url}/status/${slug}${path}`)
        // A nonce is new each time, the address stands in the data of the page.
        const text = (await answer.text())
          .replaceAll(slug, 'SLUG')
          .replaceAll(/nonce="[^"]*"|nonce-[^']*/g, '')
        return `${answer.status} ${text.replaceAll(/"nowMs":\d+/g, '')}`
      }
      return Promise.all(['', '/history', '/feed.atom', '/summary.json', '/subscribe'].map(body))
    }
    assert.deepEqual(await answers('acme-status'), await answers('unknown-page'))
    const post = (slug: string) =>
      fetch(`${url}/status/${slug}/subscribe`, {
        method: 'POST',
        headers: { origin: url },
        body: new URLSearchParams({ email: 'ada@example.com' }),
      })
    assert.deepEqual([(await post('acme-status')).status, (await post('unknown-page')).status], [404, 404])
  })

  test('its components are monitors under public names, moved and renamed by keys', () =>
    asOwner(async (page) => {
      await page.goto('/acme/shop/uptime/new')
      const { port } = service.address() as AddressInfo
      for (const [name, value] of [
        ['name', INTERNAL],
        ['url', `http://127.0.0.1:${port}/${INTERNAL}`],
        ['failures', '1'],
        ['failuresOf', '1'],
        ['recoveries', '1'],
      ] as const)
        await page.locator(`[name="${name}"]`).fill(value)
      await page.getByRole('button', { name: 'Save monitor' }).click()
      await page.getByText('Monitor created.').waitFor()
      await page.goto('/acme/shop/crons/new')
      await page.locator('[name="name"]').fill(`${INTERNAL} job`)
      await page.locator('[name="crontab"]').fill('0 3 * * *')
      await page.getByRole('button', { name: 'Save monitor' }).click()
      await page.getByText('Monitor created.').waitFor()

      await page.goto(SETTINGS)
      for (const [monitor, name, group] of [
        [/^Uptime/, 'Checkout', 'Shop'],
        [/^Cron/, 'Payouts', 'Money'],
      ] as const) {
        await page.getByLabel('Name for the public').fill(name)
        await page.getByLabel('Group (may be empty)').fill(group)
        const choice = page.getByLabel('Monitor', { exact: true }).locator('option', { hasText: monitor })
        await page
          .getByLabel('Monitor', { exact: true })
          .selectOption((await choice.getAttribute('value')) ?? '')
        await pressOn(page.getByRole('button', { name: 'Add component' }))
        await page.getByRole('form', { name }).waitFor()
      }
      const names = () =>
        page
          .getByRole('list', { name: 'Components' })
          .getByLabel('Public name')
          .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
      await pressOn(page.getByRole('button', { name: 'Move Payouts up' }))
      await page.getByRole('button', { name: 'Move Payouts down' }).waitFor()
      assert.deepEqual(await names(), ['Payouts', 'Checkout'])
      await page.getByRole('form', { name: 'Checkout' }).getByLabel('Public name').fill('Web shop')
      await pressOn(page.getByRole('button', { name: 'Save Checkout' }))
      await page.getByRole('form', { name: 'Web shop' }).waitFor()
      await page.getByRole('link', { name: 'Preview' }).click()
      await page.getByRole('heading', { name: 'Acme status' }).waitFor()
      await page.getByText('Web shop').waitFor()
      await page.goto(SETTINGS)
      await pressOn(page.getByRole('button', { name: 'Publish', exact: true }))
      await page.getByText('Status page published.').waitFor()
    }))

  test('a stranger reads it without scripts, and nothing of the inside is in it', () =>
    asStranger(async (page) => {
      const answer = await page.goto(PUBLIC)
      assert.match(
        answer?.headers()['content-security-policy'] ?? '',
        /^default-src 'none'; style-src 'sha256-/,
      )
      await untilShown(page, 'All systems operational')
      assert.deepEqual(await page.getByRole('heading').allInnerTexts(), [
        'Acme status',
        'Components',
        'Money',
        'Shop',
        'Get mail about incidents',
      ])
      await page.getByRole('img', { name: /^Web shop: 100% in 90 days, with data of 1$/ }).waitFor()
      await page.getByRole('img', { name: 'Payouts: No data in 90 days' }).waitFor()
      assert.equal(await page.locator('rect').count(), 180)
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await fitsWidth(page)
      }
      for (const path of ['', '/history', '/feed.atom', '/summary.json']) {
        const text = await (await fetch(url + PUBLIC + path)).text()
        for (const secret of [INTERNAL, '127.0.0.1', 'shop/', 'acme/shop'])
          assert.ok(!text.includes(secret), secret)
      }
    }))

  test('holds to axe in every look, with and without what is open', () =>
    inBrowser(async (page) => {
      await page.goto(PUBLIC)
      await inEveryLook(page)
      await page.goto(`${PUBLIC}/history`)
      await inEveryLook(page)
      await page.goto(`${PUBLIC}/unsubscribe?token=of-nobody`)
      await inEveryLook(page)
    }))

  test('whoever subscribes has mail after a press on the link in the mail that asks', () =>
    asStranger(async (page) => {
      await page.goto(PUBLIC)
      const email = page.getByLabel('E-mail address')
      await email.fill('ada@example.com')
      await email.press('Enter')
      await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
      const said = await page.locator('main').innerText()
      const asked = await mailTo('ada@example.com', /^Confirm your subscription to Acme status$/)
      const link = linkIn(asked.text)
      // Programs that look at links of mail confirm nothing.
      await fetch(link)
      await page.goto(link)
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('heading', { name: 'You are subscribed' }).waitFor()
      await page.goto(link)
      await page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
      // A known address gets the same answer, and no mail.
      await page.goto(PUBLIC)
      await email.fill('Ada@example.com')
      await email.press('Enter')
      await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
      assert.equal(await page.locator('main').innerText(), said)
      assert.equal(mail.mails.filter(({ subject }) => subject?.startsWith('Confirm')).length, 1)
    }))

  test('a monitor that fails opens an incident, an owner posts an update, and it ends by itself; each is told once', async () => {
    isWell = false
    checkNow()
    const opened = await mailTo('ada@example.com', /^\[Acme status\] Investigating: Web shop is down$/)
    assert.ok(!JSON.stringify([opened.text, opened.html]).includes(INTERNAL))
    assert.equal(
      new URL(/http:\/\/localhost:\d+\/\S*history\S*/.exec(opened.text ?? '')?.[0] ?? '').pathname,
      `${PUBLIC}/history`,
    )
    await asStranger(async (page) => {
      await page.goto(PUBLIC)
      await untilShown(page, 'Web shop is down')
      assert.equal(await page.locator('.banner').innerText(), 'Major outage')
    })
    await inBrowser(async (page) => {
      await page.goto(PUBLIC)
      await untilShown(page, 'Web shop is down')
      await inEveryLook(page)
    })
    await asOwner(async (page) => {
      await page.goto(INCIDENTS)
      const form = page.getByRole('form', { name: /^Update incident \d+: Web shop is down$/ })
      await form.getByLabel('State').selectOption('identified')
      await form.getByLabel('Update').fill('A disk is <b>full</b>.\nWe make room.')
      await pressOn(form.getByRole('button', { name: 'Post update' }))
      await page.getByText('Update posted.').waitFor()
    })
    const updated = await mailTo('ada@example.com', /Identified: Web shop is down$/)
    assert.match(updated.text ?? '', /A disk is <b>full<\/b>\.\nWe make room\./)
    assert.ok(String(updated.html).includes('&lt;b&gt;full&lt;/b&gt;'))
    isWell = true
    checkNow()
    await mailTo('ada@example.com', /Resolved: Web shop is down$/)
    await asStranger(async (page) => {
      await page.goto(PUBLIC)
      await untilShown(page, 'All systems operational')
      await page.getByRole('link', { name: 'Incident history' }).click()
      assert.deepEqual(await page.locator('.update strong').allInnerTexts(), [
        'Resolved',
        'Identified',
        'Investigating',
      ])
      assert.equal(await page.locator('b').count(), 0)
    })
    const told = mail.mails.filter(
      ({ to, subject }) => to === 'ada@example.com' && subject?.startsWith('[Acme'),
    )
    assert.equal(told.length, 3)
  })

  test('an owner posts an incident and plans maintenance, and takes one off the page', async () => {
    await asOwner(async (page) => {
      await page.goto(INCIDENTS)
      const incident = page.getByRole('form', { name: 'Post an incident' })
      await incident.getByLabel('Title').fill('Slow answers')
      await incident.getByLabel('Impact').selectOption('minor')
      await incident.getByLabel('Web shop').check()
      await incident.getByLabel('What happens').fill('We look at it.')
      await pressOn(incident.getByRole('button', { name: 'Post incident' }))
      await page.getByText('Posted.', { exact: true }).waitFor()
      const plan = page.getByRole('form', { name: 'Schedule maintenance' })
      await plan.getByLabel('Title').fill('Move')
      await plan.getByLabel('What is done').fill('We move to another house.')
      const day = (from: number): string =>
        new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 16)
      await plan.getByLabel(/^Start/).fill(day(2))
      await plan.getByLabel(/^End/).fill(day(1))
      await plan.getByRole('button', { name: 'Schedule maintenance' }).click()
      await plan.getByText('The end is after the start, and not over yet').waitFor()
      await plan.getByLabel(/^End/).fill(day(3))
      await plan.getByRole('button', { name: 'Schedule maintenance' }).click()
      await page
        .getByRole('list', { name: 'Open incidents and maintenance' })
        .getByText('Move')
        .first()
        .waitFor()
    })
    await asStranger(async (page) => {
      await page.goto(PUBLIC)
      await untilShown(page, 'Move')
      assert.equal(await page.locator('.banner').innerText(), 'Degraded performance')
    })
    await mailTo('ada@example.com', /Scheduled: Move$/)
    await asOwner(async (page) => {
      await page.goto(INCIDENTS)
      await pressOn(page.getByLabel('Remove from the page: Slow answers'))
      await pressOn(page.getByRole('button', { name: 'Remove Slow answers', exact: true }))
      await page.getByText('Removed from the status page.').waitFor()
      assert.equal(await page.getByText('Slow answers').count(), 0)
    })
    const summary = (await (await fetch(`${url}${PUBLIC}/summary.json`)).json()) as {
      scheduled_maintenances: { name: string }[]
    }
    assert.deepEqual(
      summary.scheduled_maintenances.map(({ name }) => name),
      ['Move'],
    )
  })

  test('without scripts its owner renames it, posts and resolves too', () =>
    asOwner(
      async (page) => {
        await page.goto(SETTINGS)
        await page.getByLabel('Description').fill('All of Acme')
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByText('Status page saved.').waitFor()
        await page.goto(INCIDENTS)
        const incident = page.getByRole('form', { name: 'Post an incident' })
        await incident.getByLabel('Title').fill('Late parcels')
        await incident.getByLabel('What happens').fill('We look at it.')
        await incident.getByRole('button', { name: 'Post incident' }).click()
        await page.getByText('Posted.', { exact: true }).waitFor()
        const update = page.getByRole('form', { name: /^Update incident \d+: Late parcels$/ })
        await update.getByLabel('State').selectOption('resolved')
        await update.getByLabel('Update').fill('They are there.')
        await update.getByRole('button', { name: 'Post update' }).click()
        await page.getByText('Update posted.').waitFor()
        await page
          .getByRole('list', { name: 'Past incidents and maintenance' })
          .getByText('They are there.')
          .waitFor()
        await page.goto(`${PUBLIC}/history`)
        await untilShown(page, 'They are there.')
      },
      { javaScriptEnabled: false },
    ))

  test('a press in the mail program, or on the page that the mail leads to, ends it', async () => {
    const letter = await mailTo('ada@example.com', /Resolved: Web shop is down$/)
    const line = letter.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? ''
    const oneClick = /<([^>]+)>/.exec(line.replaceAll(/\s/g, ''))?.[1] ?? ''
    await asStranger(async (page) => {
      // In a browser the same address asks first.
      await page.goto(oneClick)
      await page.getByRole('button', { name: 'Unsubscribe' }).waitFor()
      await page.goto(linkIn(letter.text))
      await page.getByRole('button', { name: 'Unsubscribe' }).click()
      await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
    })
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const again = await fetch(oneClick, { method: 'POST', body })
    assert.deepEqual([again.status, await again.json()], [200, { unsubscribed: true }])
    await asOwner(async (page) => {
      await page.goto(SETTINGS)
      await page.getByText(/^0 people get mail/).waitFor()
    })
  })

  test('unpublished it is not there any more, and what was done to it stands in the audit log', async () => {
    await asOwner(async (page) => {
      await page.goto(SETTINGS)
      await pressOn(page.getByRole('button', { name: 'Unpublish' }))
      await page.getByText('Status page unpublished.').waitFor()
    })
    assert.equal(await statusOf(PUBLIC), 404)
    await asOwner(async (page) => {
      await page.goto(SETTINGS)
      await pressOn(page.getByText('Delete status page', { exact: true }).last())
      await pressOn(page.getByRole('button', { name: 'Delete Acme status' }))
      await page.getByText('Status page deleted.').waitFor()
      await page.goto('/acme/settings/audit')
      await page
        .getByRole('main')
        .getByText('deleted the status page')
        .and(page.locator(':not(option)'))
        .first()
        .waitFor()
    })
  })
})
