/**
 * A power loss, simulated: at some sync the machine stops. Of what was written since the last sync, each 512-byte
 * sector is on disk or not, in any combination; the published position is any older one, or gone.
 */
import assert from 'node:assert/strict'
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import * as fc from 'fast-check'
import { openLogWriter } from '../../src/embedded/index.ts'
import { openLogFile, type OpenLogFile } from '../../src/embedded/segments.ts'
import { temporaryDir, temporaryLog } from './temporary-log.ts'

const SECTOR_BYTES = 512

type Loss = {
  readonly atSync: number
  readonly keep: readonly boolean[]
  readonly size: number
  readonly published: number
}

/** Files that copy the folder as the power loss leaves it, at the given sync and before it succeeds. */
function losingDisk(dir: string, image: string, loss: Loss, onLoss: () => void): OpenLogFile {
  let syncs = 0
  const older: Buffer[] = []
  return async (draftOrPath, flags) => {
    const file = await openLogFile(draftOrPath, flags)
    const path = draftOrPath.replace(/\.tmp$/, '')
    let syncedSize = statSync(draftOrPath).size
    const lose = (): void => {
      onLoss()
      cpSync(dir, image, { recursive: true, filter: (source) => !source.endsWith('.lock') })
      const bytes = readFileSync(path)
      const name = basename(path)
      for (let at = syncedSize; at < bytes.length; at += SECTOR_BYTES - (at % SECTOR_BYTES)) {
        const index = Math.floor((at - syncedSize) / SECTOR_BYTES)
        if (!loss.keep[index % loss.keep.length])
          bytes.subarray(at, at + SECTOR_BYTES - (at % SECTOR_BYTES)).fill(0)
      }
      const unsynced = bytes.length - syncedSize
      writeFileSync(join(image, name), bytes.subarray(0, syncedSize + Math.round(unsynced * loss.size)))
      const published = older[Math.floor(loss.published * (older.length + 1))]
      writeFileSync(join(image, 'durable'), published ?? Buffer.alloc(0))
    }
    return new Proxy(file, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return async (...given: unknown[]) => {
          const syncing = name === 'datasync' || name === 'sync'
          // Records are synced with datasync; sync is for headers and recovery, before anything is acknowledged.
          if (name === 'datasync') older.push(readFileSync(join(dir, 'durable')))
          if (name === 'datasync' && ++syncs === loss.atSync) lose()
          const result: unknown = await Reflect.apply(value, target, given)
          if (syncing) syncedSize = (await target.stat()).size
          return result
        }
      },
    })
  }
}

void test('what was acknowledged before a power loss is there after it, in order and once', async () => {
  const losses = fc.record({
    atSync: fc.integer({ min: 1, max: 12 }),
    keep: fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
    size: fc.double({ min: 0, max: 1, noNaN: true }),
    published: fc.double({ min: 0, max: 0.999, noNaN: true }),
  })
  let happened = 0
  await fc.assert(
    fc.asyncProperty(losses, fc.integer({ min: 1, max: 20 }), async (loss, concurrency) => {
      const dir = await temporaryDir()
      const image = await temporaryDir()
      const acknowledged: string[] = []
      let before: string[] | undefined
      const openFile = losingDisk(dir, image, loss, () => {
        before = [...acknowledged]
        happened++
      })
      const writer = await openLogWriter({
        dir,
        logger: silentLogger,
        segmentBytes: 20_000,
        openFile,
        firstPosition: 0,
      })
      for (let round = 0; round < 12; round++) {
        await Promise.all(
          Array.from({ length: concurrency }, async (_, index) => {
            const name = `${round}-${index} `
            await writer.append(Buffer.from(name.padEnd(10 + ((round * 37 + index * 211) % 900), '.')))
            acknowledged.push(name)
          }),
        )
      }
      await writer.close()
      if (before) {
        const log = await temporaryLog({ dir: image })
        const end = log.writer.stats().durablePosition
        const limit = { maxRecords: 1000, maxBytes: 1e9, to: end }
        const records = await log.reader.read(0, limit, new AbortController().signal)
        const names = records.map((record) => `${Buffer.from(record.bytes).toString().split(' ')[0]} `)
        assert.deepEqual(names.slice(0, before.length), before)
        assert.equal(new Set(names).size, names.length)
        await log.dispose()
      }
      rmSync(dir, { recursive: true })
      if (!before) rmSync(image, { recursive: true })
    }),
    { numRuns: 60 },
  )
  assert.ok(happened > 30, `${happened} power losses`)
})
