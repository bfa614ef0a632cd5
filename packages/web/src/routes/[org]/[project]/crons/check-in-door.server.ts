/** Where a project's check-ins go: its DSN, and the address without a slug for whoever has no SDK. */
import { type Grant, requireAlso } from '@sonde/access'
import { projectKeys } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../../../server/app-context.server.ts'
import type { CheckInDoor } from './send-check-ins.tsx'

/** Undefined: the project has no active key. */
export async function checkInDoor(
  { context }: LoadArgs<AppContext, 'org' | 'project'>,
  grant: Grant<'alert:read', 'project'>,
): Promise<CheckInDoor | undefined> {
  const keys = await projectKeys(context.queries, requireAlso(grant, 'project:read'))
  const dsn = keys.find((key) => key.isActive)?.dsn
  if (dsn === undefined) return undefined
  const { protocol, host, pathname, username } = new URL(dsn)
  const at = pathname.lastIndexOf('/')
  const base = `${protocol}//${host}${pathname.slice(0, at)}/api/${pathname.slice(at + 1)}/cron/`
  return { dsn, base, publicKey: username }
}
