/** Stores with rows in every table of the telemetry, some records, and files. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixedClock, silentLogger } from '@sonde/base'
import {
  type Blobs,
  EXPORTED_TABLES,
  exportedColumns,
  openBlobs,
  openRecords,
  openTelemetry,
  type Records,
  TABLES,
  type Telemetry,
  visibleRecords,
} from '@sonde/stores'
import { openJournal } from '../../src/export/export-journal.ts'
import type { ExportManifest } from '../../src/export/manifest.ts'
import { runExport } from '../../src/export/run-export.ts'

export const NOW_MS = Date.UTC(2026, 10, 25, 12)
const WEEK_MS = 7 * 86_400_000
/** Of each project, table and week. */
export const ROWS = 3
export const WEEKS = [NOW_MS - WEEK_MS, NOW_MS]

export type Stores = {
  readonly dir: string
  readonly records: Records
  readonly telemetry: Telemetry
  readonly blobs: Blobs
  close(): Promise<void>
}

export async function openStores(): Promise<Stores> {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-export-'))
  const { db: records } = await openRecords({ file: join(dir, 'records.sqlite') }, { logger: silentLogger })
  const telemetry = await openTelemetry({ dir: join(dir, 'telemetry') }, { logger: silentLogger })
  const blobs = openBlobs({ dir: join(dir, 'blobs') })
  return {
    dir,
    records,
    telemetry,
    blobs,
    async close() {
      await telemetry.close()
      await records.destroy()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** The organization 1 with the projects 1 and 2, and another with the project 3. */
export async function fill({ records, telemetry, blobs }: Stores): Promise<void> {
  for (const [id, slug] of [
    [1, 'acme'],
    [2, 'other'],
  ] as const)
    await records.insertInto('organization').values({ id, slug, name: slug, created_ms: NOW_MS }).execute()
  for (const [id, org, slug] of [
    [1, 1, 'shop'],
    [2, 1, 'api'],
    [3, 2, 'secret'],
  ] as const) {
    await records
      .insertInto('project')
      .values({
        id,
        org_id: org,
        slug,
        name: slug,
        platform: 'node',
        created_ms: NOW_MS,
        first_event_ms: null,
      })
      .execute()
    for (const name of ['shared', `own-${id}`]) {
      const blob = `attachments/${id}/${name}`
      await blobs.put(blob, Buffer.from(`${name} of ${slug}`))
      for (const at of [0, 1])
        await records
          .insertInto('attachment')
          .values({
            project_id: id,
            event_id: 'a'.repeat(32),
            name,
            content_type: 'text/plain',
            attachment_type: 'event.attachment',
            shown_as: '',
            bytes: 4,
            sha1: '',
            sha256: '',
            blob,
            log_position: id * 100 + at,
            item_index: name.length,
            created_ms: NOW_MS,
          })
          .execute()
    }
  }
  await records
    .insertInto('api_token')
    .values({
      org_id: 1,
      user_id: null,
      name: 'ci',
      token_hash: 'f'.repeat(64),
      scopes: '[]',
      created_ms: NOW_MS,
    })
    .execute()
  for (const table of EXPORTED_TABLES) await fillTable(telemetry, table)
}

/** Random values of every column, so that no column is forgotten; the order key keeps rows of replacing tables apart. */
async function fillTable(telemetry: Telemetry, table: (typeof EXPORTED_TABLES)[number]): Promise<void> {
  const { ageColumn, partitionBy } = TABLES[table]
  const columns = exportedColumns(table)
  const structure = columns.map(({ name, type }) => `${name} ${type}`).join(', ')
  const partitioned = /\((\w+)\)/.exec(partitionBy)?.[1]
  const row = 'rowNumberInAllBlocks()'
  const week = `fromUnixTimestamp64Milli(if(intDiv(${row}, 3) % 2 = 0, ${WEEKS[0]}, ${WEEKS[1]}), 'UTC')`
  const values = columns.map(({ name, type }) => {
    if (name === 'project_id') return `1 + ${row} % 3`
    return name === ageColumn || name === partitioned ? `CAST(${week} AS ${type})` : name
  })
  await telemetry.command(
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
     SELECT ${values.join(', ')} FROM generateRandom('${structure.replaceAll("'", "\\'")}', 7, 12, 3)
     LIMIT ${ROWS * WEEKS.length * 3}`,
  )
}

export type ExportOnce = {
  readonly to: string
  /** Before each file, by its number: throws to cut the export there. */
  readonly cutAt?: number
}

/** Answers how often it was told of progress, beside the manifest. Throws what cut it. */
export async function exportTo(
  stores: Stores,
  { to, cutAt = Infinity }: ExportOnce,
): Promise<{ readonly manifest: ExportManifest; readonly steps: number }> {
  let steps = 0
  const journal = await openJournal(join(stores.dir, 'work'))
  const manifest = await runExport(
    {
      records: visibleRecords(stores.records),
      telemetry: stores.telemetry,
      blobs: stores.blobs,
      to: openBlobs({ dir: to }),
      prefix: '',
      journal,
      version: 'test',
      clock: fixedClock(NOW_MS + 1),
      signal: new AbortController().signal,
      onProgress: async () => {
        if (steps++ >= cutAt) throw new Error('cut')
      },
    },
    { orgId: 1, untilMs: NOW_MS },
  )
  journal.end()
  return { manifest, steps }
}
