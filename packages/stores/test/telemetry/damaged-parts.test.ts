/** Bytes of the store that are not what was written: found, set aside and told about; what is left answers. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger, UnavailableError } from '@sonde/base'
import { SAMPLE } from '../../src/telemetry/conformance.ts'
import { suspectsIn } from '../../src/telemetry/embedded/damaged-parts.ts'
import { openTelemetry } from '../../src/telemetry/open-telemetry.ts'
import { encodeEventRow, withIssueId } from '../../src/telemetry/rows.ts'
import type { Telemetry } from '../../src/telemetry/telemetry.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const ROWS = 300
const PARTS = 4
const COUNT = "SELECT count() AS n FROM events WHERE payload LIKE '%exception%'"

describe('a damaged part of the telemetry store', () => {
  const dir = join(temporaryFolder(), 'telemetry')
  let telemetry: Telemetry
  const open = async (): Promise<void> => {
    telemetry = await openTelemetry({ dir }, { logger: silentLogger })
  }
  afterEach(() => telemetry.close())

  const tableDir = async (): Promise<string> => {
    const sql =
      "SELECT data_paths[1] AS dir FROM system.tables WHERE database = currentDatabase() AND name = 'events'"
    return (await telemetry.query<{ dir: string }>(sql))[0]?.dir ?? ''
  }
  const partsIn = (folder: string): string[] =>
    readdirSync(folder)
      .filter((name) => /_\d+_\d+_\d+$/.test(name))
      .sort()
  const readable = async (): Promise<number> =>
    (await telemetry.query<{ n: number }>(COUNT)).reduce((sum, { n }) => sum + n, 0)

  test('fails the query that meets it in words, is set aside, and the rest answers', async () => {
    await open()
    // Merges would take the parts together before one of them is broken.
    await telemetry.command('SYSTEM STOP MERGES')
    for (let part = 0; part < PARTS; part++)
      await telemetry.insert(
        'events',
        Array.from({ length: ROWS }, (_, itemIndex) =>
          withIssueId(encodeEventRow({ ...SAMPLE, itemIndex, projectId: part + 1 }), 7),
        ),
        `part ${part}`,
      )
    assert.deepEqual(await telemetry.damagedParts?.(), [])
    const folder = await tableDir()
    const [, broken = ''] = partsIn(folder)
    flip(join(folder, broken, 'data.bin'))
    await assert.rejects(readable, (error: unknown) => {
      assert.ok(error instanceof UnavailableError)
      assert.match(error.message, /a part of the telemetry store is damaged/)
      return error.retryAfterSec > 0
    })
    const found = await untilDamaged(telemetry, 1)
    assert.deepEqual(
      found.map(({ table, part, rows }) => [table, part, rows]),
      [['events', broken, ROWS]],
    )
    assert.deepEqual(readdirSync(found[0]?.path ?? '').includes('data.bin'), true, 'its bytes are kept')
    assert.equal(await readable(), (PARTS - 1) * ROWS)
    await telemetry.insert('events', [withIssueId(encodeEventRow({ ...SAMPLE, projectId: 9 }), 7)], 'after')
    assert.equal(await readable(), (PARTS - 1) * ROWS + 1)
  })

  test('does not keep the engine from starting, however many there are', async () => {
    await open()
    const folder = await tableDir()
    const before = await readable()
    const parts = partsIn(folder).slice(0, 2)
    await telemetry.close()
    rmSync(join(folder, parts[0] ?? '', 'columns.txt'))
    truncateSync(join(folder, parts[1] ?? '', 'data.bin'), 50)
    await open()
    assert.equal((await telemetry.damagedParts?.())?.length, 3)
    const left = await readable()
    assert.ok(left > 0 && left < before, `${left} of ${before} rows are left`)
    const [limits] = await telemetry.query<{ value: string }>(
      "SELECT value FROM system.merge_tree_settings WHERE name = 'max_suspicious_broken_parts_bytes'",
    )
    assert.equal(Number(limits?.value), 2 ** 50)
  })
})

test('a suspected part is read out of the engine’s words only where they are a path of a part', () => {
  const uuid = '7d10bcfc-f12c-480b-945b-aeebe028d61c'
  assert.deepEqual(
    suspectsIn(`While reading /data/store/7d1/${uuid}/20261123_2_2_0/data.bin (position: 1): (while reading`),
    [{ uuid, part: '20261123_2_2_0' }],
  )
  assert.deepEqual(suspectsIn(`/store/7d1/${uuid}/x'; DROP TABLE events; --_1_1_0/data.bin`), [])
})

function flip(path: string): void {
  const bytes = readFileSync(path)
  // One byte of each column's block, whichever the query reads.
  for (let at = bytes.length >> 3; at < bytes.length; at += 40)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
  writeFileSync(path, bytes)
}

async function untilDamaged(telemetry: Telemetry, count: number) {
  const endMs = Date.now() + 20_000
  for (;;) {
    const found = (await telemetry.damagedParts?.()) ?? []
    if (found.length >= count) return found
    assert.ok(Date.now() < endMs, `${found.length} of ${count} damaged parts are known`)
    await sleep(50)
  }
}
