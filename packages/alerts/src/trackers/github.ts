/** GitHub and GitHub Enterprise Server. https://docs.github.com/en/rest/issues?apiVersion=2022-11-28 */
import { z } from 'zod'
import { baseUrlField, idField, placesField, searchWords, timeField, tokenSecret } from './fields.ts'
import { type ExternalIssue, MAX_FOUND, type Tracker } from './tracker.ts'
import { isHmacOf } from './webhook-signature.ts'

const settings = z.object({
  /** Of GitHub Enterprise Server: `https://HOST/api/v3`. */
  apiUrl: baseUrlField.default('https://api.github.com'),
  places: placesField(/^[\w.-]+\/[\w.-]+$/, 'is a repository like acme/shop'),
})

const answered = z
  .object({
    id: idField,
    number: z.int().positive(),
    html_url: z.url(),
    title: z.string(),
    state: z.string(),
    updated_at: timeField,
    pull_request: z.unknown().optional(),
  })
  .transform(({ id, html_url: url, title, state, updated_at: changedMs, number, pull_request: pull }) => ({
    number,
    isPull: pull !== undefined,
    issue: { id, url, title, isOpen: state === 'open', changedMs },
  }))

const webhook = z.object({
  action: z.string(),
  issue: answered,
  repository: z.object({ full_name: z.string() }),
})

export const GITHUB: Tracker<z.output<typeof settings>, z.output<typeof tokenSecret>> = {
  name: 'GitHub',
  settings,
  secret: tokenSecret,
  readKey({ places }, text) {
    const typed = text.trim()
    if (/^#?\d{1,10}$/.test(typed)) return `${places[0]}#${typed.replace('#', '')}`
    const [, place, number] =
      /^(?:https?:\/\/[^/\s]+\/)?([\w.-]+\/[\w.-]+)(?:#|\/issues\/)(\d{1,10})(?:[/?#].*)?$/.exec(typed) ?? []
    return place === undefined ? undefined : `${listed(places, place)}#${number}`
  },
  placeOf: (key) => key.split('#', 1)[0] ?? '',
  connect(call, { apiUrl, places }, { token }) {
    const headers = {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': '2022-11-28',
    }
    const at = (key: string, rest = ''): string => {
      const [place = '', number = ''] = key.split('#')
      return `${apiUrl}/repos/${place}/issues/${number}${rest}`
    }
    return {
      async check() {
        const { login } = await call({
          method: 'GET',
          url: `${apiUrl}/user`,
          headers,
          answer: z.object({ login: z.string() }),
        })
        for (const place of places)
          await call({
            method: 'GET',
            url: `${apiUrl}/repos/${place}`,
            headers,
            answer: z.object({ id: idField }),
          })
        return login
      },
      async search(place, text) {
        const query = new URLSearchParams({
          q: `repo:${place} is:issue ${searchWords(text)}`.trim(),
          sort: 'updated',
          order: 'desc',
          per_page: String(MAX_FOUND),
        })
        const { items } = await call({
          method: 'GET',
          url: `${apiUrl}/search/issues?${query}`,
          headers,
          answer: z.object({ items: z.array(answered) }),
        })
        return items.map((item) => named(place, item))
      },
      async read(key) {
        const found = await call({ method: 'GET', url: at(key), headers, answer: answered })
        return named(GITHUB.placeOf(key), found)
      },
      async create(place, { title, body }) {
        const url = `${apiUrl}/repos/${place}/issues`
        const made = await call({ method: 'POST', url, headers, body: { title, body }, answer: answered })
        return named(place, made)
      },
      async setState({ key }, state) {
        const body =
          state === 'closed' ? { state, state_reason: 'completed' } : { state, state_reason: 'reopened' }
        const changed = await call({ method: 'PATCH', url: at(key), headers, body, answer: answered })
        return named(GITHUB.placeOf(key), changed)
      },
      async comment({ key }, body) {
        await call({
          method: 'POST',
          url: at(key, '/comments'),
          headers,
          body: { body },
          answer: z.unknown(),
        })
      },
    }
  },
  isSigned: (secret, headers, body) => isHmacOf(secret, body, headers['x-hub-signature-256'], 'sha256='),
  readWebhook(body) {
    const { success, data } = webhook.safeParse(body)
    if (!success || data.issue.isPull) return undefined
    const isDeleted = data.action === 'deleted' || data.action === 'transferred'
    return { ...named(data.repository.full_name, data.issue), isDeleted }
  },
}

const named = (place: string, { number, issue }: z.output<typeof answered>): ExternalIssue => ({
  ...issue,
  key: `${place}#${number}`,
})

/** GitHub does not tell `Acme/Shop` from `acme/shop`: as the settings write it. */
const listed = (places: readonly string[], place: string): string =>
  places.find((each) => each.toLowerCase() === place.toLowerCase()) ?? place
