/**
 * A project's scrubbing rules and what is stored: what they would take out, applying them, how far that is. Sentry has no such
 * addresses: docs/operate/erasure.md.
 */
import { scrubStoredEvents } from '@sonde/commands'
import { type RecentReprocessing, recentReprocessing, scrubTrial } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { isoDate, isoDateOrNull, Time } from '../serializers/date.ts'

const PATH = '/projects/:org/:project/stored-scrubs'
const MOST = 50

const Scrub = z
  .object({
    id: z.string(),
    state: z.enum(['waits', 'runs', 'done']),
    dateRequested: Time,
    dateStarted: Time.nullable(),
    dateFinished: Time.nullable(),
    rows: z.object({ total: z.int().nullable(), seen: z.int(), changed: z.int() }),
    trouble: z.string().nullable(),
  })
  .meta({ id: 'StoredScrub' })

const Trial = z
  .object({
    kinds: z
      .array(
        z.object({
          kind: z.string().meta({ description: '`events`, `spans`, `logs`, …' }),
          total: z.int().meta({ description: 'How many there are.' }),
          looked: z.int().meta({ description: 'The newest so many were looked at.' }),
          changed: z.int().meta({ description: 'Of those.' }),
          examples: z
            .array(
              z.object({
                path: z.string(),
                rule: z.string().meta({ examples: ['@creditcard'] }),
                before: z.string(),
                after: z.string().meta({ description: 'Empty: it is gone.' }),
              }),
            )
            .meta({ description: 'One for each place in them.' }),
        }),
      )
      .meta({ description: 'Kinds of which there is something.' }),
    isCut: z.boolean().meta({ description: 'Not everything was looked at.' }),
  })
  .meta({ id: 'ScrubTrial' })

export function storedScrubRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.post(
    `${PATH}/preview`,
    {
      id: 'previewScrub',
      summary: 'Ask what the rules would take out of what is stored',
      description: 'It reads for seconds, and changes nothing. Whoever goes away ends it.',
      tag: 'Data',
      permission: 'project:write',
      answer: Trial,
    },
    ({ c, grant }) => scrubTrial(queries, grant, c.req.raw.signal),
  )

  api.post(
    PATH,
    {
      id: 'scrubStored',
      summary: 'Apply the rules to what is stored',
      tag: 'Data',
      permission: 'project:write',
      answer: z.object({ id: z.string(), isNew: z.boolean() }),
      status: 202,
    },
    async ({ grant }) => {
      const { id, isNew } = await scrubStoredEvents(commands, grant)
      return { id: String(id), isNew }
    },
  )

  api.get(
    PATH,
    {
      id: 'listScrubs',
      summary: 'List when rules were applied to what is stored',
      tag: 'Data',
      permission: 'project:read',
      answer: z.array(Scrub),
    },
    async ({ grant }) => (await recentReprocessing(queries, grant, MOST, true)).map(scrubJson),
  )

  api.get(
    `${PATH}/:scrub`,
    {
      id: 'getScrub',
      summary: 'Read how far it is',
      tag: 'Data',
      permission: 'project:read',
      answer: Scrub,
    },
    async ({ grant, params }) => {
      const runs = await recentReprocessing(queries, grant, MOST, true)
      const run = runs.find(({ id }) => String(id) === params.scrub)
      return run && scrubJson(run)
    },
  )
}

const scrubJson = ({
  id,
  requestedMs,
  startedMs,
  finishedMs,
  total,
  seen,
  changed,
  trouble,
}: RecentReprocessing): z.infer<typeof Scrub> => ({
  id: String(id),
  state: finishedMs !== undefined ? 'done' : startedMs === undefined ? 'waits' : 'runs',
  dateRequested: isoDate(requestedMs),
  dateStarted: isoDateOrNull(startedMs),
  dateFinished: isoDateOrNull(finishedMs),
  rows: { total: total ?? null, seen, changed },
  trouble: trouble === '' ? null : trouble,
})
