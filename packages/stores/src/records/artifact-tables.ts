/**
 * Uploaded files that make stacks readable. A bundle is one upload; its files are stored one by one, equal content of an
 * organization once. docs/internals/artifacts.md
 */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type ArtifactTables = {
  artifact_chunk: ArtifactChunkTable
  artifact_assembly: ArtifactAssemblyTable
  artifact_bundle: ArtifactBundleTable
  artifact_bundle_project: { bundle_id: Fixed<number>; project_id: Fixed<number> }
  artifact_file: ArtifactFileTable
  artifact_epoch: { id: Fixed<number>; value: number }
}

/** A piece of an upload that is not put together yet. */
export type ArtifactChunkTable = {
  org_id: Fixed<number>
  /** 40 lower hex, of the uncompressed bytes. */
  sha1: Fixed<string>
  blob: Fixed<string>
  /** Uncompressed. */
  bytes: Fixed<number>
  /** Nobody asked for it since; every upload that names it moves this on. */
  expires_ms: number
}

const ASSEMBLY_STATES = ['created', 'assembling', 'ok', 'error'] as const
export type AssemblyState = (typeof ASSEMBLY_STATES)[number]
/** How putting an upload together went: what the uploader polls. */
export type ArtifactAssemblyTable = {
  org_id: Fixed<number>
  /** SHA-1 of the whole upload. */
  checksum: Fixed<string>
  /** What it is put together for, so that the same bytes for another release are another assembly: JSON `AssemblyTarget`. */
  target: Fixed<string>
  /** JSON: SHA-1 of the chunks, in order. */
  chunks: string
  /** `actorOf` who uploaded it. */
  actor: string
  state: AssemblyState
  /** For people; of `error`. */
  detail: string
  /** An `error` that may be none at the next try (no room), unlike what is wrong with the upload itself. */
  can_retry: number
  updated_ms: number
}

export type AssemblyTarget = {
  /** Empty: files are found by debug id alone. */
  readonly release: string
  readonly dist: string
  /** Ascending, at least one. */
  readonly projectIds: readonly number[]
  /** It is one debug file, no bundle. `debugId`: what the uploader said; empty: nothing. */
  readonly debugFile?: { readonly name: string; readonly debugId: string }
}

const BUNDLE_KINDS = ['bundle', 'release_files', 'debug_file'] as const
export type BundleKind = (typeof BUNDLE_KINDS)[number]
export type ArtifactBundleTable = {
  id: Generated<number>
  org_id: Fixed<number>
  /**
   * `release_files`: what was uploaded file by file for one release and dist of one project. `debug_file`: symbols of one
   * build of a native program, or the mapping of an obfuscated one.
   */
  kind: Fixed<BundleKind>
  /** SHA-1 of the upload; empty for `release_files`. */
  checksum: Fixed<string>
  /** Of the bundle itself, or what the uploader of a debug file said; empty: none. */
  debug_id: Fixed<string>
  /** Empty: files are found by debug id alone. */
  release: Fixed<string>
  dist: Fixed<string>
  /** `actorOf` who uploaded it. */
  actor: Fixed<string>
  created_ms: Fixed<number>
  /** When a frame was last read with it, to the day; null: never yet. */
  last_used_ms: number | null
}

export const ARTIFACT_TYPES = ['source', 'minified_source', 'source_map', 'indexed_ram_bundle'] as const
/** What frames without scripts are read with; found by debug id alone. Their CPU and features are in `headers`. */
export const DEBUG_FILE_TYPES = ['breakpad', 'elf', 'macho', 'proguard', 'dartsymbolmap'] as const
export type DebugFileType = (typeof DEBUG_FILE_TYPES)[number]
export type ArtifactType = (typeof ARTIFACT_TYPES)[number] | DebugFileType
export type ArtifactFileTable = {
  id: Generated<number>
  bundle_id: Fixed<number>
  org_id: Fixed<number>
  type: Fixed<ArtifactType>
  /** `~/static/app.js` or a whole URL. */
  url: Fixed<string>
  /** Lower case with hyphens; empty: none. */
  debug_id: Fixed<string>
  /** What the file says its map is: from its header or its last comment; empty: nothing. Of a debug file: its code id. */
  map_ref: Fixed<string>
  /**
   * Last part of the address under which the site serves it, or the file that it is the map of: `app-4f2c.js`. Empty: not
   * known, as of what was uploaded by earlier versions.
   */
  built_name: Generated<string>
  /** JSON: as uploaded, keys in lower case. */
  headers: Fixed<string>
  /** Equal content of an organization has one. Empty: larger than is kept, so `problem` is `too_large`. */
  blob: Fixed<string>
  /** Uncompressed. */
  bytes: Fixed<number>
  /** On disk. */
  stored_bytes: Fixed<number>
  /** Of a file that is not kept: empty. */
  sha1: Fixed<string>
  /**
   * Of a map: a `MapProblem`, or `no_sources` when it has positions but nobody's code in it (`source` files beside it may
   * have it); empty: it can be used. Others: empty, unless `too_large`.
   */
  problem: Fixed<string>
  problem_detail: Fixed<string>
  created_ms: Fixed<number>
}

const bump = 'UPDATE artifact_epoch SET value = value + 1;'
const garbage = `INSERT OR IGNORE INTO blob_garbage (name, since_ms) VALUES (OLD.blob, 0);`

export const ARTIFACTS: readonly string[] = [
  `CREATE TABLE artifact_chunk (org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    sha1 text NOT NULL, blob text NOT NULL, bytes integer NOT NULL, expires_ms integer NOT NULL,
    PRIMARY KEY (org_id, sha1)) WITHOUT ROWID`,
  'CREATE INDEX artifact_chunk_by_age ON artifact_chunk (expires_ms)',
  `CREATE TABLE artifact_assembly (org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    checksum text NOT NULL, target text NOT NULL, chunks text NOT NULL, actor text NOT NULL, state text NOT NULL,
    detail text NOT NULL, can_retry integer NOT NULL, updated_ms integer NOT NULL,
    PRIMARY KEY (org_id, checksum, target)) WITHOUT ROWID`,
  'CREATE INDEX artifact_assembly_by_age ON artifact_assembly (updated_ms)',
  `CREATE TABLE artifact_bundle (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, kind text NOT NULL, checksum text NOT NULL,
    debug_id text NOT NULL, release text NOT NULL, dist text NOT NULL, actor text NOT NULL, created_ms integer NOT NULL,
    last_used_ms integer)`,
  'CREATE INDEX artifact_bundle_by_checksum ON artifact_bundle (org_id, checksum)',
  'CREATE INDEX artifact_bundle_by_release ON artifact_bundle (org_id, release)',
  'CREATE INDEX artifact_bundle_by_use ON artifact_bundle (coalesce(last_used_ms, created_ms))',
  `CREATE TABLE artifact_bundle_project (bundle_id integer NOT NULL REFERENCES artifact_bundle (id) ON DELETE CASCADE,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, PRIMARY KEY (bundle_id, project_id))
    WITHOUT ROWID`,
  'CREATE INDEX artifact_bundle_by_project ON artifact_bundle_project (project_id)',
  `CREATE TABLE artifact_file (id integer PRIMARY KEY AUTOINCREMENT,
    bundle_id integer NOT NULL REFERENCES artifact_bundle (id) ON DELETE CASCADE, org_id integer NOT NULL,
    type text NOT NULL, url text NOT NULL, debug_id text NOT NULL, map_ref text NOT NULL, headers text NOT NULL,
    blob text NOT NULL, bytes integer NOT NULL, stored_bytes integer NOT NULL, sha1 text NOT NULL, problem text NOT NULL,
    problem_detail text NOT NULL, created_ms integer NOT NULL)`,
  'CREATE INDEX artifact_file_by_bundle ON artifact_file (bundle_id, url)',
  `CREATE INDEX artifact_file_by_debug_id ON artifact_file (org_id, debug_id) WHERE debug_id <> ''`,
  // Which content is there already, and how much an organization has, are read from the index alone.
  'CREATE INDEX artifact_file_by_blob ON artifact_file (org_id, blob, stored_bytes)',
  // What was looked for in vain may be there now: one number tells.
  'CREATE TABLE artifact_epoch (id integer PRIMARY KEY CHECK (id = 1), value integer NOT NULL)',
  'INSERT INTO artifact_epoch (id, value) VALUES (1, 1)',
  `CREATE TRIGGER artifact_epoch_insert AFTER INSERT ON artifact_file BEGIN ${bump} END`,
  `CREATE TRIGGER artifact_epoch_delete AFTER DELETE ON artifact_file BEGIN ${bump} END`,
  `CREATE TRIGGER artifact_epoch_project AFTER INSERT ON artifact_bundle_project BEGIN ${bump} END`,
  // Whatever takes rows away, an organization's end too, leaves no file behind that nobody knows.
  `CREATE TRIGGER artifact_file_garbage AFTER DELETE ON artifact_file WHEN OLD.blob <> ''
    AND NOT EXISTS (SELECT 1 FROM artifact_file WHERE org_id = OLD.org_id AND blob = OLD.blob) BEGIN ${garbage} END`,
  `CREATE TRIGGER artifact_chunk_garbage AFTER DELETE ON artifact_chunk BEGIN ${garbage} END`,
  // A bundle goes with the last of its projects.
  `CREATE TRIGGER artifact_bundle_alone AFTER DELETE ON artifact_bundle_project
    WHEN NOT EXISTS (SELECT 1 FROM artifact_bundle_project WHERE bundle_id = OLD.bundle_id)
    BEGIN DELETE FROM artifact_bundle WHERE id = OLD.bundle_id; END`,
]

/** Which release had a file that a tab asks for in vain. */
export const BUILT_NAMES: readonly string[] = [
  "ALTER TABLE artifact_file ADD COLUMN built_name text NOT NULL DEFAULT ''",
  `CREATE INDEX artifact_file_by_built_name ON artifact_file (org_id, built_name) WHERE built_name <> ''`,
]
