import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CodePosition, SourcePosition } from '@sonde/protocol/code-position'
import { askResolver } from '../../src/scripts/resolve-scripts.ts'

const PLACES = [1, 2].map((character): CodePosition => ({ projectId: 1, url: '/a.js', at: { character } }))
const NONE = { ok: false, problem: 'no_map' } as const satisfies SourcePosition

it('a screen has what the resolver says, and comes without it when that takes too long or fails', async () => {
  const nothing = [undefined, undefined]
  assert.deepEqual(await askResolver(async (all) => all.map(() => NONE), PLACES), [NONE, NONE])
  assert.deepEqual(await askResolver(() => new Promise(() => {}), PLACES, 20), nothing)
  assert.deepEqual(await askResolver(() => Promise.reject(new Error('no thread')), PLACES), nothing)
  assert.deepEqual(await askResolver(() => assert.fail('nothing was asked'), []), [])
})
