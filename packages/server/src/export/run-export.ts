/**
 * Everything of an organization into files: telemetry as Parquet, week by week, records as lines of JSON, blobs as they are. A step
 * is a file: what is there already is not written again. The manifest is last, so an export that has one is whole.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Clock, SondeError } from '@sonde/base'
import {
  type Blobs,
  EXPORTED_RECORDS,
  EXPORTED_TABLES,
  exportedBlobs,
  exportedColumns,
  type ExportedPart,
  exportedRows,
  type ExportScope,
  hiddenIssues,
  partsToExport,
  type Records,
  recordShapes,
  rowsOfParquet,
  rowsToExport,
  type Telemetry,
  TELEMETRY_LEFT_OUT,
  type TelemetryTable,
} from '@sonde/stores'
import { type ExportJournal, readBlobList } from './export-journal.ts'
import {
  BLOB_LIST,
  CHECKSUMS,
  type ExportedFile,
  type ExportManifest,
  type ExportProgress,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST,
} from './manifest.ts'
import { copyBlob, hashFile, writeLines } from './write-files.ts'

export type ExportNeeds = {
  /** The visible ones: what was deleted does not go along. */
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query' | 'writeParquet'>
  readonly blobs: Pick<Blobs, 'open'>
  readonly to: Pick<Blobs, 'put' | 'putFile'>
  /** Of every file; ends with a slash unless it is empty. */
  readonly prefix: string
  readonly journal: ExportJournal
  readonly version: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Before each file. Throws to end it. */
  readonly onProgress: (progress: ExportProgress) => Promise<void>
}

export type ExportOf = { readonly orgId: number; readonly untilMs: number }

/** Throws what the stores throw; called again, it goes on. */
export async function runExport(needs: ExportNeeds, { orgId, untilMs }: ExportOf): Promise<ExportManifest> {
  const { records } = needs
  const organization = await records
    .selectFrom('organization')
    .select(['id', 'slug', 'name'])
    .where('id', '=', orgId)
    .executeTakeFirst()
  if (!organization)
    throw new SondeError('not-found', 'export an organization: it is not there any more', {
      operation: 'export an organization',
    })
  const projects = await records
    .selectFrom('project')
    .select(['id', 'slug', 'name'])
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute()
  const projectIds = projects.map(({ id }) => id)
  const scope = { projectIds, hiddenIssueIds: await hiddenIssues(records), untilMs }
  const work = createWork(needs, await partsOf(needs, scope))
  await writeTelemetry(needs, work, scope)
  const shapes = recordShapes()
  for (const [table, way] of Object.entries(EXPORTED_RECORDS)) {
    const shape = shapes.get(table)
    if ('none' in way || !shape) continue
    await work.file(`records/${table}.ndjson`, async (path) => ({
      kind: 'records',
      table,
      ...(await writeLines(path, exportedRows(records, table, shape, { orgId, projectIds }))),
    }))
  }
  await copyBlobs(needs, work, { orgId, projectIds })
  await work.file(BLOB_LIST, async (path) => {
    const list = readBlobList(needs.journal.blobList)
    return { kind: 'files', table: '', ...(await writeLines(path, list)) }
  })
  const manifest: ExportManifest = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    version: needs.version,
    organization,
    projects,
    until: new Date(untilMs).toISOString(),
    finished: new Date(needs.clock.nowMs()).toISOString(),
    ...contentsOf(needs.journal, shapes),
  }
  await writeManifest(needs, manifest)
  return manifest
}

type PartOf = ExportedPart & { readonly table: TelemetryTable }

async function partsOf({ telemetry }: ExportNeeds, scope: ExportScope): Promise<readonly PartOf[]> {
  if (scope.projectIds.length === 0) return []
  const parts: PartOf[] = []
  for (const table of EXPORTED_TABLES)
    for (const part of await telemetry.query<ExportedPart>(partsToExport(table, scope)))
      parts.push({ ...part, table })
  return parts
}

type Work = {
  readonly parts: readonly PartOf[]
  file(path: string, write: (temporary: string) => Promise<Omit<ExportedFile, 'path'>>): Promise<void>
  tell(step: string): Promise<void>
}

function createWork(
  { journal, to, prefix, signal, onProgress }: ExportNeeds,
  parts: readonly PartOf[],
): Work {
  const totalRows = parts.reduce((sum, { rows }) => sum + rows, 0)
  const tell = async (step: string): Promise<void> => {
    signal.throwIfAborted()
    const files = [...journal.files.values()]
    const written = files.filter(({ kind }) => kind === 'telemetry').reduce((sum, { rows }) => sum + rows, 0)
    await onProgress({
      step,
      files: files.length + journal.blobs.count,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) + journal.blobs.bytes,
      rows: written,
      totalRows: Math.max(totalRows, written),
    })
  }
  return {
    parts,
    tell,
    async file(path, write) {
      if (journal.files.has(path)) return
      await tell(path)
      const temporary = join(journal.dir, 'file')
      await rm(temporary, { force: true })
      const written = await write(temporary)
      await to.putFile(`${prefix}${path}`, temporary)
      await rm(temporary, { force: true })
      journal.note({ path, ...written })
    },
  }
}

async function writeTelemetry({ telemetry }: ExportNeeds, work: Work, scope: ExportScope): Promise<void> {
  for (const { table, week, from, to } of work.parts)
    await work.file(`telemetry/${table}/${week}.parquet`, async (path) => {
      await telemetry.writeParquet(path, rowsToExport(table, week, scope))
      const rows = await rowsOfParquet(path)
      return { kind: 'telemetry', table, rows, ...(await hashFile(path)), from, to }
    })
}

const BLOBS_AT_ONCE = 8

async function copyBlobs(
  { records, blobs, to, prefix, journal }: ExportNeeds,
  work: Work,
  scope: { readonly orgId: number; readonly projectIds: readonly number[] },
): Promise<void> {
  const columns = Object.entries(EXPORTED_RECORDS).flatMap(([table, way]) =>
    'none' in way ? [] : (way.blobs ?? []).map((column) => ({ table, column })),
  )
  const { last } = journal.blobs
  const isLast = (each: { table: string; column: string }): boolean =>
    each.table === last?.table && each.column === last.column
  for (const at of columns.slice(Math.max(0, columns.findIndex(isLast)))) {
    const after = isLast(at) ? (last?.name ?? '') : ''
    let some: string[] = []
    const copy = async (): Promise<void> => {
      if (some.length === 0) return
      await work.tell(`files of ${at.table}`)
      const copied = some.map((name) =>
        copyBlob({ from: blobs, to, prefix, dir: journal.dir }, { name, ...at }),
      )
      journal.noteBlobs(await Promise.all(copied))
      some = []
    }
    for await (const name of exportedBlobs(records, { ...at, after }, scope)) {
      if (some.push(name) >= BLOBS_AT_ONCE) await copy()
    }
    await copy()
  }
}

function contentsOf(
  journal: ExportJournal,
  shapes: ReturnType<typeof recordShapes>,
): Pick<ExportManifest, 'telemetry' | 'records' | 'blobs' | 'files' | 'leftOut'> {
  const files = [...journal.files.values()].filter(({ path }) => path !== MANIFEST)
  const rowsOf = (kind: ExportedFile['kind'], table: string): number =>
    files
      .filter((file) => file.kind === kind && file.table === table)
      .reduce((sum, { rows }) => sum + rows, 0)
  const ways = Object.entries(EXPORTED_RECORDS)
  const { count, bytes, unreadable } = journal.blobs
  return {
    telemetry: Object.fromEntries(
      EXPORTED_TABLES.map((table) => [
        table,
        { rows: rowsOf('telemetry', table), columns: exportedColumns(table) },
      ]),
    ),
    records: Object.fromEntries(
      ways.flatMap(([table, way]) => {
        if ('none' in way) return []
        const columns = (shapes.get(table)?.columns ?? []).filter((column) => !way.without?.includes(column))
        return [[table, { rows: rowsOf('records', table), columns }]]
      }),
    ),
    blobs: { count, bytes, unreadable },
    files,
    leftOut: {
      telemetry: TELEMETRY_LEFT_OUT,
      records: Object.fromEntries(ways.flatMap(([table, way]) => ('none' in way ? [[table, way.none]] : []))),
      columns: Object.fromEntries(
        ways.flatMap(([table, way]) => ('without' in way && way.without ? [[table, way.without]] : [])),
      ),
    },
  }
}

async function writeManifest({ journal, to, prefix }: ExportNeeds, manifest: ExportManifest): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  const sums = join(journal.dir, 'sums')
  const line = (sha256: string, path: string): string => `${sha256}  ${path}\n`
  async function* lines() {
    yield line(createHash('sha256').update(bytes).digest('hex'), MANIFEST)
    for (const { sha256, path } of manifest.files) yield line(sha256, path)
    for await (const blob of readBlobList(journal.blobList))
      if (!('unreadable' in blob)) yield line(blob.sha256, blob.path)
  }
  await pipeline(Readable.from(lines()), createWriteStream(sums, { mode: 0o600 }))
  await to.putFile(`${prefix}${CHECKSUMS}`, sums)
  await to.put(`${prefix}${MANIFEST}`, bytes)
}
