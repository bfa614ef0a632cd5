import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Access } from '@sonde/access'
import { createApi } from '@sonde/api'
import { fixedClock, type Logger, silentLogger, UnavailableError } from '@sonde/base'
import type { CommandDeps } from '@sonde/commands'
import type { QueryDeps } from '@sonde/queries'

/** An API over parts that fail: only `openOrgs` is ever called. */
function apiThatFailsWith(error: Error, logger: Logger = silentLogger) {
  const access = {
    viewerFromToken: () => Promise.resolve({ kind: 'token', scopes: [] }),
    grantsFor: () => ({ openOrgs: () => Promise.reject(error) }),
  } as unknown as Access
  const clock = fixedClock(0)
  const queries = { clock, publicUrl: 'http://sonde.test' } as unknown as QueryDeps
  const commands = { access, clock } as unknown as CommandDeps
  const blobs = { open: () => Promise.resolve(undefined), get: async () => undefined }
  return createApi({ access, queries, commands, blobs, publicUrl: 'http://sonde.test', logger })
}
const ask = (error: Error): Promise<Response> =>
  Promise.resolve(
    apiThatFailsWith(error).request('/api/0/organizations/', { headers: { authorization: 'Bearer x' } }),
  )

describe('what goes wrong inside', () => {
  it('an unknown error says nothing but an id for the log', async () => {
    const response = await ask(new Error('the password is hunter2'))
    assert.equal(response.status, 500)
    const text = await response.text()
    assert.match(text, /^\{"detail":"Internal error","errorId":"[0-9a-f]{12}"\}$/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  })

  it('what breaks off because the client is gone is no failure, and fills no log', async () => {
    const logged: unknown[] = []
    const logger = Object.assign(Object.create(silentLogger) as Logger, {
      error: (fields: unknown) => void logged.push(fields),
    })
    const api = apiThatFailsWith(new Error('aborted'), logger)
    const send = (signal: AbortSignal) =>
      api.request('/api/0/organizations/', { headers: { authorization: 'Bearer x' }, signal })
    assert.equal((await send(AbortSignal.abort())).status, 400)
    assert.deepEqual(logged, [])
    assert.equal((await send(new AbortController().signal)).status, 500)
    assert.equal(logged.length, 1)
  })

  it('an engine that is busy answers 503 with the time to wait', async () => {
    const busy = new UnavailableError('out of memory', { operation: 'query', retryAfterSec: 5 })
    const response = await ask(busy)
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '5')
    assert.ok(!(await response.text()).includes('memory'))
  })
})
