/** How a person is found: what names somebody in a text, and that no table with texts was forgotten. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import {
  encodeLogRow,
  ERASED,
  type Person,
  PERSON_IN_TELEMETRY,
  PERSON_TABLES,
  personEraser,
  personHash,
  personRows,
  personTexts,
  readPerson,
  RECORD_TEXTS,
  RECORDS_WITHOUT_PERSONS,
  type Telemetry,
  TELEMETRY_TABLES,
} from '@sonde/stores'
import { openTestTelemetry } from '../../../../tests/harness/engines.ts'
import { migrateRecords } from '../../src/records/migrate.ts'
import type { Column } from '../../src/telemetry/tables/column.ts'
import { TABLES } from '../../src/telemetry/tables/tables.ts'

const ANNA: Person = { id: 'anna-0042', email: 'anna@example.com', ip: '10.0.0.1' }

/** Text → whether it names Anna. */
const TEXTS: readonly (readonly [string, boolean])[] = [
  ['anna@example.com', true],
  ['Mail to Anna@Example.COM failed.', true],
  ['sent to anna@example.com.', true],
  ['https://shop.example/?mail=anna%40example.com&x=1', true],
  ['q%3Danna@example.com', true],
  ['{"text":"first\\nanna@example.com"}', true],
  ['joanna@example.com', false],
  ['anna@example.com.au', false],
  ['x.anna@example.com', false],
  ['tag+anna@example.com', false],
  ['from 10.0.0.1:443', true],
  ['from 10.0.0.12', false],
  ['from 110.0.0.1', false],
  ['user anna-0042 bought', true],
  ['user anna-00421 bought', false],
  ['nobody', false],
]

describe('a person', () => {
  it('is named by what was typed, without blanks and in one case', () => {
    const given = { id: ' 42 ', email: ' Anna@Example.com', ip: '' }
    assert.deepEqual(readPerson(given), { person: { id: '42', email: 'anna@example.com' } })
    assert.deepEqual(readPerson({ id: '', email: 'anna', ip: '' }), {
      field: 'email',
      problem: 'is not an e-mail address',
    })
    assert.ok('problem' in readPerson({ id: '', email: '', ip: '10.0.0' }))
    assert.ok('problem' in readPerson({ id: ' ', email: '', ip: '' }))
  })

  it('is the same proof for the same values only', () => {
    assert.equal(personHash(ANNA), personHash({ ...ANNA }))
    assert.notEqual(personHash({ id: '10.0.0.1' }), personHash({ ip: '10.0.0.1' }))
  })

  it('is found in texts as a whole word, as it is written in addresses and JSON', () => {
    const eraser = personEraser(ANNA)
    for (const [text, isNamed] of TEXTS) {
      assert.equal(eraser?.has(text), isNamed, text)
      assert.equal(eraser?.erase(text).includes(ERASED), isNamed, text)
    }
    assert.equal(eraser?.erase('a anna@example.com b 10.0.0.1'), `a ${ERASED} b ${ERASED}`)
  })

  it('is not looked for in texts by a short id', () => {
    assert.equal(personTexts({ id: '42' }), undefined)
    assert.equal(personEraser({ id: '42' }), undefined)
  })

  it('has a column in every table that is said to name users, and no other table has one', () => {
    for (const table of TELEMETRY_TABLES) {
      const columns: readonly Column[] = TABLES[table].columns
      const named = columns.filter(
        ({ name }) => /user|email|(?:^|_)ip(?:_|$)/.test(name) && name !== 'left_out_users',
      )
      if (named.length > 0) assert.ok('by' in PERSON_IN_TELEMETRY[table], `${table} has ${named[0]?.name}`)
    }
  })

  it('is looked for in every table of the records that has texts', () => {
    const database = new DatabaseSync(':memory:')
    migrateRecords(database, silentLogger)
    const tables = database
      .prepare(
        `SELECT DISTINCT tables.name FROM pragma_table_list tables JOIN pragma_table_info(tables.name) columns
         WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
           AND (columns.type LIKE '%text%' OR columns.type LIKE '%blob%')`,
      )
      .all()
      .map(({ name }) => String(name))
    const known = new Set([
      ...RECORD_TEXTS.map(({ table }) => table),
      ...Object.keys(RECORDS_WITHOUT_PERSONS),
    ])
    assert.deepEqual(
      tables.filter((name) => !known.has(name)),
      [],
    )
    for (const { table, columns, key, where } of RECORD_TEXTS) {
      const sql = `SELECT ${key}, ${columns.join(', ')} FROM ${table} WHERE ${where.replaceAll('@projects', '1')}`
      assert.deepEqual(database.prepare(sql).all(), [], table)
    }
    database.close()
  })
})

describe('a person in telemetry', () => {
  let telemetry: Telemetry
  before(async () => {
    telemetry = await openTestTelemetry()
  })
  after(() => telemetry.close())

  it('is found in the same texts by the engine', async () => {
    const base = {
      projectId: 1,
      receivedMs: Date.now(),
      logPosition: 1,
      itemIndex: 0,
      timestampMs: Date.now(),
    }
    const filters = {
      release: '',
      environment: '',
      platform: '',
      sdkName: '',
      sdkVersion: '',
      userKey: '',
      browser: '',
      os: '',
      device: '',
      country: '',
      connection: '',
      sampleRate: 1,
    }
    const line = { sequence: 0, severity: 'info', severityNumber: 9, traceId: '', spanId: '' }
    await telemetry.insert(
      'logs',
      TEXTS.map(([text], rowIndex) =>
        encodeLogRow({
          ...base,
          ...filters,
          ...line,
          rowIndex,
          body: rowIndex % 2 === 0 ? text : '',
          attributes: rowIndex % 2 === 0 ? {} : { text },
        }),
      ),
      'texts',
    )
    const rows = personRows('logs', 1, ANNA)
    const found = await telemetry.query<{ at: number }>(
      `SELECT row_index AS at FROM logs WHERE ${rows?.all} ORDER BY at`,
      rows?.params,
    )
    assert.deepEqual(
      found.map(({ at }) => at),
      TEXTS.flatMap(([, isNamed], at) => (isNamed ? [at] : [])),
    )
  })

  it('can be asked for in every table', async () => {
    for (const table of PERSON_TABLES) {
      const rows = personRows(table, 2, ANNA)
      const sql = `SELECT countIf(${rows?.byUser}) AS users, countIf(${rows?.all}) AS n FROM ${table}`
      assert.deepEqual(await telemetry.query(sql, rows?.params), [{ users: 0, n: 0 }], table)
    }
  })
})
