/**
 * Ownership rules, CODEOWNERS files, and who owns an event.
 * https://docs.sentry.io/api/projects/update-ownership-configuration-for-a-project/
 */
import type { Grant } from '@sonde/access'
import {
  type CodeownersInput,
  deleteCodeowners,
  InvalidInput,
  saveCodeowners,
  setCodeownersOwner,
  updateOwnership,
} from '@sonde/commands'
import {
  codeownersFiles,
  codeownersNames,
  type CodeownersView,
  eventById,
  type NamedOwner,
  ownersOfEvent,
  type OwnershipView,
  projectOwnership,
  type SuspectCommit,
  suspectCommits,
} from '@sonde/queries'
import type { AutoAssignment } from '@sonde/stores'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES } from '../json-body.ts'
import { isoDate, isoDateOrNull, Time } from '../serializers/date.ts'
import { Owner } from '../serializers/issue.ts'
import { CommitAuthor } from '../serializers/release.ts'
import { idOf } from './alert-directory.ts'

const AUTO_ASSIGNMENT_NAMES: Readonly<Record<AutoAssignment, string>> = {
  owners: 'Auto Assign to Issue Owner',
  suspect_commits: 'Auto Assign to Suspect Commits',
  off: 'Turn off Auto-Assignment',
}

const NAMES = Object.values(AUTO_ASSIGNMENT_NAMES)

const Ownership = z
  .object({
    raw: z.string(),
    fallthrough: z.boolean().meta({ description: 'What no rule matches is everybody’s.' }),
    dateCreated: Time.nullable(),
    lastUpdated: Time.nullable(),
    isActive: z.boolean(),
    autoAssignment: z.string(),
    codeownersAutoSync: z.boolean(),
    problems: z.array(z.object({ line: z.int(), text: z.string(), reason: z.string() })),
  })
  .meta({ id: 'Ownership' })

const OwnershipFields = z.object({
  raw: z.string().nullable().optional().meta({ description: 'The rules; null: none.' }),
  fallthrough: z.boolean().optional(),
  autoAssignment: z.enum(NAMES, `is one of ${NAMES.join(', ')}`).optional(),
  codeownersAutoSync: z.boolean().optional().meta({ description: '`false`: Sonde reads no repository.' }),
})

const reads = { tag: 'Ownership', permission: 'project:read' } as const
const writes = { tag: 'Ownership', permission: 'project:write' } as const

export function ownershipRoutes(api: Api, { queries, commands }: ApiOptions): void {
  const path = '/projects/:org/:project/ownership'

  api.get(
    path,
    { ...reads, id: 'getOwnership', summary: 'Read the ownership rules', answer: Ownership },
    async ({ grant }) => ownershipJson(await projectOwnership(queries, grant)),
  )

  api.put(
    path,
    {
      ...writes,
      id: 'updateOwnership',
      summary: 'Change the ownership rules',
      description: 'What is absent stays.',
      body: OwnershipFields,
      maxBytes: API_BODY_BYTES.ownership,
      answer: Ownership,
    },
    async ({ grant, body: { raw, fallthrough, autoAssignment, codeownersAutoSync } }) => {
      // All but the rules: Sentry's defaults, to which the Terraform provider goes back when it destroys them.
      const isReset = raw === undefined && autoAssignment !== undefined
      if (codeownersAutoSync === true && !isReset)
        throw new InvalidInput('change the ownership rules', {
          codeownersAutoSync: [
            'is false: Sonde reads no repository. Send the file to …/codeowners/ when it changes',
          ],
        })
      await updateOwnership(commands, grant, {
        rules: raw === null ? '' : raw,
        isForAll: fallthrough,
        autoAssignment: AUTO_ASSIGNMENTS.find((known) => AUTO_ASSIGNMENT_NAMES[known] === autoAssignment),
      })
      return ownershipJson(await projectOwnership(queries, grant))
    },
  )
}

const AUTO_ASSIGNMENTS = Object.keys(AUTO_ASSIGNMENT_NAMES) as AutoAssignment[]

const ownershipJson = ({ rules, autoAssignment, isForAll, changed, problems }: OwnershipView) => ({
  raw: rules,
  fallthrough: isForAll,
  dateCreated: isoDateOrNull(changed?.atMs),
  lastUpdated: isoDateOrNull(changed?.atMs),
  isActive: true,
  autoAssignment: AUTO_ASSIGNMENT_NAMES[autoAssignment],
  codeownersAutoSync: false,
  problems,
})

const Codeowners = z
  .object({
    id: z.string(),
    raw: z.string(),
    dateCreated: Time,
    dateUpdated: Time,
    codeMappingId: z.string(),
    provider: z.literal('custom'),
    codeMapping: z.object({
      id: z.string(),
      repoName: z.string(),
      stackRoot: z.string(),
      sourceRoot: z.string(),
    }),
    errors: z.object({
      missing_external_users: z.array(z.string()),
      missing_external_teams: z.array(z.string()),
      missing_user_emails: z.array(z.string()),
      teams_without_access: z.array(z.string()),
      users_without_access: z.array(z.string()),
    }),
    problems: z.array(z.object({ line: z.int(), text: z.string(), reason: z.string() })),
  })
  .meta({ id: 'Codeowners' })

const CodeownersFields = z.object({
  raw: z.string().optional().meta({ description: 'The file.' }),
  codeMapping: z
    .object({
      repoName: z.string().optional(),
      stackRoot: z.string().optional(),
      sourceRoot: z.string().optional(),
    })
    .optional(),
})

const NamedOwners = z.array(z.object({ name: z.string(), owner: Owner }))

export function codeownersRoutes(api: Api, { queries, commands }: ApiOptions): void {
  const base = '/projects/:org/:project/codeowners'
  const one = `${base}/:codeowners` as const
  const find = async (grant: Grant<'project:read', 'project'>, id: number) =>
    (await codeownersFiles(queries, grant)).find((file) => file.id === id)

  api.get(
    base,
    { ...reads, id: 'listCodeowners', summary: 'List CODEOWNERS files', answer: z.array(Codeowners) },
    async ({ grant }) => (await codeownersFiles(queries, grant)).map(codeownersJson),
  )

  api.post(
    base,
    {
      ...writes,
      id: 'createCodeowners',
      summary: 'Send a CODEOWNERS file',
      body: CodeownersFields,
      maxBytes: API_BODY_BYTES.ownership,
      answer: Codeowners,
      status: 201,
    },
    async ({ grant, body }) => {
      const { id } = await saveCodeowners(commands, grant, inputOf(body))
      const file = await find(grant, id)
      return file && codeownersJson(file)
    },
  )

  api.put(
    one,
    {
      ...writes,
      id: 'updateCodeowners',
      summary: 'Send a CODEOWNERS file again',
      description: 'What is absent stays.',
      body: CodeownersFields,
      maxBytes: API_BODY_BYTES.ownership,
      answer: Codeowners,
    },
    async ({ grant, params, body }) => {
      const before = await find(grant, idOf(params.codeowners))
      if (!before) return undefined
      await saveCodeowners(commands, grant, { ...inputOf(body, before), id: before.id })
      const file = await find(grant, before.id)
      return file && codeownersJson(file)
    },
  )

  api.delete(
    one,
    { ...writes, id: 'deleteCodeowners', summary: 'Delete a CODEOWNERS file' },
    ({ grant, params }) => deleteCodeowners(commands, grant, { id: idOf(params.codeowners) }),
  )

  // Ours: who is meant by the names in files.
  const owners = '/projects/:org/:project/codeowners-owners'
  const named = async (grant: Grant<'project:read', 'project'>) =>
    (await codeownersNames(queries, grant)).map(({ name, owner }) => ({ name, owner: ownerJson(owner) }))

  api.get(
    owners,
    {
      ...reads,
      id: 'listCodeownersOwners',
      summary: 'List who is meant by names in files',
      answer: NamedOwners,
    },
    ({ grant }) => named(grant),
  )

  api.put(
    owners,
    {
      ...writes,
      id: 'setCodeownersOwner',
      summary: 'Say who is meant by a name in files',
      body: z.object({
        name: z.string().default(''),
        owner: z.string().default('').meta({ description: 'Empty: nobody any more.' }),
      }),
      answer: NamedOwners,
    },
    async ({ grant, body }) => {
      await setCodeownersOwner(commands, grant, body)
      return named(grant)
    },
  )
}

/** What is absent is as `before`. */
const inputOf = (
  { raw, codeMapping = {} }: z.output<typeof CodeownersFields>,
  before?: CodeownersView,
): CodeownersInput => ({
  repository: codeMapping.repoName ?? before?.repository ?? '',
  content: raw ?? before?.content ?? '',
  stackRoot: codeMapping.stackRoot ?? before?.stackRoot,
  sourceRoot: codeMapping.sourceRoot ?? before?.sourceRoot,
})

const codeownersJson = (file: CodeownersView) => ({
  id: String(file.id),
  raw: file.content,
  dateCreated: isoDate(file.createdMs),
  dateUpdated: isoDate(file.changed.atMs),
  codeMappingId: String(file.id),
  provider: 'custom' as const,
  codeMapping: {
    id: String(file.id),
    repoName: file.repository,
    stackRoot: file.stackRoot,
    sourceRoot: file.sourceRoot,
  },
  errors: {
    missing_external_users: file.unknown.filter((name) => name.startsWith('@') && !name.includes('/')),
    missing_external_teams: file.unknown.filter((name) => name.startsWith('@') && name.includes('/')),
    missing_user_emails: file.unknown.filter((name) => !name.startsWith('@')),
    teams_without_access: [] as string[],
    users_without_access: [] as string[],
  },
  problems: file.problems,
})

/** A team's name is its slug, without the `#`: so it is in Sentry's API. */
const ownerJson = (owner: NamedOwner) =>
  owner.kind === 'team'
    ? { type: 'team' as const, id: String(owner.id), name: owner.text.slice(1) }
    : { type: 'user' as const, id: owner.id, name: owner.name, email: owner.text }

/** More are never looked at. */
const MAX_COMMITTERS = 10

const EventOwners = z
  .object({
    owners: z.array(Owner),
    rules: z.array(
      z.object({
        type: z.string(),
        rule: z.string(),
        matched: z.string().meta({ description: 'The line that matched, or the id of the commit.' }),
        owner: Owner,
      }),
    ),
  })
  .meta({ id: 'EventOwners' })

const SuspectCommitShape = z
  .object({
    id: z.string(),
    shortId: z.string(),
    message: z.string(),
    dateCreated: Time,
    repository: z.object({ name: z.string() }),
    url: z.string().nullable(),
    releases: z.array(z.object({ version: z.string() })),
    suspectCommitType: z.string(),
    path: z.string(),
  })
  .meta({ id: 'SuspectCommit' })

const Committers = z
  .object({
    committers: z.array(
      z.object({
        author: CommitAuthor,
        commits: z.array(SuspectCommitShape),
      }),
    ),
  })
  .meta({ id: 'Committers' })

export function eventOwnerRoutes(api: Api, { queries }: ApiOptions): void {
  const base = '/projects/:org/:project/events/:event'
  const common = { tag: 'Ownership', permission: 'event:read' } as const

  api.get(
    `${base}/owners`,
    { ...common, id: 'listEventOwners', summary: 'List who owns an event', answer: EventOwners },
    async ({ grant, params }) => {
      const detail = await eventById(queries, grant, params.event)
      if (!detail) return undefined
      const found = await ownersOfEvent(queries, grant, detail)
      return {
        owners: found.map(({ owner }) => ownerJson(owner)),
        rules: found.map(({ owner, kind, reason, matched }) => ({
          type: OWNER_TYPES[kind],
          rule: reason,
          matched,
          owner: ownerJson(owner),
        })),
      }
    },
  )

  api.get(
    `${base}/committers`,
    {
      ...common,
      id: 'listCommitters',
      summary: 'List whose commits may have caused an event',
      answer: Committers,
    },
    async ({ grant, params }) => {
      const detail = await eventById(queries, grant, params.event)
      if (!detail) return undefined
      const { event, issueId } = detail
      const found = await suspectCommits(queries, grant, { event, issueId, limit: MAX_COMMITTERS })
      const byAuthor = Map.groupBy(found?.commits ?? [], ({ authorEmail }) => authorEmail.toLowerCase())
      return {
        committers: [...byAuthor.values()].map((commits) => ({
          author: authorJson(commits[0]),
          commits: commits.map((commit) => commitJson(commit, found?.release ?? '')),
        })),
      }
    },
  )
}

/** In Sentry's words. */
export const OWNER_TYPES = {
  ownership_rule: 'ownershipRule',
  codeowners: 'codeowners',
  suspect_commit: 'suspectCommit',
} as const

const authorJson = (commit: SuspectCommit | undefined) => ({
  name: commit?.authorName ?? '',
  email: commit?.authorEmail ?? '',
})

const commitJson = (commit: SuspectCommit, release: string) => ({
  id: commit.sha,
  shortId: commit.sha.slice(0, 7),
  message: commit.message,
  dateCreated: isoDate(commit.atMs),
  repository: { name: commit.repository },
  url: commit.url ?? null,
  releases: [{ version: release }],
  suspectCommitType: 'via commit in release',
  path: commit.path,
})
