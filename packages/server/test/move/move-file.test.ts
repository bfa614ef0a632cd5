import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { UsageError } from '@sonde/cli'
import { readConfig } from '../../src/config/config.ts'
import { type Move, moveFile, readMoves, refuseMoved, writeMoves } from '../../src/move/move-file.ts'
import { createProgress } from '../../src/move/progress.ts'
import { readTargets } from '../../src/move/targets.ts'

const dir = mkdtempSync(join(tmpdir(), 'sonde-move-file-'))
const configOf = (env: NodeJS.ProcessEnv = {}) => readConfig({ SONDE_DATA_DIR: dir, ...env })
const ON_POSTGRES = { SONDE_DATABASE_URL: 'postgres://sonde@db:5432/sonde' }
const move: Move = {
  id: 'one',
  startedMs: 0,
  finishedMs: 60_000,
  to: { records: 'db:5432/sonde' },
  copied: { rows: {} },
}
const targetsOf = (options: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}) =>
  readTargets(configOf(env), { text: (name) => options[name] }, { SONDE_DATA_DIR: dir, ...env })

describe('a move', () => {
  after(() => rmSync(dir, { recursive: true, force: true }))

  it('a folder opens without a move, and with the settings of a finished one', () => {
    refuseMoved(configOf())
    writeMoves(dir, [move])
    assert.deepEqual(readMoves(dir), [move])
    refuseMoved(configOf(ON_POSTGRES))
    assert.throws(
      () => refuseMoved(configOf()),
      /was moved on 1970-01-01 00:01 UTC: records to db:5432\/sonde/,
    )
  })

  it('a folder whose move was interrupted does not open at all', () => {
    writeMoves(dir, [
      move,
      { id: 'two', startedMs: 0, to: { blobs: 'bucket' }, copied: { rows: { 'events/part': 5 } } },
    ])
    assert.throws(() => refuseMoved(configOf(ON_POSTGRES)), /is being moved since/)
  })

  it('a file that says nothing is no reason to open what may live elsewhere', () => {
    for (const text of ['', '{}', '{"format":2,"moves":[]}']) {
      writeFileSync(moveFile(dir), text)
      assert.throws(() => refuseMoved(configOf()), /move\.json cannot be read/, text)
    }
    rmSync(moveFile(dir))
  })

  it('a target is an address of the setting that it becomes, shown without its password', () => {
    const { engines, settings, to } = targetsOf({
      'to-database': 'postgres://sonde:secret@db:5432/sonde',
      'to-clickhouse': 'http://sonde:secret@ch:8123/sonde',
      'to-cluster': 'production',
      'to-nats': 'nats://a:secret@n1:4222,nats://n2:4222',
    })
    assert.deepEqual(engines, ['log', 'telemetry', 'records'])
    assert.deepEqual(to, {
      log: 'n1:4222, n2:4222',
      telemetry: 'ch:8123/sonde (cluster production)',
      records: 'db:5432/sonde',
    })
    assert.ok(!JSON.stringify([settings, to]).includes('secret'), JSON.stringify(settings))
    assert.ok(settings.some(([name, value]) => name === 'SONDE_DATABASE_URL' && value.includes('sonde:…@db')))
  })

  it('a move to nowhere, to what is no address, or of what is on a server already is refused', () => {
    assert.throws(() => targetsOf({}), UsageError)
    assert.throws(() => targetsOf({ 'to-database': 'db' }), /SONDE_DATABASE_URL/)
    assert.throws(() => targetsOf({ 'to-cluster': 'production' }), /SONDE_CLICKHOUSE_CLUSTER: needs/)
    assert.throws(
      () => targetsOf({ 'to-blobs': 's3://sonde?endpoint=http://s3' }),
      /SONDE_BLOBS_ACCESS_KEY: is not set/,
    )
    assert.throws(
      () => targetsOf({ 'to-database': 'postgres://sonde@other:5432/sonde' }, ON_POSTGRES),
      /the records are on a server already/,
    )
  })

  it('progress says rows, bytes, rate and what is left, about once a second', () => {
    let nowMs = 0
    const lines: string[] = []
    const clock = { nowMs: () => nowMs }
    const people = createProgress({ clock, isJson: false, say: (line) => lines.push(line) })
    people.begin('telemetry', { rows: 4_000 })
    for (const atMs of [1_000, 1_500, 2_000]) {
      nowMs = atMs
      people.add({ rows: 1_000, bytes: 2_000_000, what: 'spans 2026-11-23' })
    }
    nowMs = 4_000
    people.end()
    assert.deepEqual(lines, [
      'telemetry  1,000 of 4,000 rows, 2.0 MB, 2.0 MB/s, 1,000/s, about 3 s left, spans 2026-11-23',
      'telemetry  3,000 of 4,000 rows, 6.0 MB, 3.0 MB/s, 1,500/s, about 1 s left, spans 2026-11-23',
      'telemetry  3,000 rows, 6.0 MB, 1.5 MB/s, 750/s, done in 4 s',
    ])
    const program = createProgress({ clock, isJson: true, say: (line) => lines.push(line) })
    program.begin('blobs')
    program.end()
    assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), {
      step: 'blobs',
      rows: 0,
      bytes: 0,
      tookMs: 0,
      done: true,
    })
  })
})
