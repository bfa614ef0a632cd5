import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { listen } from '../../src/front/listen.ts'
import { openReporterScript } from '../../src/front/reporter-script.ts'

const CODE = 'var Sonde = (function () { return { init() {} } })();\n'

async function serve(t: TestContext, { isBuilt = true } = {}): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-reporter-'))
  if (isBuilt) {
    writeFileSync(join(dir, 'sonde.js'), CODE)
    writeFileSync(join(dir, 'sonde.js.br'), brotliCompressSync(CODE))
    writeFileSync(join(dir, 'sonde.js.gz'), gzipSync(CODE))
  }
  const listening = await listen(openReporterScript(dir), { host: '127.0.0.1', port: 0 })
  t.after(async () => {
    await listening.stop(0)
    rmSync(dir, { recursive: true })
  })
  return `http://127.0.0.1:${listening.port}/sonde.js`
}

/** Not `fetch`, which asks for packed bodies by itself and unpacks them. */
const ask = (url: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const asked = request(url, { method, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        )
      })
      asked.once('error', reject)
      asked.end()
    },
  )

test('comes packed as the browser likes it, each form under a tag of its own', async (t) => {
  const url = await serve(t)
  const forms = await Promise.all([
    ask(url, { 'accept-encoding': 'gzip, deflate, br, zstd' }),
    ask(url, { 'accept-encoding': 'gzip;q=1.0' }),
    ask(url, {}),
  ])
  assert.deepEqual(
    forms.map(({ headers }) => headers['content-encoding']),
    ['br', 'gzip', undefined],
  )
  assert.equal(forms[2]?.bytes.toString(), CODE)
  assert.equal(new Set(forms.map(({ headers }) => headers['etag'])).size, 3)
  for (const { headers } of forms) assert.equal(headers['vary'], 'accept-encoding')
})

test('may be loaded by pages of any site, with integrity and under isolation', async (t) => {
  const { headers } = await ask(await serve(t), { origin: 'https://shop.example' })
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-type']), /^text\/javascript/)
})

test('is kept for an hour, and asked for again without being sent again', async (t) => {
  const url = await serve(t)
  const first = await ask(url, { 'accept-encoding': 'br' })
  assert.match(String(first.headers['cache-control']), /^public, max-age=3600\b/)
  const again = await ask(url, {
    'accept-encoding': 'br',
    'if-none-match': `W/${String(first.headers['etag'])}`,
  })
  assert.deepEqual([again.status, again.bytes.length], [304, 0])
})

test('HEAD has no body, and nothing but GET and HEAD is taken', async (t) => {
  const url = await serve(t)
  const head = await ask(url, {}, 'HEAD')
  assert.deepEqual(
    [head.status, head.bytes.length, head.headers['content-length']],
    [200, 0, String(CODE.length)],
  )
  assert.equal((await ask(url, {}, 'POST')).status, 405)
})

test('without a build it says how to make one', async (t) => {
  const { status, bytes } = await ask(await serve(t, { isBuilt: false }), {})
  assert.equal(status, 404)
  assert.match(bytes.toString(), /npm run build/)
})
