import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkBundle, type FoundBundle } from '../../src/cli/sourcemaps/check-bundle.ts'
import { readPage, scriptAddresses } from '../../src/cli/sourcemaps/read-page.ts'
import { builtApp } from './built.ts'

async function serve(t: { after(run: () => void): void }, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function all(bundles: AsyncIterable<FoundBundle>): Promise<FoundBundle[]> {
  const found: FoundBundle[] = []
  for await (const bundle of bundles) found.push(bundle)
  return found
}

const PAGE = `<!doctype html><base href="/assets/"><script src='main.js'></script>
<!-- <script src="old.js"></script> --><link rel=modulepreload href="main.js">
<script src="https://cdn.example/widget.js?a=1&amp;b=2"></script><script>inline()</script>`

test('scripts of a page are found with its base, once each, and none of a comment', () => {
  assert.deepEqual(scriptAddresses(PAGE, 'http://shop.test/cart'), [
    'http://shop.test/assets/main.js',
    'https://cdn.example/widget.js?a=1&b=2',
  ])
})

test('a public map of a page is told and read; other hosts are only named', async (t) => {
  const dir = await builtApp(t)
  const asked: string[] = []
  const url = await serve(t, ({ url: path = '' }, answer) => {
    asked.push(path)
    if (path === '/cart') return answer.end(PAGE)
    return answer.end(readFileSync(join(dir, path.replace('/assets/', ''))))
  })
  const { bundles, elsewhere } = await readPage(`${url}/cart`, [])
  const found = await all(bundles)
  const [first] = found
  assert.ok(first)
  assert.deepEqual(elsewhere, ['https://cdn.example/widget.js?a=1&b=2'])
  assert.deepEqual(
    found.map(({ name, map }) => [name, map.kind, map.kind === 'found' ? map.place : '']),
    [[`${url}/assets/main.js`, 'found', `${url}/assets/main.js.map`]],
  )
  assert.deepEqual(
    checkBundle(first).problems.map(({ problem }) => problem),
    ['no_debug_id'],
  )
  assert.deepEqual(asked, ['/cart', '/assets/main.js', '/assets/main.js.map'])
})

test('a site that answers everything with its page has no public map', async (t) => {
  const dir = await builtApp(t)
  const url = await serve(t, ({ url: path = '' }, answer) => {
    if (path === '/assets/main.js') return answer.end(readFileSync(join(dir, 'main.js')))
    answer.setHeader('content-type', 'text/html')
    return answer.end(PAGE)
  })
  const { bundles } = await readPage(url, [])
  const [bundle] = await all(bundles)
  assert.equal(bundle?.map.kind, 'hidden')
})

test('a page that is not there says what to do', async (t) => {
  const url = await serve(t, (_, answer) => answer.writeHead(404).end())
  await assert.rejects(readPage(`${url}/gone`, []), /gone cannot be read: it answers 404/)
})
