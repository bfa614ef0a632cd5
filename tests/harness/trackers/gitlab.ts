/** GitLab's REST API as far as issues go. https://docs.gitlab.com/api/issues/ */
import {
  isoTime,
  type KeptIssue,
  startTrackerServer,
  type TrackerAnswer,
  type TrackerServer,
} from './tracker-server.ts'

const WEB = 'https://gitlab.test'

export const startGitlab = (token: string, places: readonly string[]): Promise<TrackerServer> =>
  startTrackerServer(({ method, path, query, headers, body }, { issues, add, touch }): TrackerAnswer => {
    if (headers['private-token'] !== token) return { status: 401, body: { message: '401 Unauthorized' } }
    if (path === '/api/v4/user') return { status: 200, body: { id: 5, username: 'tanuki' } }
    const [, encoded = '', rest = ''] = /^\/api\/v4\/projects\/([^/]+)(\/.*)?$/.exec(path) ?? []
    const place = decodeURIComponent(encoded)
    if (!places.includes(place)) return { status: 404, body: { message: '404 Project Not Found' } }
    if (rest === '') return { status: 200, body: { id: 3, path_with_namespace: place } }
    const { title, description, state_event: event, body: note } = (body ?? {}) as Record<string, string>
    if (rest === '/issues' && method === 'GET') {
      const text = query.get('search') ?? ''
      return {
        status: 200,
        body: issues.filter((each) => each.place === place && each.title.includes(text)).map(issueJson),
      }
    }
    if (rest === '/issues' && method === 'POST')
      return title
        ? { status: 201, body: issueJson(add(place, title, description)) }
        : { status: 400, body: { message: { title: ["can't be blank"] } } }
    const [, iid, notes] = /^\/issues\/(\d+)(\/notes)?$/.exec(rest) ?? []
    const issue = issues.find((each) => each.place === place && each.number === Number(iid))
    if (!issue) return { status: 404, body: { message: '404 Issue Not Found' } }
    if (notes !== undefined && method === 'POST') {
      issue.comments.push(note)
      touch(issue)
      return { status: 201, body: { id: issue.comments.length } }
    }
    if (method === 'GET') return { status: 200, body: issueJson(issue) }
    if (method !== 'PUT' || !['close', 'reopen'].includes(event ?? ''))
      return { status: 400, body: { error: 'state_event does not have a valid value' } }
    issue.isOpen = event === 'reopen'
    touch(issue)
    return { status: 200, body: issueJson(issue) }
  }, places)

const issueJson = ({ id, number, place, title, text, isOpen, changedMs }: KeptIssue) => ({
  id: Number(id),
  iid: number,
  web_url: `${WEB}/${place}/-/issues/${number}`,
  title,
  description: text,
  state: isOpen ? 'opened' : 'closed',
  updated_at: isoTime(changedMs),
})

/** As GitLab sends it for an "Issue Hook": the token itself is in a header. */
export function gitlabWebhook(issue: KeptIssue, action: 'close' | 'reopen' | 'update', secret: string) {
  const { web_url: url, ...attributes } = issueJson(issue)
  const body = JSON.stringify({
    object_kind: 'issue',
    event_type: 'issue',
    project: { id: 3, path_with_namespace: issue.place },
    object_attributes: {
      ...attributes,
      url,
      action,
      updated_at: isoTime(issue.changedMs).replace('T', ' ').replace('.000Z', ' UTC'),
    },
  })
  const headers = {
    'content-type': 'application/json',
    'x-gitlab-event': 'Issue Hook',
    'x-gitlab-token': secret,
  }
  return { headers, body }
}
