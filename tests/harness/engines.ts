/**
 * The engines behind tests. A process has one telemetry engine, opened once and handed from one fixture to the next:
 * opening one takes longer than most files with tests. Records are new for each fixture, copied from a file that was
 * migrated once. Which engines they are says the environment: `SONDE_TEST_RECORDS` is `sqlite` or `postgres`,
 * `SONDE_TEST_TELEMETRY` is `chdb`, `clickhouse` (one server) or `cluster` (two shards), `SONDE_TEST_BLOBS` is `folder` or
 * `s3`; the first of each unless they are set.
 *
 * The files of a package share a process: a fixture is opened in a `before` of a `describe` and closed in its `after`, a
 * server once per `describe` and not per test, and what changes the process (clock, time zone, environment) is put back.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, silentLogger, systemClock } from '@sonde/base'
import {
  type Blobs,
  openEngines as openStores,
  type OpenRecords,
  openRecords,
  openTelemetry,
  type RecordsPlace,
  type Telemetry,
  TELEMETRY_TABLES,
  type TelemetryOptions,
  type TelemetryPlace,
} from '@sonde/stores'
import { startClickHouse, type TestServers } from './servers/clickhouse.ts'
import { type S3Server, startS3 } from './servers/s3.ts'

// Tests write rows of fixed days; how old a row may be counts from the engine's own clock.
const RETENTION_DAYS = 3_650
const logger = silentLogger

export type Fixture = {
  /** Gone when it is closed. */
  readonly dir: string
  readonly records: OpenRecords['db']
  readonly telemetry: Telemetry
  close(): Promise<void>
}

/** An engine with any of these is the fixture's own, and closed with it: for files that have a process to themselves. */
export type EngineOptions = Pick<TelemetryOptions, 'consoleSeconds'>

/** Empty records and empty telemetry. One fixture at a time can be open in a process. */
export async function openEngines(clock: Clock = systemClock, options?: EngineOptions): Promise<Fixture> {
  const telemetry = await openTestTelemetry(clock, options)
  const { records, dir, close } = await openTestRecords()
  return {
    dir,
    records,
    telemetry,
    async close() {
      await telemetry.close()
      await close()
    },
  }
}

/** Empty records, and a folder for whatever else a test keeps. */
export async function openTestRecords(): Promise<Omit<Fixture, 'telemetry'>> {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-test-'))
  const place = await createRecords(dir)
  const { db, close } = await openRecords(place, { logger })
  return {
    dir,
    records: db,
    async close() {
      await close()
      await place.remove()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Where empty records are that can be opened, by several at once. In `dir`, unless they are on a server. */
export async function createRecords(dir: string): Promise<RecordsPlace & { remove(): Promise<void> }> {
  const engine = process.env['SONDE_TEST_RECORDS'] ?? 'sqlite'
  if (engine === 'postgres') {
    const { createMigratedDatabase } = await import('./servers/postgres-databases.ts')
    const { url, drop } = await createMigratedDatabase()
    return { url, remove: drop }
  }
  if (engine !== 'sqlite') throw new Error(`SONDE_TEST_RECORDS is ${engine}; there are sqlite and postgres`)
  const file = join(dir, 'records.sqlite')
  migrated ??= migratedFile()
  writeFileSync(file, await migrated)
  return { file, remove: async () => undefined }
}

let migrated: Promise<Buffer> | undefined

/** Migrating takes ten times as long as opening what is migrated. */
async function migratedFile(): Promise<Buffer> {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-migrated-'))
  const file = join(dir, 'records.sqlite')
  await (await openRecords({ file }, { logger })).close()
  const bytes = readFileSync(file)
  rmSync(dir, { recursive: true })
  return bytes
}

let s3: Promise<S3Server> | undefined

/** Empty: in the fixture's folder, or with `SONDE_TEST_BLOBS=s3` a bucket of the process's own server. */
export async function openTestBlobs(dir: string): Promise<Blobs> {
  const kind = process.env['SONDE_TEST_BLOBS'] ?? 'folder'
  const folder = { dir: join(dir, 'blobs') }
  if (kind !== 's3' && kind !== 'folder')
    throw new Error(`SONDE_TEST_BLOBS is ${kind}; there are folder and s3`)
  const { blobs } = await openStores(
    {
      blobs: kind === 'folder' ? folder : (await (s3 ??= startS3())).makeBucket().place,
      records: { file: '' },
      telemetry: folder,
      log: folder,
    },
    ['blobs'],
    { logger },
  )
  return blobs
}

let engine: Promise<Telemetry> | undefined
let isTaken = false

/** Empty; free for the next one when it is closed. */
export async function openTestTelemetry(
  clock: Clock = systemClock,
  options?: EngineOptions,
): Promise<Telemetry> {
  if (options) return openEngine(clock, options)
  if (isTaken)
    throw new Error('the telemetry engine of this process is in use: close the other fixture first')
  isTaken = true
  engine ??= openEngine(clock)
  const telemetry = await engine
  await empty(telemetry)
  let isClosed = false
  return {
    ...telemetry,
    async close() {
      if (!isClosed) isTaken = false
      isClosed = true
    },
  }
}

async function openEngine(clock: Clock, options?: EngineOptions): Promise<Telemetry> {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-engine-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const place = await createTelemetry(dir)
  return openTelemetry(place, { logger, clock, retentionDays: RETENTION_DAYS, ...options })
}

/** Where empty telemetry is that can be opened: by one process at a time in `dir`, by several on servers. */
export async function createTelemetry(dir: string): Promise<TelemetryPlace> {
  const kind = process.env['SONDE_TEST_TELEMETRY'] ?? 'chdb'
  return kind === 'chdb' ? { dir } : serverPlace(kind)
}

let servers: Promise<TestServers> | undefined
let databases = 0

/** A database of its own on servers that the process starts once. */
async function serverPlace(kind: string): Promise<TelemetryPlace> {
  const shards = { clickhouse: 1, cluster: 2 }[kind]
  if (shards === undefined)
    throw new Error(`SONDE_TEST_TELEMETRY is ${kind}; there are chdb, clickhouse, cluster`)
  servers ??= startClickHouse({ shards })
  return (await servers).place(`test_${++databases}`, { isCluster: kind === 'cluster' })
}

/** Tokens of inserts are forgotten with the rows. */
async function empty(telemetry: Telemetry): Promise<void> {
  for (const table of TELEMETRY_TABLES) {
    const weeks = await telemetry.parts(table)
    if (weeks.length > 0) await telemetry.command(`TRUNCATE TABLE ${table}`)
  }
}
