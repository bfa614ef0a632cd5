/** Releases, commits and deploys: every field that sentry-cli and the bundler plugins insist on. */
import { parseReleaseVersion } from '@sonde/protocol/release-version'
import type {
  CommitAuthor as CommitAuthorRow,
  CommitRow,
  DeployRow,
  ReleaseRow,
  ReleaseWithAuthors,
} from '@sonde/queries'
import { RELEASE_STATUSES } from '@sonde/stores'
import { z } from 'zod'
import { isoDate, isoDateOrNull, Time } from './date.ts'

export const CommitAuthor = z.object({ name: z.string(), email: z.string() }).meta({ id: 'CommitAuthor' })

export const Commit = z
  .object({
    id: z.string(),
    shortId: z.string(),
    message: z.string(),
    dateCreated: Time,
    author: CommitAuthor,
    repository: z.object({ name: z.string() }),
  })
  .meta({ id: 'Commit' })

export const Deploy = z
  .object({
    id: z.string(),
    environment: z.string(),
    name: z.string().nullable(),
    url: z.string().nullable(),
    dateStarted: Time.nullable(),
    dateFinished: Time,
  })
  .meta({ id: 'Deploy' })

export const Release = z
  .object({
    id: z.number(),
    version: z.string(),
    shortVersion: z.string(),
    versionInfo: z.object({
      package: z.string().nullable(),
      version: z.object({ raw: z.string() }),
      description: z.string(),
      buildHash: z.string().nullable(),
    }),
    status: z.enum(RELEASE_STATUSES),
    ref: z.null(),
    url: z.string().nullable(),
    data: z.object({}),
    dateCreated: Time,
    dateStarted: Time.nullable(),
    dateReleased: Time.nullable(),
    firstEvent: Time.nullable(),
    lastEvent: Time.nullable(),
    newGroups: z.int(),
    commitCount: z.int(),
    deployCount: z.int(),
    lastDeploy: Deploy.nullable(),
    lastCommit: Commit.nullable(),
    authors: z.array(CommitAuthor),
    owner: z.null(),
    projects: z.array(
      z.object({
        id: z.number(),
        slug: z.string(),
        name: z.string(),
        platform: z.string(),
        platforms: z.array(z.string()),
        newGroups: z.int(),
        hasHealthData: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Release' })

export function releaseJson(row: ReleaseRow | ReleaseWithAuthors) {
  return {
    id: row.id,
    version: row.version,
    shortVersion: shortVersion(row.version),
    versionInfo: versionInfo(row.version),
    status: row.status,
    ref: null,
    url: row.url ?? null,
    data: {},
    dateCreated: isoDate(row.createdMs),
    dateStarted: isoDateOrNull(row.startedMs),
    dateReleased: isoDateOrNull(row.releasedMs),
    firstEvent: isoDateOrNull(row.firstEventMs),
    lastEvent: isoDateOrNull(row.lastEventMs),
    newGroups: row.projects.reduce((sum, { newIssues }) => sum + newIssues, 0),
    commitCount: row.commitCount,
    deployCount: row.deployCount,
    lastDeploy: row.lastDeploy === undefined ? null : deployJson(row.lastDeploy),
    lastCommit: row.lastCommit === undefined ? null : commitJson(row.lastCommit),
    authors: 'authors' in row ? row.authors.map(authorJson) : [],
    owner: null,
    projects: row.projects.map((project) => ({
      id: project.id,
      slug: project.slug,
      name: project.name,
      platform: project.platform,
      platforms: [project.platform],
      newGroups: project.newIssues,
      hasHealthData: project.hasSessions,
    })),
  }
}

/** Without its package; of a hash the first twelve characters. */
function shortVersion(version: string): string {
  const { text } = parseReleaseVersion(version)
  return /^[0-9a-f]{40,64}$/.test(text) ? text.slice(0, 12) : text
}

function versionInfo(version: string) {
  const { packageName, text, build } = parseReleaseVersion(version)
  return {
    package: packageName === '' ? null : packageName,
    version: { raw: text },
    description: shortVersion(version),
    buildHash: build === '' ? null : build,
  }
}

const authorJson = ({ name, email }: Pick<CommitAuthorRow, 'name' | 'email'>) => ({ name, email })

export const commitJson = (row: CommitRow) => ({
  id: row.sha,
  shortId: row.sha.slice(0, 7),
  message: row.message,
  dateCreated: isoDate(row.atMs),
  author: authorJson({ name: row.authorName, email: row.authorEmail }),
  repository: { name: row.repository },
})

export const deployJson = (row: DeployRow) => ({
  id: String(row.id),
  environment: row.environment,
  name: row.name ?? null,
  url: row.url ?? null,
  dateStarted: isoDateOrNull(row.startedMs),
  dateFinished: isoDate(row.finishedMs),
})
