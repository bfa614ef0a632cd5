/**
 * Ownership rules, CODEOWNERS files, and who owns an event.
 * https://docs.sentry.io/api/projects/update-ownership-configuration-for-a-project/
 */
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
import { type Api, type ApiContext, type ApiOptions, pathParam, projectGrant } from '../api-context.ts'
import { API_BODY_BYTES, jsonBody, type JsonBody } from '../json-body.ts'
import { isoDate, isoDateOrNull } from '../serializers/date.ts'
import { idParam } from './alert-directory.ts'

const AUTO_ASSIGNMENT_NAMES: Readonly<Record<AutoAssignment, string>> = {
  owners: 'Auto Assign to Issue Owner',
  suspect_commits: 'Auto Assign to Suspect Commits',
  off: 'Turn off Auto-Assignment',
}

export function ownershipRoutes(api: Api, { queries, commands }: ApiOptions): void {
  const path = '/projects/:org/:project/ownership'
  const shown = async (c: ApiContext) =>
    c.json(ownershipJson(await projectOwnership(queries, await projectGrant(c, 'project:read'))))

  api.get(path, shown)

  api.put(path, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const body = await jsonBody(c, API_BODY_BYTES.ownership)
    // All but the rules: Sentry's defaults, to which the Terraform provider goes back when it destroys them.
    const isReset = body.text('raw') === undefined && body.value('autoAssignment') !== undefined
    if (body.flag('codeownersAutoSync') === true && !isReset)
      throw new InvalidInput('change the ownership rules', {
        codeownersAutoSync: [
          'is false: Sonde reads no repository. Send the file to …/codeowners/ when it changes',
        ],
      })
    const raw = body.value('raw')
    await updateOwnership(commands, grant, {
      rules: raw === null ? '' : body.text('raw'),
      isForAll: body.flag('fallthrough'),
      autoAssignment: autoAssignmentFrom(body),
    })
    return shown(c)
  })
}

/** Undefined: it stays. What is no name of one goes to the command, which says what is allowed. */
function autoAssignmentFrom(body: JsonBody): AutoAssignment | undefined {
  const text = body.text('autoAssignment')
  if (text === undefined) return undefined
  const found = (Object.keys(AUTO_ASSIGNMENT_NAMES) as AutoAssignment[]).find(
    (known) => AUTO_ASSIGNMENT_NAMES[known] === text,
  )
  if (found) return found
  const names = Object.values(AUTO_ASSIGNMENT_NAMES).join(', ')
  throw new InvalidInput('change the ownership rules', { autoAssignment: [`is one of ${names}`] })
}

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

export function codeownersRoutes(api: Api, { queries, commands }: ApiOptions): void {
  const base = '/projects/:org/:project/codeowners'
  const shown = async (c: ApiContext, id: number) => {
    const files = await codeownersFiles(queries, await projectGrant(c, 'project:read'))
    return files.find((file) => file.id === id)
  }

  api.get(base, async (c) => {
    const files = await codeownersFiles(queries, await projectGrant(c, 'project:read'))
    return c.json(files.map((file) => codeownersJson(file)))
  })

  api.post(base, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const { id } = await saveCodeowners(
      commands,
      grant,
      fileFrom(await jsonBody(c, API_BODY_BYTES.ownership)),
    )
    const file = await shown(c, id)
    return file ? c.json(codeownersJson(file), 201) : c.notFound()
  })

  api.put(`${base}/:codeowners`, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const before = await shown(c, idParam(c, 'codeowners'))
    if (!before) return c.notFound()
    const given = fileFrom(await jsonBody(c, API_BODY_BYTES.ownership), before)
    await saveCodeowners(commands, grant, { ...given, id: before.id })
    const file = await shown(c, before.id)
    return file ? c.json(codeownersJson(file)) : c.notFound()
  })

  api.delete(`${base}/:codeowners`, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    await deleteCodeowners(commands, grant, { id: idParam(c, 'codeowners') })
    return c.body(null, 204)
  })

  // Ours: who is meant by the names in files. `{name, owner}`; an empty owner: nobody any more.
  const owners = '/projects/:org/:project/codeowners-owners'
  const named = async (c: ApiContext) => {
    const names = await codeownersNames(queries, await projectGrant(c, 'project:read'))
    return c.json(names.map(({ name, owner }) => ({ name, owner: ownerJson(owner) })))
  }
  api.get(owners, named)
  api.put(owners, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const body = await jsonBody(c)
    await setCodeownersOwner(commands, grant, {
      name: body.text('name') ?? '',
      owner: body.text('owner') ?? '',
    })
    return named(c)
  })
}

/** `{raw, codeMapping: {repoName, stackRoot, sourceRoot}}`; what is absent is as `before`. */
function fileFrom(body: JsonBody, before?: CodeownersView): CodeownersInput {
  const mapping = new Map(Object.entries(body.value('codeMapping') ?? {}) as [string, unknown][])
  const text = (name: string): string | undefined => {
    const value = mapping.get(name)
    return typeof value === 'string' ? value : undefined
  }
  return {
    repository: text('repoName') ?? before?.repository ?? '',
    content: body.text('raw') ?? before?.content ?? '',
    stackRoot: text('stackRoot') ?? before?.stackRoot,
    sourceRoot: text('sourceRoot') ?? before?.sourceRoot,
  }
}

const codeownersJson = (file: CodeownersView) => ({
  id: String(file.id),
  raw: file.content,
  dateCreated: isoDate(file.createdMs),
  dateUpdated: isoDate(file.changed.atMs),
  codeMappingId: String(file.id),
  provider: 'custom',
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
    ? { type: 'team', id: String(owner.id), name: owner.text.slice(1) }
    : { type: 'user', id: owner.id, name: owner.name, email: owner.text }

/** More are never looked at. */
const MAX_COMMITTERS = 10

export function eventOwnerRoutes(api: Api, { queries }: ApiOptions): void {
  const base = '/projects/:org/:project/events/:event'

  api.get(`${base}/owners`, async (c) => {
    const grant = await projectGrant(c, 'event:read')
    const detail = await eventById(queries, grant, pathParam(c, 'event'))
    if (!detail) return c.notFound()
    const found = await ownersOfEvent(queries, grant, detail)
    return c.json({
      owners: found.map(({ owner }) => ownerJson(owner)),
      rules: found.map(({ owner, kind, reason, matched }) => ({
        type: OWNER_TYPES[kind],
        rule: reason,
        matched,
        owner: ownerJson(owner),
      })),
    })
  })

  api.get(`${base}/committers`, async (c) => {
    const grant = await projectGrant(c, 'event:read')
    const detail = await eventById(queries, grant, pathParam(c, 'event'))
    if (!detail) return c.notFound()
    const { event, issueId } = detail
    const found = await suspectCommits(queries, grant, { event, issueId, limit: MAX_COMMITTERS })
    const byAuthor = Map.groupBy(found?.commits ?? [], ({ authorEmail }) => authorEmail.toLowerCase())
    return c.json({
      committers: [...byAuthor.values()].map((commits) => ({
        author: authorJson(commits[0]),
        commits: commits.map((commit) => commitJson(commit, found?.release ?? '')),
      })),
    })
  })
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
