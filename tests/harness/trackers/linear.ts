/** Linear's GraphQL API as far as issues go. https://linear.app/developers/graphql */
import { createHmac } from 'node:crypto'
import {
  isoTime,
  type KeptIssue,
  startTrackerServer,
  type TrackerAnswer,
  type TrackerServer,
} from './tracker-server.ts'

/** Of each team's workflow, not in the order of their positions. */
const STATES = [
  { id: 'state-done', name: 'Done', type: 'completed', position: 4 },
  { id: 'state-canceled', name: 'Canceled', type: 'canceled', position: 5 },
  { id: 'state-todo', name: 'Todo', type: 'unstarted', position: 1 },
  { id: 'state-started', name: 'In Progress', type: 'started', position: 2 },
  { id: 'state-shipped', name: 'Shipped', type: 'completed', position: 6 },
]

export const startLinear = (token: string, places: readonly string[]): Promise<TrackerServer> =>
  startTrackerServer(({ method, path, headers, body }, { issues, add, touch }): TrackerAnswer => {
    if (method !== 'POST' || path !== '/graphql') return { status: 404, body: '' }
    if (headers.authorization !== token)
      return failed('Authentication required, not authenticated', 'AUTHENTICATION_ERROR', 401)
    const { query = '', variables = {} } = body as { query?: string; variables?: Record<string, unknown> }
    const [, kind, name] = /^(query|mutation) (\w+)/.exec(query) ?? []
    if (kind === undefined || query.split('{').length !== query.split('}').length)
      return failed('Syntax Error', 'GRAPHQL_PARSE_FAILED', 400)
    // Every variable that is declared is given, and no other.
    const declared = [...query.matchAll(/\$(\w+): /g)].map(([, each]) => each)
    if (new Set(declared).symmetricDifference(new Set(Object.keys(variables))).size > 0)
      return failed('Variables do not match', 'GRAPHQL_VALIDATION_FAILED', 400)
    const input = (variables['input'] ?? {}) as Record<string, string>
    const issueOf = (id: unknown): KeptIssue | undefined =>
      issues.find((each) => each.id === id || keyOf(each) === id)
    const wanted = issueOf(variables['id'] ?? input['issueId'])
    const missing = failed('Entity not found: Issue', 'INPUT_ERROR', 200)
    if (name === 'Viewer') return { status: 200, body: { data: { viewer: { name: 'Ann' } } } }
    if (name === 'Team') {
      const nodes = places
        .filter((place) => place === variables['key'])
        .map((place) => ({ id: `team-${place}` }))
      return { status: 200, body: { data: { teams: { nodes } } } }
    }
    if (name === 'Search') {
      const found = issues.filter(
        (each) => each.place === variables['team'] && each.title.includes(String(variables['term'])),
      )
      return { status: 200, body: { data: { searchIssues: { nodes: found.map(issueJson) } } } }
    }
    if (name === 'Create') {
      const { id = '', teamId = '', title = '', description = '' } = input
      // Whoever gives an id that exists is refused: it was made before.
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
        return failed('id must be a UUID', 'INPUT_ERROR', 200)
      if (issueOf(id)) return failed('Entity with that id already exists', 'INPUT_ERROR', 200)
      const made = add(teamId.replace('team-', ''), title, description, id)
      return { status: 200, body: { data: { issueCreate: { success: true, issue: issueJson(made) } } } }
    }
    if (!wanted) return missing
    if (name === 'Issue') return { status: 200, body: { data: { issue: issueJson(wanted) } } }
    if (name === 'States') {
      const { identifier, state } = issueJson(wanted)
      const team = { states: { nodes: STATES } }
      return { status: 200, body: { data: { issue: { identifier, state, team } } } }
    }
    if (name === 'Update') {
      const state = STATES.find(({ id }) => id === input['stateId'])
      if (!state) return failed('stateId is not valid', 'INPUT_ERROR', 200)
      wanted.detail = state.id
      wanted.isOpen = !['completed', 'canceled'].includes(state.type)
      touch(wanted)
      return { status: 200, body: { data: { issueUpdate: { success: true, issue: issueJson(wanted) } } } }
    }
    if (name === 'Comment') {
      wanted.comments.push(input['body'])
      touch(wanted)
      return { status: 200, body: { data: { commentCreate: { success: true } } } }
    }
    return failed(`Unknown operation ${name}`, 'GRAPHQL_VALIDATION_FAILED', 400)
  }, places)

const failed = (message: string, code: string, status: number): TrackerAnswer => ({
  status,
  body: { errors: [{ message, extensions: { code, userPresentableMessage: `${message}.` } }] },
})

const keyOf = ({ place, number }: KeptIssue): string => `${place}-${number}`
const typeOf = ({ detail }: KeptIssue): string => STATES.find(({ id }) => id === detail)?.type ?? 'backlog'

const issueJson = (issue: KeptIssue) => ({
  id: issue.id,
  identifier: keyOf(issue),
  url: `https://linear.test/acme/issue/${keyOf(issue)}`,
  title: issue.title,
  updatedAt: isoTime(issue.changedMs),
  state: { type: typeOf(issue) },
})

export function linearWebhook(
  issue: KeptIssue,
  action: 'update' | 'remove',
  secret: string,
  { sentMs }: { readonly sentMs: number },
) {
  const { url, ...data } = issueJson(issue)
  const body = JSON.stringify({
    action,
    type: 'Issue',
    createdAt: isoTime(issue.changedMs),
    data,
    url,
    webhookTimestamp: sentMs,
  })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'linear-delivery': crypto.randomUUID(),
    'linear-event': 'Issue',
    'linear-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }
  return { headers, body }
}
