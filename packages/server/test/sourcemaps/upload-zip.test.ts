/** What goes over the wire, and what a person is told when it does not go; a real Sonde takes an upload in tests/e2e. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { uploadZip } from '../../src/cli/sourcemaps/upload-zip.ts'

type Answer = { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> }
type Call = { readonly path: string; readonly authorization: string | undefined; readonly body: Buffer }

const CHUNKS = '/api/0/organizations/acme/chunk-upload/'
const ASSEMBLE = '/api/0/organizations/acme/artifactbundle/assemble/'
const OPTIONS = { url: CHUNKS, chunkSize: 8, chunksPerRequest: 2, maxRequestSize: 100 }
const ZIP = Buffer.from('0123456789abcdef0123456789')
const sha1 = (bytes: Buffer): string => createHash('sha1').update(bytes).digest('hex')

/** Answers in the order given; the last one again and again. */
async function serve(t: { after(run: () => void): void }, answers: readonly Answer[]) {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { url: path = '', headers } = request
      const answer = answers[Math.min(calls.length, answers.length - 1)]
      calls.push({ path, authorization: headers.authorization, body })
      response.writeHead(answer?.status ?? 200, answer?.headers)
      response.end(JSON.stringify(answer?.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const run = () =>
    uploadZip(
      { url, org: 'acme', project: 'shop', token: 'secret' },
      ZIP,
      { project: 'shop', release: 'shop@1', dist: undefined },
      () => {},
    )
  return { calls, run }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

test('only what is missing is sent, in requests of the size that the server names, and it is waited for', async (t) => {
  const pieces = [ZIP.subarray(0, 8), ZIP.subarray(8, 16), ZIP.subarray(16, 24), ZIP.subarray(24)]
  const [first = '', second = '', , last = ''] = pieces.map(sha1)
  const { calls, run } = await serve(t, [
    { body: OPTIONS },
    { body: { state: 'not_found', missingChunks: [first, second, last] } },
    { body: {} },
    { body: {} },
    { body: { state: 'assembling' } },
    { body: { state: 'ok' } },
  ])
  await run()
  assert.deepEqual(
    calls.map(({ path }) => path),
    [CHUNKS, ASSEMBLE, CHUNKS, CHUNKS, ASSEMBLE, ASSEMBLE],
  )
  assert.ok(calls.every(({ authorization }) => authorization === 'Bearer secret'))
  assert.deepEqual(JSON.parse(calls[1]?.body.toString() ?? ''), {
    checksum: sha1(ZIP),
    chunks: pieces.map(sha1),
    projects: ['shop'],
    version: 'shop@1',
  })
  const sent = calls.slice(2, 4).map(({ body }) => body.toString('latin1'))
  assert.ok(sent[0]?.includes(`filename="${first}"`) && sent[0].includes(`filename="${second}"`))
  assert.ok(sent[0]?.includes('01234567'))
  assert.ok(sent[1]?.includes(`filename="${last}"`) && !sent[1].includes(first))
})

test('a server that is restarting is asked again', async (t) => {
  const { calls, run } = await serve(t, [
    { status: 503, body: { detail: 'starting' } },
    { body: OPTIONS },
    { body: { state: 'ok' } },
  ])
  await run()
  assert.equal(calls.length, 3)
})

test('a refusal says what the server said and what to do', async (t) => {
  const refused = async (...answers: Answer[]): Promise<{ message: string; hint?: string }> => {
    const { run } = await serve(t, answers)
    return run().then(
      () => assert.fail('it went through'),
      (error: Error & { hint?: string }) => error,
    )
  }
  const unknown = await refused({ status: 401, body: { detail: 'Invalid token' } })
  assert.match(unknown.message, /the token is not known \(Invalid token\)/)
  assert.match(unknown.hint ?? '', /make a new one/)
  const forbidden = await refused({ status: 403, body: { detail: 'no' } })
  assert.match(forbidden.hint ?? '', /org:ci/)
  const gone = await refused({ status: 404, body: { detail: 'not there' } })
  assert.match(gone.hint ?? '', /--org and --project/)
  const moved = await refused({ status: 301, headers: { location: 'https://sonde.example/' }, body: {} })
  assert.match(moved.message, /leads to https:\/\/sonde\.example\//)
  const broken = await refused({ body: OPTIONS }, { body: { state: 'error', detail: 'no manifest.json' } })
  assert.match(broken.message, /did not take the upload: no manifest\.json/)
  const elsewhere = await refused(
    { body: { ...OPTIONS, url: 'https://elsewhere.example/upload' } },
    { body: { state: 'not_found', missingChunks: [] } },
    { body: { state: 'not_found' } },
  )
  assert.match(elsewhere.message, /does not have what was just sent/)
  const stolen = await refused(
    { body: { ...OPTIONS, url: 'https://elsewhere.example/upload' } },
    { body: { state: 'not_found' } },
  )
  assert.match(stolen.message, /names an address elsewhere: https:\/\/elsewhere\.example/)
})
