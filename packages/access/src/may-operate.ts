/** Who may look after the whole installation: the log, the disk, dead letters, totals over all organisations. */
import { SondeError } from '@sonde/base'
import type { Viewer } from './viewer.ts'

/**
 * Owners of any organisation, and the command line. Not tokens: no scope speaks of the installation. The figures tell
 * nothing of other organisations but their sum; what a dead letter contains is never shown.
 */
export const mayOperate = (viewer: Viewer | undefined): boolean =>
  viewer?.kind === 'operator' ||
  (viewer?.kind === 'user' && viewer.memberships.some(({ role }) => role === 'owner'))

/** Throws `SondeError` (`forbidden`) for everybody else. */
export function requireOperator(viewer: Viewer | undefined): void {
  if (mayOperate(viewer)) return
  throw new SondeError('forbidden', 'this is for owners', {
    operation: 'look after the installation',
    subject: 'installation',
    hint: 'Ask an owner of an organisation of this Sonde.',
  })
}
