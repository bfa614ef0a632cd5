/**
 * What is stored of a person in the data of a project, or of all of an organization: found, exported, erased. Sentry has no such
 * addresses: docs/operate/erasure.md. Who it is stands in the body, because addresses are written into logs.
 */
import { erasePerson, notePersonExport, personOfInput } from '@sonde/commands'
import { type ErasureRow, exportPerson, findPerson, listErasures } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { media } from '../operation.ts'
import { isoDate, isoDateOrNull, Time } from '../serializers/date.ts'

const PATHS = ['/organizations/:org/personal-data', '/projects/:org/:project/personal-data'] as const

const Person = z.object({
  id: z.string().optional(),
  email: z.string().optional(),
  ip: z.string().optional(),
})

const Found = z
  .object({
    kinds: z.array(
      z.object({
        kind: z.string().meta({ description: '`events`, `spans`, …, `attachments`, `issues`.' }),
        asUser: z.int().meta({ description: 'Those that name the person as their user.' }),
        inTexts: z.int().meta({ description: 'Others that name the person in a text.' }),
      }),
    ),
    total: z.int(),
    alsoKnownAs: z.array(z.string()).meta({ description: 'Other names of users in the same events.' }),
  })
  .meta({ id: 'PersonalData' })

const Erasure = z
  .object({
    id: z.string(),
    scope: z.string().meta({ description: '`acme/shop`, or `acme` for all projects.' }),
    by: z.string().meta({ description: 'Who asked for it.' }),
    state: z.enum(['waits', 'deletes', 'purges', 'done']),
    counts: z.record(z.string(), z.int()).meta({ description: 'What was found, by kind.' }),
    total: z.int(),
    personHash: z.string().meta({ description: 'SHA-256 of who it was.' }),
    trouble: z.string().meta({ description: 'Why it does not go on; empty: nothing is wrong.' }),
    dateRequested: Time,
    dateFinished: Time.nullable(),
  })
  .meta({ id: 'Erasure' })

const common = { tag: 'Data', permission: 'event:delete' } as const

export function personalDataRoutes(api: Api, { queries, commands, blobs }: ApiOptions): void {
  for (const path of PATHS) {
    api.post(
      `${path}/find`,
      {
        ...common,
        id: 'findPerson',
        summary: 'Find what is stored of a person',
        body: Person,
        answer: Found,
      },
      ({ grant, body }) => findPerson(queries, grant, personOf(body)),
    )

    api.post(
      `${path}/export`,
      {
        ...common,
        id: 'exportPerson',
        summary: 'Export what is stored of a person',
        body: Person,
        answer: media('application/x-ndjson', 'Lines of JSON; what they are says the first.'),
      },
      async ({ c, grant, body }) => {
        const person = personOf(body)
        await notePersonExport(commands, grant, person)
        const lines = exportPerson({ ...queries, blobs }, grant, person)
        return c.body(streamOf(lines), 200, {
          'content-type': 'application/x-ndjson',
          'content-disposition': 'attachment; filename="person.ndjson"',
        })
      },
    )

    api.post(
      `${path}/erase`,
      {
        ...common,
        id: 'erasePerson',
        summary: 'Erase what is stored of a person',
        body: Person,
        answer: z.object({ id: z.string().meta({ description: 'Of the erasure.' }) }),
        status: 202,
      },
      async ({ grant, body }) => {
        const { id } = await erasePerson(commands, grant, personOf(body))
        return { id: String(id) }
      },
    )

    api.get(
      `${path}/erasures`,
      { ...common, id: 'listErasures', summary: 'List erasures', answer: z.array(Erasure) },
      async ({ grant }) => (await listErasures(queries, grant)).map(erasureJson),
    )

    api.get(
      `${path}/erasures/:erasure`,
      { ...common, id: 'getErasure', summary: 'Read how far an erasure is', answer: Erasure },
      async ({ grant, params }) => {
        const id = Number(params.erasure)
        const [row] = Number.isSafeInteger(id) ? await listErasures(queries, grant, id) : []
        return row && erasureJson(row)
      },
    )
  }
}

const personOf = ({ id, email, ip }: z.output<typeof Person>) =>
  personOfInput('name a person', { id, email, ip })

function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const next = await lines.next()
      if (next.done) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}

const erasureJson = ({
  id,
  requestedMs,
  finishedMs,
  counts,
  ...row
}: ErasureRow): z.infer<typeof Erasure> => ({
  ...row,
  id: String(id),
  counts: Object.fromEntries(counts.map(({ kind, count }) => [kind, count])),
  dateRequested: isoDate(requestedMs),
  dateFinished: isoDateOrNull(finishedMs),
})
