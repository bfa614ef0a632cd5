/**
 * What is stored of a person in the data of a project, or of all of an organization: found, exported, erased. Sentry has no such
 * addresses: docs/operate/erasure.md. Who it is stands in the body, because addresses are written into logs.
 */
import { erasePerson, notePersonExport, personOfInput } from '@sonde/commands'
import { type ErasureRow, exportPerson, findPerson, listErasures } from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { isoDate } from '../serializers/date.ts'

const PATHS = [
  { path: '/organizations/:org/personal-data', open: (c: ApiContext) => orgGrant(c, 'event:delete') },
  { path: '/projects/:org/:project/personal-data', open: (c: ApiContext) => projectGrant(c, 'event:delete') },
] as const

export function personalDataRoutes(api: Api, { queries, commands, blobs }: ApiOptions): void {
  for (const { path, open } of PATHS) {
    api.post(`${path}/find`, async (c) => {
      const grant = await open(c)
      return c.json(await findPerson(queries, grant, await personOf(c)))
    })

    // Lines of JSON; what they are says the first.
    api.post(`${path}/export`, async (c) => {
      const grant = await open(c)
      const person = await personOf(c)
      await notePersonExport(commands, grant, person)
      const lines = exportPerson({ ...queries, blobs }, grant, person)
      return c.body(streamOf(lines), 200, {
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="person.ndjson"',
      })
    })

    api.post(`${path}/erase`, async (c) => {
      const grant = await open(c)
      const { id } = await erasePerson(commands, grant, await personOf(c))
      return c.json({ id: String(id) }, 202)
    })

    api.get(`${path}/erasures`, async (c) => {
      const rows = await listErasures(queries, await open(c))
      return c.json(rows.map(erasureJson))
    })

    api.get(`${path}/erasures/:erasure`, async (c) => {
      const grant = await open(c)
      const id = Number(pathParam(c, 'erasure'))
      const [row] = Number.isSafeInteger(id) ? await listErasures(queries, grant, id) : []
      return row ? c.json(erasureJson(row)) : c.notFound()
    })
  }
}

async function personOf(c: ApiContext) {
  const body = await jsonBody(c)
  return personOfInput('name a person', {
    id: body.text('id'),
    email: body.text('email'),
    ip: body.text('ip'),
  })
}

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

const erasureJson = ({ id, requestedMs, finishedMs, counts, ...row }: ErasureRow) => ({
  ...row,
  id: String(id),
  counts: Object.fromEntries(counts.map(({ kind, count }) => [kind, count])),
  dateRequested: isoDate(requestedMs),
  dateFinished: finishedMs === undefined ? null : isoDate(finishedMs),
})
