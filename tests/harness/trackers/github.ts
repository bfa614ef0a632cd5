/** GitHub's REST API as far as issues go. https://docs.github.com/en/rest/issues/issues?apiVersion=2022-11-28 */
import { createHmac } from 'node:crypto'
import {
  isoTime,
  type KeptIssue,
  startTrackerServer,
  type TrackerAnswer,
  type TrackerServer,
} from './tracker-server.ts'

const WEB = 'https://github.test'

export const startGithub = (token: string, places: readonly string[]): Promise<TrackerServer> =>
  startTrackerServer(({ method, path, query, headers, body }, { issues, add, touch }): TrackerAnswer => {
    if (headers['user-agent'] === undefined)
      return { status: 403, body: 'Request forbidden by administrative rules.' }
    if (headers.accept !== 'application/vnd.github+json')
      return { status: 415, body: { message: 'Unsupported' } }
    if (headers['x-github-api-version'] !== '2022-11-28')
      return { status: 400, body: { message: 'Unknown version' } }
    if (headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { message: 'Bad credentials' } }
    const notFound = {
      status: 404,
      body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' },
    }
    if (path === '/user') return { status: 200, body: { login: 'octocat' } }
    if (path === '/search/issues') {
      const [, place, text = ''] = /^repo:(\S+) is:issue ?(.*)$/.exec(query.get('q') ?? '') ?? []
      const items = issues.filter((each) => each.place === place && each.title.includes(text)).map(issueJson)
      return { status: 200, body: { total_count: items.length, incomplete_results: false, items } }
    }
    const [, place = '', number, rest] =
      /^\/repos\/([^/]+\/[^/]+)(?:\/issues(?:\/(\d+)(\/comments)?)?)?$/.exec(path) ?? []
    if (!places.includes(place)) return notFound
    if (path === `/repos/${place}`) return { status: 200, body: { id: 1, full_name: place } }
    const { title, body: text, state, state_reason: reason } = (body ?? {}) as Record<string, string>
    if (number === undefined) {
      if (method !== 'POST') return notFound
      if (!title)
        return {
          status: 422,
          body: {
            message: 'Validation Failed',
            errors: [{ resource: 'Issue', field: 'title', message: 'title is missing' }],
          },
        }
      return { status: 201, body: issueJson(add(place, title, text)) }
    }
    const issue = issues.find((each) => each.place === place && each.number === Number(number))
    if (!issue) return notFound
    if (rest !== undefined && method === 'POST') {
      issue.comments.push(text)
      touch(issue)
      return { status: 201, body: { id: issue.comments.length } }
    }
    if (method === 'GET') return { status: 200, body: issueJson(issue) }
    if (method !== 'PATCH') return notFound
    const reasons = state === 'closed' ? ['completed', 'not_planned', 'duplicate'] : ['reopened']
    if (!['open', 'closed'].includes(state ?? '') || !reasons.includes(reason ?? ''))
      return {
        status: 422,
        body: { message: 'Validation Failed', errors: [{ message: `state ${state} ${reason}` }] },
      }
    issue.isOpen = state === 'open'
    issue.detail = reason ?? ''
    touch(issue)
    return { status: 200, body: issueJson(issue) }
  }, places)

const issueJson = ({ id, number, place, title, text, isOpen, changedMs }: KeptIssue) => ({
  id: Number(id),
  node_id: `I_${id}`,
  number,
  html_url: `${WEB}/${place}/issues/${number}`,
  title,
  body: text,
  state: isOpen ? 'open' : 'closed',
  // Whole seconds.
  updated_at: isoTime(changedMs).replace('.000Z', 'Z'),
})

/** As GitHub sends it for the event `issues`. */
export function githubWebhook(
  issue: KeptIssue,
  action: 'closed' | 'reopened' | 'edited' | 'deleted',
  secret: string,
  delivery = crypto.randomUUID(),
) {
  const body = JSON.stringify({
    action,
    issue: issueJson(issue),
    repository: { id: 7, full_name: issue.place },
    sender: { login: 'octocat' },
  })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-event': 'issues',
    'x-github-delivery': delivery,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }
  return { headers, body }
}
