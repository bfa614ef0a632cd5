import { type Grant, mayOperate, openInstallation } from '@sonde/access'
import { type LoadArgs, notFound } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { requireViewer } from './page-grant.server.ts'

/** For everybody else the page does not exist. */
export function operatorGrant(
  args: Pick<LoadArgs<AppContext>, 'context' | 'url'>,
): Grant<'operate', 'operator'> {
  const viewer = requireViewer(args)
  return mayOperate(viewer) ? openInstallation(viewer) : notFound()
}
