import { type LoadArgs, notFound } from '@sonde/router/server'
import { operatorGrant } from '../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'letter'>) {
  operatorGrant(args)
  const { operator, queries } = args.context
  const id = /^[1-9]\d{0,14}$/.test(args.params.letter) ? Number(args.params.letter) : notFound()
  const letter = (await operator.lookAtDead(id)) ?? notFound()
  const project =
    letter.projectId === undefined
      ? undefined
      : await queries.records
          .selectFrom('project')
          .select('slug')
          .where('id', '=', letter.projectId)
          .executeTakeFirst()
  return { letter, project: project?.slug }
}
