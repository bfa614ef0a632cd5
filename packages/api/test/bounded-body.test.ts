import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { after, before, describe, it } from 'node:test'
import { type Harness, openHarness } from './harness.ts'
import { FORM, serve } from './upload-client.ts'

const BOUND = 100_000
const CHUNK = Buffer.alloc(16_384, ' ')

describe('bodies that tell no length', () => {
  let harness: Harness
  let client: Awaited<ReturnType<typeof serve>>
  let token: string
  before(async () => {
    harness = await openHarness()
    await harness.project('acme', 'shop')
    token = await harness.token(['project:write', 'org:ci'], 'acme')
    client = await serve(harness)
  })
  after(async () => {
    await client.close()
    await harness.close()
  })

  it('are read no further than the bound', async () => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += CHUNK.length
        // One more than needed lies in the stream's queue, one is on its way.
        assert.ok(pulled <= BOUND + 3 * CHUNK.length, `${pulled} bytes were pulled`)
        controller.enqueue(CHUNK)
      },
    })
    const init = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body, duplex: 'half' }
    const answer = await harness.fetch('/api/0/projects/acme/shop/keys/', init)
    assert.deepEqual(
      [answer.status, await answer.text()],
      [400, '{"detail":["a body has at most 100000 bytes"]}'],
    )
  })

  it('are refused while they still come', { timeout: 30_000 }, async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      while (true) yield CHUNK
    }
    const answer = await client.send('POST', 'projects/acme/shop/keys/', token, endless(), {
      'content-type': 'application/json',
    })
    assert.deepEqual([answer.status, answer.body], [400, '{"detail":["a body has at most 100000 bytes"]}'])
  })

  it('that say they are longer than the bound are not read at all', async () => {
    const body = new ReadableStream<Uint8Array>(
      {
        pull() {
          assert.fail('was read')
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { authorization: `Bearer ${token}`, 'content-length': String(BOUND + 1) }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    assert.equal((await harness.fetch('/api/0/projects/acme/shop/keys/', init)).status, 400)
  })

  it('of forms with parts of no use are refused, and not one part more is made', async () => {
    const form = Buffer.from(`${'--xyz\r\n\r\n\r\n'.repeat(500_000)}--xyz--\r\n`)
    const startedMs = performance.now()
    const answer = await client.send('POST', 'organizations/acme/chunk-upload/', token, form, FORM)
    assert.deepEqual([answer.status, /at most \d+ files and 16 fields/.test(answer.body)], [400, true])
    assert.ok(performance.now() - startedMs < 3_000, `${performance.now() - startedMs} ms`)
  })
})
