/** Signing in, with two steps and before them, held to axe's rules. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { createProject } from '../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { totp } from '../harness/totp.ts'
import { inEveryLook, WIDE } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { signIn, visit } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser

before(async () => {
  sonde = await startSonde()
  createProject(sonde, 'acme/shop')
  browser = await launchChromium()
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

describe('no violation of axe', () => {
  test('on the steps of two-factor sign-in', async () => {
    const email = 'axe@example.com'
    const password = 'two steps to sign in'
    sondeJson(sonde.dataDir, ['user', 'create', '--org', 'acme', '--email', email, '--password', password])
    const { page, close } = await visit(browser, sonde.url, { viewport: WIDE })
    try {
      await page.goto('/sign-in?next=/settings/account')
      await signIn(page, { email, password })
      await page
        .getByRole('region', { name: 'Two-factor sign-in' })
        .getByLabel('Your password')
        .fill(password)
      await page.getByRole('button', { name: 'Turn on' }).click()
      const app = page.getByRole('link', { name: /app on this device/ })
      const uri = (await app.getAttribute('href')) ?? ''
      await inEveryLook(page)
      await page.getByLabel('6-digit code').fill(totp(uri))
      await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Your backup codes' }).waitFor()
      await inEveryLook(page)
      await page.getByRole('link', { name: 'I’ve saved these codes' }).click()
      await page.getByText('Turn off', { exact: true }).click()
      await inEveryLook(page)
      await page.context().clearCookies()
      await page.goto('/sign-in/code')
      await page.getByText('Enter your password again.').waitFor()
      await inEveryLook(page)
      await signIn(page, { email, password })
      await page.getByLabel('Code', { exact: true }).fill('no code')
      await page.getByText('Lost your phone?').click()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('This code is wrong').waitFor()
      await inEveryLook(page)
    } finally {
      await close()
    }
  })
})
