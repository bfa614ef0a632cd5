/** What an export says of itself: `manifest.json`. docs/reference/export-format.md */

export const MANIFEST = 'manifest.json'
export const BLOB_LIST = 'files.ndjson'
/** For `sha256sum -c`: every file but itself. */
export const CHECKSUMS = 'sha256sums.txt'
export const FORMAT = 'sonde-export'
export const FORMAT_VERSION = 1

export type ExportedFile = {
  /** Within the export. */
  readonly path: string
  readonly kind: 'telemetry' | 'records' | 'files'
  readonly table: string
  readonly rows: number
  readonly bytes: number
  /** Lower hex. */
  readonly sha256: string
  /** When the rows were received, UTC. Of telemetry. */
  readonly from?: string
  readonly to?: string
}

/** A line of `files.ndjson`. */
export type ExportedBlob = {
  /** As rows name it. */
  readonly name: string
  readonly table: string
  readonly column: string
} & (
  | { readonly path: string; readonly bytes: number; readonly sha256: string }
  /** It could not be read, and why. */
  | { readonly unreadable: string }
)

export type ExportManifest = {
  readonly format: typeof FORMAT
  readonly formatVersion: number
  /** Of the Sonde that wrote it. */
  readonly version: string
  readonly organization: { readonly id: number; readonly slug: string; readonly name: string }
  readonly projects: readonly { readonly id: number; readonly slug: string; readonly name: string }[]
  /** ISO 8601. Telemetry that was received later is not in it. */
  readonly until: string
  readonly finished: string
  readonly telemetry: Readonly<
    Record<
      string,
      {
        readonly rows: number
        readonly columns: readonly { readonly name: string; readonly type: string }[]
      }
    >
  >
  readonly records: Readonly<Record<string, { readonly rows: number; readonly columns: readonly string[] }>>
  readonly blobs: { readonly count: number; readonly bytes: number; readonly unreadable: number }
  readonly files: readonly ExportedFile[]
  /** Kinds and columns that are not in it, and why. */
  readonly leftOut: {
    readonly telemetry: Readonly<Record<string, string>>
    readonly records: Readonly<Record<string, string>>
    readonly columns: Readonly<Record<string, readonly string[]>>
  }
}

export type ExportProgress = {
  /** What is being written. */
  readonly step: string
  readonly files: number
  readonly bytes: number
  /** Of telemetry: written, and in all. */
  readonly rows: number
  readonly totalRows: number
}
export const NO_PROGRESS: ExportProgress = { step: '', files: 0, bytes: 0, rows: 0, totalRows: 0 }
