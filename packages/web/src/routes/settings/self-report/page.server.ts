import { type ActionArgs, httpError, redirect } from '@sonde/router/server'
import { operatorGrant } from '../../../parts/access/page-grant.server.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export function load() {
  return redirect(paths.status(), 303)
}

/** Switches the reports of these screens on or off, for everybody. */
export async function action(args: ActionArgs<AppContext>) {
  operatorGrant(args)
  const wanted = (await args.formData()).get('report')
  if (wanted !== 'on' && wanted !== 'off') return httpError(400)
  await args.context.selfReport.set(wanted === 'on')
  return redirect(`${paths.status()}#self-report`, 303)
}
