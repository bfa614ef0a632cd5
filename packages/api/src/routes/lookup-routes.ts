/** Small questions that clients of the public API ask: what an id stands for, who asks, and which names there are. */
import {
  commitFilesOfRelease,
  eventById,
  findIssue,
  issueDetail,
  listProjects,
  listTeams,
  LOG_SUGGESTIONS,
  METRIC_SUGGESTIONS,
  ownPerson,
  projectKeys,
  projectOfEvent,
  releaseByVersion,
  seenEnvironments,
  type SeenUser,
  seenUsers,
  spanKeys,
  traceById,
} from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setPage, setSinglePage } from '../pages.ts'
import { projectIds, text, WINDOW, windowOf } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'
import { EventDetail, eventDetailJson } from '../serializers/event-detail.ts'
import { issueDetailJson, IssueWithTags } from '../serializers/issue.ts'
import { ProjectKey, projectKeyJson, ProjectName } from '../serializers/project.ts'
import { CommitAuthor, commitJson } from '../serializers/release.ts'
import { Team, teamJson, teamNameJson } from '../serializers/team.ts'

export function lookupRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  // https://docs.sentry.io/api/organizations/resolve-an-event-id/
  api.get(
    '/organizations/:org/eventids/:event',
    {
      id: 'resolveEventId',
      summary: 'Find an event by its id alone',
      tag: 'Events',
      permission: 'event:read',
      answer: z.object({
        organizationSlug: z.string(),
        projectSlug: z.string(),
        groupId: z.string(),
        eventId: z.string(),
        event: EventDetail,
      }),
    },
    async ({ c, grant, params }) => {
      const projectId = await projectOfEvent(queries, grant, params.event)
      if (projectId === undefined) return undefined
      const own = await c.get('grants').openProject(grant.orgId, projectId, 'event:read')
      const detail = await eventById(queries, own, params.event)
      return (
        detail && {
          organizationSlug: own.orgSlug,
          projectSlug: own.projectSlug,
          groupId: String(detail.issueId),
          eventId: detail.event.event_id,
          event: eventDetailJson(detail),
        }
      )
    },
  )

  // https://docs.sentry.io/api/organizations/resolve-a-short-id/
  api.get(
    '/organizations/:org/shortids/:issue',
    {
      id: 'resolveShortId',
      summary: 'Find an issue by its short id',
      tag: 'Issues',
      permission: 'event:read',
      answer: z.object({
        organizationSlug: z.string(),
        projectSlug: z.string(),
        groupId: z.string(),
        shortId: z.string(),
        group: IssueWithTags,
      }),
    },
    async ({ grant, params }) => {
      // A bare number is an id, which is no short one.
      const issue = /^\d+$/.test(params.issue) ? undefined : await findIssue(queries, grant, params.issue)
      const detail = issue && (await issueDetail(queries, grant, issue.id))
      return (
        detail && {
          organizationSlug: grant.orgSlug,
          projectSlug: detail.project.slug,
          groupId: String(detail.id),
          shortId: detail.shortId,
          group: issueDetailJson(detail, { publicUrl, orgSlug: grant.orgSlug }),
        }
      )
    },
  )

  const Person = z
    .object({
      id: z.string(),
      name: z.string(),
      username: z.string(),
      email: z.string(),
      isActive: z.boolean(),
    })
    .meta({ id: 'Person' })
  for (const [path, id] of [
    ['/auth', 'whoAmI'],
    ['/users/me', 'readOwnPerson'],
  ] as const)
    api.get(
      path,
      { id, summary: 'Say who asks, or who made the token', tag: 'Account', answer: Person },
      async ({ c }) => {
        const person = await ownPerson(queries, c.get('viewer'))
        return person && { ...person, username: person.email, isActive: true }
      },
    )

  // https://docs.sentry.io/api/teams/list-a-users-teams-for-an-organization/
  api.get(
    '/organizations/:org/user-teams',
    {
      id: 'listOwnTeams',
      summary: 'List the teams that one is in',
      tag: 'Teams',
      permission: 'member:read',
      answer: z.array(Team.extend({ projects: z.array(ProjectName) })),
    },
    async ({ c, grant }) => {
      setSinglePage(c, publicUrl)
      const teams = (await listTeams(queries, grant)).filter(({ isMember }) => isMember)
      return teams.map((team) => ({
        ...teamJson(team),
        projects: team.projects.map(teamNameJson),
      }))
    },
  )

  const Environment = z.object({ id: z.string(), name: z.string(), isHidden: z.boolean() })
  for (const path of ['/organizations/:org/environments', '/projects/:org/:project/environments'] as const)
    api.get(
      path,
      {
        id: 'listEnvironments',
        summary: 'List the environments that were seen within 90 days',
        tag: 'Projects',
        permission: 'project:read',
        query: z.object({
          project: projectIds,
          visibility: text('`hidden`: none, as Sonde hides no environment.'),
        }),
        answer: z.array(Environment),
      },
      async ({ c, grant, query }) => {
        setSinglePage(c, publicUrl)
        const names = await seenEnvironments(queries, grant, { projectIds: query.project })
        return query.visibility === 'hidden' ? [] : names.map((name) => environmentJson(name))
      },
    )

  // https://docs.sentry.io/api/environments/retrieve-a-project-environment/
  api.get(
    '/projects/:org/:project/environments/:environment',
    {
      id: 'readEnvironment',
      summary: 'Read an environment',
      tag: 'Projects',
      permission: 'project:read',
      answer: Environment,
    },
    async ({ grant, params }) => {
      const names = await seenEnvironments(queries, grant, { projectIds: [] })
      return names.includes(params.environment) ? environmentJson(params.environment) : undefined
    },
  )

  // https://docs.sentry.io/api/projects/list-a-projects-users/
  api.get(
    '/projects/:org/:project/users',
    {
      id: 'listProjectUsers',
      summary: 'List the users of whom events told within 30 days',
      description: '`query` is a part of an id, an address or a name; `email:…` and the like name which.',
      tag: 'Projects',
      permission: 'event:read',
      query: z.object({ query: z.string().max(200).optional() }),
      answer: z.array(
        z.object({
          id: z.string(),
          tagValue: z.string(),
          identifier: z.string().nullable(),
          username: z.string().nullable(),
          email: z.string().nullable(),
          name: z.string().nullable(),
          ipAddress: z.string().nullable(),
          dateCreated: Time,
          lastSeen: Time,
        }),
      ),
    },
    async ({ c, grant, query }) => {
      setSinglePage(c, publicUrl)
      return (await seenUsers(queries, grant, { contains: query.query ?? '' })).map(userJson)
    },
  )

  // https://docs.sentry.io/api/organizations/list-an-organizations-client-keys/
  api.get(
    '/organizations/:org/project-keys',
    {
      id: 'listOrganizationKeys',
      summary: 'List the client keys of all projects',
      tag: 'Keys',
      permission: 'project:read',
      pages: true,
      query: z.object({ status: z.enum(['active', 'inactive']).optional(), team: z.string().optional() }),
      answer: z.array(ProjectKey),
    },
    async ({ c, grant, query }) => {
      const projects = (await listProjects(queries, grant)).filter(
        ({ teams }) => query.team === undefined || teams.some(({ slug }) => slug === query.team),
      )
      const keys = await Promise.all(
        projects.map(async ({ id }) => {
          const own = await c.get('grants').openProject(grant.orgId, id, 'project:read')
          return (await projectKeys(queries, own)).map((key) => projectKeyJson(key, id))
        }),
      )
      const wanted = keys
        .flat()
        .filter(({ isActive }) => query.status === undefined || isActive === (query.status === 'active'))
      return setPage(c, publicUrl, wanted)
    },
  )

  api.get(
    '/organizations/:org/trace-items/attributes',
    {
      id: 'listAttributes',
      summary: 'List the fields and attributes that rows have',
      tag: 'Explore',
      permission: 'event:read',
      query: z.object({
        itemType: z.enum(['spans', 'logs', 'tracemetrics']).optional(),
        attributeType: z.array(z.enum(['string', 'number', 'boolean'])).optional(),
        substringMatch: z.string().optional(),
        ...WINDOW,
      }),
      pages: true,
      answer: z.array(
        z.object({
          key: z.string(),
          name: z.string(),
          attributeType: z.enum(['string', 'number']),
          secondaryAliases: z.array(z.string()),
        }),
      ),
    },
    async ({ c, grant, query }) => {
      const subject = { spans: undefined, logs: LOG_SUGGESTIONS, tracemetrics: METRIC_SUGGESTIONS }
      const { fromMs, toMs } = windowOf(query, queries.clock)
      const keys = await spanKeys(queries, grant, { fromMs, toMs }, subject[query.itemType ?? 'spans'])
      const rows = keys
        .filter(({ key }) => key !== 'has' && key.includes(query.substringMatch ?? ''))
        .map(({ key, kind }) => {
          const attributeType = kind === 'number' ? ('number' as const) : ('string' as const)
          return { key, name: key, attributeType, secondaryAliases: [] }
        })
        .filter(({ attributeType }) => query.attributeType?.includes(attributeType) ?? true)
      return setPage(c, publicUrl, rows)
    },
  )

  api.get(
    '/organizations/:org/trace-meta/:trace',
    {
      id: 'readTraceMeta',
      summary: 'Count what is in a trace',
      tag: 'Performance',
      permission: 'event:read',
      answer: z.object({
        errors: z.int(),
        performance_issues: z.literal(0),
        projects: z.int().meta({ description: 'How many projects it has spans of.' }),
        transactions: z.int(),
        span_count: z.int(),
        span_count_map: z.record(z.string(), z.int()).meta({ description: 'By `op` of the spans.' }),
        transaction_child_count_map: z
          .array(z.object({ 'transaction.event_id': z.string(), 'count()': z.int() }))
          .meta({ description: 'How many spans each transaction has.' }),
      }),
    },
    async ({ grant, params }) => {
      const trace = await traceById(queries, grant, params.trace)
      if (!trace) return undefined
      const { spans, errors, projects, spanCount } = trace
      const inTransaction = Map.groupBy(spans, ({ segmentId }) => segmentId)
      return {
        errors: errors.length,
        performance_issues: 0 as const,
        projects: projects.size,
        transactions: spans.filter(({ isSegment }) => isSegment).length,
        span_count: spanCount,
        span_count_map: Object.fromEntries(
          [...Map.groupBy(spans, ({ op }) => op)].map(([op, of]) => [op, of.length]),
        ),
        transaction_child_count_map: [...inTransaction].map(([segmentId, of]) => ({
          'transaction.event_id': segmentId,
          'count()': of.length,
        })),
      }
    },
  )

  // https://docs.sentry.io/api/releases/retrieve-files-changed-in-a-releases-commits/
  api.get(
    '/organizations/:org/releases/:version/commitfiles',
    {
      id: 'listCommitFiles',
      summary: 'List the files that the commits of a release changed',
      tag: 'Releases',
      permission: 'project:read',
      pages: true,
      answer: z.array(
        z.object({
          id: z.string(),
          orgId: z.int(),
          filename: z.string(),
          type: z.enum(['A', 'M', 'D']),
          commitMessage: z.string(),
          author: CommitAuthor,
          repoName: z.string(),
          dateCreated: Time,
        }),
      ),
    },
    async ({ c, grant, params }) => {
      const release = await releaseByVersion(queries, grant, params.version)
      if (!release) return undefined
      const files = await commitFilesOfRelease(queries, release, MAX_COMMIT_FILES)
      return setPage(c, publicUrl, files).map(({ path, change, commit }) => ({
        id: `${commit.sha}:${path}`,
        orgId: grant.orgId,
        filename: path,
        type: change,
        commitMessage: commit.message,
        author: commitJson(commit).author,
        repoName: commit.repository,
        dateCreated: isoDate(commit.atMs),
      }))
    },
  )
}

// A release of a thousand commits changes as many; a client reads a hundred at a time.
const MAX_COMMIT_FILES = 10_000

const environmentJson = (name: string) => ({ id: name, name, isHidden: false })

function userJson({ key, firstSeenMs, lastSeenMs }: SeenUser) {
  const [kind, value] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]
  const only = (name: string): string | null => (kind === name ? value : null)
  return {
    id: key,
    tagValue: key,
    identifier: only('id'),
    username: only('username'),
    email: only('email'),
    name: null,
    ipAddress: only('ip'),
    dateCreated: isoDate(firstSeenMs),
    lastSeen: isoDate(lastSeenMs),
  }
}
