/** GitLab.com and self-managed GitLab. https://docs.gitlab.com/api/issues/ */
import { z } from 'zod'
import { baseUrlField, idField, placesField, timeField, tokenSecret } from './fields.ts'
import { type ExternalIssue, MAX_FOUND, type Tracker } from './tracker.ts'
import { isSecret } from './webhook-signature.ts'

const settings = z.object({
  url: baseUrlField.default('https://gitlab.com'),
  places: placesField(/^[\w.-]+(?:\/[\w.-]+)+$/, 'is a project like group/shop'),
})

const answered = z
  .object({
    id: idField,
    iid: z.int().positive(),
    web_url: z.url(),
    title: z.string(),
    state: z.string(),
    updated_at: timeField,
  })
  .transform(({ id, iid, web_url: url, title, state, updated_at: changedMs }) => ({
    iid,
    issue: { id, url, title, isOpen: state === 'opened', changedMs },
  }))

const webhook = z.object({
  object_kind: z.enum(['issue', 'work_item']),
  project: z.object({ path_with_namespace: z.string() }),
  object_attributes: z.object({
    id: idField,
    iid: z.int().positive(),
    url: z.url(),
    title: z.string(),
    state: z.string(),
    updated_at: timeField,
  }),
})

export const GITLAB: Tracker<z.output<typeof settings>, z.output<typeof tokenSecret>> = {
  name: 'GitLab',
  settings,
  secret: tokenSecret,
  readKey({ url, places }, text) {
    const typed = text.trim()
    const path = typed.startsWith(`${url}/`) ? typed.slice(url.length + 1) : typed
    if (/^#?\d{1,10}$/.test(path)) return `${places[0]}#${path.replace('#', '')}`
    const [place = ''] = path.split(/#|\/-\//, 1)
    const iid = /^(?:#|\/-\/(?:issues|work_items)\/)(\d{1,10})(?:[/?#].*)?$/.exec(
      path.slice(place.length),
    )?.[1]
    return iid === undefined || place === '' ? undefined : `${place}#${iid}`
  },
  placeOf: (key) => key.split('#', 1)[0] ?? '',
  connect(call, { url: base, places }, { token }) {
    const headers = { accept: 'application/json', 'private-token': token }
    const api = `${base}/api/v4`
    const project = (place: string): string => `${api}/projects/${encodeURIComponent(place)}`
    const at = (key: string, rest = ''): string => {
      const [place = '', iid = ''] = key.split('#')
      return `${project(place)}/issues/${iid}${rest}`
    }
    return {
      async check() {
        const { username } = await call({
          method: 'GET',
          url: `${api}/user`,
          headers,
          answer: z.object({ username: z.string() }),
        })
        for (const place of places)
          await call({ method: 'GET', url: project(place), headers, answer: z.object({ id: idField }) })
        return username
      },
      async search(place, text) {
        const query = new URLSearchParams({
          search: text.slice(0, 200),
          in: 'title,description',
          order_by: 'updated_at',
          per_page: String(MAX_FOUND),
        })
        const found = await call({
          method: 'GET',
          url: `${project(place)}/issues?${query}`,
          headers,
          answer: z.array(answered),
        })
        return found.map((each) => named(place, each))
      },
      async read(key) {
        return named(
          GITLAB.placeOf(key),
          await call({ method: 'GET', url: at(key), headers, answer: answered }),
        )
      },
      async create(place, { title, body: description }) {
        const body = { title, description }
        const url = `${project(place)}/issues`
        return named(place, await call({ method: 'POST', url, headers, body, answer: answered }))
      },
      async setState({ key }, state) {
        const body = { state_event: state === 'closed' ? 'close' : 'reopen' }
        return named(
          GITLAB.placeOf(key),
          await call({ method: 'PUT', url: at(key), headers, body, answer: answered }),
        )
      },
      async comment({ key }, body) {
        await call({ method: 'POST', url: at(key, '/notes'), headers, body: { body }, answer: z.unknown() })
      },
    }
  },
  isSigned: (secret, headers) => isSecret(secret, headers['x-gitlab-token']),
  readWebhook(body) {
    const { success, data } = webhook.safeParse(body)
    if (!success) return undefined
    const { iid, updated_at: changedMs, state, ...issue } = data.object_attributes
    const key = `${data.project.path_with_namespace}#${iid}`
    // Nothing is sent of what is deleted.
    return { ...issue, key, isOpen: state === 'opened', changedMs, isDeleted: false }
  },
}

const named = (place: string, { iid, issue }: z.output<typeof answered>): ExternalIssue => ({
  ...issue,
  key: `${place}#${iid}`,
})
