import type { UserViewer } from '@sonde/access'
import type { Records } from '@sonde/stores'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'

/** An account belongs to no organisation, so neither does its entry: only the operator reads it. */
export function accountAudit(
  { clock }: Pick<CommandDeps, 'clock'>,
  records: Records,
  viewer: UserViewer,
  action: string,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return writeAudit(records, {
    orgId: null,
    viewer,
    action,
    subject: viewer.userId,
    detail,
    atMs: clock.nowMs(),
  })
}
