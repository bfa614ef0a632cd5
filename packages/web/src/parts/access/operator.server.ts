import { mayOperate, type UserViewer } from '@sonde/access'
import { type LoadArgs, notFound } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { requireViewer } from './page-scope.server.ts'

/** For everybody else the page does not exist. */
export function requireOperator(args: Pick<LoadArgs<AppContext>, 'context' | 'url'>): UserViewer {
  const viewer = requireViewer(args)
  return mayOperate(viewer) ? viewer : notFound()
}
