/**
 * What people write, from pages of another origin in Chromium: the crash-report modal and the widget of the unmodified
 * `@sentry/browser`, and Sonde's own widget by one script tag. All of it ends in the inbox.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { inBothThemes } from '../e2e/axe-looks.ts'
import { launchChromium } from '../e2e/chromium.ts'
import { buildShop } from './browser/build-shop.ts'
import { type ShopServer, startShopServer } from './browser/shop-server.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { signIn } from './support/screens.ts'

type Issue = { readonly id: string; readonly metadata: Readonly<Record<string, string>> }

suite('feedback from pages of another origin', () => {
  const leftovers: (() => void | Promise<void>)[] = []
  let harness: Harness
  let browser: Browser
  let shop: ShopServer

  before(async () => {
    harness = await openHarness('javascript')
    browser = await launchChromium()
    const built = await buildShop('shop@2.0.0', join(import.meta.dirname, 'feedback', 'page'))
    leftovers.push(() => built.remove())
    shop = await startShopServer(built.folder, harness.sonde.url)
    leftovers.push(() => shop.stop())
  })
  after(async () => {
    await browser?.close()
    for (const remove of leftovers) await remove()
    await harness?.close()
  })

  async function open(path: string): Promise<{ readonly page: Page; readonly complaints: string[] }> {
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
    const params = new URLSearchParams({ dsn: harness.project.dsn, sonde: harness.sonde.url })
    await page.goto(`${shop.url}${path}?${params}`)
    return { page, complaints }
  }

  const written = async (message: string): Promise<Issue> => {
    const issues = await harness.api.until<readonly Issue[]>(
      '/api/0/projects/acme/shop/issues/?query=issue.category:feedback',
      (found) => found.some(({ metadata }) => metadata['message'] === message),
    )
    return issues.find(({ metadata }) => metadata['message'] === message)!
  }

  test('showReportDialog of the SDK opens a dialog, and what is written is a report of its event', async () => {
    const { page, complaints } = await open('/')
    await page.click('#fail')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    // The page's own title is text, whatever is in it.
    await dialog.getByRole('heading', { name: '<img src=x' }).waitFor()
    assert.notEqual(await page.title(), 'pwned')
    await page.waitForSelector('body[data-loaded=yes]')
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Ada')
    assert.equal(await dialog.getByLabel('Email').inputValue(), 'ada@example.com')
    await inBothThemes(page, 'body')
    // Empty at first: by keyboard, from the field that has the focus.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.getByText('Some fields were invalid').waitFor()
    await page.keyboard.type('I paid by card')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await dialog.getByText('Thanks from the shop').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForSelector('body[data-closed=yes]')
    assert.equal(await dialog.count(), 0)
    assert.deepEqual(complaints, [])
    const issue = await written('I paid by card')
    assert.equal(issue.metadata['name'], 'Ada')
    assert.equal(issue.metadata['contact_email'], 'ada@example.com')
    assert.match(issue.metadata['associated_event_id'] ?? '', /^[0-9a-f-]{32,36}$/)
    await page.close()
  })

  test('the widget of the SDK sends a screenshot, and the inbox shows it', async () => {
    const { page, complaints } = await open('/')
    // The browser would ask which tab to show; the SDK gets a stream all the same.
    await page.evaluate(() => {
      navigator.mediaDevices.getDisplayMedia = async () => {
        const canvas = document.createElement('canvas')
        canvas.width = 640
        canvas.height = 360
        const context = canvas.getContext('2d')!
        setInterval(() => context.fillRect(Math.random() * 600, 100, 40, 40), 50)
        return canvas.captureStream(20)
      }
    })
    await page.getByRole('button', { name: /Report a Bug/ }).click()
    await page.getByLabel(/Description/).fill('The picture shows it')
    await page.getByRole('button', { name: 'Add a screenshot' }).click()
    await page.getByRole('button', { name: 'Remove screenshot' }).waitFor()
    await page.locator('.editor__canvas-container, canvas').first().waitFor()
    await page.getByRole('button', { name: 'Send Bug Report' }).click()
    await page.getByText('Thank you for your report!').waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
    const { id } = await written('The picture shows it')
    const inbox = await signIn(browser, harness)
    const picture = inbox.getByRole('img', { name: /^Screenshot screenshot\.png/ })
    for (let tries = 0; tries < 40; tries++) {
      await inbox.goto(`${harness.sonde.url}/acme/shop/feedback?id=${id}`)
      await inbox.getByText('The picture shows it').first().waitFor()
      if ((await picture.count()) > 0) break
    }
    await picture.scrollIntoViewIfNeeded()
    await inbox.waitForFunction(
      (image) => image instanceof HTMLImageElement && image.naturalWidth > 0,
      await picture.elementHandle(),
    )
    await inbox.close()
  })

  test('a page without an SDK has a button and a form by one script tag', async () => {
    const { page, complaints } = await open('/plain.html')
    await page.getByRole('button', { name: 'Feedback' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Send feedback' })
    await dialog.waitFor()
    await inBothThemes(page, 'body')
    await page.setViewportSize({ width: 360, height: 640 })
    assert.ok((await dialog.boundingBox())!.width <= 360)
    await dialog.getByLabel('Email').fill('no address')
    await dialog.getByLabel('Message').fill('No SDK here')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('Please check the fields').waitFor()
    await dialog.getByLabel('Email').fill('eve@example.com')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('Your feedback was sent').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await dialog.count(), 0)
    assert.deepEqual(complaints, [])
    const issue = await written('No SDK here')
    assert.equal(issue.metadata['contact_email'], 'eve@example.com')
    await page.close()
  })
})
