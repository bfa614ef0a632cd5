/** Sonde's own screens report to a project of their own, unless they are told not to. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ApiClient, apiClient } from '../harness/api-client.ts'
import { OWNER, type RunningSonde, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { signedInPlain } from './plain-page.ts'
import { sessionOf, visit } from './screens-visit.ts'

const data = temporaryDataDir()
let sonde: RunningSonde
let api: ApiClient
let browser: Browser
const ISSUES = '/api/0/projects/default/sonde/issues/'
const reportStart = (html: string): string | undefined =>
  /<meta name="sonde-report" content="([^"]*)"/.exec(html)?.[1]

before(async () => {
  sonde = await startSonde({ dataDir: data.dir, env: { SONDE_SELF_REPORT: 'on' } })
  api = apiClient(sonde)
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await sonde?.stop()
  data.remove()
})

const asOwner = async () => visit(browser, sonde.url, { storageState: await sessionOf(sonde.url) })

test('strangers get no DSN, people who are signed in do', async () => {
  const key = /[0-9a-f]{32}@/
  for (const path of [
    '/sign-in',
    '/sign-in/code',
    '/',
    '/default/sonde/issues',
    '/settings',
    '/no/such/page/at/all',
    '/%',
  ])
    for (const headers of [{}, { cookie: 'sonde.session_token=made.up' }]) {
      const answer = await fetch(`${sonde.url}${path}`, { headers })
      assert.doesNotMatch(await answer.text(), new RegExp(`sonde-report|${key.source}`), path)
    }
  for (const path of ['/sign-in', '/sign-out']) {
    const body = new URLSearchParams({ email: OWNER.email, password: 'wrong' })
    const answer = await fetch(`${sonde.url}${path}`, {
      method: 'POST',
      body,
      headers: { origin: sonde.url },
    })
    assert.ok(answer.status < 500)
    assert.doesNotMatch(await answer.text(), new RegExp(`sonde-report|${key.source}`), path)
  }
  const page = await signedInPlain(sonde.url)
  assert.match(reportStart(page.html) ?? '', key)
  await page.press('Sign out')
  assert.equal(page.url.pathname, '/sign-in')
  assert.equal(reportStart(page.html), undefined)
})

test('errors of a screen stand in the project, also those that came before the reporter did', async () => {
  const { page, complaints, close } = await asOwner()
  await page.addInitScript(() => {
    // Later than the page's own scripts, earlier than the chunk with the reporter, which is asked for after this.
    addEventListener('load', () => {
      throw new RangeError('before the reporter')
    })
  })
  const reported = page.waitForRequest(/\/monitoring/)
  await page.goto('/default/sonde/issues?query=is%3Aunresolved+secret-word')
  await reported
  await page.evaluate(() => setTimeout(() => structuredClone(window)))
  const list = await api.until<{ title: string; id: string }[]>(ISSUES, ({ length }) => length > 1)
  assert.deepEqual(
    new Set(list.map(({ title }) => title.split(':')[0])),
    new Set(['DataCloneError', 'RangeError']),
  )
  for (const { id } of list) {
    const { body } = await api.get<{ user: unknown }>(
      `/api/0/organizations/default/issues/${id}/events/latest/`,
    )
    assert.equal(body.user, null)
    assert.doesNotMatch(JSON.stringify(body), /secret-word|owner@example/)
  }
  assert.deepEqual(
    complaints().filter((text) => !/before the reporter|structuredClone|could not be cloned/.test(text)),
    [],
  )
  await tabIsTold()
  await close()
})

/** While the tab above is open, its build stands among those that run. */
async function tabIsTold(): Promise<void> {
  const plain = await signedInPlain(sonde.url)
  const untilMs = Date.now() + 30_000
  // With ≥ it is a guess from a page load; the tab itself says that it is open.
  const isTold = (): boolean => plain.has(/1 open tab on sonde@\S+, 0 on older builds/) && !plain.has('≥')
  do await plain.goto('/default/sonde/navigations')
  while (!isTold() && Date.now() < untilMs)
  assert.ok(isTold(), plain.text)
}

test('the operator switches it off: the next page reports nothing and loads no reporter', async () => {
  const plain = await signedInPlain(sonde.url)
  await plain.goto('/settings/status')
  assert.notEqual(reportStart(plain.html), undefined)
  await plain.press('Pause reporting')
  await plain.goto('/settings/status')
  assert.equal(plain.buttons('Resume reporting').length, 1)
  const { page, complaints, close } = await asOwner()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/settings/status', { waitUntil: 'networkidle' })
  assert.equal(reportStart(await page.content()), undefined)
  assert.deepEqual(
    asked.filter((url) => /monitoring|report-screens/.test(url)),
    [],
  )
  assert.deepEqual(complaints(), [])
  await close()
})

test('the setting makes no project and leaves no switch', async () => {
  const off = await startSonde({ env: { SONDE_SELF_REPORT: 'off' } })
  try {
    assert.equal((await apiClient(off).get('/api/0/projects/default/sonde/')).status, 404)
    const page = await signedInPlain(off.url)
    await page.goto('/settings/status')
    page.shows('SONDE_SELF_REPORT=off')
  } finally {
    await off.stop()
  }
})
