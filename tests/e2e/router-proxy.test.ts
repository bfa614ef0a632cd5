/** Posts behind a proxy that speaks to the pages under another name, and posts that come from another site. */
import assert from 'node:assert/strict'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { openPage } from './router-browser.ts'
import { type Sample, startSample } from './router-sample.ts'

let browser: Browser
let sample: Sample
let proxy: Server
/** Where people are: the proxy's name. The pages themselves listen at `sample.origin`. */
let publicOrigin: string

before(async () => {
  proxy = createServer((incoming, outgoing) => {
    const { hostname, port, host } = new URL(sample.origin)
    const { method, url, headers } = incoming
    const sent = request({ hostname, port, method, path: url, headers: { ...headers, host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  publicOrigin = `http://localhost:${(proxy.address() as AddressInfo).port}`
  ;[browser, sample] = await Promise.all([launchChromium(), startSample({ publicOrigin })])
})
after(async () => {
  await browser.close()
  await sample[Symbol.asyncDispose]()
  proxy.closeAllConnections()
  await new Promise((resolve) => proxy.close(resolve))
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript'

  test(`${how}: under its public origin a form is posted and its redirect stays there`, async () => {
    sample.posted.length = 0
    await using t = await openPage(browser, { javaScriptEnabled })
    await t.page.goto(`${publicOrigin}/form`)
    await t.page.getByLabel('Name').fill('grace')
    await t.page.getByRole('button', { name: 'Save' }).click()
    await t.heading('Organization acme')
    assert.equal(t.page.url(), `${publicOrigin}/acme`)
    assert.deepEqual(sample.posted, ['grace'])
  })

  test(`${how}: under any other name the same form is refused`, async () => {
    sample.posted.length = 0
    await using t = await openPage(browser, { javaScriptEnabled })
    await t.page.goto(`${sample.origin}/form`)
    await t.page.getByLabel('Name').fill('grace')
    const answered = t.page.waitForResponse((response) => response.request().method() === 'POST')
    await t.page.getByRole('button', { name: 'Save' }).click()
    assert.equal((await answered).status(), 403)
    assert.deepEqual(sample.posted, [])
  })
}

test('a form of another site is refused before anything runs', async () => {
  sample.posted.length = 0
  await using t = await openPage(browser)
  await t.page.route('http://evil.test/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${publicOrigin}/form"><input name="name" value="mallory"><button>Win</button></form>`,
    }),
  )
  await t.page.goto('http://evil.test/')
  const answered = t.page.waitForResponse((response) => response.request().method() === 'POST')
  await t.page.getByRole('button', { name: 'Win' }).click()
  assert.equal((await answered).status(), 403)
  await t.page.waitForURL(`${publicOrigin}/form`)
  assert.deepEqual(sample.posted, [])
})

test('the fall-back page names the public host', async () => {
  await using t = await openPage(browser)
  await t.page.goto(`${publicOrigin}/fails`)
  const text = await t.page.locator('h1').innerText()
  assert.ok(text.includes(`while loading ${new URL(publicOrigin).host} (see`), text)
})
