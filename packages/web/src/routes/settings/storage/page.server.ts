import { installationStorage } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { operatorGrant } from '../../../parts/access/page-grant.server.ts'
import { kindNames } from '../../../parts/storage/kind-names.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

/** `project`: whose days are shown; of all projects without it. */
export async function load(args: LoadArgs<AppContext>) {
  const grant = operatorGrant(args)
  const { queries, operator } = args.context
  const asked = Number(args.url.searchParams.get('project') ?? NaN)
  const projectId = Number.isSafeInteger(asked) && asked > 0 ? asked : undefined
  const [storage, disk] = await Promise.all([
    installationStorage(queries, grant, { projectId }),
    operator.disk(grant),
  ])
  const of = storage.projects.find((each) => each.projectId === projectId)
  return {
    storage,
    disk,
    names: kindNames(),
    project: of && { org: of.org, project: of.project },
  }
}
