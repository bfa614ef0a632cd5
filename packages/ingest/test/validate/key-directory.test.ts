import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLogger, systemClock } from '@sonde/base'
import { createKeyLookup, type KeyDirectory, type KeyInfo } from '../../src/validate/key-directory.ts'

const INFO: KeyInfo = { keyId: 1, projectId: 2, orgId: 3, isActive: true }

function growingDirectory(): {
  keys: KeyDirectory
  committed: Map<string, KeyInfo>
  refreshes: () => number
} {
  const committed = new Map<string, KeyInfo>()
  let memory = new Map<string, KeyInfo>()
  let refreshes = 0
  const keys: KeyDirectory = {
    find: (publicKey) => memory.get(publicKey),
    async refresh() {
      refreshes++
      const seen = new Map(committed)
      await new Promise((resolve) => setTimeout(resolve, 5))
      memory = seen
    },
  }
  return { keys, committed, refreshes: () => refreshes }
}

test('a known key is found without waiting', () => {
  const keys: KeyDirectory = {
    find: () => INFO,
    refresh: () => Promise.reject(new Error('not to be called')),
  }
  assert.equal(createKeyLookup(keys, systemClock, silentLogger)('a'), INFO)
})

test('a key made just now is found by one refresh', async () => {
  const { keys, committed, refreshes } = growingDirectory()
  const lookUp = createKeyLookup(keys, systemClock, silentLogger)
  committed.set('new', INFO)
  assert.equal(await lookUp('new'), INFO)
  assert.equal(refreshes(), 1)
})

test('a key that is committed while a refresh runs is found by the next one', async () => {
  const { keys, committed } = growingDirectory()
  const lookUp = createKeyLookup(keys, systemClock, silentLogger)
  const stranger = assert.rejects(async () => lookUp('stranger'), /no project has this key/)
  await new Promise((resolve) => setTimeout(resolve, 2))
  committed.set('new', INFO)
  assert.equal(await lookUp('new'), INFO)
  await stranger
})

test('a flood of unknown keys shares a few refreshes, and all are refused', async () => {
  const { keys, refreshes } = growingDirectory()
  const lookUp = createKeyLookup(keys, systemClock, silentLogger)
  const asked = Array.from({ length: 2_500 }, (_, index) => `key${index}`)
  const answers = await Promise.allSettled(asked.map(async (publicKey) => lookUp(publicKey)))
  assert.ok(answers.every((answer) => answer.status === 'rejected' && answer.reason.details.status === 403))
  assert.ok(refreshes() <= 2, `${refreshes()} refreshes`)
})

test('records that cannot be read are our fault: 503, and the next time may work', async () => {
  let fails = true
  const keys: KeyDirectory = {
    find: () => (fails ? undefined : INFO),
    refresh: () => (fails ? Promise.reject(new Error('database is locked')) : Promise.resolve()),
  }
  const lookUp = createKeyLookup(keys, systemClock, silentLogger)
  await assert.rejects(
    async () => lookUp('a'),
    (error: { details: { status: number } }) => error.details.status === 503,
  )
  fails = false
  assert.equal(await lookUp('a'), INFO)
})
