/** Guarantees G1 and G2 of the log: `kill -9` of the writer at any moment, with a reader that lives on. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger } from '@sonde/base'
import { type LogReader, openLogReader, openLogWriter } from '@sonde/log'

const KILLS = 20
const appender = join(import.meta.dirname, 'log-appender.ts')
const limit = { maxRecords: 200, maxBytes: 2 ** 20 }

/** One writer process from its start to its death; the numbers it knew as acknowledged. */
async function appendUntilKilled(dir: string, first: number, afterMs: number): Promise<number[]> {
  const child = spawn(process.execPath, [appender, dir, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const started = new Promise<void>((resolve) => {
    child.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString('latin1')
      resolve()
    })
  })
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.on('close', (_code, signal) => resolve(signal))
  })
  await Promise.race([started, ended])
  await sleep(afterMs)
  child.kill('SIGKILL')
  assert.equal(await ended, 'SIGKILL', 'the appender ended by itself')
  // The last line may be torn: then its number was not yet told to anybody.
  return output.split('\n').slice(0, -1).map(Number)
}

/** Reads and commits as it goes, so that segments are deleted under the writer's feet. */
async function consume(reader: LogReader, into: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const records = await reader.read(await reader.committed(), limit, signal)
    const last = records.at(-1)
    if (!last) continue
    for (const { bytes } of records) into.push(Number(Buffer.from(bytes).toString('latin1').split(' ')[0]))
    await reader.commit(last.next)
  }
}

void test(`${KILLS} kills of the writer under load lose nothing acknowledged and show nothing twice`, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-log-kill-'))
  const acknowledged: number[] = []
  const seen: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    // The reader restarts now and then too, and goes on from its checkpoint.
    const reader = await openLogReader({
      dir,
      logger: silentLogger,
      onCorruption: (corruption) => assert.fail(`damage at ${corruption.position}`),
    })
    const stop = new AbortController()
    const consuming = consume(reader, seen, stop.signal)
    const told = await appendUntilKilled(dir, kill * 1_000_000, (kill * 17) % 80)
    assert.ok(told.length > 0)
    acknowledged.push(...told)
    stop.abort()
    await consuming
    await reader.close()
  }

  const writer = await openLogWriter({ dir, logger: silentLogger })
  const reader = await openLogReader({ dir, logger: silentLogger })
  await writer.append(Buffer.from('-1 the end'))
  const stop = new AbortController()
  const consuming = consume(reader, seen, stop.signal)
  while (seen.at(-1) !== -1) await sleep(5)
  stop.abort()
  await consuming
  seen.pop()

  assert.equal(new Set(seen).size, seen.length, 'a record came twice')
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
    'records came out of order',
  )
  const found = new Set(seen)
  assert.deepEqual(
    acknowledged.filter((number) => !found.has(number)),
    [],
    'acknowledged records are missing',
  )
  assert.ok(acknowledged.length > 1_000, `only ${acknowledged.length} appends: no load`)
  await writer.close()
  await reader.close()
  await rm(dir, { recursive: true })
})
