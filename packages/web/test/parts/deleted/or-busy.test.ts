import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorKind, SondeError } from '@sonde/base'
import { orBusy } from '../../../src/parts/deleted/or-busy.server.ts'

const refused = (kind: ErrorKind) =>
  orBusy('/list?busy=1', Promise.reject(new SondeError(kind, 'not now', { operation: 'restore events' })))

test('who deletes or restores while events move is led back to the list, which says so', async () => {
  for (const kind of ['conflict', 'unavailable'] as const)
    await assert.rejects(refused(kind), { url: '/list?busy=1', status: 303 })
})

test('what is gone, or not this person’s, ends the page as such; anything else is an error', async () => {
  await assert.rejects(refused('not-found'), { status: 404 })
  await assert.rejects(refused('forbidden'), { status: 403 })
  await assert.rejects(refused('internal'), { name: 'SondeError', kind: 'internal' })
  assert.equal(await orBusy('/list', Promise.resolve(3)), 3)
})
