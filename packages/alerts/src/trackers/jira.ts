/**
 * Jira Cloud. A status belongs to one of three categories, and an issue comes to another one by a transition of its project's
 * workflow alone. https://developer.atlassian.com/cloud/jira/platform/rest/v3/
 */
import { z } from 'zod'
import { adfOf } from './adf.ts'
import { type CallTracker, TrackerRefusal } from './call-tracker.ts'
import { baseUrlField, idField, placesField, searchWords, timeField, tokenSecret } from './fields.ts'
import { type ExternalIssue, type ExternalState, MAX_FOUND, type Tracker } from './tracker.ts'
import { isHmacOf } from './webhook-signature.ts'

const settings = z.object({
  /** `https://acme.atlassian.net`. */
  url: baseUrlField,
  /** Of the account that the token belongs to. */
  email: z.email('is not an e-mail address').max(255),
  places: placesField(/^[A-Z][A-Z0-9_]*$/, 'is the key of a project like SHOP'),
  issueType: z.string().trim().min(1, 'is needed').max(100, 'has at most 100 characters').default('Task'),
})

/** Of a status: `new`, `indeterminate`, `done`. */
const category = z.object({ statusCategory: z.object({ key: z.string() }) })

const answered = z
  .object({
    id: idField,
    key: z.string(),
    fields: z.object({
      summary: z.string(),
      status: category.extend({ name: z.string() }),
      updated: timeField,
    }),
  })
  .transform(({ id, key, fields: { summary: title, status, updated: changedMs } }) => ({
    id,
    key,
    title,
    isOpen: status.statusCategory.key !== 'done',
    status: status.name,
    changedMs,
  }))
type Answered = z.output<typeof answered>

const FIELDS = 'summary,status,updated'
const KEY = /^([A-Z][A-Z0-9_]*)-\d{1,10}$/

const transitions = z.object({
  transitions: z.array(
    z.object({
      id: idField,
      to: category,
      fields: z
        .record(
          z.string(),
          z.object({ required: z.boolean().optional(), hasDefaultValue: z.boolean().optional() }),
        )
        .default({}),
    }),
  ),
})

const webhook = z.object({ webhookEvent: z.string(), issue: answered })

/** To which categories a state leads, the best first. */
const CATEGORIES: Readonly<Record<ExternalState, readonly string[]>> = {
  closed: ['done'],
  open: ['new', 'indeterminate'],
}

export const JIRA: Tracker<z.output<typeof settings>, z.output<typeof tokenSecret>> = {
  name: 'Jira',
  settings,
  secret: tokenSecret,
  readKey({ url }, text) {
    const typed = text.trim()
    const key = typed.startsWith(`${url}/browse/`)
      ? typed.slice(`${url}/browse/`.length).split(/[/?#]/, 1)[0]
      : typed
    const upper = key?.toUpperCase() ?? ''
    return KEY.test(upper) ? upper : undefined
  },
  placeOf: (key) => KEY.exec(key)?.[1] ?? '',
  connect(call, { url: base, email, places, issueType }, { token }) {
    const headers = {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`,
    }
    const api = `${base}/rest/api/3`
    const at = (key: string, rest = ''): string => `${api}/issue/${encodeURIComponent(key)}${rest}`
    const issue = (found: Answered): ExternalIssue => issueOf(base, found)
    const read = (key: string): Promise<Answered> =>
      call({ method: 'GET', url: at(key, `?fields=${FIELDS}`), headers, answer: answered })
    return {
      async check() {
        const { displayName } = await call({
          method: 'GET',
          url: `${api}/myself`,
          headers,
          answer: z.object({ displayName: z.string() }),
        })
        for (const place of places)
          await call({
            method: 'GET',
            url: `${api}/project/${place}`,
            headers,
            answer: z.object({ id: idField }),
          })
        return displayName
      },
      async search(place, text) {
        const words = searchWords(text)
        const jql = `project = "${place}"${words === '' ? '' : ` AND text ~ "${words}"`} ORDER BY updated DESC`
        const query = new URLSearchParams({ jql, fields: FIELDS, maxResults: String(MAX_FOUND) })
        const { issues } = await call({
          method: 'GET',
          url: `${api}/search/jql?${query}`,
          headers,
          answer: z.object({ issues: z.array(answered) }),
        })
        return issues.map(issue)
      },
      read: async (key) => issue(await read(key)),
      async create(place, { title, body }) {
        const fields = {
          project: { key: place },
          issuetype: { name: issueType },
          summary: title.replaceAll(/\s+/g, ' '),
          description: adfOf(body),
        }
        const made = await call({
          method: 'POST',
          url: `${api}/issue`,
          headers,
          body: { fields },
          answer: z.object({ id: idField, key: z.string() }),
        })
        return issue(await read(made.id))
      },
      async setState({ id }, state) {
        const before = await read(id)
        if (before.isOpen === (state === 'open')) return issue(before)
        const transition = await transitionTo(call, at(id, '/transitions'), headers, before, state)
        await call({
          method: 'POST',
          url: at(id, '/transitions'),
          headers,
          body: { transition: { id: transition } },
          answer: z.unknown(),
        })
        return issue(await read(id))
      },
      async comment({ id }, text) {
        const body = { body: adfOf(text) }
        await call({ method: 'POST', url: at(id, '/comment'), headers, body, answer: z.unknown() })
      },
    }
  },
  isSigned: (secret, headers, body) => isHmacOf(secret, body, headers['x-hub-signature'], 'sha256='),
  readWebhook(body, { url }) {
    const { success, data } = webhook.safeParse(body)
    if (!success) return undefined
    return { ...issueOf(url, data.issue), isDeleted: data.webhookEvent === 'jira:issue_deleted' }
  },
}

const issueOf = (base: string, { id, key, title, isOpen, changedMs }: Answered): ExternalIssue => ({
  id,
  key,
  url: `${base}/browse/${key}`,
  title,
  isOpen,
  changedMs,
})

/** The id of one that asks for nothing. Throws `TrackerRefusal` where the workflow has none. */
async function transitionTo(
  call: CallTracker,
  url: string,
  headers: Readonly<Record<string, string>>,
  { key, status }: Answered,
  state: ExternalState,
): Promise<string> {
  const found = await call({
    method: 'GET',
    url: `${url}?expand=transitions.fields`,
    headers,
    answer: transitions,
  })
  const free = found.transitions.filter(({ fields }) =>
    Object.values(fields).every(
      ({ required = false, hasDefaultValue = false }) => !required || hasDefaultValue,
    ),
  )
  for (const wanted of CATEGORIES[state]) {
    const fits = free.find(({ to }) => to.statusCategory.key === wanted)
    if (fits) return fits.id
  }
  const goal = state === 'closed' ? 'a status that is done' : 'a status that is not done'
  throw new TrackerRefusal(
    `the workflow of ${key} leads from “${status}” to ${goal} by no transition that can be made without filling in fields`,
    { again: 'never' },
  )
}
