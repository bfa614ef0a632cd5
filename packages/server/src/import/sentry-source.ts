/**
 * Sentry, hosted or self-hosted, and GlitchTip, whose API has its shape: https://docs.sentry.io/api/. What one of them has no list
 * of is told, and left out.
 */
import { SondeError } from '@sonde/base'
import type { ApiClient, Json } from './api-client.ts'
import { payloadOfEvent, payloadOfStored } from './event-payload.ts'
import { listOf, msOf, objectOf, objectsOf, present, textOf } from './json-fields.ts'
import type {
  ForeignComment,
  ForeignEvent,
  ForeignIssue,
  ForeignKey,
  ForeignMember,
  ForeignProject,
  ForeignRelease,
  ForeignRule,
  ForeignSearch,
  ForeignTeam,
  ImportSource,
  Missing,
} from './source.ts'

const PAGE = { per_page: '100' }
const MAX_COMMITS = 1_000

export function sentrySource(api: ApiClient, org: string, product: 'Sentry' | 'GlitchTip'): ImportSource {
  const ofOrg = `api/0/organizations/${encodeURIComponent(org)}`
  const ofProject = ({ slug }: ForeignProject): string =>
    `api/0/projects/${encodeURIComponent(org)}/${encodeURIComponent(slug)}`
  const rows = (kind: string, path: string, missing: Missing, query = {}) =>
    api.rows(path, { ...PAGE, ...query }, (why) => missing(kind, why))

  return {
    product,
    async organization() {
      const found = await api.get(`${ofOrg}/`)
      if (found === undefined)
        throw new SondeError('not-found', `there is no organization ${org}, or the token does not see it`, {
          operation: 'import',
        })
      return { name: textOf(objectOf(found)['name']) ?? org }
    },

    async *teams(missing): AsyncGenerator<ForeignTeam> {
      for await (const team of rows('teams', `${ofOrg}/teams/`, missing)) {
        const slug = textOf(team['slug'])
        if (slug === undefined) continue
        const emails: string[] = []
        const path = `api/0/teams/${encodeURIComponent(org)}/${encodeURIComponent(slug)}/members/`
        for await (const member of rows(`members of the team ${slug}`, path, missing))
          emails.push(...emailOf(member))
        yield { slug, name: textOf(team['name']) ?? slug, emails }
      }
    },

    async *members(missing): AsyncGenerator<ForeignMember> {
      for await (const member of rows('members', `${ofOrg}/members/`, missing))
        for (const email of emailOf(member))
          yield { email, role: textOf(member['orgRole']) ?? textOf(member['role']) ?? 'member' }
    },

    async *projects(): AsyncGenerator<ForeignProject> {
      const found = api.list(`${ofOrg}/projects/`, PAGE)
      for await (const project of found) {
        const [id, slug] = [textOf(project['id']), textOf(project['slug'])]
        if (id === undefined || slug === undefined) continue
        yield {
          id,
          slug,
          name: textOf(project['name']) ?? slug,
          platform: textOf(project['platform']) ?? 'other',
          teams: objectsOf(project['teams']).flatMap((team) => textOf(team['slug']) ?? []),
        }
      }
    },

    async *keys(project, missing): AsyncGenerator<ForeignKey> {
      for await (const key of rows(`keys of ${project.slug}`, `${ofProject(project)}/keys/`, missing)) {
        const publicKey = (
          textOf(key['public']) ??
          keyOfDsn(objectOf(key['dsn'])['public']) ??
          ''
        ).replaceAll('-', '')
        yield {
          publicKey,
          label: textOf(key['label']) ?? textOf(key['name']) ?? 'Key',
          isActive: key['isActive'] !== false,
        }
      }
    },

    async *issues(project): AsyncGenerator<ForeignIssue> {
      // Without a query the API answers unresolved ones alone.
      const query = { ...PAGE, limit: '100', query: '', project: project.id, statsPeriod: '' }
      for await (const issue of api.list(`${ofOrg}/issues/`, query)) yield* issueOf(issue)
    },

    async *comments(issue, missing): AsyncGenerator<ForeignComment> {
      // The documented address is of the issue; the one below the organization is the newer one.
      const found = await firstOf(api, [
        `${ofOrg}/issues/${issue.id}/comments/`,
        `api/0/issues/${issue.id}/comments/`,
      ])
      if (found === undefined) missing('comments', 'its API has no such list')
      for (const note of objectsOf(found)) yield* commentOf(note)
    },

    async *events(project, issue): AsyncGenerator<ForeignEvent> {
      for await (const row of eventRows(api, ofOrg, issue.id)) {
        const id = textOf(row['eventID']) ?? textOf(row['id'])
        if (id === undefined) continue
        const one = `${ofProject(project)}/events/${encodeURIComponent(id)}/`
        const stored = objectOf(await api.get(`${one}json/`))
        const full = stored['event_id'] === undefined ? await api.get(one) : undefined
        if (stored['event_id'] !== undefined) yield { id, payload: payloadOfStored(stored) }
        else if (full !== undefined) yield { id, payload: payloadOfEvent(objectOf(full)) }
      }
    },

    async *releases(missing): AsyncGenerator<ForeignRelease> {
      for await (const release of rows('releases', `${ofOrg}/releases/`, missing)) {
        const version = textOf(release['version'])
        if (version === undefined) continue
        const one = `${ofOrg}/releases/${encodeURIComponent(version)}`
        const commits: unknown[] = []
        for await (const commit of rows('commits of releases', `${one}/commits/`, missing)) {
          if (commits.length >= MAX_COMMITS) break
          commits.push(commitOf(commit))
        }
        const deploys: Json[] = []
        for await (const deploy of rows('deploys', `${one}/deploys/`, missing)) deploys.push(deployOf(deploy))
        yield {
          version,
          projects: objectsOf(release['projects']).flatMap((project) => textOf(project['slug']) ?? []),
          deploys,
          body: present({
            version,
            url: release['url'],
            dateReleased: release['dateReleased'],
            ...(commits.length > 0 && { commits }),
          }),
        }
      }
    },

    async *searches(missing): AsyncGenerator<ForeignSearch> {
      for await (const search of rows('saved searches', `${ofOrg}/searches/`, missing)) {
        // Those that come with the product.
        if (search['isGlobal'] === true) continue
        const [id, name] = [textOf(search['id']), textOf(search['name'])]
        if (id === undefined || name === undefined) continue
        yield { id, name, query: textOf(search['query']) ?? '', sort: textOf(search['sort']) ?? 'date' }
      }
    },

    async *issueRules(project, missing): AsyncGenerator<ForeignRule> {
      const path = `${ofProject(project)}/rules/`
      for await (const rule of rows(`issue alerts of ${project.slug}`, path, missing)) yield* ruleOf(rule)
    },

    async *metricRules(missing): AsyncGenerator<ForeignRule> {
      for await (const rule of rows('metric alerts', `${ofOrg}/alert-rules/`, missing)) yield* ruleOf(rule)
    },
  }
}

async function* eventRows(api: ApiClient, ofOrg: string, id: string): AsyncGenerator<Json> {
  let isThere = true
  yield* api.rows(`${ofOrg}/issues/${id}/events/`, PAGE, () => {
    isThere = false
  })
  if (!isThere) yield* api.rows(`api/0/issues/${id}/events/`, PAGE, () => undefined)
}

async function firstOf(api: ApiClient, paths: readonly string[]): Promise<unknown> {
  for (const path of paths) {
    const found = await api.get(path)
    if (found !== undefined) return found
  }
  return undefined
}

const emailOf = (member: Json): readonly string[] => {
  const email = textOf(member['email']) ?? textOf(objectOf(member['user'])['email'])
  return email === undefined || email === '' ? [] : [email.toLowerCase()]
}

function keyOfDsn(dsn: unknown): string | undefined {
  try {
    return new URL(textOf(dsn) ?? '').username
  } catch {
    return undefined
  }
}

function* issueOf(issue: Json): Generator<ForeignIssue> {
  const id = textOf(issue['id'])
  if (id === undefined || !/^[\w-]{1,64}$/.test(id)) return
  const details = objectOf(issue['statusDetails'])
  const status = textOf(issue['status'])
  yield {
    id,
    shortId: textOf(issue['shortId']) ?? id,
    title: textOf(issue['title']) ?? '',
    status:
      status === 'resolved'
        ? 'resolved'
        : status === 'ignored' || status === 'muted'
          ? 'ignored'
          : 'unresolved',
    resolvedIn: details['inNextRelease'] === true ? 'next' : textOf(details['inRelease']),
    isUntilEscalating: issue['substatus'] === 'archived_until_escalating',
    assignee: assigneeOf(issue['assignedTo']),
    priority: textOf(issue['priority']),
    firstSeenMs: msOf(issue['firstSeen']),
    count: Number(issue['count']) || 0,
  }
}

function assigneeOf(value: unknown): ForeignIssue['assignee'] {
  const { type, email, name } = objectOf(value)
  if (type === 'team') return { team: (textOf(name) ?? '').replace(/^#/, '') }
  const address = textOf(email)
  return address === undefined || address === '' ? undefined : { email: address.toLowerCase() }
}

function* commentOf(note: Json): Generator<ForeignComment> {
  const text = textOf(objectOf(note['data'])['text']) ?? textOf(note['text'])
  const atMs = msOf(note['dateCreated'])
  if (text === undefined || text === '' || atMs === undefined) return
  const user = objectOf(note['user'])
  const email = textOf(user['email'])?.toLowerCase()
  yield {
    id: textOf(note['id']) ?? String(atMs),
    name: textOf(user['name']) ?? email ?? 'somebody',
    email,
    atMs,
    text,
  }
}

const commitOf = (commit: Json): unknown =>
  present({
    id: commit['id'],
    message: commit['message'],
    timestamp: commit['dateCreated'],
    author_name: objectOf(commit['author'])['name'],
    author_email: objectOf(commit['author'])['email'],
    repository: objectOf(commit['repository'])['name'],
  })

const deployOf = (deploy: Json): Json =>
  present({
    environment: deploy['environment'],
    name: deploy['name'],
    url: deploy['url'],
    dateStarted: deploy['dateStarted'],
    dateFinished: deploy['dateFinished'],
  })

/** What they are called here is not told there; ids of channels and people are of the other product. */
function* ruleOf(rule: Json): Generator<ForeignRule> {
  const [id, name] = [textOf(rule['id']), textOf(rule['name'])]
  if (id === undefined || name === undefined) return
  const {
    id: _,
    owner: _owner,
    createdBy: _by,
    dateCreated: _at,
    lastTriggered: _last,
    snooze: _snooze,
    ...body
  } = rule
  yield { id, name, body: { ...body, actions: listOf(body['actions']) } }
}
