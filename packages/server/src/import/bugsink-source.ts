/** Bugsink, by its canonical API: https://www.bugsink.com/docs/api/ */
import type { ApiClient, Json } from './api-client.ts'
import { msOf, objectOf, present, textOf } from './json-fields.ts'
import type {
  ForeignEvent,
  ForeignIssue,
  ForeignProject,
  ForeignRelease,
  ForeignTeam,
  ImportSource,
} from './source.ts'

const BASE = 'api/canonical/0'
const NO_LIST = 'its API has no such list'

export function bugsinkSource(api: ApiClient): ImportSource {
  return {
    product: 'Bugsink',
    async organization() {
      await api.get(`${BASE}/projects/`)
      return { name: 'Bugsink' }
    },
    async *teams(missing): AsyncGenerator<ForeignTeam> {
      for await (const team of api.rows(`${BASE}/teams/`, {}, (why) => missing('teams', why))) {
        const name = textOf(team['name'])
        if (name !== undefined) yield { slug: slugOf(name), name, emails: [] }
      }
      missing('members of teams', NO_LIST)
    },
    members: (missing) => nothing(() => missing('members', NO_LIST)),
    async *projects(): AsyncGenerator<ForeignProject> {
      const teams = new Map<string, string>()
      for await (const team of api.list(`${BASE}/teams/`))
        teams.set(textOf(team['id']) ?? '', slugOf(textOf(team['name']) ?? ''))
      for await (const project of api.list(`${BASE}/projects/`)) {
        const [id, slug] = [textOf(project['id']), textOf(project['slug'])]
        if (id === undefined || slug === undefined) continue
        const team = teams.get(textOf(project['team']) ?? '')
        yield {
          id,
          slug,
          name: textOf(project['name']) ?? slug,
          platform: 'other',
          teams: team ? [team] : [],
        }
      }
    },
    async *keys(project) {
      const dsn = textOf(objectOf(await api.get(`${BASE}/projects/${project.id}/`))['dsn']) ?? ''
      const publicKey = URL.canParse(dsn) ? new URL(dsn).username.replaceAll('-', '') : ''
      yield { publicKey, label: 'Bugsink', isActive: true }
    },
    async *issues(project): AsyncGenerator<ForeignIssue> {
      for await (const issue of api.list(`${BASE}/issues/`, { project: project.id }))
        yield* issueOf(issue, project)
    },
    comments: (_, missing) => nothing(() => missing('comments', 'its API adds comments, and lists none')),
    async *events(_, issue): AsyncGenerator<ForeignEvent> {
      for await (const row of api.list(`${BASE}/events/`, { issue: issue.id, order: 'desc' })) {
        const key = textOf(row['id'])
        if (key === undefined) continue
        const event = objectOf(await api.get(`${BASE}/events/${encodeURIComponent(key)}/`))
        const data = objectOf(event['data'])
        const id = (textOf(data['event_id']) ?? textOf(event['event_id']) ?? '')
          .replaceAll('-', '')
          .toLowerCase()
        const atMs = msOf(event['timestamp'])
        yield {
          id,
          payload: { ...(atMs !== undefined && { timestamp: atMs / 1_000 }), ...data, event_id: id },
        }
      }
    },
    async *releases(missing): AsyncGenerator<ForeignRelease> {
      for await (const project of this.projects())
        for await (const release of api.rows(`${BASE}/releases/`, { project: project.id }, (why) =>
          missing('releases', why),
        )) {
          const version = textOf(release['version'])
          if (version === undefined || version === '') continue
          const body = present({ version, dateReleased: release['date_released'] })
          yield { version, projects: [project.slug], deploys: [], body }
        }
    },
    searches: (missing) => nothing(() => missing('saved searches', NO_LIST)),
    issueRules: (_, missing) => nothing(() => missing('alert rules', NO_LIST)),
    metricRules: () => nothing(() => undefined),
  }
}

/** No rows, and `tell` once somebody looks for some. */
async function* nothing(tell: () => void): AsyncGenerator<never> {
  yield* []
  tell()
}

function* issueOf(issue: Json, project: ForeignProject): Generator<ForeignIssue> {
  const id = textOf(issue['id'])
  if (id === undefined || !/^[\w-]{1,64}$/.test(id)) return
  const number = textOf(issue['digest_order'])
  const [type, value] = [textOf(issue['calculated_type']) ?? '', textOf(issue['calculated_value']) ?? '']
  yield {
    id,
    shortId:
      textOf(issue['friendly_id']) ?? (number === undefined ? id : `${project.slug.toUpperCase()}-${number}`),
    title: value === '' ? type : `${type}: ${value}`,
    status:
      issue['is_resolved'] === true ? 'resolved' : issue['is_muted'] === true ? 'ignored' : 'unresolved',
    resolvedIn: issue['is_resolved_by_next_release'] === true ? 'next' : undefined,
    isUntilEscalating: false,
    assignee: undefined,
    priority: undefined,
    firstSeenMs: msOf(issue['first_seen']),
    count: Number(issue['digested_event_count']) || 0,
  }
}

/** Teams have none there. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .slice(0, 200)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 50) || 'team'
