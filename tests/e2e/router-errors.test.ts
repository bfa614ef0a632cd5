/** Facts E1 and E2 in a real browser: every way to fail ends in the same sentence. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { openPage } from './router-browser.ts'
import { type Sample, startSample } from './router-sample.ts'

let browser: Browser
let sample: Sample
before(async () => {
  ;[browser, sample] = await Promise.all([launchChromium(), startSample()])
})
after(async () => {
  await browser.close()
  await sample[Symbol.asyncDispose]()
})
beforeEach(() => {
  sample.asked.length = 0
  sample.errors.length = 0
})

const sentence = (): string =>
  `Application error: a client-side or server-side exception has occurred while loading ${sample.host} (see the browser console or server logs for more information)`

async function shownFailure(
  page: Page,
): Promise<{ first: string; digest: string | undefined; html: string }> {
  await page.getByText('Application error: ').waitFor()
  const lines = (await page.locator('body').innerText()).split('\n').filter((line) => line.trim() !== '')
  return {
    first: lines[0] ?? '',
    digest: lines.find((line) => line.startsWith('Digest: ')),
    html: await page.content(),
  }
}

function assertServerFailure(shown: Awaited<ReturnType<typeof shownFailure>>): void {
  assert.equal(shown.first, sentence())
  const [report] = sample.errors
  assert.match(report?.digest ?? '', /^\d{1,10}$/)
  assert.equal(shown.digest, `Digest: ${report?.digest}`)
  assert.ok(report?.error instanceof Error && report.error.stack?.includes('secret detail'))
  assert.ok(!shown.html.includes('secret detail'), 'the message stays on the server')
}

describe('a failure on the server', () => {
  for (const path of ['/fails', '/fails-in-shell']) {
    for (const javaScriptEnabled of [true, false]) {
      test(`${path}, first load, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
        await using t = await openPage(browser, { javaScriptEnabled })
        const response = await t.page.goto(sample.origin + path)
        assert.equal(response?.status(), 500)
        assertServerFailure(await shownFailure(t.page))
      })
    }
  }

  test('on a navigation', async () => {
    await using t = await openPage(browser)
    await t.start(sample.origin)
    await t.click('/fails')
    assertServerFailure(await shownFailure(t.page))
    assert.equal(t.documents.length, 1)
    assert.equal(t.page.url(), `${sample.origin}/fails`)
    await t.click('Go elsewhere')
    await t.heading('Organization acme')
    assert.equal(t.documents.length, 1)
  })

  test('after the shell was streamed, when the browser cannot do better', async () => {
    await using t = await openPage(browser)
    await t.page.goto(`${sample.origin}/fails-late-everywhere`)
    assertServerFailure(await shownFailure(t.page))
  })

  test('after the shell was streamed, without JavaScript', async () => {
    await using t = await openPage(browser, { javaScriptEnabled: false })
    await t.page.goto(`${sample.origin}/fails-late-everywhere`)
    await t.heading('The shell')
    const { digest } = sample.errors[0] ?? {}
    const lines = (await t.page.locator('body').innerText()).split('\n').filter((line) => line.trim() !== '')
    assert.deepEqual(lines.slice(-2), [sentence(), `Digest: ${digest}`])
    assert.ok(!(await t.page.content()).includes('secret detail'))
  })

  test('whose digest the browser has no use for is not told beside a failure of the browser', async () => {
    await using t = await openPage(browser)
    await t.page.goto(`${sample.origin}/fails-late`)
    await t.page.getByRole('button', { name: 'break' }).click()
    const shown = await shownFailure(t.page)
    assert.equal(shown.first, sentence())
    assert.equal(shown.digest, undefined)
  })

  test('after the shell was streamed, is not seen when the browser can render the rest', async () => {
    await using t = await openPage(browser)
    await t.page.goto(`${sample.origin}/fails-late`)
    await t.page.locator('#late').waitFor()
    assert.equal(sample.errors.length, 1)
    assert.ok(!(await t.page.content()).includes('secret detail'))
  })
})

describe('a failure in the browser has the sentence and no digest', () => {
  test('on the first load', async () => {
    await using t = await openPage(browser)
    await t.page.goto(`${sample.origin}/fails-in-browser`)
    const shown = await shownFailure(t.page)
    assert.equal(shown.first, sentence())
    assert.equal(shown.digest, undefined)
    assert.deepEqual(sample.errors, [])
    assert.ok(
      t.complaints.some((text) => text.includes('only in the browser')),
      'the console says what it was',
    )
  })

  test('on a navigation, and going back works', async () => {
    await using t = await openPage(browser)
    await t.start(sample.origin)
    await t.click('/fails-in-browser')
    const shown = await shownFailure(t.page)
    assert.equal(shown.first, sentence())
    assert.equal(shown.digest, undefined)
    const error = (await t.events()).find((event) => event.type === 'error')
    assert.ok(error, 'a reporter hears of it')
    await t.page.goBack()
    await t.heading('Home')
    assert.equal(t.documents.length, 1)
  })
})

test('what does not exist is no failure: its own page, status 404, no sentence', async () => {
  await using t = await openPage(browser)
  const response = await t.page.goto(`${sample.origin}/missing`)
  assert.equal(response?.status(), 404)
  await t.heading('Nothing here (404)')
  assert.ok(!(await t.page.content()).includes('Application error'))
  assert.deepEqual(sample.errors, [])
})
