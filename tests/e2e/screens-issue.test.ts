/** One issue in Chromium: its chart, its events, its stacks, and everything that can be filtered or taken away. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { checkoutError, newEventId, type SentEvent, sendEvent } from './screens-events.ts'
import { visit, visitSignedIn } from './screens-visit.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const HOUR_MS = 3_600_000
const EVENTS = 12
const ISSUE = '/acme/shop/issues/SHOP-1'

let sonde: RunningSonde
let browser: Browser
let shop: CreatedProject
let session: ReturnType<BrowserContext['storageState']>
const issues: Record<'group' | 'untyped' | 'large', string> = { group: '', untyped: '', large: '' }

const frame = (name: string, line: number, inApp = true) => ({
  function: name,
  filename: `shop/${name}.py`,
  lineno: line,
  in_app: inApp,
  pre_context: ['# prices', 'def price(item):'],
  context_line: `    raise ValueError("no price for " + item, ${line})`,
  post_context: ['    return None'],
})

function groupEvent(atMs: number): SentEvent {
  const part = (type: string, id: number, parent: number, source: string) => ({
    type,
    value: `${type} happened`,
    mechanism: { type: 'chained', exception_id: id, parent_id: parent, source },
    stacktrace: { frames: [frame(type.toLowerCase(), id)] },
  })
  const threads = [
    { id: 1, name: 'MainThread', crashed: true, stacktrace: { frames: [frame('main', 3)] } },
    { id: 2, name: 'worker-1', state: 'WAITING', stacktrace: { frames: [frame('poll', 8)] } },
  ]
  return {
    event_id: newEventId(),
    timestamp: atMs / 1000,
    platform: 'python',
    threads: { values: threads },
    exception: {
      values: [
        part('KeyError', 3, 1, '__cause__'),
        part('TypeError', 2, 0, 'exceptions[1]'),
        part('ValueError', 1, 0, 'exceptions[0]'),
        {
          type: 'ExceptionGroup',
          value: '2 prices failed',
          mechanism: { type: 'excepthook', exception_id: 0, is_exception_group: true },
          stacktrace: { frames: [frame('main', 3)] },
        },
      ],
    },
  }
}

const largeEvent = (atMs: number): SentEvent => ({
  event_id: newEventId(),
  timestamp: atMs / 1000,
  platform: 'python',
  breadcrumbs: Array.from({ length: 100 }, (_, index) => ({
    timestamp: atMs / 1000 - 100 + index,
    category: index % 4 === 0 ? 'query' : 'console',
    level: index % 25 === 0 ? 'warning' : 'info',
    message: `step ${index} of the import`,
  })),
  exception: {
    values: [
      {
        type: 'ImportFailed',
        value: 'row 17',
        stacktrace: {
          frames: Array.from({ length: 250 }, (_, index) =>
            frame(`step_${index}`, index + 1, index % 3 === 0),
          ),
        },
      },
    ],
  },
})

before(async () => {
  sonde = await startSonde()
  shop = createProject(sonde, 'acme/shop')
  const nowMs = Date.now()
  const api = apiClient(sonde)
  const arrives = async (id: string): Promise<string> => {
    const path = `/api/0/projects/acme/shop/events/${id}/`
    return (await api.until<{ groupID: string }>(path, ({ groupID }) => groupID !== '')).groupID
  }
  // The newest first: it names the issue SHOP-1, whatever order the others arrive in.
  await arrives(await sendEvent(shop.dsn, checkoutError(nowMs - 60_000, 'u-0')))
  const older = Array.from({ length: EVENTS - 1 }, (_, index) => ({
    ...checkoutError(nowMs - (index + 1) * HOUR_MS, `u-${index + 1}`),
    release: index < 6 ? 'shop@4.12.0' : 'shop@4.11.0',
    tags: { region: index % 3 === 0 ? 'us-east-1' : 'eu-west-1', 'with space': `value ${index % 2}` },
  }))
  await Promise.all(older.map((event) => sendEvent(shop.dsn, event)))
  issues.group = await arrives(await sendEvent(shop.dsn, groupEvent(nowMs - 5_000)))
  issues.large = await arrives(await sendEvent(shop.dsn, largeEvent(nowMs - 4_000)))
  const relative = {
    type: 'ImportFailed',
    value: 'row 18',
    stacktrace: { frames: [frame('other_import', 4)] },
  }
  await arrives(
    await sendEvent(shop.dsn, { ...largeEvent(nowMs - 3_500), exception: { values: [relative] } }),
  )
  const untyped = {
    ...largeEvent(nowMs - 3_000),
    exception: { values: [{ value: 'It broke without a type' }] },
  }
  issues.untyped = await arrives(await sendEvent(shop.dsn, untyped))
  const last = older.at(-1)?.event_id ?? ''
  await arrives(last)
  browser = await launchChromium()
  const owner = await visitSignedIn(browser, sonde.url)
  session = owner.page.context().storageState()
  await session
  await owner.close()
})

after(async () => {
  await browser?.close()
  assert.equal(await sonde?.stop(), 0)
})

async function asOwner(
  run: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const visited = await visit(browser, sonde.url, { ...options, storageState: await session })
  try {
    await run(visited.page)
    assert.deepEqual(visited.complaints(), [])
  } finally {
    await visited.close()
  }
}

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }
const pasted = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
const params = (page: Page): URLSearchParams => new URL(page.url()).searchParams
const at = (name: keyof typeof issues): string => `/acme/shop/issues/${issues[name]}`

/** Opens an event's page and waits until its scripts run: keys pressed before are lost. */
async function openEvent(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: 'Copy the event as Markdown' }).waitFor()
}

describe('the chart of an issue', () => {
  test('is bars without JavaScript, and its table has every number', () =>
    asOwner(
      async (page) => {
        await page.goto(ISSUE)
        assert.ok((await page.locator('.chart-svg rect').count()) > 5)
        const counts = await page.locator('.chart-table td.num').allTextContents()
        assert.equal(
          counts.reduce((sum, text) => sum + Number(text), 0),
          EVENTS,
        )
        assert.match((await page.locator('.chart-table').textContent()) ?? '', /shop@4\.11\.0/)
      },
      { javaScriptEnabled: false },
    ))

  test('says the exact value under the pointer, and a brush narrows the events by the address', () =>
    asOwner(async (page) => {
      await page.goto(ISSUE)
      const plot = page.locator('.chart .u-over')
      const box = await plot.boundingBox()
      assert.ok(box)
      await page.mouse.move(box.x + box.width - 6, box.y + 40)
      await page
        .locator('.chart-tip')
        .getByText(/^\d+ events?$/)
        .waitFor()
      const middle = box.y + box.height / 2
      await page.mouse.move(box.x + box.width * 0.25, middle)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.8, middle, { steps: 4 })
      await page.mouse.up()
      await page.waitForURL((url) => url.searchParams.has('start'))
      const [start, end] = [params(page).get('start'), params(page).get('end')].map((text) =>
        Date.parse(text ?? ''),
      )
      assert.ok(start !== undefined && end !== undefined && end > start)
      await page.getByText('among those that match').waitFor()
      const shownMs = Date.parse(
        (await page.locator('.event-bar time').first().getAttribute('datetime')) ?? '',
      )
      assert.ok(shownMs >= start && shownMs < end)
      await page.getByRole('link', { name: /^Take away the time span/ }).click()
      await page.waitForURL((url) => !url.searchParams.has('start'))
    }))

  test('is drawn anew in its width and in the other theme', () =>
    asOwner(async (page) => {
      await page.goto(ISSUE)
      const canvas = page.locator('.chart canvas')
      await canvas.waitFor()
      const pixels = () => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL())
      const [light, wide] = [await pixels(), (await canvas.boundingBox())?.width ?? 0]
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.waitForFunction(
        (before) => document.querySelector<HTMLCanvasElement>('.chart canvas')?.toDataURL() !== before,
        light,
      )
      await page.setViewportSize({ width: 700, height: 800 })
      await page.waitForFunction(
        (before) => (document.querySelector('.chart canvas')?.clientWidth ?? before) < before,
        wide,
      )
    }))
})

describe("an issue's events", () => {
  for (const [how, options] of [
    ['with JavaScript', {}],
    ['without JavaScript', { javaScriptEnabled: false }],
  ] as const) {
    test(`are narrowed by a press on a tag, ${how}`, () =>
      asOwner(async (page) => {
        await page.goto(ISSUE)
        const shares = page.getByRole('complementary')
        await shares.getByRole('link', { name: 'us-east-1' }).click()
        await page.waitForURL((url) => url.searchParams.get('query') === 'region:us-east-1')
        await page.locator('.tag', { hasText: 'us-east-1' }).waitFor()
        await shares.getByRole('link', { name: 'value 1' }).click()
        await page.waitForURL((url) => (url.searchParams.get('query') ?? '').includes('"value 1"'))
        await page.getByText('u-10@example.com').or(page.getByText('u-4@example.com')).first().waitFor()
        await shares.getByRole('link', { name: 'eu-west-1' }).click()
        await page.waitForURL((url) => (url.searchParams.get('query') ?? '').endsWith('region:eu-west-1'))
      }, options))
  }

  test('are gone through with the keys [ and ], within what matches', () =>
    asOwner(async (page) => {
      await openEvent(page, `${ISSUE}?query=region%3Aus-east-1`)
      await page.getByText('u-1@example.com').first().waitFor()
      await page.keyboard.press('[')
      await page.getByText('u-4@example.com').first().waitFor()
      assert.equal(params(page).get('query'), 'region:us-east-1')
      await page.keyboard.press(']')
      await page.getByText('u-1@example.com').first().waitFor()
      await page.getByRole('link', { name: 'Oldest' }).click()
      await page.getByText('u-10@example.com').first().waitFor()
      await page.getByRole('link', { name: 'Recommended' }).click()
      await page.getByText('Recommended event').waitFor()
    }))

  test('are listed and searched; what cannot be understood is said beside the field', () =>
    asOwner(async (page) => {
      await page.goto(ISSUE)
      await page.getByRole('link', { name: 'All events' }).click()
      await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
      const rows = page.locator('tbody tr')
      assert.equal(await rows.count(), EVENTS)
      const field = page.getByLabel('Search the events of this issue')
      await field.fill('release:shop@4.11.0')
      await field.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('query') === 'release:shop@4.11.0')
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 5)
      await field.fill('is:resolved')
      await field.press('Enter')
      await page.getByRole('alert').waitFor()
      await page.goto(`${ISSUE}?query=user.email%3Anobody%40example.com`)
      await page.getByText('No event matches').waitFor()
    }))

  test('have a page of all values of a tag, which can be searched', () =>
    asOwner(async (page) => {
      await page.goto(ISSUE)
      await page.getByRole('complementary').getByRole('link', { name: 'user', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'user' }).waitFor()
      assert.equal(await page.locator('tbody tr').count(), EVENTS)
      await page.getByLabel('Search the values').fill('u-1')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 3)
      await page.getByRole('link', { name: 'id:u-11' }).click()
      await page.getByText('u-11@example.com').first().waitFor()
    }))
})

describe('a stack trace', () => {
  test('is coloured, can be turned around, and the browser remembers how it is read', () =>
    asOwner(async (page) => {
      await page.goto(ISSUE)
      const names = () =>
        page.locator('.exception').first().locator('.frame-ours .frame-function').allTextContents()
      assert.deepEqual(await names(), ['totalOf', 'CheckoutPage'])
      assert.ok((await page.locator('.code .tok-k', { hasText: 'const' }).count()) > 0)
      await page.getByRole('button', { name: 'Recent last' }).click()
      assert.deepEqual(await names(), ['CheckoutPage', 'totalOf'])
      await page.keyboard.press('f')
      await page.getByRole('button', { name: 'All frames', pressed: true }).waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'All frames', pressed: true }).waitFor()
      assert.equal((await names())[0], 'CheckoutPage')
    }))

  test('is copied as text and as Markdown, the whole event too, the request as cURL', () =>
    asOwner(async (page) => {
      await page.goto(ISSUE)
      await page.getByRole('button', { name: 'Copy the stack trace as text' }).click()
      await page.getByText('Copied').first().waitFor()
      assert.match(
        await pasted(page),
        /^TypeError: Cannot read.*\n {4}at totalOf \(src\/cart\/total.ts:42:31\)/,
      )
      await page.getByRole('button', { name: 'Copy the event as Markdown' }).click()
      await page.locator('.event-bar').getByText('Copied').waitFor()
      const markdown = await pasted(page)
      for (const part of [
        '# TypeError',
        'SHOP-1',
        'shop@4.12.0',
        '## Stack trace',
        '## Breadcrumbs',
        '## Tags',
        page.url(),
      ])
        assert.ok(markdown.includes(part), `${part} is not in ${markdown}`)
      await page.getByRole('button', { name: 'Copy the request as cURL' }).click()
      await page.locator('#request').getByText('Copied').waitFor()
      assert.match(await pasted(page), /^curl -X POST/)
    }, CLIPBOARD))

  test('of an exception group is a tree, and its threads are picked one at a time', () =>
    asOwner(async (page) => {
      await page.goto(at('group'))
      const types = await page.locator('.exception-type').allTextContents()
      assert.deepEqual(types, ['ExceptionGroup', 'ValueError', 'KeyError', 'TypeError'])
      const outline = page.getByRole('list', { name: 'Exceptions of the group' })
      assert.equal(await outline.getByRole('link').count(), 4)
      await page.locator('#exception-3').getByText('Its stack trace').click()
      await page.locator('#exception-3').getByText('typeerror', { exact: true }).waitFor()
      await page.getByLabel('Thread', { exact: true }).selectOption({ index: 1 })
      await page.locator('#threads').getByText('poll', { exact: true }).waitFor()
    }))

  test('of an exception without a type is headed by what it says', () =>
    asOwner(async (page) => {
      await page.goto(at('untyped'))
      assert.deepEqual(await page.locator('.exception-type').allTextContents(), ['It broke without a type'])
      assert.equal(await page.getByText('<unknown type>').count(), 0)
    }))
})

describe('a large event', () => {
  test('is a small page: 250 frames and 100 breadcrumbs', () =>
    asOwner(async (page) => {
      const html = await (await page.request.get(at('large'))).text()
      const shown = html.slice(0, html.indexOf('<script'))
      assert.ok(shown.length < 120_000, `${shown.length} characters of HTML`)
      await page.goto(at('large'))
      const stack = page.locator('#exception .stack').first()
      await page.getByRole('button', { name: 'All frames' }).click()
      await page.getByRole('button', { name: /earlier frames$/ }).click()
      assert.equal(await stack.locator('> li').count(), 250)
      await stack.getByText('step_0', { exact: true }).click()
      await stack.locator('> li').last().getByText('raise').waitFor()
    }))

  test('has breadcrumbs that are filtered by text, category and level', () =>
    asOwner(async (page) => {
      await page.goto(at('large'))
      const rows = page.locator('.crumb-table tbody tr')
      assert.equal(await rows.count(), 15)
      await page.getByLabel('Search breadcrumbs').fill('step 4')
      assert.equal(await rows.count(), 11)
      await page.getByLabel('Category').selectOption('query')
      await page.locator('#breadcrumbs').getByText('4 of 100, latest first').waitFor()
      await page.getByLabel('Search breadcrumbs').fill('')
      await page.getByLabel('Level').selectOption('warning')
      assert.equal(await rows.count(), 1)
    }))
})

describe('the screens of an issue', () => {
  test('name issues that look alike, and what is alike in them', () =>
    asOwner(async (page) => {
      await page.goto(at('large'))
      const similar = page.locator('.similar')
      await similar.getByText(/same type/).waitFor()
      await similar.getByRole('link', { name: 'ImportFailed: row 18' }).click()
      await page.getByText('other_import', { exact: true }).first().waitFor()
    }))

  test('say that the status changed, and offer the way back', () =>
    asOwner(async (page) => {
      await openEvent(page, at('untyped'))
      await page.keyboard.press('e')
      await page.getByText(/: Resolved\./).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor()
    }))

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`have no violation that axe knows, and fit 360 px: ${colorScheme}`, () =>
      asOwner(
        async (page) => {
          // The policy forbids scripts of others on the page itself; the browser's own door is open.
          const source = readFileSync(AXE, 'utf8')
          const paths = [`${ISSUE}?query=region%3Aus-east-1`, at('group'), `${ISSUE}/tags/user`]
          for (const path of colorScheme === 'dark' ? paths.slice(0, 2) : [...paths, `${ISSUE}/events`]) {
            await page.goto(path)
            // Drawn or counted, the page is as scripts leave it.
            await page.locator('.chart canvas, .tag-table, .event-table').first().waitFor()
            await page.evaluate(source)
            const found = await page.evaluate(async () => {
              const { axe } = window as unknown as {
                axe: {
                  run(within: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
                }
              }
              const { violations } = await axe.run('#main')
              return {
                violations: violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`),
                tooWide: document.documentElement.scrollWidth - window.innerWidth,
              }
            })
            assert.deepEqual(found, { violations: [], tooWide: 0 }, path)
          }
        },
        { colorScheme, viewport: { width: 360, height: 740 } },
      ))
  }
})
