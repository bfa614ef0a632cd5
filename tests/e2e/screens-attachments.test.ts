/** The files of an event in Chromium: seen where that is safe, saved as they were sent, deleted by who may. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { inBothThemes } from './axe-looks.ts'
import { launchChromium } from './chromium.ts'
import { messageEvent, newEventId } from './screens-events.ts'
import { sessionOf, visit } from './screens-visit.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.pwned=1"><script>pwned=1</script></svg>'
const LONG_NAME = `${'ein-sehr-langer-name-'.repeat(12)}.log`
const LOG = Array.from({ length: 4000 }, (_, at) => `${at} checkout took ${at * 7} ms\n`).join('')
const TREE = { windows: [{ type: 'Button', identifier: 'pay-now' }] }
const BINARY = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256)

let sonde: RunningSonde
let browser: Browser
let shop: CreatedProject
let owner: BrowserContextOptions['storageState']
const eventId = newEventId()

/** A white square. */
function png(side: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc32(body), body.length + 4)
    return out
  }
  const head = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 0, 0, 0, 0])
  const rows = Buffer.alloc((side + 1) * side, 0xff).map((byte, at) => (at % (side + 1) === 0 ? 0 : byte))
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

const files: readonly [header: object, content: string | Uint8Array][] = [
  [{ filename: 'screenshot.png', content_type: 'image/png' }, png(64)],
  [{ filename: 'evil.png', content_type: 'image/png' }, SVG],
  [{ filename: LONG_NAME, content_type: 'text/plain' }, LOG],
  [
    {
      filename: 'view-hierarchy.json',
      attachment_type: 'event.view_hierarchy',
      content_type: 'application/json',
    },
    JSON.stringify(TREE),
  ],
  [{ filename: '../../größe \u202Egnp.exe', content_type: 'text/html' }, BINARY],
  [{ filename: 'empty' }, ''],
]

before(async () => {
  sonde = await startSonde()
  shop = createProject(sonde, 'acme/shop')
  browser = await launchChromium()
  const event = { ...messageEvent(Date.now(), 'with files'), event_id: eventId }
  const item = (header: object, content: string | Uint8Array): Buffer[] => [
    Buffer.from(`${JSON.stringify({ length: Buffer.byteLength(content), ...header })}\n`),
    Buffer.from(content),
    Buffer.from('\n'),
  ]
  const body = Buffer.concat([
    Buffer.from(`{"event_id":"${eventId}"}\n`),
    ...item({ type: 'event' }, JSON.stringify(event)),
    ...files.flatMap(([header, content]) => item({ type: 'attachment', ...header }, content)),
  ])
  const door = `${sonde.url}/api/${shop.id}/envelope/?sentry_key=${shop.publicKey}&sentry_version=7`
  assert.equal((await fetch(door, { method: 'POST', body })).status, 200)
  await apiClient(sonde).until(`/api/0/projects/acme/shop/events/${eventId}/`, () => true)
  owner = await sessionOf(sonde.url)
})
after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

async function atEvent(
  run: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const visited = await visit(browser, sonde.url, { ...(owner && { storageState: owner }), ...options })
  try {
    await visited.page.goto('/acme/shop/issues/SHOP-1')
    await run(visited.page)
    assert.deepEqual(visited.complaints(), [])
  } finally {
    await visited.close()
  }
}
const section = (page: Page) => page.getByRole('region', { name: 'Attachments' })

describe('the attachments of an event', () => {
  test('are listed, seen, saved, and in nobody’s way', (t) =>
    atEvent(async (page) => {
      await t.test(
        'are listed with name and size, the raster image is seen, the SVG that calls itself one is text',
        async () => {
          await section(page).scrollIntoViewIfNeeded()
          assert.equal(await section(page).getByRole('listitem').count(), files.length)
          await section(page).getByText('6 files').waitFor()
          const images = section(page).getByRole('img')
          assert.equal(await images.count(), 1)
          await page.waitForFunction(
            () => document.querySelector<HTMLImageElement>('#attachments img')?.naturalWidth === 64,
          )
          await section(page).getByText('100.0 kB').waitFor()
          await section(page).getByText('0 B', { exact: true }).waitFor()
          await section(page).getByText('view hierarchy', { exact: true }).waitFor()
          const line = section(page).getByRole('listitem').filter({ hasText: 'evil.png' })
          await line.getByText('text, sent as image/png').waitFor()
          await section(page).getByText('../../größe gnp.exe', { exact: true }).waitFor()
          await line.getByText('Preview').click()
          await line.getByText('onload="parent.pwned=1"').waitFor()
          const opened = await page.context().newPage()
          const answer = await opened.goto(await hrefOf(page, 'evil.png', 'Open'))
          assert.equal(answer?.headers()['content-type'], 'text/plain; charset=utf-8')
          assert.match(answer?.headers()['content-security-policy'] ?? '', /sandbox/)
          assert.equal(await opened.evaluate(() => 'pwned' in globalThis), false)
          await opened.close()
        },
      )
      await t.test(
        'a long text shows its beginning and fetches no more, a view hierarchy is a tree',
        async () => {
          const long = section(page).getByRole('listitem').filter({ hasText: 'ein-sehr' })
          await long.getByText('Preview').click()
          const text = await long.getByLabel('Beginning of').innerText()
          assert.ok(text.startsWith('0 checkout took 0 ms') && text.length <= 16_000 && text.length > 15_000)
          await long.getByText('The first 16.0 kB of 109.3 kB are shown.').waitFor()
          const tree = section(page).getByRole('listitem').filter({ hasText: 'view-hierarchy.json' })
          await tree.getByText('As a tree').click()
          await tree.getByText('pay-now').waitFor()
        },
      )
      await t.test('are saved byte for byte, under a name that is safe', async () => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          section(page)
            .getByRole('link', { name: /Download .*größe/ })
            .click(),
        ])
        assert.equal(download.suggestedFilename(), 'größe gnp.exe')
        assert.deepEqual(readFileSync(await download.path()), Buffer.from(BINARY))
      })
      await t.test('have no violation that axe knows, and fit 360 px', async () => {
        await page.setViewportSize({ width: 360, height: 740 })
        const closed = section(page).locator('.fold:not([open]) > summary')
        while ((await closed.count()) > 0) await closed.first().click()
        await section(page).getByText('pay-now').waitFor()
        await inBothThemes(page, '#attachments')
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true)
      })
    }))

  test('are nothing to who may not read the project', async () => {
    const href = `${sonde.url}/acme/shop/issues/SHOP-1/events/${eventId}/attachments/1`
    assert.match(new URL((await fetch(href)).url).pathname, /^\/sign-in/)
  })

  test('sent to an event of before appear beside it, and are deleted after a second click', async () => {
    const form = new FormData()
    form.append('late', new File(['late text'], 'late.txt', { type: 'text/plain' }))
    const door = `${sonde.url}/api/${shop.id}/events/${eventId}/attachments/?sentry_key=${shop.publicKey}`
    assert.equal((await fetch(door, { method: 'POST', body: form })).status, 201)
    const listed = `/api/0/projects/acme/shop/events/${eventId}/attachments/`
    await apiClient(sonde).until<{ name: string }[]>(listed, (list) =>
      list.some(({ name }) => name === 'late.txt'),
    )
    await atEvent(async (page) => {
      const line = section(page).getByRole('listitem').filter({ hasText: 'late.txt' })
      await line.getByLabel('Delete late.txt').click()
      await line.getByRole('button', { name: 'Delete permanently' }).click()
      await page.waitForURL((url) => url.pathname.endsWith(`/events/${eventId}`))
      await section(page).getByText('6 files').waitFor()
      assert.equal(await page.getByText('late.txt').count(), 0)
    })
  })
})

async function hrefOf(page: Page, name: string, text: string): Promise<string> {
  const line = section(page).getByRole('listitem').filter({ hasText: name })
  return (await line.getByRole('link', { name: text }).getAttribute('href')) ?? ''
}
