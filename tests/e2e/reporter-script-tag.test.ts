/** A page with the script tag alone, against a fresh Sonde: what it sends, and what stands on the screen for it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RecordingProxy, startRecordingProxy } from '../harness/recording-proxy.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { signedInPlain } from './plain-page.ts'
import { type Site, startSite } from './reporter-site.ts'

let sonde: RunningSonde
let api: ApiClient
let browser: Browser
let proxy: RecordingProxy
let site: Site | undefined

before(async () => {
  sonde = await startSonde()
  api = apiClient(sonde)
  browser = await launchChromium()
  proxy = await startRecordingProxy(sonde.url)
})
after(async () => {
  await browser?.close()
  await proxy?.close()
  assert.equal(await sonde?.stop(), 0)
})
afterEach(() => site?.close())

const BROKEN = `
function priceOf(order) {
  return order.lines.length
}
document.getElementById('break').addEventListener('click', function onBreak() { priceOf({}) })
document.getElementById('next').addEventListener('click', () => {
  history.pushState({}, '', '/cart')
  document.querySelector('h1').textContent = 'Cart'
})
`
const BODY =
  '<h1>Shop</h1><button id="break">Break</button><button id="next">Next</button><script src="/page.js"></script>'
const tag = (attributes: string): string =>
  `<script src="${sonde.url}/sonde.js" crossorigin="anonymous" ${attributes}></script>`

async function open(head: string, scripts: Record<string, string> = { '/page.js': BROKEN }): Promise<Page> {
  site = await startSite({ head, body: BODY, scripts, sondeUrl: sonde.url, via: proxy.url })
  const page = await browser.newPage()
  await page.goto(site.url)
  return page
}

/** Asks until it is so; a failure says what came instead. */
async function until<T>(what: string, read: () => T | undefined, withinMs = 15_000): Promise<T> {
  const endMs = Date.now() + withinMs
  for (;;) {
    const value = read()
    if (value !== undefined) return value
    if (Date.now() > endMs)
      throw new Error(`no ${what}; came: ${JSON.stringify(proxy.items()).slice(0, 3_000)}`)
    await wait(25)
  }
}

type ShownEvent = {
  title: string
  culprit: string
  tags: { key: string; value: string }[]
  entries: {
    type: string
    data: {
      values: {
        type: string
        value: string
        stacktrace: {
          frames: { function: string | null; filename: string; lineNo: number; inApp: boolean }[]
        }
      }[]
    }
  }[]
  groupID: string
}
const issuesOf = ({ org, project }: CreatedProject): string => `/api/0/projects/${org}/${project}/issues/`

describe('a script tag alone', () => {
  test('reports an error through the tunnel, which stands in the list and on its own screen', async () => {
    const project = createProject(sonde, 'acme/error')
    const page = await open(
      tag(`data-dsn="${project.dsn}" data-tunnel data-release="shop@1.2.3" data-environment="staging"`),
    )
    await page.click('#break')
    const { payload, header } = await until('error', () => proxy.items('event').at(-1))
    assert.equal(header['dsn'], project.dsn)
    assert.equal(payload['release'], 'shop@1.2.3')
    const sent = proxy.posted.find(({ envelope }) => envelope.header === header)
    assert.match(
      sent?.path ?? '',
      new RegExp(`^/api/${project.id}/envelope/\\?.*sentry_key=${project.publicKey}`),
    )

    const issues = await api.until<{ id: string; title: string; shortId: string }[]>(
      issuesOf(project),
      (list) => list.length === 1,
    )
    assert.match(issues[0]?.title ?? '', /^TypeError: .*length/)
    await page.close()
    const screen = await signedInPlain(sonde.url)
    await screen.goto(`/acme/error/issues/${issues[0]?.shortId}`)
    assert.match(screen.part('h1').text, /TypeError/)
    screen.shows('priceOf')
  })

  test('reports the page load with its vitals, and a navigation, and nothing of it ends as an error', async () => {
    const project = createProject(sonde, 'acme/vitals')
    const page = await open(tag(`data-dsn="${project.dsn}" data-tunnel data-traces-sample-rate="1"`))
    const load = await until('page load', () =>
      proxy.items('transaction').find(({ payload }) => opOf(payload) === 'pageload'),
    )
    const measured = Object.keys(load.payload['measurements'] ?? {})
    assert.ok(measured.includes('ttfb') && measured.includes('fcp'), String(measured))
    await page.click('#next')
    const navigation = await until('navigation', () =>
      proxy.items('transaction').find(({ payload }) => opOf(payload) === 'navigation'),
    )
    assert.equal(navigation.payload['transaction'], '/cart')
    // Leaving the page sends what is only known then.
    await page.goto('about:blank')
    await until('final vitals', () => {
      const text = JSON.stringify(proxy.items('span'))
      return /web_vital\.(lcp|cls)/.test(text) ? true : undefined
    })
    await until('navigation record', () =>
      JSON.stringify(proxy.items('span')).includes('sonde.navigation.') ? true : undefined,
    )
    assert.deepEqual([...new Set(proxy.posted.map(({ status }) => status))], [200])
    const { body } = await api.get<unknown[]>(issuesOf(project))
    assert.deepEqual(body, [])
    await page.close()
  })

  test('works with integrity, and not with another integrity', async () => {
    const project = createProject(sonde, 'acme/integrity')
    const code = Buffer.from(await (await fetch(`${sonde.url}/sonde.js`)).arrayBuffer())
    const integrity = `sha384-${createHash('sha384').update(code).digest('base64')}`
    const page = await open(tag(`integrity="${integrity}" data-dsn="${project.dsn}" data-tunnel`))
    assert.equal(
      await page.evaluate(
        () => typeof (window as { Sonde?: { captureException: unknown } }).Sonde?.captureException,
      ),
      'function',
    )
    await page.close()
    await site?.close()
    const other = await open(
      tag(`integrity="sha384-${'A'.repeat(64)}" data-dsn="${project.dsn}" data-tunnel`),
    )
    assert.equal(await other.evaluate(() => typeof (window as { Sonde?: unknown }).Sonde), 'undefined')
    await other.close()
  })

  test('reaches its Sonde where a blocker stops every request to it', async () => {
    const project = createProject(sonde, 'acme/blocked')
    site = await startSite({
      head: tag(`data-dsn="${project.dsn}" data-tunnel`),
      body: BODY,
      scripts: { '/page.js': BROKEN },
      sondeUrl: sonde.url,
      via: proxy.url,
    })
    const context = await browser.newContext()
    // As blockers do: by the path of ingest endpoints, on whatever host.
    await context.route(/\/api\/\d+\/envelope\//, (route) => route.abort('blockedbyclient'))
    const page = await context.newPage()
    await page.goto(site.url)
    await page.click('#break')
    await api.until<unknown[]>(issuesOf(project), (list) => list.length === 1)
    await context.close()
  })
})

describe('the same error by our reporter and by the Sentry SDK', () => {
  test('is shown alike: title, frames, tags, and in one issue', async () => {
    const project = createProject(sonde, 'acme/alike')
    const settings = `{ dsn: '${project.dsn}', tunnel: '/monitoring', release: 'shop@2.0.0', environment: 'staging' }`
    const ours = await open(
      tag(`data-dsn="${project.dsn}" data-tunnel data-release="shop@2.0.0" data-environment="staging"`),
    )
    await ours.click('#break')
    const first = await until('our event', () =>
      proxy.items('event').findLast(({ header }) => header['dsn'] === project.dsn),
    )
    await ours.close()
    await site?.close()

    const theirs = await open(`<script src="/sdk.js"></script><script src="/start.js"></script>`, {
      '/page.js': BROKEN,
      '/sdk.js': await sentrySdk(),
      '/start.js': `Sentry.init(${settings})`,
    })
    await theirs.click('#break')
    const second = await until('their event', () =>
      proxy
        .items('event')
        .find(
          ({ header, payload }) =>
            header['dsn'] === project.dsn && payload['event_id'] !== first.payload['event_id'],
        ),
    )
    await theirs.close()

    const [a, b] = await Promise.all(
      [first, second].map(({ header }) => shown(project, String(header['event_id']))),
    )
    assert.ok(a && b)
    assert.equal(a.title, b.title)
    assert.equal(a.groupID, b.groupID)
    assert.deepEqual(framesOf(a), framesOf(b))
    assert.deepEqual(tagsOf(a), tagsOf(b))
  })
})

const opOf = (payload: Record<string, unknown>): unknown =>
  (payload['contexts'] as { trace?: { op?: string } } | undefined)?.trace?.op

const shown = ({ org, project }: CreatedProject, id: string): Promise<ShownEvent> =>
  api.until<ShownEvent>(`/api/0/projects/${org}/${project}/events/${id}/`, () => true)

const framesOf = (event: ShownEvent) =>
  event.entries
    .filter(({ type }) => type === 'exception')
    .flatMap(({ data }) => data.values)
    .map(({ type, value, stacktrace }) => ({
      type,
      value,
      // Each page is a site of its own: the port differs.
      frames: stacktrace.frames.map((frame) => [
        frame.function,
        frame.filename.replace(/:\d+/, ''),
        frame.lineNo,
        frame.inApp,
      ]),
    }))

/** What differs because the reporters do, or because ours tells less of people. */
const DIFFERS = new Set([
  // Each page is a site of its own, with its own port.
  'url',
  'sdk.name',
  // Theirs wraps listeners, ours hears of the error from the browser.
  'mechanism',
  // Ours says the page of an error, theirs only with tracing.
  'transaction',
  // Theirs asks for the visitor's address unless told otherwise.
  'user',
])

const tagsOf = (event: ShownEvent) =>
  event.tags
    .filter(({ key }) => !DIFFERS.has(key))
    .map(({ key, value }) => `${key}: ${value}`)
    .sort()

async function sentrySdk(): Promise<string> {
  const bundle = await rolldown({ input: '@sentry/browser', cwd: import.meta.dirname, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', name: 'Sentry' })
  await bundle.close()
  return output[0].code
}
