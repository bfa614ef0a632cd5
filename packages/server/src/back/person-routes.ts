/** What `sonde person …` asks of the running back: only one process can have the telemetry of the data folder open. */
import { type Access, operatorViewer } from '@sonde/access'
import {
  type CommandDeps,
  erasePerson,
  notePersonExport,
  personOfInput,
  type PersonInput,
} from '@sonde/commands'
import { exportPerson, findPerson, listErasures, type QueryDeps } from '@sonde/queries'
import type { Blobs } from '@sonde/stores'
import type { InternalRoute } from './internal-routes.ts'

type Needs = {
  readonly access: Access
  readonly queries: QueryDeps
  readonly commands: CommandDeps
  readonly blobs: Pick<Blobs, 'open'>
}

/** What stands in the body of each. `project` empty: all of the organization. */
export type PersonQuestion = PersonInput & {
  readonly org: string
  readonly project: string
  readonly erasure?: number
}

export function personRoutes({ access, queries, commands, blobs }: Needs): readonly InternalRoute[] {
  const read = async (body: string) => {
    const question = JSON.parse(body) as PersonQuestion
    const { org, project } = question
    const grant =
      project === ''
        ? await access.openOrg(operatorViewer, org, 'event:delete')
        : await access.openProject(operatorViewer, org, project, 'event:delete')
    return { grant, question }
  }
  const json = { method: 'POST', contentType: 'application/json' } as const
  return [
    {
      ...json,
      path: '/-/person/find',
      async answer(body) {
        const { grant, question } = await read(body)
        return JSON.stringify(await findPerson(queries, grant, personOfInput('find a person', question)))
      },
    },
    {
      ...json,
      path: '/-/person/erase',
      async answer(body) {
        const { grant, question } = await read(body)
        return JSON.stringify(await erasePerson(commands, grant, question))
      },
    },
    {
      ...json,
      path: '/-/person/erasure',
      async answer(body) {
        const { grant, question } = await read(body)
        return JSON.stringify((await listErasures(queries, grant, question.erasure))[0] ?? null)
      },
    },
    {
      ...json,
      path: '/-/person/export',
      contentType: 'application/x-ndjson',
      async stream(body) {
        const { grant, question } = await read(body)
        const person = personOfInput('export a person', question)
        await notePersonExport(commands, grant, person)
        return exportPerson({ ...queries, blobs }, grant, person)
      },
    },
  ]
}
