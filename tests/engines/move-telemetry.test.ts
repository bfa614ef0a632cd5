/** Random rows of every telemetry table go from the engine in this process to two shards, in pieces, some of them twice. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { silentLogger, UnavailableError } from '@sonde/base'
import { openTelemetry, TABLES, type Telemetry, TELEMETRY_TABLES, type TelemetryTable } from '@sonde/stores'
import {
  checkTelemetryTarget,
  compareTelemetry,
  copyTelemetry,
  holdParts,
  type TelemetryCopied,
  telemetryParts,
} from '@sonde/stores/move'
import { startClickHouse, type TestServers, whyNoClickHouse } from '../harness/servers/clickhouse.ts'
import { temporaryDataDir } from '../harness/start-sonde.ts'

const ROWS = 1_200
const WEEK_MS = 7 * 86_400_000
/** Random texts are short: some 150 rows of `events`. */
const PIECE_BYTES = 80_000
// Of one piece, so that both weeks of a table have several.
const DELETED = 'project_id = 3'

describe('telemetry that moves', { skip: whyNoClickHouse() ?? false }, () => {
  const { dir, remove } = temporaryDataDir()
  let servers: TestServers
  let from: Telemetry
  let to: Telemetry
  before(async () => {
    servers = await startClickHouse({ shards: 2 })
    to = await openTelemetry(await servers.place('sonde'), { logger: silentLogger })
    from = await openTelemetry({ dir }, { logger: silentLogger, keepsParts: true })
    for (const table of TELEMETRY_TABLES)
      for (const weeks of [0, 1]) await from.command(randomRows(table, weeks))
    // They are marked in their part, and shall not come back.
    await from.command(`DELETE FROM spans WHERE ${DELETED} SETTINGS lightweight_deletes_sync = 0`)
  })
  after(async () => {
    await from.close()
    await to.close()
    await servers.stop()
    remove()
    rmSync(dir, { recursive: true, force: true })
  })

  const copy = (
    copied: TelemetryCopied,
    save: (copied: TelemetryCopied) => void,
    pieceBytes = PIECE_BYTES,
  ): Promise<void> =>
    copyTelemetry({ from, to: forgetful, mark: 'one', copied, save, onCopied: () => undefined, pieceBytes })
  /** Some of its answers get lost. */
  const forgetful: Parameters<typeof copyTelemetry>[0]['to'] = {
    query: (...asked) => to.query(...asked),
    async insertNative(...rows) {
      await to.insertNative?.(...rows)
      if (++inserts % 12 === 0)
        throw new UnavailableError('the answer got lost', { operation: 'insert', retryAfterSec: 1 })
    },
  }
  let inserts = 0

  test('is there once, however often and wherever it is interrupted', async () => {
    await checkTelemetryTarget(to, 'the servers')
    await holdParts(from)
    const parts = await telemetryParts(from)
    assert.deepEqual(
      [...new Set(parts.map(({ table }) => table))].toSorted(),
      [...TELEMETRY_TABLES].toSorted(),
    )
    let noted: TelemetryCopied = { rows: {} }
    let [pieces, tries, isDone] = [0, 0, false]
    while (!isDone) {
      let last = noted
      const until = inserts + 7
      // Killed before a piece, or after it was inserted and before that was noted.
      const isBefore = ++tries % 2 === 0
      const save = (copied: TelemetryCopied): void => {
        const isKilled = inserts >= until
        if (!isKilled || isBefore) last = copied
        if (isKilled) throw new Error('killed')
        pieces++
      }
      // As if another version cut otherwise.
      isDone = await copy(noted, save, PIECE_BYTES / (1 + (tries % 3))).then(
        () => true,
        (error: Error) => {
          if (error.message !== 'killed') throw error
          return false
        },
      )
      noted = last
    }
    assert.ok(pieces > 30, `${pieces} pieces`)
    assert.deepEqual(
      noted.rows,
      Object.fromEntries(parts.map((part) => [`${part.table}/${part.name}`, part.rows])),
    )
    const compared = await compareTelemetry(from, to, { nowMs: Date.now(), retentionDays: 90 })
    assert.deepEqual(
      compared.filter((line) => line.from !== line.to),
      [],
    )
    assert.equal(new Set(compared.map(({ what }) => what)).size, TELEMETRY_TABLES.length)
    for (const table of TELEMETRY_TABLES)
      assert.deepEqual(await sums(to, table), await sums(from, table), table)
    assert.deepEqual(await to.query(`SELECT count() AS n FROM spans WHERE ${DELETED}`), [{ n: 0 }])
  })

  test('is cut smaller where rows are larger than the others of their part', async () => {
    const small = 40_000
    const large = 200
    await from.command(`INSERT INTO events (project_id, issue_id, received, payload)
      SELECT 9, if(number < ${small}, 1, 2), now64(3), if(number < ${small}, '{}', repeat(hex(randomString(100)), 600))
      FROM numbers(${small + large}) SETTINGS max_block_size = 8192`)
    const pieces: number[] = []
    await copyTelemetry({
      from,
      to,
      mark: 'large',
      copied: {
        rows: Object.fromEntries(
          (await telemetryParts(from))
            .filter(({ bytes }) => bytes < large * 100_000)
            .map((part) => [`${part.table}/${part.name}`, part.rows]),
        ),
      },
      save: () => undefined,
      onCopied: ({ bytes }) => pieces.push(bytes),
      pieceBytes: 8e6,
    })
    assert.ok(Math.max(...pieces) <= 16e6, `${Math.max(...pieces)} bytes at once`)
    assert.deepEqual(await to.query('SELECT count() AS n FROM events WHERE project_id = 9'), [
      { n: small + large },
    ])
  })

  test('is refused by tables that have rows', async () => {
    await assert.rejects(checkTelemetryTarget(to, 'the servers'), /the servers is not empty: events has rows/)
  })

  test('shows what one side has more', async () => {
    await to.command(randomRows('spans', 0))
    const different = (await compareTelemetry(from, to, { nowMs: Date.now(), retentionDays: 90 })).filter(
      (line) => line.from !== line.to,
    )
    assert.deepEqual(
      different.map(({ what }) => what),
      ['spans'],
    )
  })

  test('is not gone on with when its parts are others', async () => {
    await assert.rejects(
      copy({ rows: { 'events/20200106_1_1_0': 5 } }, () => undefined),
      /events\/20200106_1_1_0 is gone/,
    )
  })
})

/** Of this week, or weeks before it. */
function randomRows(table: TelemetryTable, weeks: number): string {
  const described = TABLES[table]
  const { columns, ageColumn, partitionBy } = described
  const keepDays = 'keepDays' in described ? described.keepDays : 90
  const own = columns.filter((column) => !('materialized' in column))
  const structure = own.map(({ name, type }) => `${name} ${type}`).join(', ')
  const names = own.map(({ name }) => name).join(', ')
  // Nothing that the servers drop for its age.
  const at = Math.floor((Date.now() - weeks * Math.min(WEEK_MS, (keepDays * WEEK_MS) / 14)) / 1_000)
  const values = own.map(({ name }) => {
    if (name === ageColumn || partitionBy.includes(`(${name})`)) return `toDateTime(${at}, 'UTC')`
    if (name === 'project_id') return '1 + rand() % 4'
    // Sums and weights of them are compared.
    if (name === 'quantity') return 'rand() % 100'
    if (name === 'sample_rate') return '0.5'
    return name
  })
  return `INSERT INTO ${table} (${names}) SELECT ${values.join(', ')}
    FROM generateRandom('${structure.replaceAll("'", String.raw`\'`)}', ${weeks + 1}, 10, 2) LIMIT ${ROWS}`
}

/** Of all columns together, whatever the order and the place of the rows. */
async function sums({ query }: Telemetry, table: TelemetryTable): Promise<unknown> {
  const { columns, engine } = TABLES[table]
  const names = columns.map(({ name }) => name)
  return query(
    `SELECT count() AS rows, toString(sum(cityHash64(${names.map((name) => `toString(${name})`).join(', ')}))) AS hash
     FROM ${table} ${engine === 'MergeTree' ? '' : 'FINAL'}`,
  )
}
