import { type ActionArgs, httpError, type LoadArgs, redirect } from '@sonde/router/server'
import { operatorGrant } from '../../../parts/access/page-grant.server.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { OUTCOME_PERIODS } from './periods.ts'

export async function load(args: LoadArgs<AppContext>) {
  const grant = operatorGrant(args)
  const { context, url } = args
  const { operator, queries } = context
  const requested = url.searchParams.get('statsPeriod')
  const period = OUTCOME_PERIODS.find(({ id }) => id === requested) ?? OUTCOME_PERIODS[1]
  const [status, projects] = await Promise.all([
    operator.status(grant, { periodMs: period.periodMs, buckets: period.buckets }),
    // The page is most needed when a store is down: what can be read is shown.
    queries.records
      .selectFrom('project')
      .select(['id', 'slug'])
      .execute()
      .catch(() => []),
  ])
  const dead = status.deadLetters.list.map((item) => ({
    ...item,
    project: projects.find(({ id }) => id === item.projectId)?.slug,
  }))
  return { status, dead, period: period.id, selfReport: context.selfReport.state() }
}

/** Replays or discards dead letters: `id` one of them, `all` those that wait. */
export async function action(args: ActionArgs<AppContext>) {
  const grant = operatorGrant(args)
  const form = await args.formData()
  const change = form.get('change')
  const ids = form.get('all') === 'yes' ? 'all' : form.getAll('id').map(Number)
  if (change !== 'replay' && change !== 'discard') return httpError(400)
  if (ids !== 'all' && (ids.length === 0 || !ids.every((id) => Number.isSafeInteger(id) && id > 0)))
    return httpError(400)
  const { done, failed } = await args.context.operator.changeDead(grant, change, ids)
  return redirect(`${paths.status()}?change=${change}&done=${done.length}&failed=${failed.length}#dead`, 303)
}
