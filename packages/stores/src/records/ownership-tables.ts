/** Who owns which part of a project's code, and who was found for an issue. Times are Unix milliseconds. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type OwnershipTables = {
  project_ownership: ProjectOwnershipTable
  codeowners_file: CodeownersFileTable
  codeowners_owner: CodeownersOwnerTable
  issue_owner: IssueOwnerTable
  ownership_run: OwnershipRunTable
  owner_request: OwnerRequestTable
}

/** As Sentry's three choices: https://docs.sentry.io/product/issues/ownership-rules/#auto-assignment */
export const AUTO_ASSIGNMENTS = ['owners', 'suspect_commits', 'off'] as const
/** `suspect_commits`: the author of a suspect commit, else the owner by rules. */
export type AutoAssignment = (typeof AUTO_ASSIGNMENTS)[number]

/** No row: no rules, `owners`, everybody is told where no rule matches. */
export type ProjectOwnershipTable = {
  project_id: Fixed<number>
  /** As people typed them. */
  rules: string
  auto_assignment: AutoAssignment
  /** 1: of what no rule matches, all members of the project are owners. */
  is_for_all: number
  /** Raised with every change, also of files and of their names: what was read under it stays right. */
  version: number
  updated_ms: number
  /** `actorOf` who did; empty: nobody yet. */
  updated_by: string
}

/** A CODEOWNERS file, with where its repository's paths begin in stack traces. */
export type CodeownersFileTable = {
  id: Generated<number>
  project_id: Fixed<number>
  /** `acme/shop`; a project has one of a repository. */
  repository: string
  content: string
  /** A path in a stack that begins with `stack_root` is that in the repository with `source_root` instead. */
  stack_root: string
  source_root: string
  created_ms: Fixed<number>
  updated_ms: number
  updated_by: string
}

/** Who is meant by a name in CODEOWNERS files. One of the two is set. */
export type CodeownersOwnerTable = {
  project_id: Fixed<number>
  /** `@ada`, `@acme/web`: in lower case, for all of these hosts take either case. */
  name: Fixed<string>
  user_id: string | null
  team_id: number | null
}

export type IssueOwnerKind = 'ownership_rule' | 'codeowners' | 'suspect_commit'

/** Whom the event named that made the issue or brought it back. The first is who is assigned. One of the ids is set. */
export type IssueOwnerTable = {
  issue_id: Fixed<number>
  position: Fixed<number>
  kind: Fixed<IssueOwnerKind>
  user_id: Fixed<string | null>
  team_id: Fixed<number | null>
  /** The line that matched, or the commit's hash. */
  reason: Fixed<string>
}

export const OWNERSHIP: readonly string[] = [
  `CREATE TABLE project_ownership (project_id integer PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
    rules text NOT NULL, auto_assignment text NOT NULL, is_for_all integer NOT NULL, version integer NOT NULL,
    updated_ms integer NOT NULL, updated_by text NOT NULL)`,
  `CREATE TABLE codeowners_file (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, repository text NOT NULL,
    content text NOT NULL, stack_root text NOT NULL, source_root text NOT NULL, created_ms integer NOT NULL,
    updated_ms integer NOT NULL, updated_by text NOT NULL, UNIQUE (project_id, repository))`,
  `CREATE TABLE codeowners_owner (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    name text NOT NULL, user_id text REFERENCES "user" (id) ON DELETE CASCADE,
    team_id integer REFERENCES team (id) ON DELETE CASCADE, PRIMARY KEY (project_id, name)) WITHOUT ROWID`,
  'CREATE INDEX codeowners_owner_by_user ON codeowners_owner (user_id)',
  'CREATE INDEX codeowners_owner_by_team ON codeowners_owner (team_id)',
  `CREATE TABLE issue_owner (issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
    position integer NOT NULL, kind text NOT NULL, user_id text REFERENCES "user" (id) ON DELETE CASCADE,
    team_id integer REFERENCES team (id) ON DELETE CASCADE, reason text NOT NULL, PRIMARY KEY (issue_id, position))
    WITHOUT ROWID`,
  'CREATE INDEX issue_owner_by_user ON issue_owner (user_id, issue_id)',
  'CREATE INDEX issue_owner_by_team ON issue_owner (team_id, issue_id)',
]

/** Owners of the open issues of a project, found again after its ownership changed: a project has one run, the last. */
export type OwnershipRunTable = {
  project_id: Fixed<number>
  /** Raised with each request: what began under an earlier one begins anew. */
  version: number
  requested_ms: number
  /** `actorOf` who asked for it, or changed the ownership. */
  actor: string
  /** 1: open issues that nobody was ever assigned to are assigned as well. */
  is_assigning: number
  /** Of issues; 0: not begun. It goes from the newest to the oldest. */
  before_number: number
  /** Open issues when it began. Null: not begun. */
  total_count: number | null
  seen_count: number
  changed_count: number
  assigned_count: number
  finished_ms: number | null
  /** Why it goes on later, for people; empty: no trouble. */
  trouble: string
}

/** An issue whose stored events have other frames now, after a source map that came late. */
export type OwnerRequestTable = {
  issue_id: Fixed<number>
  project_id: Fixed<number>
  /** How often it was asked for: what was asked meanwhile stays asked for. */
  times: number
}

export const OWNERSHIP_RUNS: readonly string[] = [
  `CREATE TABLE ownership_run (project_id integer PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
    version integer NOT NULL, requested_ms integer NOT NULL, actor text NOT NULL, is_assigning integer NOT NULL,
    before_number integer NOT NULL, total_count integer, seen_count integer NOT NULL, changed_count integer NOT NULL,
    assigned_count integer NOT NULL, finished_ms integer, trouble text NOT NULL)`,
  'CREATE INDEX ownership_run_open ON ownership_run (project_id) WHERE finished_ms IS NULL',
  `CREATE TABLE owner_request (issue_id integer PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, times integer NOT NULL)`,
  'CREATE INDEX owner_request_by_project ON owner_request (project_id)',
]
