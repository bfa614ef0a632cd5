import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { openDocsSite } from '../../src/front/docs-site.ts'
import { listen } from '../../src/front/listen.ts'

const FILES: Readonly<Record<string, string>> = {
  'index.html': '<h1>Documentation</h1>',
  '404.html': '<h1>No such page</h1>',
  'search.html': '<h1>Search</h1>',
  'operate/backup.html': '<h1>Backup and restore</h1>',
  'assets/site.0123456789.css': 'body { margin: 0 }',
}

async function serve(t: TestContext, { isBuilt = true } = {}): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-docs-'))
  const entries = Object.entries(FILES).map(([file, text]) => {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), text)
    writeFileSync(join(dir, `${file}.br`), brotliCompressSync(text))
    writeFileSync(join(dir, `${file}.gz`), gzipSync(text))
    const isHashed = file.startsWith('assets/')
    return { file, type: isHashed ? 'text/css' : 'text/html', isHashed, tag: file, codings: ['br', 'gz'] }
  })
  if (isBuilt) writeFileSync(join(dir, 'site.json'), JSON.stringify(entries))
  const listening = await listen(openDocsSite(dir), { host: '127.0.0.1', port: 0 })
  t.after(async () => {
    await listening.stop(0)
    rmSync(dir, { recursive: true })
  })
  return `http://127.0.0.1:${listening.port}`
}

type Answer = { status: number | undefined; headers: Record<string, string | undefined>; bytes: Buffer }

/** Not `fetch`, which makes a path shorter before it asks and unpacks bodies by itself. */
const ask = (url: string, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const asked = request({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode,
          headers: answer.headers as Answer['headers'],
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    asked.once('error', reject)
    asked.end()
  })

test('each page has one address, and what somebody means by others leads there', async (t) => {
  const url = await serve(t)
  const page = await ask(url, '/docs/operate/backup')
  assert.deepEqual([page.status, page.bytes.toString()], [200, FILES['operate/backup.html']])
  assert.equal((await ask(url, '/docs/')).bytes.toString(), FILES['index.html'])
  for (const [meant, address] of [
    ['/docs', '/docs/'],
    ['/docs/README.md', '/docs/'],
    ['/docs/index.html', '/docs/'],
    ['/docs/operate/backup.md', '/docs/operate/backup'],
    ['/docs/operate/Backup.html', '/docs/operate/backup'],
    ['/docs/operate/backup/?a=1&b=%20', '/docs/operate/backup?a=1&b=%20'],
  ] as const) {
    const { status, headers } = await ask(url, meant)
    assert.deepEqual([status, headers['location']], [301, address], meant)
  }
})

test('an address without a page says so, however it is written', async (t) => {
  const url = await serve(t)
  for (const path of [
    '/docs/nothing',
    '/docs/../site.json',
    '/docs/..%2f..%2fetc%2fpasswd',
    '/docs/site.json',
    '/docs/operate/backup.html.br',
    '/docs/%E0%A4%A',
    '/docs//elsewhere.example/operate/backup.md',
    '/docs/constructor',
  ]) {
    const { status, bytes } = await ask(url, path)
    assert.deepEqual([status, bytes.toString()], [404, FILES['404.html']], path)
  }
})

test('comes packed as the browser likes it, and not again when it has it', async (t) => {
  const url = await serve(t)
  const packed = await ask(url, '/docs/operate/backup', { 'accept-encoding': 'gzip, br' })
  assert.equal(packed.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(packed.bytes).toString(), FILES['operate/backup.html'])
  const etag = packed.headers['etag'] ?? ''
  const again = await ask(url, '/docs/operate/backup', {
    'accept-encoding': 'gzip, br',
    'if-none-match': etag,
  })
  assert.deepEqual([again.status, again.bytes.length], [304, 0])
  const plain = await ask(url, '/docs/operate/backup', { 'if-none-match': etag })
  assert.equal(plain.status, 200)
  assert.notEqual(plain.headers['etag'], etag)
  assert.equal(packed.headers['vary'], 'accept-encoding')
})

test('files whose names change with their bytes are kept for ever, pages are asked for again', async (t) => {
  const url = await serve(t)
  const asset = await ask(url, '/docs/assets/site.0123456789.css')
  assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal((await ask(url, '/docs/')).headers['cache-control'], 'no-cache')
})

test('every answer allows its own files alone, and is not for search engines', async (t) => {
  const url = await serve(t)
  for (const path of ['/docs/', '/docs', '/docs/nothing', '/docs/assets/site.0123456789.css']) {
    const { headers } = await ask(url, path)
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; script-src 'self';/, path)
    assert.doesNotMatch(headers['content-security-policy'] ?? '', /unsafe|https?:|\*/, path)
    assert.equal(headers['x-content-type-options'], 'nosniff', path)
    assert.equal(headers['x-robots-tag'], 'noindex', path)
  }
})

test('it is only read, and without a build it says how there is one', async (t) => {
  const built = await serve(t)
  const head = await ask(built, '/docs/', {}, 'HEAD')
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
  assert.equal((await ask(built, '/docs/', {}, 'POST')).status, 405)
  const { status, bytes } = await ask(await serve(t, { isBuilt: false }), '/docs/')
  assert.equal(status, 404)
  assert.match(bytes.toString(), /npm run build/)
})
