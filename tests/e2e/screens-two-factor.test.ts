/** Two-factor sign-in in Chromium and by forms alone, with the codes that a real authenticator app would show. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createProject } from '../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { totp } from '../harness/totp.ts'
import { launchChromium } from './chromium.ts'
import { openPlainPage, type PlainPage } from './plain-page.ts'
import { signIn, visit } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser
const PASSWORD = 'a long enough one'
const NEXT = '/acme/shop/issues?query=is%3Aunresolved+"a+b"&statsPeriod=7d'

before(async () => {
  sonde = await startSonde()
  createProject(sonde, 'acme/shop')
  browser = await launchChromium()
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

function newPerson(name: string): string {
  const email = `${name}@example.com`
  const args = ['--org', 'acme', '--email', email, '--password', PASSWORD]
  sondeJson(sonde.dataDir, ['user', 'create', ...args])
  return email
}

const isStatus = (complaint: string): boolean => complaint.startsWith('Failed to load resource')

/** In a browser where nobody is signed in yet; the pages must have complained of nothing but their status. */
async function inBrowser<T>(run: (page: Page) => Promise<T>): Promise<T> {
  const { page, complaints, close } = await visit(browser, sonde.url, { acceptDownloads: true })
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

async function typePassword(page: Page, email: string, next = NEXT): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
  await signIn(page, { email, password: PASSWORD })
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const codesOf = (page: Page) => page.locator('.backup-codes code').allTextContents()

/** Tokens on the same screen ask for the password too. */
const ownPassword = (page: Page) =>
  page.getByRole('region', { name: 'Two-factor sign-in' }).getByLabel('Your password')

describe('with JavaScript, two-factor sign-in', () => {
  let email: string
  let uri = ''
  let codes: string[] = []
  before(() => {
    email = newPerson('ada')
  })

  test('is set up with password and first code; a wrong one of either is said and costs nothing', () =>
    inBrowser(async (page) => {
      await typePassword(page, email, '/settings/account')
      await ownPassword(page).fill('not my password')
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByText('this is not your current password').waitFor()
      await ownPassword(page).fill(PASSWORD)
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByRole('img', { name: /^QR code/ }).waitFor()
      const link = page.getByRole('link', { name: /app on this device/ })
      uri = (await link.getAttribute('href')) ?? ''
      const shown = (await page.locator('.two-factor-setup .dsn code').textContent()) ?? ''
      assert.equal(shown.replaceAll(' ', ''), new URL(uri).searchParams.get('secret'))

      await page.getByLabel('6-digit code').fill('12345')
      await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click()
      await page.getByText('this code is wrong').waitFor()
      assert.equal(await link.getAttribute('href'), uri)
      await page.getByLabel('6-digit code').fill(totp(uri))
      await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Your backup codes' }).waitFor()
      codes = await codesOf(page)
      assert.equal(new Set(codes).size, 10)
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download' }).click()
      const file = await readFile(await (await downloading).path(), 'utf8')
      assert.deepEqual(file.trim().split('\n').slice(1), codes)

      await page.getByRole('link', { name: 'I’ve saved these codes' }).click()
      await page.getByText('10 backup codes are left').waitFor()
      const html = await page.content()
      for (const code of codes) assert.equal(html.includes(code), false)
    }))

  test('then asks for a code after the password, and leads to the page that was asked for', () =>
    inBrowser(async (page) => {
      await typePassword(page, email)
      await page.waitForURL((url) => url.pathname === '/sign-in/code')
      const field = page.getByLabel('Code', { exact: true })
      assert.equal(await field.getAttribute('autocomplete'), 'one-time-code')
      assert.equal(await field.getAttribute('inputmode'), 'numeric')
      await page.goto(NEXT)
      assert.equal(new URL(page.url()).pathname, '/sign-in')
      await page.goBack()

      await typeCode(page, '000 000 0')
      await page.getByText('This code is wrong or was used already.').waitFor()
      assert.equal(await field.getAttribute('aria-invalid'), 'true')
      // The one of this half minute may be the one that turned it on: each works once, and the next is taken too.
      await typeCode(page, totp(uri, Date.now() + 30_000))
      await page.waitForURL((url) => url.pathname + url.search === NEXT.replaceAll('"', '%22'))
    }))

  test('takes a backup code once, and makes new ones', () =>
    inBrowser(async (page) => {
      const [first = ''] = codes
      await typePassword(page, email, '/settings/account')
      await typeCode(page, first.replace('-', ' '))
      await page.getByText('9 backup codes are left').waitFor()
      await page.getByText('New backup codes').click()
      await ownPassword(page).first().fill(PASSWORD)
      await page.getByRole('button', { name: 'Generate new codes' }).click()
      await page.getByRole('heading', { level: 1, name: 'Your backup codes' }).waitFor()
      const fresh = await codesOf(page)
      assert.equal(fresh.filter((code) => codes.includes(code)).length, 0)
      const other = await plainAfterPassword(email)
      await enterCode(other, codes[1] ?? '')
      other.shows('This code is wrong')
    }))

  test('a step that took too long leads back to the password, and says so', () =>
    inBrowser(async (page) => {
      await typePassword(page, email)
      await page.getByRole('heading', { level: 1, name: 'Enter your code' }).waitFor()
      await page.context().clearCookies()
      await typeCode(page, totp(uri))
      await page.getByText('Enter your password again.').waitFor()
      const { pathname, searchParams } = new URL(page.url())
      assert.deepEqual([pathname, searchParams.get('next')], ['/sign-in', NEXT.replaceAll('"', '%22')])
      await page.goto('/sign-in/code')
      assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/sign-in?expired=code')
    }))

  test('is turned off with the password, and on again for the operator to turn off', () =>
    inBrowser(async (page) => {
      sondeJson(sonde.dataDir, ['user', 'reset-two-factor', '--email', email])
      await typePassword(page, email, '/settings/account')
      await ownPassword(page).fill(PASSWORD)
      await page.getByRole('button', { name: 'Turn on' }).click()
      const link = page.getByRole('link', { name: /app on this device/ })
      await page.getByLabel('6-digit code').fill(totp((await link.getAttribute('href')) ?? ''))
      await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click()
      await page.getByRole('link', { name: 'I’ve saved these codes' }).click()
      await page.getByText('Turn off', { exact: true }).click()
      await ownPassword(page).last().fill(PASSWORD)
      await page.getByRole('button', { name: 'Turn off two-factor sign-in' }).click()
      await page.getByText('Two-factor authentication turned off.').waitFor()
      assert.equal((await plainAfterPassword(email, '/acme')).url.pathname, '/acme')
    }))
})

async function plainAfterPassword(email: string, next = NEXT): Promise<PlainPage> {
  const page = openPlainPage(sonde.url)
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
  page.fill('E-mail', email)
  page.fill('Password', PASSWORD)
  await page.press('Sign in')
  return page
}

async function enterCode(page: PlainPage, code: string): Promise<void> {
  page.fill('Code', code)
  await page.press('Sign in')
}

const plainCodes = (page: PlainPage): string[] => page.parts('.backup-codes code').map(({ text }) => text)
const heading = (page: PlainPage): string => page.part('h1').text
const appLink = (page: PlainPage): string =>
  page.links(/app on this device/)[0]?.element.getAttribute('href') ?? assert.fail(page.text)

async function startPlainSetup(page: PlainPage, password = PASSWORD): Promise<void> {
  page.part('#two-factor').fill('Your password', password)
  await page.part('#two-factor').press('Turn on')
}

async function confirmPlainSetup(page: PlainPage, code: string): Promise<void> {
  page.fill('6-digit code', code)
  await page.press('Turn on two-factor sign-in')
}

describe('without JavaScript, two-factor sign-in', () => {
  let email: string
  let uri = ''
  let codes: string[] = []
  before(() => {
    email = newPerson('grace')
  })

  test('is set up with password and first code; a wrong one of either is said and costs nothing', async () => {
    const page = await plainAfterPassword(email, '/settings/account')
    await startPlainSetup(page, 'not my password')
    page.shows('this is not your current password')
    await startPlainSetup(page)
    assert.equal(page.parts('svg[role=img][aria-label^="QR code"]').length, 1)
    uri = appLink(page)
    const shown = page.part('.two-factor-setup .dsn code').text
    assert.equal(shown.replaceAll(' ', ''), new URL(uri).searchParams.get('secret'))

    await confirmPlainSetup(page, '12345')
    page.shows('this code is wrong')
    assert.equal(appLink(page), uri)
    await confirmPlainSetup(page, totp(uri))
    assert.equal(heading(page), 'Your backup codes')
    codes = plainCodes(page)
    assert.equal(new Set(codes).size, 10)
    const file = await (await fetch(page.links('Download')[0]?.element.getAttribute('href') ?? '')).text()
    assert.deepEqual(file.trim().split('\n').slice(1), codes)

    await page.follow('I’ve saved these codes')
    page.shows('10 backup codes are left')
    for (const code of codes) assert.equal(page.html.includes(code), false)
  })

  test('then asks for a code after the password, and leads to the page that was asked for', async () => {
    const page = await plainAfterPassword(email)
    assert.equal(page.url.pathname, '/sign-in/code')
    const attribute = (name: string) => page.field('Code').element.getAttribute(name)
    assert.deepEqual([attribute('autocomplete'), attribute('inputmode')], ['one-time-code', 'numeric'])
    const { href } = page.url
    await page.goto(NEXT)
    assert.equal(page.url.pathname, '/sign-in')
    await page.goto(href)

    await enterCode(page, '000 000 0')
    page.shows('This code is wrong or was used already.')
    assert.equal(attribute('aria-invalid'), 'true')
    // As above: the code of this half minute may be used already.
    await enterCode(page, totp(uri, Date.now() + 30_000))
    assert.equal(page.url.pathname + page.url.search, NEXT.replaceAll('"', '%22'))
  })

  test('takes a backup code once, and makes new ones', async () => {
    const page = await plainAfterPassword(email, '/settings/account')
    await enterCode(page, (codes[0] ?? '').replace('-', ' '))
    page.shows('9 backup codes are left')
    const form = page.part('#two-factor details', 'New backup codes')
    form.fill('Your password', PASSWORD)
    await form.press('Generate new codes')
    assert.equal(heading(page), 'Your backup codes')
    const fresh = plainCodes(page)
    assert.equal(fresh.length, 10)
    assert.equal(fresh.filter((code) => codes.includes(code)).length, 0)
    const other = await plainAfterPassword(email)
    await enterCode(other, codes[1] ?? '')
    other.shows('This code is wrong')
  })

  test('a step that took too long leads back to the password, and says so', async () => {
    const page = await plainAfterPassword(email)
    assert.equal(heading(page), 'Enter your code')
    page.clearCookies()
    await enterCode(page, totp(uri))
    page.shows('Enter your password again.')
    const { pathname, searchParams } = page.url
    assert.deepEqual([pathname, searchParams.get('next')], ['/sign-in', NEXT.replaceAll('"', '%22')])
    await page.goto('/sign-in/code')
    assert.equal(page.url.pathname + page.url.search, '/sign-in?expired=code')
  })

  test('is turned off with the password, and on again for the operator to turn off', async () => {
    sondeJson(sonde.dataDir, ['user', 'reset-two-factor', '--email', email])
    const page = await plainTurnedOn(email)
    await page.follow('I’ve saved these codes')
    const form = page.part('#two-factor details', 'Turn off')
    form.fill('Your password', PASSWORD)
    await form.press('Turn off two-factor sign-in')
    page.shows('Two-factor authentication turned off.')
    assert.equal((await plainAfterPassword(email, '/acme')).url.pathname, '/acme')
  })
})

/** With the backup codes on it. */
async function plainTurnedOn(email: string): Promise<PlainPage> {
  const page = await plainAfterPassword(email, '/settings/account')
  await startPlainSetup(page)
  await confirmPlainSetup(page, totp(appLink(page)))
  assert.equal(heading(page), 'Your backup codes')
  return page
}

test('guessing codes is stopped, in whatever browser, and who lost everything is helped at the command line', async () => {
  const email = newPerson('alan')
  await plainTurnedOn(email)
  const post = async (path: string, fields: Readonly<Record<string, string>>, cookie = '') => {
    const headers = { origin: sonde.url, cookie }
    const body = new URLSearchParams(fields)
    return fetch(`${sonde.url}${path}`, { method: 'POST', headers, body, redirect: 'manual' })
  }
  const cookieOf = (answer: Response): string =>
    answer.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ')
  const pending = cookieOf(await post('/sign-in', { email, password: PASSWORD }))
  const guess = async (code: string): Promise<string> => {
    const answer = await post('/sign-in/code', { code }, pending)
    assert.equal(answer.status, 422)
    return answer.text()
  }
  for (let code = 0; code < 10; code++) assert.match(await guess(`00000${code}`), /This code is wrong/)
  assert.match(await guess('000010'), /Too many tries\. Wait 5 min/)
  const reset = sondeJson<{ wasOn: boolean }>(sonde.dataDir, ['user', 'reset-two-factor', '--email', email])
  assert.deepEqual(reset, { email, wasOn: true, endedTokens: 0, keptTokens: 0 })
  const again = await post('/sign-in', { email, password: PASSWORD })
  assert.deepEqual([again.status, again.headers.get('location')], [303, '/'])
})
