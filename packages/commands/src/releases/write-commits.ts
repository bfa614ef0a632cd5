/** Puts commits and ranges of repositories into a release. Runs inside the transaction of the command. */
import { isLongName, MAX_NAME_BYTES, type Records } from '@sonde/stores'
import { z } from 'zod'
import { timeField } from './release-fields.ts'
import type { WrittenCommit } from './resolve-by-commits.ts'

// Commits of a release as sentry-cli reads them out of git, and ranges of repositories.

/** Both are rows of one transaction: a release that changes more was not meant to be read commit by commit. */
const MAX_COMMITS = 10_000
const MAX_COMMIT_FILES = 100_000

const text = (chars: number) =>
  z
    .string()
    .nullish()
    .transform((given) => (given ?? '').slice(0, chars))
const shaField = z
  .string({ error: 'needs the id of each commit' })
  .trim()
  .min(1, 'needs the id of each commit')
  .max(64, 'of a commit has at most 64 characters')
  .refine((sha) => !sha.includes('..'), 'is one commit, not a range')

const fileField = z.object({
  path: z
    .string()
    .min(1)
    .refine((path) => !isLongName(path), `of a file has at most ${MAX_NAME_BYTES} bytes`),
  type: z.enum(['A', 'M', 'D'], { error: 'of a file is A, M or D' }),
})
const commitField = z.object({
  id: shaField,
  repository: text(200),
  author_name: text(200),
  author_email: text(200),
  message: text(10_000),
  timestamp: timeField.nullish(),
  patch_set: z.array(fileField).nullish(),
})
type CommitInput = z.output<typeof commitField>

/** Newest first. */
export const commitsField = z
  .array(commitField, { error: 'is a list' })
  .max(MAX_COMMITS, `has at most ${MAX_COMMITS} commits: set a later previous commit`)
  .refine(
    (commits) =>
      commits.reduce((sum, { patch_set }) => sum + (patch_set?.length ?? 0), 0) <= MAX_COMMIT_FILES,
    `name at most ${MAX_COMMIT_FILES} files together: set a later previous commit`,
  )

/** `commit` may be a range, `previous..commit`. */
const refOfRepository = z
  .object({
    repository: z.string({ error: 'needs the name of each repository' }).min(1).max(200),
    commit: z.string({ error: 'needs the commit of each repository' }).min(1).max(140),
    previousCommit: z.string().max(64).nullish(),
  })
  .transform(({ repository, commit, previousCommit }) => {
    const [first = '', last] = commit.split(/\.\.+/)
    return {
      repository,
      sha: last ?? first,
      previousSha: last === undefined ? (previousCommit ?? null) : first,
    }
  })
type RefInput = z.output<typeof refOfRepository>
export const refsField = z.array(refOfRepository, { error: 'is a list' }).max(100)

type Release = { readonly orgId: number; readonly releaseId: number }

// SQLite binds 32,766 values in a statement.
const ROWS_AT_ONCE = 1_000

/** They replace the release's commits. A commit that another release has too is one row, with what was told last. Returns them. */
export async function writeCommits(
  tx: Records,
  { orgId, releaseId }: Release,
  commits: readonly CommitInput[],
  nowMs: number,
): Promise<readonly WrittenCommit[]> {
  const written = new Map<number, WrittenCommit>()
  for (const commit of commits) {
    const reported = {
      author_name: commit.author_name,
      author_email: commit.author_email,
      message: commit.message,
      at_ms: commit.timestamp ?? nowMs,
    }
    const { id } = await tx
      .insertInto('source_commit')
      .values({ org_id: orgId, repository: commit.repository, sha: commit.id, ...reported })
      .onConflict((conflict) => conflict.columns(['org_id', 'repository', 'sha']).doUpdateSet(reported))
      .returning('id')
      .executeTakeFirstOrThrow()
    written.set(id, { id, sha: commit.id, message: commit.message })
    if (commit.patch_set) await writeFiles(tx, id, commit.patch_set)
  }
  await tx.deleteFrom('release_commit').where('release_id', '=', releaseId).execute()
  const rows = [...written.keys()].map((id, position) => ({ release_id: releaseId, position, commit_id: id }))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('release_commit')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
  for (const name of new Set(commits.map(({ repository }) => repository)))
    await rememberRepository(tx, orgId, name, nowMs)
  return [...written.values()]
}

async function writeFiles(
  tx: Records,
  commitId: number,
  files: NonNullable<CommitInput['patch_set']>,
): Promise<void> {
  await tx.deleteFrom('source_commit_file').where('commit_id', '=', commitId).execute()
  // A renamed file is told as deleted and added; of the same path the last counts.
  const changes = new Map(files.map(({ path, type }) => [path, type]))
  const rows = [...changes].map(([path, change]) => ({ commit_id: commitId, path, change }))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('source_commit_file')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
}

/** One for each repository; told again it is replaced. */
export async function writeRefs(
  tx: Records,
  { orgId, releaseId }: Release,
  refs: readonly RefInput[],
  nowMs: number,
): Promise<void> {
  for (const { repository, sha, previousSha } of refs) {
    const reported = { sha, previous_sha: previousSha }
    await tx
      .insertInto('release_ref')
      .values({ release_id: releaseId, repository, ...reported })
      .onConflict((conflict) => conflict.columns(['release_id', 'repository']).doUpdateSet(reported))
      .execute()
    await rememberRepository(tx, orgId, repository, nowMs)
  }
}

async function rememberRepository(tx: Records, orgId: number, name: string, nowMs: number): Promise<void> {
  if (name === '') return
  await tx
    .insertInto('repository')
    .values({ org_id: orgId, name, url: null, provider: 'git', created_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
