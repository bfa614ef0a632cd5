/** What `sonde export …` asks of the running back, which alone can have the telemetry of the data folder open. */
import { type Access, operatorViewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  cancelExport,
  type CommandDeps,
  type ExportPlanInput,
  readExportPlan,
  requestExport,
  saveExportPlan,
} from '@sonde/commands'
import { listExports, type QueryDeps } from '@sonde/queries'
import type { Config } from '../config/config.ts'
import { openExportPlace, readExportTarget } from '../export/export-place.ts'
import type { InternalRoute } from './internal-routes.ts'

type Needs = {
  readonly access: Access
  readonly queries: QueryDeps
  readonly commands: CommandDeps
  readonly config: Pick<Config, 'exports'>
}

/** What stands in the body of each. */
export type ExportQuestion = {
  readonly org: string
  /** An absolute path, or the address of a bucket; undefined: as the settings say. */
  readonly to?: string
  readonly id?: number
  readonly plan?: Partial<ExportPlanInput>
}

export function exportRoutes({ access, queries, commands, config }: Needs): readonly InternalRoute[] {
  const route = (
    path: string,
    work: (question: ExportQuestion, grant: Awaited<ReturnType<typeof open>>) => Promise<unknown>,
  ): InternalRoute => ({
    method: 'POST',
    contentType: 'application/json',
    path: `/-/export/${path}`,
    async answer(body) {
      const question = JSON.parse(body) as ExportQuestion
      return JSON.stringify((await work(question, await open(question))) ?? null)
    },
  })
  const open = ({ org }: ExportQuestion) => access.openOrg(operatorViewer, org, 'org:write')
  return [
    route('start', async ({ to }, grant) => {
      const target = readExportTarget(to, config)
      if (to !== undefined) await refuseFull(target)
      return requestExport(commands, grant, to === undefined ? {} : { place: to })
    }),
    route('list', (_, grant) => listExports(queries, grant)),
    route('look', async ({ id = 0 }, grant) => (await listExports(queries, grant, id))[0]),
    route('cancel', ({ id = 0 }, grant) => cancelExport(commands, grant, id)),
    route('plan', ({ plan }, grant) =>
      plan === undefined
        ? readExportPlan(commands.records, grant.orgId)
        : saveExportPlan(commands, grant, plan),
    ),
  ]
}

/** An export beside other files could not be told from them. */
async function refuseFull(target: ReturnType<typeof readExportTarget>): Promise<void> {
  const blobs = await openExportPlace(target)
  for await (const { name } of blobs.list(''))
    throw new SondeError('conflict', `${target.name} is not empty: it has ${name}`, {
      operation: 'export an organization',
      subject: target.name,
      hint: 'name an empty folder, or one that does not exist',
    })
}
