/** Sonde's own screens report to a project of their own, unless they are told not to. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ApiClient, apiClient } from '../harness/api-client.ts'
import { type RunningSonde, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { visitSignedIn } from './screens-visit.ts'

const data = temporaryDataDir()
let sonde: RunningSonde
let api: ApiClient
let browser: Browser
const ISSUES = '/api/0/projects/default/sonde/issues/'
const START = 'meta[name="sonde-report"]'

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

test('errors of a screen stand in the project, also those that came before the reporter did', async () => {
  const { page, complaints, close } = await visitSignedIn(browser, sonde.url)
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
  await close()
})

test('the operator switches it off: the next page reports nothing and loads no reporter', async () => {
  const { page, complaints, close } = await visitSignedIn(browser, sonde.url)
  await page.goto('/settings/status')
  assert.equal(await page.locator(START).count(), 1)
  await page.getByRole('button', { name: 'Stop reporting' }).click()
  await page.getByRole('button', { name: 'Report again' }).waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.reload({ waitUntil: 'networkidle' })
  assert.equal(await page.locator(START).count(), 0)
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
    const { page, close } = await visitSignedIn(browser, off.url)
    await page.goto('/settings/status')
    await page.getByText('SONDE_SELF_REPORT is off').waitFor()
    await close()
  } finally {
    await off.stop()
  }
})
