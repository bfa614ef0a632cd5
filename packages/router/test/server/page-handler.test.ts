import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  createPageHandler,
  devAssets,
  type ErrorReport,
  httpError,
  invalid,
  notFound,
  type PageHandlerOptions,
  redirect,
  redirectWhole,
} from '../../src/server/index.ts'
import type { PageData } from '../../src/shared/page-data.ts'
import { fakeBuild, type FakeRoute } from '../support/fake-build.ts'

const ORIGIN = 'https://sonde.example'

function serve(routes: Record<string, FakeRoute>, more: Partial<PageHandlerOptions> = {}) {
  const reports: ErrorReport[] = []
  const handler = createPageHandler({
    build: fakeBuild(routes),
    manifest: devAssets('/entry.js'),
    buildId: 'b1',
    createContext: () => ({}),
    onError: (report) => void reports.push(report),
    document: { title: 'Default title' },
    ...more,
  })
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    handler(new Request(ORIGIN + path, { headers, method }))
  return {
    reports,
    handler,
    ask,
    data: (path: string, mode = '1') => ask(path, { 'x-sonde-page': mode }),
    post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
      return handler(
        new Request(ORIGIN + path, {
          method: 'POST',
          headers: { origin: ORIGIN, 'sec-fetch-site': 'same-origin', ...headers },
          body: new URLSearchParams(form),
        }),
      )
    },
  }
}

const pageOf = async (response: Response): Promise<PageData> => (await response.json()) as PageData
const load = (run: NonNullable<FakeRoute['server']>['load'] & {}): FakeRoute => ({ server: { load: run } })

describe('page data', () => {
  test('has its own content type, the build, Vary, and is never stored', async () => {
    const response = await serve({ '[org]/page.tsx': load(({ params }) => ({ org: params['org'] })) }).data(
      '/acme',
    )
    assert.deepEqual(
      ['content-type', 'x-sonde-build', 'vary', 'cache-control'].map((name) => response.headers.get(name)),
      ['application/x-sonde-page+json', 'b1', 'x-sonde-page', 'private, no-store'],
    )
    assert.deepEqual(await pageOf(response), {
      build: 'b1',
      template: '/[org]',
      kind: 'dynamic',
      status: 200,
      title: 'Default title',
      data: { '/[org]': { org: 'acme' } },
    })
  })

  test('carries layouts, outermost first, and the title that the page makes of its data', async () => {
    const routes = {
      'layout.tsx': load(() => ({ user: 'grace' })),
      'a/layout.tsx': {},
      'a/page.tsx': {
        ...load(() => ({ n: 1, at: new Date(0) })),
        title: (data: unknown) => JSON.stringify(data),
      },
    }
    const page = await pageOf(await serve(routes).data('/a'))
    assert.deepEqual(page.data, {
      'layout:/': { user: 'grace' },
      'layout:/a': null,
      '/a': { n: 1, at: '1970-01-01T00:00:00.000Z' },
    })
    assert.equal(page.title, '{"n":1,"at":"1970-01-01T00:00:00.000Z"}')
  })

  test('a prefetch of a dynamic page runs nothing; of a static page it runs all', async () => {
    let runs = 0
    const count = (): object => ({ runs: ++runs })
    const server = serve({
      'd/page.tsx': load(count),
      's/page.tsx': { server: { kind: 'static', load: count } },
    })
    const dynamic = await pageOf(await server.data('/d', 'prefetch'))
    assert.deepEqual([dynamic.reduced, dynamic.kind, dynamic.data, runs], [true, 'dynamic', {}, 0])
    const fixed = await pageOf(await server.data('/s', 'prefetch'))
    assert.deepEqual([fixed.reduced, fixed.kind, fixed.data], [undefined, 'static', { '/s': { runs: 1 } }])
  })
})

describe('HTML', () => {
  test('has a nonce that no other answer has, in the policy and in the document', async () => {
    const server = serve({ 'page.tsx': {} })
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await server.ask('/')
        const policy = response.headers.get('content-security-policy') ?? ''
        assert.ok(!policy.includes('unsafe'), policy)
        const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
        assert.ok(nonce.length >= 20)
        assert.ok((await response.text()).includes(`nonce="${nonce}"`))
        assert.equal(response.headers.get('vary'), 'x-sonde-page')
        return nonce
      }),
    )
    assert.notEqual(nonces[0], nonces[1])
  })

  test('the document knows the context of the request, and of a page that ended before it was made none', async () => {
    const app = serve(
      { 'page.tsx': {}, 'a/page.tsx': load(() => notFound()) },
      {
        createContext: ({ url }) => {
          if (url.endsWith('?fail')) throw new Error('no context')
          return { name: 'grace' }
        },
        document: ({ context }) => ({
          head: `<meta name="who" content="${JSON.stringify(context)?.length}">`,
        }),
      },
    )
    const who = async (path: string) => /content="(\w+)"/.exec(await (await app.ask(path)).text())?.[1]
    assert.deepEqual(await Promise.all(['/', '/a', '/nowhere', '/?fail'].map(who)), [
      '16',
      '16',
      'undefined',
      'undefined',
    ])
  })

  test('HEAD answers what GET would, without a body', async () => {
    const response = await serve({ 'page.tsx': {} }).ask('/', {}, 'HEAD')
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), await response.text()],
      [200, 'text/html; charset=utf-8', ''],
    )
  })

  test('escapes the title and the attributes', async () => {
    const server = serve(
      { 'page.tsx': { title: () => '</title><script>"' } },
      { document: { lang: '"><x', htmlAttributes: { 'data-theme': 'dark' } } },
    )
    const html = await (await server.ask('/')).text()
    assert.ok(html.includes('<title>&lt;/title&gt;&lt;script&gt;&quot;</title>'))
    assert.ok(html.startsWith('<!DOCTYPE html><html lang="&quot;&gt;&lt;x" data-theme="dark">'))
  })
})

const shown = (response: Response): unknown => [response.status, response.headers.get('location')]
const to = (url: string, status?: 303 | 307 | 308): NonNullable<FakeRoute['server']> => ({
  load: () => redirect(url, status),
  action: () => redirect(url, status),
})

describe('redirects are real on the wire', () => {
  const rows: [
    path: string,
    server: NonNullable<FakeRoute['server']>,
    get: [number, string],
    post: [number, string],
  ][] = [
    ['default', to('/b?x=1#y'), [307, '/b?x=1#y'], [303, '/b?x=1#y']],
    ['as 303', to('/b', 303), [303, '/b'], [303, '/b']],
    ['as 307', to('/b', 307), [307, '/b'], [307, '/b']],
    ['as 308', to('/b', 308), [308, '/b'], [308, '/b']],
    ['relative', to('b'), [307, '/b'], [303, '/b']],
    ['absolute but ours', to(`${ORIGIN}/b`), [307, '/b'], [303, '/b']],
    [
      'to another origin',
      to('https://example.com/b'),
      [307, 'https://example.com/b'],
      [303, 'https://example.com/b'],
    ],
    [
      'as a Response with 302',
      {
        load: () => Response.redirect(`${ORIGIN}/b`, 302),
        action: () => Response.redirect(`${ORIGIN}/b`, 302),
      },
      [307, '/b'],
      [303, '/b'],
    ],
    [
      'as a Response with 301',
      {
        load: () => Response.redirect(`${ORIGIN}/b`, 301),
        action: () => Response.redirect(`${ORIGIN}/b`, 301),
      },
      [308, '/b'],
      [303, '/b'],
    ],
  ]
  for (const [what, server, get, post] of rows) {
    test(what, async () => {
      const app = serve({ 'a/page.tsx': { server } })
      assert.deepEqual(shown(await app.ask('/a')), get)
      assert.deepEqual(shown(await app.data('/a')), get)
      assert.deepEqual(shown(await app.post('/a', {})), post)
      assert.equal((await app.ask('/a')).headers.get('cache-control'), 'no-store')
    })
  }

  test('a post for page data to another origin tells the browser where to go', async () => {
    const app = serve({ 'a/page.tsx': { server: to('https://example.com/b') } })
    const response = await app.post('/a', {}, { 'x-sonde-page': '1', 'x-sonde-build': 'b1' })
    assert.equal(response.status, 200)
    assert.equal((await pageOf(response)).leave, 'https://example.com/b')
  })

  test('a post that changes who the document is for goes on with a new document', async () => {
    const app = serve({ 'a/page.tsx': { server: { action: () => redirectWhole('/b') } } })
    const response = await app.post('/a', {}, { 'x-sonde-page': '1', 'x-sonde-build': 'b1' })
    assert.deepEqual([response.status, (await pageOf(response)).leave], [200, `${ORIGIN}/b`])
    assert.deepEqual(shown(await app.post('/a', {})), [303, '/b'])
  })

  test('a target that is no web address is a failure', async () => {
    const app = serve({ 'a/page.tsx': load(() => redirect('javascript:alert(1)')) })
    assert.equal((await app.ask('/a')).status, 500)
    assert.equal(app.reports.length, 1)
  })

  test('the layout decides before the page, however long it takes', async () => {
    const app = serve({
      'layout.tsx': load(async () => {
        await new Promise((resolve) => setImmediate(resolve))
        redirect('/sign-in')
      }),
      'a/page.tsx': load(() => notFound()),
    })
    assert.equal((await app.ask('/a')).headers.get('location'), '/sign-in')
  })

  test('cookies set before a redirect arrive', async () => {
    const app = serve({
      'a/page.tsx': {
        server: {
          action({ appendHeader, setHeader }) {
            appendHeader('set-cookie', 'a=1')
            appendHeader('set-cookie', 'b=2')
            setHeader('x-seen', 'yes')
            redirect('/')
          },
        },
      },
    })
    const response = await app.post('/a', {})
    assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2'])
    assert.equal(response.headers.get('x-seen'), 'yes')
  })

  test('createContext may redirect', async () => {
    const app = serve({ 'a/page.tsx': {} }, { createContext: () => redirect('/sign-in') })
    assert.equal((await app.ask('/a')).headers.get('location'), '/sign-in')
  })
})

describe('posts', () => {
  const form: FakeRoute = {
    server: {
      load: () => ({ fresh: true }),
      async action({ formData }) {
        const data = await formData()
        const name = data.get('name')
        return name === 'bad' ? invalid({ problem: 'no' }) : { saved: name }
      },
    },
  }

  test('answer with what the action returned and fresh data', async () => {
    const page = await pageOf(
      await serve({ 'a/page.tsx': form }).post('/a', { name: 'x' }, { 'x-sonde-page': '1' }),
    )
    assert.deepEqual(
      [page.status, page.action, page.data['/a'], page.typed],
      [200, { saved: 'x' }, { fresh: true }, undefined],
    )
  })

  test('refused with 422 keep what was typed, without what looks secret', async () => {
    const typed = { name: 'bad', password: 'p', apiToken: 't', otp: '1', note: 'n' }
    for (const headers of [{}, { 'x-sonde-page': '1' }]) {
      const response = await serve({ 'a/page.tsx': form }).post('/a', typed, headers)
      assert.equal(response.status, 422)
      const text = await response.text()
      const page = JSON.parse(/\{.*\}/s.exec(text.slice(text.indexOf('{"build"')))?.[0] ?? '') as PageData
      assert.deepEqual([page.action, page.typed], [{ problem: 'no' }, { name: 'bad', note: 'n' }])
    }
  })

  test('of another build do nothing and say so', async () => {
    let ran = false
    const app = serve({ 'a/page.tsx': { server: { action: () => void (ran = true) } } })
    const response = await app.post('/a', {}, { 'x-sonde-page': '1', 'x-sonde-build': 'b0' })
    assert.deepEqual([response.status, response.headers.get('x-sonde-build'), ran], [409, 'b1', false])
  })

  test('to a page without an action are 405; other methods too', async () => {
    const app = serve({ 'a/page.tsx': {} })
    assert.equal((await app.post('/a', {}, { 'x-sonde-page': '1' })).status, 405)
    assert.equal((await app.ask('/a', {}, 'DELETE')).status, 405)
  })

  const body = (bytes: string, type: string): Promise<Response> =>
    serve({ 'a/page.tsx': form }).handler(
      new Request(`${ORIGIN}/a`, {
        method: 'POST',
        body: bytes,
        headers: { origin: ORIGIN, 'content-type': type },
      }),
    )
  test('that are no form are 415, malformed 400, larger than 1 MiB 413', async () => {
    assert.equal((await body('{}', 'application/json')).status, 415)
    assert.equal((await body('x', 'multipart/form-data; boundary=b')).status, 400)
    assert.equal(
      (await body(`name=${'x'.repeat(1_100_000)}`, 'application/x-www-form-urlencoded')).status,
      413,
    )
  })
})

describe('posts from elsewhere are refused before anything runs', () => {
  const rows: [what: string, headers: Record<string, string>, status: number][] = [
    ['our page', { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }, 200],
    ['our page, an old browser', { origin: ORIGIN }, 200],
    ['our page, Origin stripped', { 'sec-fetch-site': 'same-origin' }, 200],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['another site, an old browser', { origin: 'https://evil.example' }, 403],
    ['a sibling domain', { origin: 'https://x.sonde.example', 'sec-fetch-site': 'same-site' }, 403],
    ['a lying Origin', { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }, 403],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    ['the same host over http', { origin: 'http://sonde.example' }, 403],
    ['nobody in particular', {}, 403],
    ['the address bar', { 'sec-fetch-site': 'none' }, 403],
  ]
  for (const [what, headers, status] of rows) {
    test(`${what}: ${status}`, async () => {
      let runs = 0
      const app = serve({ 'a/page.tsx': { server: { action: () => ({ runs: ++runs }) } } })
      const response = await app.ask('/a', headers, 'POST')
      assert.deepEqual([response.status, runs], [status, status === 200 ? 1 : 0])
    })
  }

  test('behind a proxy the public origin is the one that counts', async () => {
    const app = serve(
      { 'a/page.tsx': { server: { action: () => ({}) } } },
      { publicOrigin: 'https://public.example' },
    )
    assert.equal((await app.ask('/a', { origin: 'https://public.example' }, 'POST')).status, 200)
    assert.equal((await app.ask('/a', { origin: ORIGIN }, 'POST')).status, 403)
  })
})

describe('failures', () => {
  const fails = load(() => {
    throw new Error('secret detail')
  })
  const sentence =
    'Application error: a client-side or server-side exception has occurred while loading sonde.example (see the browser console or server logs for more information)'

  test('leave the server as status and digest, and reach onError whole', async () => {
    const app = serve({ 'a/page.tsx': fails })
    for (const response of [await app.ask('/a'), await app.data('/a')]) {
      assert.equal(response.status, 500)
      const text = await response.text()
      assert.ok(!text.includes('secret'))
      assert.ok(text.includes(`"error":{"status":500,"digest":"${app.reports[0]?.digest}"}`))
    }
    assert.match(app.reports[0]?.digest ?? '', /^\d{1,10}$/)
    assert.equal(app.reports[0]?.digest, app.reports[1]?.digest)
    assert.ok(app.reports[0]?.error instanceof Error)
  })

  test('that the app explains say its sentence, with its status and the digest, and are reported too', async () => {
    const message = 'Not available for now: the shelf <3> does not answer.'
    const app = serve({ 'a/page.tsx': fails }, { explain: () => ({ status: 503, message }) })
    const page = await app.data('/a')
    assert.equal(page.status, 503)
    const { error, title } = (await page.json()) as { error: unknown; title: string }
    assert.deepEqual(error, { status: 503, digest: app.reports[0]?.digest, message })
    assert.equal(title, 'Not available')
    const build = fakeBuild({ 'page.tsx': {} }, () => {
      throw new Error('secret')
    })
    const bare = await serve({}, { build, explain: () => ({ status: 503, message }) }).ask('/')
    assert.equal(bare.status, 503)
    assert.match(await bare.text(), /<h1>Not available for now: the shelf &lt;3&gt; does not answer\.<\/h1>/)
  })

  test('say which request they are of, where that is known', async () => {
    const requestId = (): string => 'request-1'
    const app = serve({ 'a/page.tsx': fails }, { requestId })
    const { error } = (await (await app.data('/a')).json()) as { error: unknown }
    assert.deepEqual(error, { status: 500, digest: app.reports[0]?.digest, requestId: 'request-1' })
    const build = fakeBuild({ 'page.tsx': {} }, () => {
      throw new Error('secret')
    })
    const bare = await (await serve({}, { build, requestId }).ask('/')).text()
    assert.match(bare, /<p>Digest: \d+<\/p><p>Request ID: request-1<\/p>/)
  })

  test('are reported to nobody when the reader left in the middle', async () => {
    const app = serve({ 'a/page.tsx': fails })
    const signal = AbortSignal.abort()
    await app.handler(new Request(`${ORIGIN}/a`, { signal }))
    assert.deepEqual(app.reports, [])
  })

  test('of rendering show the fall-back page with their digest', async () => {
    const build = fakeBuild({ 'page.tsx': {} }, ({ page }) => {
      if (!page.error) throw new Error('secret of the shell')
      return `fall-back ${page.error.digest}`
    })
    const app = serve({}, { build })
    const response = await app.ask('/')
    const html = await response.text()
    assert.equal(response.status, 500)
    assert.ok(html.includes(`fall-back ${app.reports[0]?.digest}`))
    assert.equal(app.reports.length, 1)
  })

  test('of everything else still show the sentence and the digest', async () => {
    const build = fakeBuild({ 'page.tsx': {} }, () => {
      throw new Error('secret')
    })
    const rendering = serve({}, { build })
    const unbuilt = serve({}, { build: () => Promise.reject(new Error('secret: does not compile')) })
    for (const app of [rendering, unbuilt]) {
      const response = await app.ask('/')
      const html = await response.text()
      assert.equal(response.status, 500)
      assert.ok(html.includes(`<h1>${sentence}</h1><p>Digest: ${app.reports[0]?.digest}</p>`), html)
      assert.ok(!html.includes('secret'))
    }
  })

  test('the sentence names the public host', async () => {
    const app = serve(
      {},
      { build: () => Promise.reject(new Error('x')), publicOrigin: 'https://public.example:8443' },
    )
    assert.ok((await (await app.ask('/')).text()).includes('while loading public.example:8443 (see'))
  })

  test('that are no failures have no digest and are not reported', async () => {
    const app = serve({
      'gone/page.tsx': load(() => httpError(410)),
      'none/page.tsx': load(() => notFound()),
    })
    for (const [path, status] of [
      ['/gone', 410],
      ['/none', 404],
      ['/unknown/path', 404],
    ] as const) {
      const page = await pageOf(await app.data(path))
      assert.deepEqual([page.status, page.error], [status, { status }])
      assert.equal((await app.ask(path)).status, status)
    }
    assert.deepEqual(app.reports, [])
  })

  test('a load that answers by itself is passed on', async () => {
    const app = serve({
      'events/page.server.ts': load(() => new Response('raw', { headers: { 'x-a': '1' } })),
    })
    const response = await app.ask('/events')
    assert.deepEqual([response.status, response.headers.get('x-a'), await response.text()], [200, '1', 'raw'])
  })
})
