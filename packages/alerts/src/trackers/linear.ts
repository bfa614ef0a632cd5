/** Linear, by its GraphQL API. https://linear.app/developers/graphql */
import { z } from 'zod'
import { type CallTracker, TrackerRefusal } from './call-tracker.ts'
import { baseUrlField, placesField, timeField, tokenSecret } from './fields.ts'
import { type ExternalIssue, type ExternalState, MAX_FOUND, type Tracker } from './tracker.ts'
import { isHmacOf } from './webhook-signature.ts'

const settings = z.object({
  apiUrl: baseUrlField.default('https://api.linear.app'),
  places: placesField(/^[A-Z][A-Z0-9]*$/, 'is the key of a team like ENG'),
})

/** Of a workflow state; `triage`, `backlog`, `unstarted` and `started` are open. */
const CLOSED: ReadonlySet<string> = new Set(['completed', 'canceled', 'duplicate'])

const ISSUE = 'id identifier url title updatedAt state { type }'
const answered = z
  .object({
    id: z.string(),
    identifier: z.string(),
    url: z.url(),
    title: z.string(),
    updatedAt: timeField,
    state: z.object({ type: z.string() }),
  })
  .transform(({ id, identifier: key, url, title, updatedAt: changedMs, state }): ExternalIssue => ({
    id,
    key,
    url,
    title,
    isOpen: !CLOSED.has(state.type),
    changedMs,
  }))

const states = z.object({
  issue: z.object({
    identifier: z.string(),
    state: z.object({ type: z.string() }),
    team: z.object({
      states: z.object({
        nodes: z.array(z.object({ id: z.string(), type: z.string(), position: z.number() })),
      }),
    }),
  }),
})

const KEY = /^([A-Z][A-Z0-9]*)-\d{1,10}$/
/** A webhook is signed with the time at which it was sent. https://linear.app/developers/webhooks#securing-webhooks */
const FRESH_MS = 60_000

const webhook = z.object({
  type: z.literal('Issue'),
  action: z.string(),
  url: z.url(),
  data: z.object({
    id: z.string(),
    identifier: z.string(),
    title: z.string(),
    updatedAt: timeField,
    state: z.object({ type: z.string() }),
  }),
})

export const LINEAR: Tracker<z.output<typeof settings>, z.output<typeof tokenSecret>> = {
  name: 'Linear',
  settings,
  secret: tokenSecret,
  readKey(_, text) {
    const typed = text.trim()
    const key = /^https:\/\/linear\.app\/[\w-]+\/issue\/(\w+-\d+)/.exec(typed)?.[1] ?? typed
    const upper = key.toUpperCase()
    return KEY.test(upper) ? upper : undefined
  },
  placeOf: (key) => KEY.exec(key)?.[1] ?? '',
  connect(call, { apiUrl, places }, { token }) {
    const ask = createAsk(call, `${apiUrl}/graphql`, token)
    const teamId = async (place: string): Promise<string> => {
      const { teams } = await ask(
        'query Team($key: String!) { teams(filter: { key: { eq: $key } }) { nodes { id } } }',
        { key: place },
        z.object({ teams: z.object({ nodes: z.array(z.object({ id: z.string() })) }) }),
      )
      const [team] = teams.nodes
      if (team) return team.id
      throw new TrackerRefusal(`Linear knows no team ${place}, or the token may not see it`, {
        again: 'never',
      })
    }
    return {
      async check() {
        const { viewer } = await ask(
          'query Viewer { viewer { name } }',
          {},
          z.object({ viewer: z.object({ name: z.string() }) }),
        )
        for (const place of places) await teamId(place)
        return viewer.name
      },
      async search(place, text) {
        const { searchIssues } = await ask(
          `query Search($term: String!, $team: String!, $first: Int!) {
            searchIssues(term: $term, first: $first, filter: { team: { key: { eq: $team } } }) { nodes { ${ISSUE} } } }`,
          { term: text.slice(0, 200), team: place, first: MAX_FOUND },
          z.object({ searchIssues: z.object({ nodes: z.array(answered) }) }),
        )
        return searchIssues.nodes.toSorted((one, other) => other.changedMs - one.changedMs)
      },
      async read(key) {
        const { issue } = await ask(
          `query Issue($id: String!) { issue(id: $id) { ${ISSUE} } }`,
          { id: key },
          z.object({ issue: answered }),
        )
        return issue
      },
      async create(place, { title, body: description }, onceKey) {
        const input = { id: onceKey, teamId: await teamId(place), title, description }
        try {
          const { issueCreate } = await ask(
            `mutation Create($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${ISSUE} } } }`,
            { input },
            z.object({ issueCreate: z.object({ issue: answered }) }),
          )
          return issueCreate.issue
        } catch (error) {
          if (!(error instanceof TrackerRefusal) || error.again === 'later') throw error
          // One that was made before, and not noted: its id is taken.
          return await this.read(onceKey).catch(() => Promise.reject(error))
        }
      },
      async setState({ id }, state) {
        const { issue } = await ask(
          `query States($id: String!) { issue(id: $id) { identifier state { type }
            team { states(first: 100) { nodes { id type position } } } } }`,
          { id },
          states,
        )
        const stateId =
          CLOSED.has(issue.state.type) === (state === 'closed') ? undefined : stateFor(issue, state)
        if (stateId === undefined) return this.read(id)
        const { issueUpdate } = await ask(
          `mutation Update($id: String!, $input: IssueUpdateInput!) {
            issueUpdate(id: $id, input: $input) { success issue { ${ISSUE} } } }`,
          { id, input: { stateId } },
          z.object({ issueUpdate: z.object({ issue: answered }) }),
        )
        return issueUpdate.issue
      },
      async comment({ id }, body) {
        await ask(
          'mutation Comment($input: CommentCreateInput!) { commentCreate(input: $input) { success } }',
          { input: { issueId: id, body } },
          z.unknown(),
        )
      },
    }
  },
  isSigned: (secret, headers, body) => isHmacOf(secret, body, headers['linear-signature']),
  readWebhook(body, _, nowMs) {
    const sent = z.object({ webhookTimestamp: z.number() }).safeParse(body)
    if (!sent.success || Math.abs(nowMs - sent.data.webhookTimestamp) > FRESH_MS) return 'stale'
    const { success, data: told } = webhook.safeParse(body)
    if (!success) return undefined
    const { identifier, updatedAt: changedMs, state, ...issue } = told.data
    return {
      ...issue,
      key: identifier,
      url: told.url,
      isOpen: !CLOSED.has(state.type),
      changedMs,
      isDeleted: told.action === 'remove',
    }
  },
}

/** The first of the team's states that says it. */
function stateFor({ identifier, team }: z.output<typeof states>['issue'], state: ExternalState): string {
  const types = state === 'closed' ? ['completed'] : ['unstarted', 'backlog', 'started']
  const ordered = team.states.nodes.toSorted((one, other) => one.position - other.position)
  for (const wanted of types) {
    const fits = ordered.find(({ type }) => type === wanted)
    if (fits) return fits.id
  }
  throw new TrackerRefusal(`the team of ${identifier} has no state of the type ${types[0]}`, {
    again: 'never',
  })
}

const ERRORS = z.object({
  errors: z.array(z.object({ message: z.string(), extensions: z.unknown().optional() })).min(1),
})
const PRESENTABLE = z.object({ userPresentableMessage: z.string() })

/** An answer of 200 may carry errors instead of data. A personal key goes as it is, a token of OAuth as a bearer. */
function createAsk(call: CallTracker, url: string, token: string) {
  const authorization = token.startsWith('lin_oauth_') ? `Bearer ${token}` : token
  return async <T>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    data: z.ZodType<T>,
  ): Promise<T> => {
    const answer = await call({
      method: 'POST',
      url,
      headers: { accept: 'application/json', authorization },
      body: { query, variables },
      answer: z.union([ERRORS, z.object({ data })]),
    })
    if ('data' in answer) return answer.data
    const said = answer.errors.map(({ message, extensions }) => {
      const shown = PRESENTABLE.safeParse(extensions)
      return shown.success ? shown.data.userPresentableMessage : message
    })
    throw new TrackerRefusal(`Linear answered: ${said.join(', ').slice(0, 500)}`, { again: 'never' })
  }
}
