/** The inbox of user feedback in Chromium: by keyboard, with a screen for what is spam, and no line among the errors. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inBothThemes } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { fitsWidth } from './keyboard.ts'
import { sendItems } from './performance-events.ts'
import { newEventId } from './screens-events.ts'
import { sessionOf, visit } from './screens-visit.ts'

const INBOX = '/acme/shop/feedback'
const LONG = `The button ${'does-nothing-'.repeat(40)}<script>pwned=1</script>`

type Written = { readonly message: string; readonly name: string; readonly contact_email: string }

describe('user feedback', () => {
  let sonde: RunningSonde
  let browser: Browser
  let shop: CreatedProject
  let owner: Awaited<ReturnType<typeof sessionOf>>

  const write = (feedback: Written): Promise<void> => {
    const event = {
      event_id: newEventId(),
      timestamp: Date.now() / 1000,
      type: 'feedback',
      platform: 'javascript',
      release: 'shop@4.12.0',
      contexts: { feedback: { ...feedback, url: 'https://shop.example/cart', source: 'widget' } },
    }
    return sendItems(shop.dsn, [[{ type: 'feedback' }, event]])
  }

  before(async () => {
    sonde = await startSonde()
    shop = createProject(sonde, 'acme/shop')
    browser = await launchChromium()
    await write({ message: 'I cannot pay by card.', name: 'Ann', contact_email: 'ann@shop.example' })
    await write({ message: LONG, name: 'Ben', contact_email: 'ben@shop.example' })
    await write({
      message: 'https://a.test https://b.test https://c.test https://d.test',
      name: 'Bot',
      contact_email: 'bot@shop.example',
    })
    await apiClient(sonde).until<readonly unknown[]>(
      '/api/0/projects/acme/shop/issues/?query=issue.category:feedback',
      (issues) => issues.length === 3,
    )
    owner = await sessionOf(sonde.url)
  })
  after(async () => {
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
  })

  async function atInbox(run: (page: Page) => Promise<void>, path = INBOX): Promise<void> {
    const visited = await visit(browser, sonde.url, { storageState: owner })
    try {
      await visited.page.goto(path)
      await run(visited.page)
      assert.deepEqual(visited.complaints(), [])
    } finally {
      await visited.close()
    }
  }
  const list = (page: Page) => page.getByRole('list', { name: 'Feedback' }).getByRole('listitem')

  test('is read and resolved by keyboard, which can be undone', () =>
    atInbox(async (page) => {
      await page.getByText('2 in this list').waitFor()
      await page.getByRole('button', { name: 'Search or jump to…' }).waitFor()
      await page.keyboard.press('j')
      const article = page.getByRole('article')
      await article.waitFor()
      await page.keyboard.press('j')
      await article.getByText('I cannot pay by card.').waitFor()
      await article.getByText('ann@shop.example').waitFor()
      await article.getByText('https://shop.example/cart').waitFor()
      await page.keyboard.press('e')
      await page.getByText('1 resolved').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone.').waitFor()
      await page.getByText('2 in this list').waitFor()
    }))

  test('with many links lies in spam and says why', () =>
    atInbox(async (page) => {
      assert.equal(await list(page).count(), 1)
      await list(page).getByRole('link').click()
      await page.getByText(/^In spam: /).waitFor()
    }, `${INBOX}?tab=spam`))

  test('fits a phone, shows markup as text, and is read in both themes', () =>
    atInbox(async (page) => {
      await list(page).filter({ hasText: 'Ben' }).getByRole('link').click()
      await page.getByRole('article').getByText('<script>').waitFor()
      assert.equal(await page.evaluate(() => 'pwned' in globalThis), false)
      await inBothThemes(page, 'main')
      await page.setViewportSize({ width: 390, height: 800 })
      await fitsWidth(page)
    }))

  test('is no line in the list of errors', () =>
    atInbox(async (page) => {
      await page
        .getByRole('searchbox', { name: 'Search issues' })
        .or(page.getByRole('heading').first())
        .first()
        .waitFor()
      assert.equal(await page.locator('tbody tr').count(), 0)
    }, '/acme/shop/issues'))
})
