/** The documentation as Sonde serves it, in Chromium: found, searched, read in every look, and never from another host. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inEveryLook } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { quietVisit, visitSignedIn } from './screens-visit.ts'

let sonde: RunningSonde
let browser: Browser

before(async () => {
  ;[sonde, browser] = await Promise.all([startSonde(), launchChromium()])
})
after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

/** Without signing in; the console stays empty, and every request goes to Sonde's `/docs/`. */
async function reader(run: (page: Page) => Promise<void>, options = {}): Promise<void> {
  await quietVisit(browser, sonde.url, options, async (page) => {
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(`${sonde.url}/docs/`) && !request.url().startsWith('data:'))
        elsewhere.push(request.url())
    })
    await run(page)
    assert.deepEqual(elsewhere, [])
  })
}

/** Runs in the page. */
const isInView = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= window.innerHeight
}

const found = (page: Page) => page.locator('.found a')

test('a word is found while it is typed, by keys alone, and its page opens at the section', () =>
  reader(async (page) => {
    await page.goto('/docs/')
    await page.keyboard.press('/')
    await page.keyboard.type('xyzzyq')
    await page.getByText('Nothing has').waitFor()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('watermark')
    await found(page).first().waitFor()
    await page.keyboard.press('ArrowDown')
    const first = await found(page).first().getAttribute('href')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname + url.hash === first)
    assert.match((await page.locator('article').innerText()).toLowerCase(), /watermark/)
    await page.keyboard.press('/')
    await page.keyboard.type('backup')
    await found(page).first().waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('.found').isHidden(), true)
  }))

test('all results have an address that can be loaded again', () =>
  reader(async (page) => {
    await page.goto('/docs/search?q=restore+backup')
    await page.getByText(/for “restore backup”/).waitFor()
    const before = await page.locator('.results a').allInnerTexts()
    assert.ok(before.length > 2)
    await page.reload()
    await page.getByText(/for “restore backup”/).waitFor()
    assert.deepEqual(await page.locator('.results a').allInnerTexts(), before)
    assert.match(before[0] ?? '', /Backup and restore/)
  }))

test('a link into the middle of a page leads there, also after a reload', () =>
  reader(async (page) => {
    await page.goto('/docs/operate/backup#restoring')
    for (const again of [false, true]) {
      if (again) await page.reload()
      const top = await page.locator('#restoring').evaluate((heading) => heading.getBoundingClientRect().top)
      assert.ok(top >= 0 && top < 200, `the heading is at ${top} px`)
    }
    const current = page.locator('.pages [aria-current]')
    assert.deepEqual(
      [await current.innerText(), await current.evaluate(isInView)],
      ['Backup and restore', true],
    )
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Doctor' }).click()
    await page.getByRole('heading', { level: 1, name: 'Doctor' }).waitFor()
  }))

test('an address without a page says so', () =>
  quietVisit(browser, sonde.url, {}, async (page) => {
    const answer = await page.request.get('/docs/no/such/page')
    assert.equal(answer.status(), 404)
    await page.setContent('')
    await page.goto('/docs/glossary.md')
    assert.equal(new URL(page.url()).pathname, '/docs/glossary')
  }))

test('pages hold to WCAG in both themes, wide and narrow, and none is wider than its window', () =>
  reader(async (page) => {
    for (const path of ['/docs/', '/docs/about', '/docs/operate/backup', '/docs/reference/configuration']) {
      await page.goto(path)
      await inEveryLook(page)
      await page.setViewportSize({ width: 360, height: 740 })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      assert.ok(over <= 0, `${path} is ${over} px too wide`)
    }
    await page.goto('/docs/search?q=retention')
    await page.locator('.results a').first().waitFor()
    await inEveryLook(page)
  }))

test('on a narrow screen the pages are behind a button', () =>
  reader(
    async (page) => {
      await page.goto('/docs/glossary')
      const pages = page.getByRole('navigation', { name: 'Pages' })
      assert.equal(await pages.isVisible(), false)
      await page.getByRole('button', { name: 'Pages' }).click()
      await pages.getByRole('link', { name: 'Architecture' }).click()
      await page.waitForURL('**/docs/architecture')
    },
    { viewport: { width: 390, height: 800 } },
  ))

test('pictures and colours follow the theme, and the theme is that of the screens', () =>
  reader(
    async (page) => {
      await page.goto('/docs/about')
      const ground = (): Promise<string> =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      const dark = page.locator('.dark-only img').first()
      assert.deepEqual([await ground(), await dark.isVisible()], ['rgb(20, 23, 26)', true])
      await page.getByRole('button', { name: 'Light' }).click()
      assert.deepEqual([await ground(), await dark.isVisible()], ['rgb(255, 255, 255)', false])
      await page.reload()
      assert.deepEqual([await ground(), await dark.isVisible()], ['rgb(255, 255, 255)', false])
      assert.match(await page.evaluate(() => document.cookie), /sonde_theme=light/)
    },
    { colorScheme: 'dark' as const },
  ))

test('the menu of the screens and the sign-in page lead to it', async () => {
  await quietVisit(browser, sonde.url, {}, async (page) => {
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Documentation' }).click()
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor()
  })
  const { page, complaints, close } = await visitSignedIn(browser, sonde.url)
  await page.locator('.user-menu summary').click()
  await page.getByRole('link', { name: 'Documentation' }).click()
  await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor()
  assert.deepEqual(complaints(), [])
  await close()
})
