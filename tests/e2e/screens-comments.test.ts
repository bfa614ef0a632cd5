/** Comments in Chromium: written by keyboard with a mention, told to the other person live and by mail, edited, reacted to, removed. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openMailServer } from '../../packages/alerts/test/harness.ts'
import { apiClient } from '../harness/api-client.ts'
import { sondeJson } from '../harness/start-sonde.ts'
import { inEveryLook } from './axe-looks.ts'
import { signedInPlain } from './plain-page.ts'
import { messageEvent, sendEvent } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'
import { sessionOf, visit } from './screens-visit.ts'

const mail = await openMailServer()
const screens = useSignedInScreens({
  SONDE_SMTP_URL: mail.url,
  SONDE_MAIL_FROM: 'Sonde <sonde@example.com>',
})
after(() => mail.close())

const BOB = { email: 'bob@example.com', password: 'correct horse battery' }
const ISSUE = '/acme/shop/issues/SHOP-1'

async function anIssue(): Promise<void> {
  const api = apiClient(screens.sonde)
  const issues = () => api.get<unknown[]>('/api/0/projects/acme/shop/issues/?query=')
  if ((await issues()).body.length > 0) return
  await sendEvent(screens.shop.dsn, messageEvent(Date.now(), 'Cart is empty', 'error'))
  await api.until<unknown[]>('/api/0/projects/acme/shop/issues/', ({ length }) => length > 0)
  sondeJson(screens.sonde.dataDir, [
    'user',
    'create',
    '--org',
    'acme',
    '--name',
    'Bob Smith',
    '--email',
    BOB.email,
    '--password',
    BOB.password,
  ])
}

/** Forward, until the element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let count = 0; count < 200; count++) {
    if (await page.evaluate((at) => document.activeElement?.matches(at), selector)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${selector} is not reached with Tab`)
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const endMs = Date.now() + 20_000
  while (!isSo()) {
    assert.ok(Date.now() < endMs, what)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('comments', () => {
  test('a comment with a mention, by keyboard alone, arrives in the inbox live and by mail', async () => {
    await anIssue()
    const bob = await visit(screens.browser, screens.sonde.url, {
      storageState: await sessionOf(screens.sonde.url, BOB),
    })
    await bob.page.goto('/settings/account')
    const bell = bob.page.getByRole('link', { name: /^Inbox/ })
    await bell.waitFor()
    const before = (await bell.getAttribute('aria-label')) ?? ''
    await screens.asOwner(async (page) => {
      await page.goto(ISSUE)
      await tabTo(page, '#comment-text')
      await page.keyboard.type('Please look, @bo')
      await page.getByRole('option', { name: /Bob Smith/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.type('**soon** <script>alert(1)</script>')
      assert.match(await page.locator('#comment-text').inputValue(), /^Please look, @bob \*\*soon/)
      await tabTo(page, 'button[name="preview"]')
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'soon' }).waitFor()
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Enter')
      const comment = page.locator('.activity .comment')
      await comment.getByText('@Bob Smith').waitFor()
      assert.equal(await comment.locator('script').count(), 0)
      assert.match((await comment.textContent()) ?? '', /<script>alert\(1\)<\/script>/)
      await inEveryLook(page)
    })
    await bob.page.waitForFunction(
      (was) => document.querySelector('a[href="/settings/inbox"]')?.getAttribute('aria-label') !== was,
      before,
      { timeout: 15_000 },
    )
    await bob.page.goto('/settings/inbox')
    await bob.page.getByText(/mentioned you in acme\/shop/).waitFor()
    await inEveryLook(bob.page)
    await bob.page.getByRole('link', { name: 'Cart is empty' }).first().click()
    await bob.page.locator('.comment .mention-me').waitFor()
    await until(
      () => mail.mails.some(({ to, subject }) => to === BOB.email && /mentioned you/.test(subject ?? '')),
      'no mail',
    )
    const letter = mail.mails.find(({ subject }) => /mentioned you/.test(subject ?? ''))
    assert.match(letter?.text ?? '', /You get this because you were mentioned\./)
    assert.match(letter?.text ?? '', /activity\?from=\d+#comment-\d+/)
    await bob.close()
  })

  test('a press on “Comment” posts it while names are suggested for its last word', () =>
    screens.asOwner(async (page) => {
      await anIssue()
      await page.goto(`${ISSUE}/activity`)
      await page.getByLabel('Write a comment').pressSequentially('Ask @bob')
      await page.getByRole('option', { name: /Bob Smith/ }).waitFor()
      const box = await page.getByRole('button', { name: 'Comment', exact: true }).boundingBox()
      assert.ok(box)
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await page.mouse.down()
      await page.waitForFunction(() => document.activeElement?.id !== 'comment-text')
      await page.mouse.up()
      await page.locator('.comment', { hasText: 'Ask @Bob Smith' }).waitFor()
      assert.equal(await page.getByRole('listbox').count(), 0)
    }))

  test('one reacts, edits and deletes; a long comment folds', () =>
    screens.asOwner(async (page) => {
      await anIssue()
      await page.goto(`${ISSUE}/activity`)
      const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n')
      await page.getByLabel('Write a comment').fill(lines)
      await page.getByRole('button', { name: 'Comment', exact: true }).click()
      const comment = page.locator('.comment').first()
      await comment.getByText('Show whole comment').click()
      await comment.getByText('Show whole comment').waitFor({ state: 'detached' })
      await comment.getByLabel('Add a reaction').click()
      await comment.getByRole('button', { name: 'Rocket' }).click()
      await comment.getByRole('button', { name: /^Rocket, 1: / }).waitFor()
      await inEveryLook(page)
      await comment.getByRole('button', { name: /^Rocket, 1: / }).click()
      await comment.getByRole('button', { name: /^Rocket, 1: / }).waitFor({ state: 'detached' })
      await comment.getByRole('link', { name: 'Edit your comment' }).click()
      await page.getByLabel('Edit comment').fill('Shorter, see https://example.com/a')
      await inEveryLook(page)
      await page.getByRole('button', { name: 'Save' }).click()
      await comment.getByText(/edited/).waitFor()
      const link = comment.getByRole('link', { name: 'https://example.com/a' })
      assert.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow')
      await page.getByRole('link', { name: 'Comments only' }).click()
      await page.waitForURL(/only=comments/)
      const count = await page.locator('.comment').count()
      await comment.getByText('Delete', { exact: true }).click()
      await page.getByRole('button', { name: 'Delete for good' }).click()
      await page.waitForFunction((was) => document.querySelectorAll('.comment').length === was - 1, count)
    }))

  test('without JavaScript it is written, seen before and refused when it is empty', async () => {
    await anIssue()
    const page = await signedInPlain(screens.sonde.url)
    await page.goto(`${ISSUE}/activity`)
    page.fill('Write a comment', 'a *plain* comment for @bob')
    await page.press('Preview')
    assert.equal(page.part('[aria-label="Preview"] em').text, 'plain')
    assert.equal(page.valueOf('Write a comment'), 'a *plain* comment for @bob')
    page.fill('Write a comment', '   ')
    await page.press('Comment')
    page.shows('is needed')
    page.fill('Write a comment', 'a *plain* comment for @bob')
    await page.press('Comment')
    assert.ok(page.parts('.comment em', 'plain').length > 0)
    await page.goto(ISSUE)
    assert.equal(page.links('Show all activity').length, 1)
  })
})
