import { type LoadArgs, redirect } from '@sonde/router/server'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

/** A project's first screen is its issues. */
export function load({ params }: LoadArgs<AppContext, 'org' | 'project'>) {
  return redirect(paths.issues(params.org, params.project), 307)
}
