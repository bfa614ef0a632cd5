/** What goes between the committer's thread and the worker threads: records as one buffer that changes owner. */
import type { LogRecord } from '@sonde/log'
import { ROW_TABLES, type TelemetryRow } from '@sonde/stores'
import type { ProcessedRecord, ProcessedRows } from './processed.ts'
import type { ProcessingSettings } from './settings-history.ts'

export type ChunkRequest = {
  readonly bytes: ArrayBuffer
  readonly spans: readonly (readonly [position: number, next: number, length: number])[]
  /** Only when they are others than the thread has. */
  readonly settings?: ProcessingSettings
}

/** One copy, then no more: the buffer is transferred, and the caller keeps the records for the case of a crash. */
export function packRecords(records: readonly LogRecord[]): ChunkRequest {
  const bytes = new Uint8Array(records.reduce((sum, record) => sum + record.bytes.length, 0))
  let at = 0
  for (const record of records) {
    bytes.set(record.bytes, at)
    at += record.bytes.length
  }
  return { bytes: bytes.buffer, spans: records.map((each) => [each.position, each.next, each.bytes.length]) }
}

export function unpackRecords({ bytes, spans }: ChunkRequest): LogRecord[] {
  let at = 0
  return spans.map(([position, next, length]) => {
    const record = { position, next, bytes: new Uint8Array(bytes, at, length) }
    at += length
    return record
  })
}

/** The rows as bytes in one buffer that changes owner too: as strings they would be copied twice on the way. */
export function packRows(processed: readonly ProcessedRecord[]): {
  readonly packed: readonly ProcessedRecord[]
  readonly buffer: ArrayBuffer
} {
  let length = 0
  for (const { events, rows: items } of processed) {
    for (const { row } of events) length += Buffer.byteLength(row)
    for (const { rows } of items)
      for (const table of ROW_TABLES) length += Buffer.byteLength(rows[table] ?? '')
  }
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  const pack = (row: TelemetryRow): Uint8Array => {
    const from = at
    if (typeof row === 'string') at += bytes.write(row, at)
    else {
      bytes.set(row, at)
      at += row.length
    }
    return new Uint8Array(bytes.buffer, from, at - from)
  }
  const packItem = (item: ProcessedRows): ProcessedRows => {
    const rows: { -readonly [Table in keyof ProcessedRows['rows']]: TelemetryRow } = {}
    for (const table of ROW_TABLES) {
      const lines = item.rows[table]
      if (lines !== undefined) rows[table] = pack(lines)
    }
    return { ...item, rows }
  }
  const packed = processed.map((record) => ({
    ...record,
    events: record.events.map((event) => ({ ...event, row: pack(event.row) })),
    rows: record.rows.map(packItem),
  }))
  return { packed, buffer: bytes.buffer }
}

/** Small enough that all threads get work from one batch, large enough that a message costs little beside the work. */
const MAX_CHUNK_RECORDS = 64
const MAX_CHUNK_BYTES = 1024 * 1024

export function cutChunks(records: readonly LogRecord[]): LogRecord[][] {
  const chunks: LogRecord[][] = []
  let bytes = Infinity
  for (const record of records) {
    const last = chunks.at(-1)
    if (!last || last.length >= MAX_CHUNK_RECORDS || bytes + record.bytes.length > MAX_CHUNK_BYTES) {
      chunks.push([record])
      bytes = record.bytes.length
    } else {
      last.push(record)
      bytes += record.bytes.length
    }
  }
  return chunks
}
