/** Commits of a release as sentry-cli reads them out of git, and ranges of repositories. */
import { z } from 'zod'
import { timeField } from './release-fields.ts'

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
  path: z.string().min(1).max(4_096),
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
export type CommitInput = z.output<typeof commitField>

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
export type RefInput = z.output<typeof refOfRepository>
export const refsField = z.array(refOfRepository, { error: 'is a list' }).max(100)
