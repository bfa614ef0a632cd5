/** Jira Cloud's REST API as far as issues go. https://developer.atlassian.com/cloud/jira/platform/rest/v3/ */
import { createHmac } from 'node:crypto'
import {
  isoTime,
  type KeptIssue,
  startTrackerServer,
  type TrackerAnswer,
  type TrackerServer,
} from './tracker-server.ts'

export const JIRA_EMAIL = 'ann@acme.test'

/** Of the workflow: a status, its category, and where it leads. */
const STATUSES: Readonly<Record<string, { readonly category: string; readonly to: readonly string[] }>> = {
  'To Do': { category: 'new', to: ['In Progress', 'Done'] },
  'In Progress': { category: 'indeterminate', to: ['To Do', 'Done'] },
  Done: { category: 'done', to: ['In Progress', 'To Do'] },
  // Nothing leads on from here.
  Frozen: { category: 'indeterminate', to: [] },
}
const IDS = Object.keys(STATUSES)

export const startJira = (token: string, places: readonly string[]): Promise<TrackerServer> =>
  startTrackerServer(({ method, path, query, headers, body }, { issues, add, touch }): TrackerAnswer => {
    const basic = `Basic ${Buffer.from(`${JIRA_EMAIL}:${token}`).toString('base64')}`
    if (headers.authorization !== basic)
      return { status: 401, body: 'Client must be authenticated to access this resource.' }
    const rest = path.replace(/^\/rest\/api\/3/, '')
    if (rest === path) return { status: 404, body: '<html>' }
    if (rest === '/myself') return { status: 200, body: { accountId: '1', displayName: 'Ann' } }
    const project = /^\/project\/([A-Z]+)$/.exec(rest)?.[1]
    if (project !== undefined)
      return places.includes(project)
        ? { status: 200, body: { id: '10000', key: project } }
        : {
            status: 404,
            body: { errorMessages: [`No project could be found with key '${project}'.`], errors: {} },
          }
    if (rest === '/search/jql') {
      const [, place, text = ''] =
        /^project = "([A-Z]+)"(?: AND text ~ "([^"\\]*)")? ORDER BY updated DESC$/.exec(
          query.get('jql') ?? '',
        ) ?? []
      if (place === undefined)
        return { status: 400, body: { errorMessages: ['Error in the JQL Query'], errors: {} } }
      const found = issues.filter((each) => each.place === place && each.title.includes(text))
      return { status: 200, body: { issues: found.map(issueJson) } }
    }
    if (rest === '/issue' && method === 'POST') return create(body, places, add)
    const [, name = '', part] = /^\/issue\/([\w-]+)(?:\/(transitions|comment))?$/.exec(rest) ?? []
    const issue = issues.find((each) => each.id === name || keyOf(each) === name)
    if (!issue)
      return {
        status: 404,
        body: {
          errorMessages: ['Issue does not exist or you do not have permission to see it.'],
          errors: {},
        },
      }
    if (part === 'comment' && method === 'POST') {
      issue.comments.push((body as { body: unknown }).body)
      touch(issue)
      return { status: 201, body: { id: '1' } }
    }
    const status = statusOf(issue)
    if (part === 'transitions' && method === 'GET')
      return { status: 200, body: { transitions: (STATUSES[status]?.to ?? []).map(transitionJson) } }
    if (part === 'transitions') {
      const to = IDS[Number((body as { transition: { id: string } }).transition.id)]
      if (to === undefined || !STATUSES[status]?.to.includes(to))
        return {
          status: 400,
          body: { errorMessages: ['Transition id is not valid for this issue.'], errors: {} },
        }
      issue.detail = to
      issue.isOpen = STATUSES[to]?.category !== 'done'
      touch(issue)
      return { status: 204 }
    }
    return method === 'GET' ? { status: 200, body: issueJson(issue) } : { status: 405, body: {} }
  }, places)

function create(
  body: unknown,
  places: readonly string[],
  add: (place: string, title: string, text: unknown) => KeptIssue,
): TrackerAnswer {
  const { fields } = body as {
    fields: {
      project: { key: string }
      issuetype: { name: string }
      summary: string
      description: { type: string; version: number }
    }
  }
  const { project, issuetype, summary, description } = fields
  if (!places.includes(project.key))
    return { status: 400, body: { errorMessages: [], errors: { project: 'valid project is required' } } }
  if (!['Task', 'Bug'].includes(issuetype.name))
    return {
      status: 400,
      body: { errorMessages: [], errors: { issuetype: 'The issue type selected is invalid.' } },
    }
  if (summary.includes('\n') || summary.length > 255)
    return { status: 400, body: { errorMessages: [], errors: { summary: 'The summary is invalid' } } }
  if (description.type !== 'doc' || description.version !== 1)
    return {
      status: 400,
      body: { errorMessages: [], errors: { description: 'Operation value must be an Atlassian Document' } },
    }
  const made = add(project.key, summary, description)
  return { status: 201, body: { id: made.id, key: keyOf(made), self: `/rest/api/3/issue/${made.id}` } }
}

const statusOf = ({ detail }: KeptIssue): string => (detail === '' ? 'To Do' : detail)
const keyOf = ({ place, number }: KeptIssue): string => `${place}-${number}`

const statusJson = (name: string) => ({
  name,
  statusCategory: { key: STATUSES[name]?.category, name },
})

const transitionJson = (name: string) => ({
  id: String(IDS.indexOf(name)),
  name,
  to: statusJson(name),
  fields: {},
})

const issueJson = (issue: KeptIssue) => ({
  id: issue.id,
  key: keyOf(issue),
  self: `https://acme.test/rest/api/3/issue/${issue.id}`,
  fields: {
    summary: issue.title,
    status: statusJson(statusOf(issue)),
    // Its own form of an offset.
    updated: isoTime(issue.changedMs).replace('Z', '+0000'),
  },
})

export function jiraWebhook(
  issue: KeptIssue,
  event: 'jira:issue_updated' | 'jira:issue_deleted',
  secret: string,
) {
  const body = JSON.stringify({
    timestamp: issue.changedMs,
    webhookEvent: event,
    issue: issueJson(issue),
    changelog: { id: '1', items: [{ field: 'status' }] },
  })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return { headers: { 'content-type': 'application/json', 'x-hub-signature': `sha256=${signature}` }, body }
}
