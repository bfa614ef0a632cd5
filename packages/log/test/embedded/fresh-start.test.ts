import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { fixedClock, silentLogger } from '@sonde/base'
import { openLogReader, openLogWriter } from '../../src/index.ts'
import { temporaryDir } from './temporary-log.ts'

test('a log whose folder was removed begins above every position of the old one', async () => {
  const dir = await temporaryDir()
  const clock = fixedClock(Date.UTC(2026, 0, 1))
  const positions: number[] = []
  for (const text of ['old', 'new']) {
    const writer = await openLogWriter({ dir, logger: silentLogger, clock })
    await writer.append(Buffer.from(text))
    await writer.close()
    const reader = await openLogReader({ dir, logger: silentLogger })
    const [record] = await reader.read(
      positions[0] ?? 0,
      { maxRecords: 10, maxBytes: 1e6 },
      AbortSignal.timeout(5_000),
    )
    assert.equal(Buffer.from(record?.bytes ?? []).toString(), text)
    positions.push(record?.next ?? Number.NaN)
    await reader.close()
    await rm(dir, { recursive: true })
    clock.advance(1_000)
  }
  assert.ok((positions[1] ?? 0) > (positions[0] ?? Infinity))
})
