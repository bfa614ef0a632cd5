import { switchSqlConsole } from '@sonde/commands'
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { orgGrant } from '../../../parts/access/page-grant.server.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { answerSql, loadSql } from './load-sql.server.ts'

export const load = (args: LoadArgs<AppContext, 'org'>) => loadSql(args)

/** Runs the statement of the field; owners switch the console on and off. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  const form = await args.formData()
  const q = form.get('q')
  if (typeof q === 'string') return answerSql(args, q)
  const grant = await orgGrant(args, 'org:write')
  const isOn = form.get('console') === 'on'
  await switchSqlConsole(args.context.commands, grant, isOn)
  return redirect(paths.sql(args.params.org))
}
