/** Forms of the router in a real browser, with and without JavaScript. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { eventually, openPage, type TestPage } from './router-browser.ts'
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
  sample.posted.length = 0
  sample.arrived.length = 0
})

async function fill(page: Page, name: string, password = ''): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(password)
}
const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save' }).click()

async function openForm(javaScriptEnabled: boolean): Promise<TestPage> {
  const t = await openPage(browser, { javaScriptEnabled })
  await start(t, javaScriptEnabled)
  return t
}
async function start({ page, start: begin }: TestPage, javaScriptEnabled: boolean): Promise<void> {
  if (javaScriptEnabled) await begin(`${sample.origin}/form`)
  else await page.goto(`${sample.origin}/form`)
}

for (const javaScriptEnabled of [true, false]) {
  describe(`JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    test('a redirect after a post is 303 and brings the cookies that the action set', async () => {
      await using t = await openForm(javaScriptEnabled)
      await fill(t.page, 'grace')
      await save(t.page)
      await t.heading('Organization acme')
      assert.equal(t.page.url(), `${sample.origin}/acme`)
      assert.equal(await t.page.locator('#cookie').innerText(), 'who=grace; second=2')
      assert.deepEqual(sample.posted, ['grace'])
      assert.equal(t.documents.length, javaScriptEnabled ? 1 : 3)
      assert.equal(sample.dataRequests('/acme').length, javaScriptEnabled ? 1 : 0)
    })

    test('a refusal says why and keeps what was typed', async () => {
      await using t = await openForm(javaScriptEnabled)
      await fill(t.page, 'ab', 'hunter2')
      await save(t.page)
      await t.page.getByText('"ab" is too short').waitFor()
      assert.equal(await t.page.getByLabel('Name').inputValue(), 'ab')
      // Without JavaScript the page is made anew, and a password is never sent back.
      assert.equal(await t.page.getByLabel('Password').inputValue(), javaScriptEnabled ? 'hunter2' : '')
      assert.ok(!(await t.page.content()).includes('hunter2'))
    })

    test('an action may answer on its own page', async () => {
      await using t = await openForm(javaScriptEnabled)
      await fill(t.page, 'stay')
      await save(t.page)
      await t.page.locator('#saved').waitFor()
      assert.equal(await t.page.locator('#saved').innerText(), 'stay')
      assert.equal(await t.page.getByLabel('Name').inputValue(), '')
      assert.deepEqual(sample.posted, ['stay'])
    })

    test('an action may lead to another origin, with 303, 307 or 308', async () => {
      await using t = await openForm(javaScriptEnabled)
      for (const status of [303, 307, 308]) {
        await fill(t.page, `leave ${status}`)
        await save(t.page)
        await t.heading('Elsewhere')
        assert.equal(sample.posted.pop(), `leave ${status}`)
        // Without JavaScript 307 and 308 post the form again, there; a script never repeats a post.
        const method = javaScriptEnabled || status === 303 ? 'GET' : 'POST'
        assert.equal(sample.arrived.pop(), `${method} /landing`)
        assert.deepEqual([sample.posted, sample.arrived], [[], []])
        await start(t, javaScriptEnabled)
      }
    })

    test('an action that fails shows the fall-back page with a digest', async () => {
      await using t = await openForm(javaScriptEnabled)
      sample.errors.length = 0
      await fill(t.page, 'crash')
      await save(t.page)
      await t.page.getByText('Digest: ').waitFor()
      assert.ok((await t.page.locator('body').innerText()).includes(`Digest: ${sample.errors[0]?.digest}`))
      assert.equal(sample.errors.length, 1)
    })
  })
}

test('a post that fails on the network keeps the form and says so, and can be tried again', async () => {
  await using t = await openPage(browser)
  await t.start(`${sample.origin}/form`)
  await fill(t.page, 'grace', 'hunter2')
  sample.replaceData('/form', (incoming) => void incoming.socket.destroy())
  await save(t.page)
  await t.page.getByRole('alert').waitFor()
  assert.match(await t.page.getByRole('alert').innerText(), /could not be reached/)
  assert.equal(await t.page.getByLabel('Name').inputValue(), 'grace')
  assert.equal(await t.page.getByLabel('Password').inputValue(), 'hunter2')
  assert.equal(t.documents.length, 1)
  sample.replaceData('/form', undefined)
  await save(t.page)
  await t.heading('Organization acme')
  assert.deepEqual(sample.posted, ['grace'])
})

test('each of several posts under way at once has its answer, in whatever order they come', async () => {
  await using t = await openPage(browser)
  await t.start(`${sample.origin}/form`)
  for (const name of ['stay first', 'stay second']) {
    sample.close(name)
    await fill(t.page, name)
    await save(t.page)
    await eventually('the action runs', () => sample.posted.includes(name))
  }
  sample.asked.length = 0
  sample.open('stay second')
  await t.page.locator('#saved', { hasText: 'stay second' }).waitFor()
  sample.open('stay first')
  await t.page.locator('#saved', { hasText: 'stay first' }).waitFor()
  await t.page.locator('#answers', { hasText: 'stay second, stay first,' }).waitFor()
  await eventually('the page is asked for again', () => sample.dataRequests('/form').length === 1)
  assert.equal(await t.page.locator('#saved').innerText(), 'stay first')
  assert.equal(t.documents.length, 1)
})

test('a form that is sent again while its post is under way is posted once, and again afterwards', async () => {
  await using t = await openPage(browser)
  await t.start(`${sample.origin}/form`)
  const before = sample.posted.length
  const name = 'stay pressed twice'
  sample.close(name)
  await fill(t.page, name)
  for (const _ of [1, 2]) await save(t.page)
  await eventually('the action runs', () => sample.posted.includes(name))
  await fill(t.page, 'stay other')
  await save(t.page)
  await t.page.locator('#saved', { hasText: 'stay other' }).waitFor()
  sample.open(name)
  await t.page.locator('#saved', { hasText: name }).waitFor()
  assert.deepEqual(sample.posted.slice(before).toSorted(), ['stay other', name])
  await fill(t.page, name)
  await save(t.page)
  await eventually('it is posted again', () => sample.posted.length === before + 3)
})

test('a post from a tab of another build is posted by the browser itself, once', async () => {
  await using t = await openPage(browser)
  await t.page.route(`${sample.origin}/form`, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(sample.buildId, 'yesterday')
    return route.fulfill({ response, body })
  })
  await t.start(`${sample.origin}/form`)
  await fill(t.page, 'grace')
  await save(t.page)
  await t.heading('Organization acme')
  assert.deepEqual(sample.posted, ['grace'])
  assert.ok(t.documents.length > 1)
})

test('a post clears what the browser kept of static pages', async () => {
  await using t = await openPage(browser)
  await t.start(sample.origin)
  await t.click('/static/1')
  await t.heading('Static 1')
  await t.page.goBack()
  await t.heading('Home')
  await t.click('/form')
  await t.heading('Form')
  await fill(t.page, 'stay')
  await save(t.page)
  await t.page.locator('#saved').waitFor()
  await t.click('home')
  await t.heading('Home')
  await t.click('/static/1')
  await t.heading('Static 1')
  assert.equal(sample.dataRequests('/static/1').length, 2)
})

/** The form without its code, which comes with the call of the result. */
async function openEarly(page: Page): Promise<() => void> {
  const opened = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await opened.promise
    await route.continue()
  })
  await page.goto(`${sample.origin}/form`, { waitUntil: 'commit' })
  return opened.resolve
}

test('what is ticked or selected before the code of the page is there stays, and is heard', async () => {
  await using t = await openPage(browser)
  const giveCode = await openEarly(t.page)
  const urgent = t.page.getByLabel('Urgent')
  const colour = t.page.getByLabel('Colour')
  await urgent.check()
  await colour.selectOption('green')
  giveCode()
  const chosen = t.page.locator('#chosen')
  await chosen.getByText('urgent, green').waitFor()
  assert.deepEqual([await urgent.isChecked(), await colour.inputValue()], [true, 'green'])
  await urgent.uncheck()
  await chosen.getByText('at leisure, green').waitFor()
})

test('what is typed before the code of the page is there stays, and is heard', async () => {
  await using t = await openPage(browser)
  const giveCode = await openEarly(t.page)
  const note = t.page.getByLabel('Note')
  const filter = t.page.getByLabel('Filter')
  await note.fill('typed early')
  await filter.fill('filtered early')
  giveCode()
  await t.page.locator('#heard', { hasText: 'typed early' }).waitFor()
  assert.equal(await note.inputValue(), 'typed early')
  await t.page.locator('#filtered', { hasText: 'filtered early' }).waitFor()
  assert.equal(await filter.inputValue(), 'filtered early')
  await note.fill('typed later')
  await t.page.locator('#heard', { hasText: 'typed later' }).waitFor()
})
