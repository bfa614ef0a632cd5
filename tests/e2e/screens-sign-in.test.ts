/** Signing in and out, in Chromium. Codes of two-factor sign-in: `screens-two-factor.test.ts`. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { createProject } from '../harness/api-client.ts'
import { OWNER, type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium, launchFullChromium } from './chromium.ts'
import { openPlainPage } from './plain-page.ts'
import { signIn, type Visit, visit, visitSignedIn } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser
const ASKED = '/acme/shop/issues?query=is%3Aresolved&statsPeriod=7d'

before(async () => {
  sonde = await startSonde()
  createProject(sonde, 'acme/shop')
  browser = await launchChromium()
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

/** Opens a browser for one test, and holds the page to having complained of nothing. */
async function withVisit(
  open: () => Promise<Visit>,
  run: (visited: Visit) => Promise<void>,
  isExpected: (complaint: string) => boolean = () => false,
): Promise<void> {
  const visited = await open()
  try {
    await run(visited)
    assert.deepEqual(
      visited.complaints().filter((complaint) => !isExpected(complaint)),
      [],
    )
  } finally {
    await visited.close()
  }
}

const anonymous = () => visit(browser, sonde.url)
const withoutScripts = () => visit(browser, sonde.url, { javaScriptEnabled: false })
const owner = () => visitSignedIn(browser, sonde.url)
/** Chromium names every refused answer on the console. */
const isStatus = (complaint: string): boolean => complaint.startsWith('Failed to load resource')

describe('signing in', () => {
  for (const [how, open] of [
    ['with JavaScript', anonymous],
    ['without JavaScript', withoutScripts],
  ] as const) {
    test(`${how}, a wrong password keeps the form and the address, a right one leads to the page that was asked for`, () =>
      withVisit(
        open,
        async ({ page }) => {
          await page.goto(ASKED)
          assert.equal(new URL(page.url()).pathname, '/sign-in')
          await signIn(page, { email: OWNER.email, password: 'a wrong password' })
          await page.getByRole('alert').filter({ hasText: 'Wrong e-mail address or password.' }).waitFor()
          assert.equal(await page.getByLabel('E-mail').inputValue(), OWNER.email)
          await signIn(page)
          await page.waitForURL(`${sonde.url}${ASKED}`)
          await page.getByRole('heading', { level: 1 }).waitFor()
        },
        isStatus,
      ))
  }

  test('never leads to another origin', async () => {
    const page = openPlainPage(sonde.url)
    await page.goto('/sign-in?next=%2F%2Fexample.com%2F')
    page.fill('E-mail', OWNER.email)
    page.fill('Password', OWNER.password)
    await page.press('Sign in')
    assert.notEqual(page.url.pathname, '/sign-in')
    assert.equal(page.url.origin, new URL(sonde.url).origin)
  })

  test('signing out ends the session', () =>
    withVisit(
      owner,
      async ({ page }) => {
        await page.getByLabel(/^Account/).click()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('heading', { name: 'Sign in to Sonde' }).waitFor()
        await page.goto('/acme')
        assert.equal(new URL(page.url()).pathname, '/sign-in')
      },
      // The live feed is refused when it asks again before the page is left.
      (complaint) => isStatus(complaint) && complaint.includes(' 401 '),
    ))
})

test('after signing out, Back does not bring the screens to life that lie in the browser’s memory', async () => {
  const remembering = await launchFullChromium({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  try {
    const { page, close } = await visitSignedIn(remembering, sonde.url)
    await page.goto('/acme/shop/issues')
    await page.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => {
        if (persisted) sessionStorage.setItem('restored', 'yes')
      })
    })
    await page.getByLabel(/^Account/).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Sonde' }).waitFor()
    await page.goBack({ waitUntil: 'commit' })
    await page.waitForURL((url) => url.pathname === '/sign-in')
    await page.getByRole('heading', { name: 'Sign in to Sonde' }).waitFor()
    // Else this browser remembered nothing, and the test shows nothing.
    assert.equal(await page.evaluate(() => sessionStorage.getItem('restored')), 'yes')
    await close()
  } finally {
    await remembering.close()
  }
})
