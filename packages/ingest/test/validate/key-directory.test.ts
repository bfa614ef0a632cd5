import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, fixedClock, silentLogger, systemClock } from '@sonde/base'
import type { KeyInfo, KeySource } from '@sonde/stores/keys'
import { type KeyDirectory, startKeyDirectory } from '../../src/validate/key-directory.ts'

const INFO: KeyInfo = { keyId: 1, projectId: 2, orgId: 3, isActive: true }

type Growing = { source: KeySource; committed: Map<string, KeyInfo>; reads: () => number }

function growingSource(): Growing {
  const committed = new Map<string, KeyInfo>()
  let reads = 0
  const source: KeySource = {
    async read() {
      reads++
      const keys = new Map(committed)
      // What is committed from here on is not in it.
      await turn()
      return { version: String(reads), keys }
    },
    close: async () => undefined,
  }
  return { source, committed, reads: () => reads }
}

function start(t: TestContext, source: KeySource, clock: Clock = systemClock): KeyDirectory {
  const directory = startKeyDirectory(source, clock, silentLogger)
  t.after(() => directory.stop())
  return directory
}

test('a key that was read is found without waiting', async (t) => {
  const { source, committed } = growingSource()
  committed.set('a', INFO)
  const { lookUp } = start(t, source)
  await lookUp('a')
  assert.equal(lookUp('a'), INFO)
})

test('a key made just now is found by the next read', async (t) => {
  const { source, committed, reads } = growingSource()
  const { lookUp } = start(t, source)
  await assert.rejects(async () => lookUp('stranger'), /no project has this key/)
  committed.set('new', INFO)
  assert.equal(await lookUp('new'), INFO)
  assert.equal(reads(), 2)
})

test('a key that is committed while a read runs is found by the next one', async (t) => {
  const { source, committed, reads } = growingSource()
  const { lookUp } = start(t, source)
  const stranger = assert.rejects(async () => lookUp('stranger'), /no project has this key/)
  while (reads() === 0) await Promise.resolve()
  committed.set('new', INFO)
  assert.equal(await lookUp('new'), INFO)
  await stranger
})

test('changes of known keys are noticed without anybody asking', async (t) => {
  const { source, committed } = growingSource()
  committed.set('a', INFO)
  const { find, lookUp } = start(t, source)
  await lookUp('a')
  committed.set('a', { ...INFO, isActive: false })
  while (find('a')?.isActive !== false) await new Promise((resolve) => setTimeout(resolve, 5))
})

test('a rotated key ends by the clock alone', async (t) => {
  const { source, committed } = growingSource()
  committed.set('a', { ...INFO, activeUntilMs: 1_000 })
  const clock = fixedClock(0)
  const { find, lookUp } = start(t, source, clock)
  await lookUp('a')
  clock.advance(999)
  assert.equal(find('a')?.isActive, true)
  clock.advance(1)
  assert.equal(find('a')?.isActive, false)
})

test('a flood of unknown keys shares a few reads, and all are refused', async (t) => {
  const { source, reads } = growingSource()
  const { lookUp } = start(t, source)
  const wanted = Array.from({ length: 2_500 }, (_, index) => `key${index}`)
  const answers = await Promise.allSettled(wanted.map(async (publicKey) => lookUp(publicKey)))
  assert.ok(answers.every((answer) => answer.status === 'rejected' && answer.reason.details.status === 403))
  assert.ok(reads() <= 2, `${reads()} reads`)
})

test('records that cannot be read are our fault: 503, known keys stay, and the next time may work', async (t) => {
  let error: Error | undefined = new Error('no such file')
  const keys = new Map([['a', INFO]])
  const source: KeySource = {
    read: async () => {
      if (error) throw error
      return { version: String(keys.size), keys: new Map(keys) }
    },
    close: async () => undefined,
  }
  const { lookUp } = start(t, source)
  const is503 = (thrown: { details: { status: number } }) => thrown.details.status === 503
  await assert.rejects(async () => lookUp('a'), is503)
  error = undefined
  assert.equal(await lookUp('a'), INFO)
  error = new Error('database is locked')
  await assert.rejects(async () => lookUp('b'), is503)
  assert.equal(lookUp('a'), INFO)
})

test('a clock that is set back by hours does not keep a new key waiting for as long', async (t) => {
  const { source, committed } = growingSource()
  const clock = fixedClock(100_000_000)
  const { lookUp } = start(t, source, clock)
  await assert.rejects(async () => lookUp('stranger'), /no project has this key/)
  committed.set('new', INFO)
  clock.set(0)
  clock.advance(200)
  assert.equal(await lookUp('new'), INFO)
})

describe('a directory of which nobody asked for ten seconds', () => {
  /** Real source, but for what it holds; timers as fast as the test moves them. */
  async function quiet(t: TestContext) {
    const clock = fixedClock(100_000)
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const growing = growingSource()
    growing.committed.set('a', INFO)
    const directory = start(t, growing.source, clock)
    const pass = async (ms: number): Promise<number> => {
      const before = growing.reads()
      for (let passed = 0; passed < ms; passed += 200) {
        clock.advance(200)
        t.mock.timers.tick(200)
        // A read ends in the next turn.
        await turn()
        await turn()
      }
      return growing.reads() - before
    }
    const firstReads = await pass(10_400)
    return { ...growing, directory, pass, firstReads }
  }

  test('reads the records a tenth as often, until somebody asks', async (t) => {
    const { directory, pass, firstReads } = await quiet(t)
    assert.ok(firstReads >= 50, `${firstReads} reads`)
    assert.equal(await pass(20_000), 10)
    assert.equal(await directory.lookUp('a'), INFO)
    const after = await pass(2_000)
    assert.ok(after >= 9, `${after} reads`)
    assert.equal(directory.lookUp('a'), INFO)
  })

  test('answers who asks first by what is committed then', async (t) => {
    const { directory, pass, committed } = await quiet(t)
    await pass(1_000)
    const disabled = { ...INFO, isActive: false }
    committed.set('a', disabled)
    assert.equal(await directory.lookUp('a'), disabled)
  })

  test('answers by what it knows while the records do not answer', async (t) => {
    const { directory, pass, source } = await quiet(t)
    await pass(1_000)
    source.read = () => new Promise(() => undefined)
    assert.equal(await directory.lookUp('a'), INFO)
  })
})
