/** A Sonde whose issues are of every shape, and its owner's browser, for the files that look at one issue. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { checkoutError, newEventId, type SentEvent, sendEvent } from './screens-events.ts'
import { sessionOf, visit } from './screens-visit.ts'

const HOUR_MS = 3_600_000
export const EVENTS = 12
export const ISSUE = '/acme/shop/issues/SHOP-1'

let sonde: RunningSonde
let browser: Browser
let shop: CreatedProject
let session: ReturnType<BrowserContext['storageState']>
const issues: Record<'group' | 'untyped' | 'large' | 'native', string> = {
  group: '',
  untyped: '',
  large: '',
  native: '',
}

const frame = (name: string, line: number, inApp = true) => ({
  function: name,
  filename: `shop/${name}.py`,
  lineno: line,
  in_app: inApp,
  pre_context: ['# prices', 'def price(item):'],
  context_line: `    raise ValueError("no price for " + item, ${line})`,
  post_context: ['    return None'],
})

/** As a reader of minidumps tells it: one frame from the registers, one found by scanning; two images, neither uploaded. */
function nativeEvent(atMs: number): SentEvent {
  const image = (file: string, id: string, address: string) => ({
    type: 'elf',
    code_file: file,
    debug_id: id,
    image_addr: address,
    image_size: 65_536,
  })
  const native = (address: string, trust: string, name?: string) => ({
    instruction_addr: address,
    data: { trust },
    in_app: true,
    ...(name !== undefined && { function: name }),
  })
  return {
    event_id: newEventId(),
    timestamp: atMs / 1000,
    platform: 'native',
    level: 'fatal',
    exception: {
      values: [
        {
          type: 'SIGSEGV',
          value: 'Fatal Error: SIGSEGV at 0x0',
          stacktrace: {
            frames: [native('0x402010', 'scan'), native('0x401004', 'context', 'shop_run')],
            registers: { rip: '0x401004', rsp: '0x7ffd1000' },
          },
        },
      ],
    },
    debug_meta: {
      images: [
        image('/app/bin/shop', 'c0bcc3f1-9827-fe65-3058-404b2831d9e6', '0x400000'),
        image('/lib/libc.so.6', 'aaaaaaaa-9827-fe65-3058-404b2831d9e6', '0x900000'),
      ],
    },
  }
}

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

async function start(): Promise<void> {
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
  issues.native = await arrives(await sendEvent(shop.dsn, nativeEvent(nowMs - 2_500)))
  const last = older.at(-1)?.event_id ?? ''
  await arrives(last)
  browser = await launchChromium()
  session = sessionOf(sonde.url)
}

let users = 0
let started: Promise<void> | undefined

/** Starts them before the tests of the first file of a process that asks, and stops them after those of the last. */
export function useIssueScreens(): void {
  before(() => {
    users++
    return (started ??= start())
  })

  after(async () => {
    if (--users > 0) return
    started = undefined
    await browser?.close()
    assert.equal(await sonde?.stop(), 0)
  })
}

export async function asOwner(
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

export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }
export const pasted = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
export const params = (page: Page): URLSearchParams => new URL(page.url()).searchParams
export const origin = (): string => new URL(sonde.url).origin
export const at = (name: keyof typeof issues): string => `/acme/shop/issues/${issues[name]}`

/** Opens an event's page and waits until its scripts run: keys pressed before are lost. */
export async function openEvent(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: 'Copy event as Markdown' }).waitFor()
}
