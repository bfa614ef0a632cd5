/** The language model on the screens: set up, tried, asked about an issue, stopped, and removed. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { apiClient } from '../harness/api-client.ts'
import { DONE, piece, startModelServer, STREAMED, usage } from '../harness/model-server.ts'
import { sondeJson } from '../harness/start-sonde.ts'
import { inEveryLook } from './axe-looks.ts'
import { signedInPlain } from './plain-page.ts'
import { messageEvent, sendEvent } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'

const ANSWER = '## Cause\n\nThe cart is **empty** in `pay`:\n\n```ts\nreturn cart?.sum\n```\n'
const model = await startModelServer((response, { authorization }) => {
  if (authorization !== 'Bearer key-of-acme')
    return void response.writeHead(401).end('{"error":{"message":"Incorrect API key"}}')
  return void response.writeHead(200, STREAMED).end(piece(ANSWER, 'stop') + usage(2_345, 67) + DONE)
})
const screens = useSignedInScreens({ SONDE_OUTGOING_ALLOW: '127.0.0.0/8' })
after(() => model.close())

const SETTINGS = '/acme/settings/model'
const ISSUE = '/acme/shop/issues/SHOP-1'
const EXPLAIN = /^Explain this issue/

describe('the language model', () => {
  test('without one, an issue has no way to ask it', () =>
    screens.asOwner(async (page) => {
      const id = await sendEvent(screens.shop.dsn, messageEvent(Date.now() - 1_000, 'cart is gone'))
      const api = apiClient(screens.sonde)
      await api.until(`/api/0/projects/acme/shop/events/${id}/`, () => true)
      await api.until<object[]>('/api/0/projects/acme/shop/issues/', (issues) => issues.length > 0)
      await page.goto(ISSUE)
      await page.getByRole('button', { name: /^Copy as prompt/ }).waitFor()
      assert.equal(await page.getByText(EXPLAIN).count(), 0)
    }))

  test('it is set up, and a test says what its server says', () =>
    screens.asOwner(async (page) => {
      await page.goto(SETTINGS)
      await page.getByLabel('API address').fill('https://user:pass@models.example/v1')
      await page.getByLabel('Model', { exact: true }).fill('small-1')
      await page.getByRole('button', { name: 'Save language model' }).click()
      await page.locator('#model-url-error').waitFor()
      await page.getByLabel('API address').fill(model.url)
      await page.getByLabel('API key').fill('wrong')
      await page.getByLabel('Price of a million input tokens').fill('3')
      await page.getByLabel('Price of a million output tokens').fill('15')
      await page.getByRole('button', { name: 'Save language model' }).click()
      await page.getByText('Language model saved.').waitFor()
      await page.getByRole('button', { name: 'Test language model' }).click()
      await page.getByText('answered 401: Incorrect API key').waitFor()
      await inEveryLook(page)
      await page.getByLabel('API key').fill('key-of-acme')
      await page.getByRole('button', { name: 'Save language model' }).click()
      await page.getByText('Language model saved.').waitFor()
      await page.getByRole('button', { name: 'Test language model' }).click()
      await page.getByText('The model answers.').waitFor()
      assert.ok(!(await page.content()).includes('key-of-acme'))
    }))

  test('it explains an issue, with what it cost, and nothing is sent before somebody asks', () =>
    screens.asOwner(async (page) => {
      const before = model.requests.length
      await page.goto(ISSUE)
      await page.getByText(EXPLAIN).click()
      await page.getByText(`Sends the text of this event to ${new URL(model.url).host}`).waitFor()
      assert.equal(model.requests.length, before)
      await page.getByRole('button', { name: 'Explain', exact: true }).click()
      await page.locator('.explanation strong', { hasText: 'Cause' }).waitFor()
      await page.locator('.explanation pre', { hasText: 'return cart?.sum' }).waitFor()
      await page.getByText('2,345 tokens in, 67 out; cost 0.0080 by the prices in the settings.').waitFor()
      const sent = model.requests.at(-1)?.body.messages[1]?.content ?? ''
      assert.match(sent, /cart is gone/)
      assert.match(sent, /^DATA [0-9a-f]{16}$/m)
      await inEveryLook(page)
    }))

  test('it is shown as it comes, and stopped', () =>
    screens.asOwner(async (page) => {
      const before = model.abandoned()
      model.answerWith((response) => void response.writeHead(200, STREAMED).write(piece('The first words')))
      await page.goto(ISSUE)
      await page.getByText(EXPLAIN).click()
      await page.getByRole('button', { name: 'Explain', exact: true }).click()
      await page.getByText('The first words').waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByText('Stopped.').waitFor()
      for (let tries = 0; model.abandoned() === before; tries++) {
        assert.ok(tries < 100, 'the request to the model goes on')
        await page.waitForTimeout(50)
      }
      model.answerWith((response) => void response.writeHead(500).end('{"error":"out of memory"}'))
      await page.getByRole('button', { name: 'Explain again' }).click()
      await page.getByRole('alert').getByText('answered 500: out of memory').waitFor()
    }))

  test('who may only look neither asks it nor sees where it is, and it is removed', async () => {
    const viewer = { email: 'vi@example.com', password: '' }
    const args = ['user', 'create', '--org', 'acme', '--role', 'viewer', '--email', viewer.email]
    const made = sondeJson<{ password?: string }>(screens.sonde.dataDir, args)
    const plain = await signedInPlain(screens.sonde.url, { ...viewer, password: made.password ?? '' })
    await plain.goto(ISSUE)
    assert.equal(plain.has(EXPLAIN), false)
    await plain.goto(SETTINGS)
    plain.shows('Admins and owners can set up a language model.')
    assert.equal(plain.html.includes(model.url), false)
    const headers = { cookie: plain.cookie(), origin: new URL(screens.sonde.url).origin }
    for (const path of [SETTINGS, `${ISSUE}/explanation`]) {
      const body = new URLSearchParams({ form: 'test', event: '' })
      const answer = await fetch(screens.sonde.url + path, { method: 'POST', headers, body })
      assert.equal(answer.status, 403, path)
    }
    await screens.asOwner(async (page) => {
      await page.goto(SETTINGS)
      await page.getByRole('button', { name: 'Remove language model' }).click()
      await page.getByText('Language model removed.').waitFor()
      await page.goto(ISSUE)
      assert.equal(await page.getByText(EXPLAIN).count(), 0)
    })
  })
})
