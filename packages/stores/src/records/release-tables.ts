/** Releases, the commits in them and where they were deployed. Times are Unix milliseconds. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type ReleaseTables = {
  release: ReleaseTable
  release_project: ReleaseProjectTable
  repository: RepositoryTable
  source_commit: SourceCommitTable
  source_commit_file: SourceCommitFileTable
  issue_commit: IssueCommitTable
  release_commit: { release_id: Fixed<number>; position: Fixed<number>; commit_id: Fixed<number> }
  release_ref: ReleaseRefTable
  deploy: DeployTable
  deploy_project: { deploy_id: Fixed<number>; project_id: Fixed<number> }
}

export const RELEASE_STATUSES = ['open', 'archived'] as const
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number]

export type ReleaseTable = {
  id: Generated<number>
  org_id: Fixed<number>
  version: Fixed<string>
  status: Generated<ReleaseStatus>
  url: string | null
  date_started_ms: number | null
  /** Finalised. */
  date_released_ms: number | null
  created_ms: Fixed<number>
}

/** A project that sent something of the release, or that it was made for. */
export type ReleaseProjectTable = {
  release_id: Fixed<number>
  project_id: Fixed<number>
  /** Null: nothing of it has come yet. */
  first_event_ms: number | null
  last_event_ms: number | null
}

export type RepositoryTable = {
  id: Generated<number>
  org_id: Fixed<number>
  /** `acme/shop`. */
  name: Fixed<string>
  url: string | null
  /** `git`, `integrations:github`, … */
  provider: string
  created_ms: Fixed<number>
}

export type SourceCommitTable = {
  id: Generated<number>
  org_id: Fixed<number>
  repository: Fixed<string>
  sha: Fixed<string>
  author_name: string
  author_email: string
  message: string
  at_ms: number
}

/** `A` added, `M` changed, `D` deleted. */
export type SourceCommitFileTable = {
  commit_id: Fixed<number>
  path: Fixed<string>
  change: Fixed<'A' | 'M' | 'D'>
}

/** A commit whose message says that it fixes an issue. */
export type IssueCommitTable = {
  issue_id: number
  commit_id: Fixed<number>
  /** The release that had the commit first. */
  version: Fixed<string>
  at_ms: Fixed<number>
}

/** `set-commits` by a repository's range alone. */
export type ReleaseRefTable = {
  release_id: Fixed<number>
  repository: Fixed<string>
  sha: string
  previous_sha: string | null
}

export type DeployTable = {
  id: Generated<number>
  release_id: Fixed<number>
  environment: Fixed<string>
  name: Fixed<string | null>
  url: Fixed<string | null>
  started_ms: Fixed<number | null>
  finished_ms: Fixed<number>
}

export const RELEASES: readonly string[] = [
  `CREATE TABLE release (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, version text NOT NULL,
    status text NOT NULL DEFAULT 'open', url text, date_started_ms integer, date_released_ms integer,
    created_ms integer NOT NULL, UNIQUE (org_id, version))`,
  `CREATE TABLE release_project (release_id integer NOT NULL REFERENCES release (id) ON DELETE CASCADE,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, first_event_ms integer, last_event_ms integer,
    PRIMARY KEY (release_id, project_id)) WITHOUT ROWID`,
  'CREATE INDEX release_by_project ON release_project (project_id)',
  `CREATE TABLE repository (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, name text NOT NULL, url text,
    provider text NOT NULL, created_ms integer NOT NULL, UNIQUE (org_id, name))`,
  `CREATE TABLE source_commit (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, repository text NOT NULL, sha text NOT NULL,
    author_name text NOT NULL, author_email text NOT NULL, message text NOT NULL, at_ms integer NOT NULL,
    UNIQUE (org_id, repository, sha))`,
  `CREATE TABLE source_commit_file (commit_id integer NOT NULL REFERENCES source_commit (id) ON DELETE CASCADE,
    path text NOT NULL, change text NOT NULL, PRIMARY KEY (commit_id, path)) WITHOUT ROWID`,
  `CREATE TABLE release_commit (release_id integer NOT NULL REFERENCES release (id) ON DELETE CASCADE,
    position integer NOT NULL, commit_id integer NOT NULL REFERENCES source_commit (id) ON DELETE CASCADE,
    PRIMARY KEY (release_id, position)) WITHOUT ROWID`,
  'CREATE INDEX release_commit_by_commit ON release_commit (commit_id)',
  `CREATE TABLE release_ref (release_id integer NOT NULL REFERENCES release (id) ON DELETE CASCADE,
    repository text NOT NULL, sha text NOT NULL, previous_sha text, PRIMARY KEY (release_id, repository)) WITHOUT ROWID`,
  `CREATE TABLE deploy (id integer PRIMARY KEY AUTOINCREMENT,
    release_id integer NOT NULL REFERENCES release (id) ON DELETE CASCADE, environment text NOT NULL, name text, url text,
    started_ms integer, finished_ms integer NOT NULL)`,
  'CREATE INDEX deploy_by_release ON deploy (release_id)',
  `CREATE TABLE deploy_project (deploy_id integer NOT NULL REFERENCES deploy (id) ON DELETE CASCADE,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, PRIMARY KEY (deploy_id, project_id))
    WITHOUT ROWID`,
  'CREATE INDEX deploy_by_project ON deploy_project (project_id)',
  // Only a release that comes after this one brings the issue back. Empty: any event does.
  `ALTER TABLE issue ADD COLUMN resolved_in text NOT NULL DEFAULT ''`,
  `ALTER TABLE issue ADD COLUMN resolved_release text NOT NULL DEFAULT ''`,
  // Which release brought it back, the last time.
  `ALTER TABLE issue ADD COLUMN regressed_release text NOT NULL DEFAULT ''`,
  // What a release made, brought back and mended.
  `CREATE INDEX issue_by_first_release ON issue (project_id, first_release) WHERE first_release <> ''`,
  `CREATE INDEX issue_by_regressed ON issue (project_id, regressed_release) WHERE regressed_release <> ''`,
  `CREATE INDEX issue_by_resolved ON issue (project_id, resolved_release) WHERE resolved_release <> ''`,
]

export const ISSUE_COMMITS: readonly string[] = [
  `CREATE TABLE issue_commit (issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
    commit_id integer NOT NULL REFERENCES source_commit (id) ON DELETE CASCADE, version text NOT NULL,
    at_ms integer NOT NULL, PRIMARY KEY (issue_id, commit_id)) WITHOUT ROWID`,
  'CREATE INDEX issue_commit_by_commit ON issue_commit (commit_id)',
]
