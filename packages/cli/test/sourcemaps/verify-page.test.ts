import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkBundle, type FoundBundle, type MissingScript } from '../../src/sourcemaps/check-bundle.ts'
import { readPage } from '../../src/sourcemaps/read-page.ts'
import { builtApp, builtSite } from './built.ts'

async function serve(t: { after(run: () => void): void }, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function all<Found extends FoundBundle | MissingScript>(
  scripts: AsyncIterable<Found>,
): Promise<Found[]> {
  const found: Found[] = []
  for await (const script of scripts) found.push(script)
  return found
}

const PAGE = `<!doctype html><base href="/assets/"><script src='main.js'></script>
<script src="https://cdn.example/widget.js"></script>`

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  html: 'text/html',
  json: 'application/json',
}

/** The built files, and nothing else. `base`: where the site lies. */
const serveFolder = (t: { after(run: () => void): void }, dir: string, base = '/'): Promise<string> =>
  serve(t, ({ url: path = '' }, answer) => {
    const file = path === base ? 'index.html' : path.slice(base.length)
    try {
      const bytes = readFileSync(join(dir, file))
      answer.setHeader('content-type', TYPES[file.split('.').at(-1) ?? ''] ?? 'text/plain')
      answer.end(bytes)
    } catch {
      answer.writeHead(404).end()
    }
  })

test('a public map of a page is told and read; other hosts are only named', async (t) => {
  const dir = await builtApp(t)
  const asked: string[] = []
  const url = await serve(t, ({ url: path = '' }, answer) => {
    asked.push(path)
    if (path === '/cart') return answer.end(PAGE)
    if (path.endsWith('.json')) return answer.writeHead(404).end()
    return answer.end(readFileSync(join(dir, path.replace('/assets/', ''))))
  })
  const { scripts, elsewhere } = await readPage({ address: `${url}/cart`, hosts: [] })
  const [first, ...more] = await all(scripts)
  assert.deepEqual(more, [])
  assert.ok(first && 'code' in first)
  assert.deepEqual([...elsewhere], ['https://cdn.example/widget.js'])
  assert.deepEqual(
    [first.name, first.map.kind === 'found' && first.map.place],
    [`${url}/assets/main.js`, `${url}/assets/main.js.map`],
  )
  assert.deepEqual(
    checkBundle(first).problems.map(({ problem }) => problem),
    ['no_debug_id'],
  )
  assert.deepEqual(asked, [
    '/cart',
    '/.vite/manifest.json',
    '/asset-manifest.json',
    '/assets/main.js',
    '/assets/main.js.map',
  ])
})

test('a site that answers everything with its page has no public map', async (t) => {
  const dir = await builtApp(t)
  const url = await serve(t, ({ url: path = '' }, answer) => {
    if (path === '/assets/main.js') return answer.end(readFileSync(join(dir, 'main.js')))
    answer.setHeader('content-type', 'text/html')
    return answer.end(PAGE)
  })
  const { scripts } = await readPage({ address: url, hosts: [] })
  const [script] = await all(scripts)
  assert.ok(script && 'code' in script)
  assert.equal(script.map.kind, 'hidden')
})

for (const base of ['/', '/shop/'])
  test(`every chunk of a site below ${base} is found from its page, those that are loaded later too`, async (t) => {
    const dir = await builtSite(t, base)
    const built = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    )
    assert.ok(built.length >= 3, built.join())
    const url = await serveFolder(t, dir, base)
    const { scripts } = await readPage({ address: `${url}${base}`, hosts: [] })
    const found = await all(scripts)
    assert.deepEqual(
      found.map(({ name }) => name).toSorted(),
      built.map((file) => `${url}${base}${file}`).toSorted(),
    )
  })

test('a chunk that is named and not there is told, with what names it', async (t) => {
  const dir = await builtSite(t, '/')
  const gone = readdirSync(join(dir, 'assets')).find((file) => /^later-.*js$/.test(file)) ?? ''
  rmSync(join(dir, 'assets', gone))
  const url = await serveFolder(t, dir)
  const { scripts } = await readPage({ address: url, hosts: [] })
  const missing = (await all(scripts)).flatMap((script) => ('code' in script ? [] : [script]))
  assert.equal(missing.length, 1)
  assert.deepEqual([missing[0]?.name, missing[0]?.detail], [`${url}/assets/${gone}`, 'it answers 404'])
  assert.match(missing[0]?.namedBy ?? '', /\/assets\/index-.*\.js$/)
})

test("a manifest's scripts are found, also those that nothing else names", async (t) => {
  const dir = await builtApp(t)
  const manifest = {
    'src/main.ts': { file: 'main.js', src: 'src/main.ts', isEntry: true, css: ['main.css'] },
  }
  const url = await serve(t, ({ url: path = '' }, answer) => {
    if (path === '/.vite/manifest.json') return answer.end(JSON.stringify(manifest))
    if (path === '/build.json') return answer.end(JSON.stringify({ files: { 'other.js': '/other.js' } }))
    if (path === '/main.js' || path === '/other.js') return answer.end(readFileSync(join(dir, 'main.js')))
    return answer.writeHead(path === '/' ? 200 : 404).end('<p>no scripts</p>')
  })
  const namesOf = async (named?: string): Promise<string[]> => {
    const { scripts } = await readPage({ address: url, hosts: [], manifest: named })
    return (await all(scripts)).map(({ name }) => name)
  }
  assert.deepEqual(await namesOf(), [`${url}/main.js`])
  assert.deepEqual(await namesOf('/build.json'), [`${url}/main.js`, `${url}/other.js`])
  await assert.rejects(namesOf('/gone.json'), /gone.json cannot be read/)
})

test('pages that links lead to are read up to the number that was asked for, and only pages', async (t) => {
  const asked: string[] = []
  const link = (to: string) => `<a href="${to}">on</a>`
  const pages: Readonly<Record<string, string>> = {
    '/': `<script src="/home.js"></script>${link('/terms.pdf')}${link('/cart#top')}${link('/cart')}${link('https://other.example/')}`,
    '/cart': `<script src="/cart.js"></script>${link('/')}${link('gone')}${link('pay')}`,
    '/pay': '<script src="/pay.js"></script>',
  }
  const url = await serve(t, ({ url: path = '' }, answer) => {
    asked.push(path)
    const page = pages[path]
    if (page !== undefined) return answer.setHeader('content-type', 'text/html').end(page)
    if (path.endsWith('.pdf')) return answer.setHeader('content-type', 'application/pdf').end('%PDF')
    if (/^\/\w+\.js$/.test(path)) return answer.setHeader('content-type', 'text/javascript').end('1')
    return answer.writeHead(404).end()
  })
  const namesWith = async (count?: number) => {
    asked.length = 0
    const { scripts } = await readPage({ address: `${url}/`, pages: count, hosts: [] })
    return (await all(scripts)).map(({ name }) => name.slice(url.length))
  }
  assert.deepEqual(await namesWith(), ['/home.js'])
  assert.deepEqual(await namesWith(2), ['/home.js', '/cart.js'])
  assert.deepEqual(await namesWith(9), ['/home.js', '/cart.js', '/pay.js'])
  // Each once, and none of another host.
  assert.deepEqual(asked.slice(0, 5), ['/', '/terms.pdf', '/cart', '/gone', '/pay'])
})

test('a page that is not there says what to do', async (t) => {
  const url = await serve(t, (_, answer) => answer.writeHead(404).end())
  await assert.rejects(readPage({ address: `${url}/gone`, hosts: [] }), /gone cannot be read: it answers 404/)
})
