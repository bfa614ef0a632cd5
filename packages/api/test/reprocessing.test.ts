import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, openHarness } from './harness.ts'

describe('reprocessing in the public API', () => {
  let harness: Harness
  let ci: string
  before(async () => {
    harness = await openHarness()
    await harness.project('acme', 'shop')
    ci = await harness.token(['project:releases'], 'acme')
  })
  after(() => harness.close())

  const PATH = '/api/0/projects/acme/shop/source-maps/reprocessing/'
  const ask = async (method: string, body?: unknown, token = ci) => {
    const response = await harness.fetch(PATH, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }

  it('who uploads maps asks, and reads how far it is', async () => {
    const asked = await ask('POST', { release: 'shop@1' })
    assert.deepEqual([asked.status, asked.json['isNew']], [202, true])
    assert.deepEqual((await ask('POST', { release: 'shop@1' })).json, { ...asked.json, isNew: false })
    const { status, json } = await ask('GET')
    const [reprocessing] = json as unknown as readonly Record<string, unknown>[]
    assert.equal(status, 200)
    assert.deepEqual(
      [
        reprocessing?.['id'],
        reprocessing?.['cause'],
        reprocessing?.['release'],
        reprocessing?.['dateStarted'],
        reprocessing?.['events'],
      ],
      [asked.json['id'], 'asked', 'shop@1', null, { total: null, seen: 0, changed: 0, moved: 0 }],
    )
  })

  it('a token that only reads is refused, and an endless release too', async () => {
    assert.equal((await ask('POST', {}, await harness.token(['project:read'], 'acme'))).status, 403)
    assert.equal((await ask('POST', { release: 'x'.repeat(300) })).status, 400)
  })
})
