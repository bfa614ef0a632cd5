/** Releases as people go through them: from the list to one, to two, from an issue's chart, with odd names. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { openPlainPage, type PlainPage } from './plain-page.ts'
import { buildsOf, fillReleases, NEW, OLD } from './release-events.ts'
import { messageEvent, sendEvent } from './screens-events.ts'
import { quietVisit, sessionOf } from './screens-visit.ts'

/** Names that would be another page, another step of the path, or another parameter. */
const ODD = ['compare', `it's a+b@1 & 100% ?x=#y`, `${'ü '.repeat(90)}end`]

let sonde: RunningSonde
let browser: Browser
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>

before(async () => {
  sonde = await startSonde()
  const { dsn } = createProject(sonde, 'acme/shop')
  createProject(sonde, 'acme/fresh')
  const odd = createProject(sonde, 'acme/odd')
  await fillReleases(sonde, dsn)
  const builds = buildsOf(sonde)
  for (const version of ODD) await builds.release('acme', 'odd', version)
  await sendEvent(odd.dsn, { ...messageEvent(Date.now(), 'odd'), release: ODD[1] })
  const api = apiClient(sonde)
  type Listed = { readonly version: string; readonly firstEvent: string | null }
  const isSeen = (version: string) => (releases: readonly Listed[]) =>
    releases.some((release) => release.version === version && release.firstEvent !== null)
  // The last that was sent of each project.
  await api.until('/api/0/projects/acme/odd/releases/', isSeen(ODD[1] ?? ''))
  await api.until<readonly unknown[]>(
    '/api/0/projects/acme/shop/issues/?query=',
    ({ length }) => length === 1,
  )
  browser = await launchChromium()
  signedIn = await sessionOf(sonde.url)
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

/** Signed in; the page must have complained of nothing. */
const withPage = (run: (page: Page) => Promise<void>): Promise<void> =>
  quietVisit(browser, sonde.url, { storageState: signedIn }, run)

/** As it is without scripts. */
async function plainPage(path: string): Promise<PlainPage> {
  const page = openPlainPage(sonde.url, signedIn)
  assert.equal(await page.goto(path), 200)
  return page
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test('from the list to the newest release, its issues, and how it differs from the one before', () =>
  withPage(async (page) => {
    await page.goto('/acme/shop/issues')
    await page.getByRole('link', { name: 'Releases', exact: true }).click()
    const rows = page.getByRole('region', { name: 'Releases' }).getByRole('row')
    await rows.nth(1).waitFor()
    assert.match(
      await rows.nth(1).innerText(),
      /^shop@4\.12\.0\s+production 4h ago\s+staging 5h ago\s+Worse\s+50%/,
    )
    assert.match(await rows.nth(2).innerText(), /^shop@4\.11\.0[^]*first release/)
    assert.match(await rows.nth(1).innerText(), /Upload/)
    await page.getByRole('link', { name: NEW, exact: true }).click()
    await heading(page, NEW).waitFor()
    await page.getByRole('link', { name: 'TypeError' }).waitFor()
    const verdict = page.getByRole('region', { name: 'Verdict' })
    assert.match(
      await verdict.innerText(),
      /Worse shop@4\.12\.0 is worse than shop@4\.11\.0\.\s+More sessions crash: \+[\d.]+ points, 95% interval/,
    )
    assert.match(
      await verdict.innerText(),
      /Not enough data on users with an error: [^]* more users of this release are needed\./,
    )
    await page
      .getByRole('navigation', { name: 'Issue filter' })
      .getByRole('link', { name: 'Resolved 0' })
      .click()
    await page.getByText('No issues resolved in this release.').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('issues'), 'resolved')
    const feels = page.getByRole('region', { name: 'Performance' })
    assert.match(
      await feels.getByRole('row', { name: /^LCP/ }).first().innerText(),
      /\d+% slower than before/,
    )
    assert.match(
      await feels
        .getByRole('row', { name: /^Failed or abandoned navigations/ })
        .first()
        .innerText(),
      /more failures/,
    )
    await page.getByText('Discounts are money too').waitFor()
    await page.getByRole('link', { name: 'Compare with previous' }).click()
    await heading(page, 'Compare releases').waitFor()
    await page.getByRole('region', { name: 'Verdict' }).getByText('is worse than').waitFor()
    const both = page.getByRole('region', { name: 'Both releases' })
    assert.match(await both.getByRole('row', { name: /^New issues/ }).innerText(), /^New issues\s+0\s+1$/)
    await page
      .getByRole('region', { name: `Only in ${NEW}` })
      .getByRole('link', { name: 'TypeError' })
      .waitFor()
    await page
      .getByRole('region', { name: `Only in ${OLD}` })
      .getByText('No unique issues')
      .waitFor()
  }))

test('by keyboard: from row to row, into one, and back', () =>
  withPage(async (page) => {
    await page.goto('/acme/shop/releases')
    await page.getByRole('button', { name: 'Search or jump to…' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), OLD)
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await heading(page, NEW).waitFor()
    // Once a chart is drawn the page listens.
    await page.locator('.chart[data-drawn]').first().waitFor()
    await page.keyboard.press('u')
    await heading(page, 'Releases of shop').waitFor({ state: 'attached' })
  }))

test('without JavaScript: searching, which issues, and which two are compared', async () => {
  const page = await plainPage('/acme/shop/releases')
  page.fill('Filter by version', '4.11')
  await page.press('Search')
  assert.equal(page.links(NEW).length, 0)
  await page.follow(OLD)
  await page.follow('Regressed 0')
  page.shows('No regressions in this release.')
  await page.goto('/acme/shop/releases/compare')
  page.fill('Release', NEW)
  page.fill('with', 'nothing@1')
  await page.press('Compare')
  page.shows('Unknown release')
  page.fill('with', OLD)
  await page.press('Compare')
  const { searchParams } = page.url
  assert.deepEqual([searchParams.get('a'), searchParams.get('b')], [NEW, OLD])
  assert.ok(page.region('Both releases').text)
})

test('a release is reached whatever it is called, by a press and by its address', () =>
  withPage(async (page) => {
    await page.goto('/acme/odd/releases')
    for (const name of ODD) {
      await page.getByRole('link', { name: name.trim(), exact: true }).click()
      await heading(page, name.trim()).waitFor()
      const address = new URL(page.url())
      const plain = await plainPage(address.pathname + address.search)
      assert.equal(plain.part('h1').text, name.trim())
      await page.getByRole('link', { name: 'All releases' }).click()
      await page.getByRole('link', { name: 'Compare releases' }).waitFor()
    }
    await page.getByRole('link', { name: 'Compare releases' }).click()
    await page.getByLabel('Release', { exact: true }).fill(ODD[1] ?? '')
    await page.getByLabel('with').fill('compare')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page
      .getByRole('region', { name: 'Both releases' })
      .getByRole('link', { name: ODD[1] ?? '' })
      .waitFor()
  }))

test('an issue says which commit probably caused it, and on its chart where its release was deployed', async () => {
  const page = await plainPage('/acme/shop/issues/SHOP-1')
  const suspect = page.part('aside li', 'Discounts are money too')
  assert.match(suspect.text, /Grace 5h ago, c3c3c3c3 ?src\/cart\/total\.ts:\d+$/)
  await page.part('tr', 'deployed to production').follow(NEW)
  assert.equal(page.part('h1').text, NEW)
})

test('where there is none, the page says what makes one, for this project', async () => {
  const page = await plainPage('/acme/fresh/releases')
  assert.ok(page.hasExactly('No releases yet'))
  const commands = page.part('[aria-label="commands that create a release"]').element.textContent ?? ''
  assert.match(commands, /SENTRY_PROJECT=fresh\n[^]*releases new "\$VERSION"/)
  await page.goto('/acme/fresh/releases/compare')
  page.shows('Nothing to compare yet')
})

test('an issue is resolved in the next release or in a named one, and taken back', () =>
  withPage(async (page) => {
    await page.goto('/acme/shop/issues?query=')
    await page.getByRole('link', { name: 'TypeError' }).click()
    const resolveIn = async (version: string, button: string): Promise<void> => {
      await page.locator('summary[aria-label="Resolve in a release"]').click()
      await page.getByLabel('or in').fill(version)
      await page.getByRole('button', { name: button }).click()
    }
    await page
      .getByRole('button', { name: 'Reopen' })
      .or(page.getByRole('button', { name: 'Resolve', exact: true }))
      .waitFor()
    await resolveIn(NEW, 'Resolve in the next release')
    const state = page.locator('.issue-meta')
    await state.getByText(`in the next release after ${NEW}`).waitFor()
    await page.getByRole('button', { name: 'Reopen' }).click()
    // The way back of the resolving is still there as well.
    await page.locator('.toast', { hasText: 'Reopened.' }).getByRole('button', { name: 'Undo' }).click()
    await state.getByText(`in the next release after ${NEW}`).waitFor()
    await page.getByRole('button', { name: 'Reopen' }).click()
    await resolveIn(OLD, 'Resolve in this release')
    await state.getByText(`in ${OLD}`).waitFor()
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor()
  }))
