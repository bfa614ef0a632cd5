/** Who may look after the whole installation: the log, the disk, dead letters, totals over all organisations. */
import { SondeError } from '@sonde/base'
import type { Viewer } from './viewer.ts'

/** Made at the first start, before anybody could make another: its owners look after the machine. */
const FIRST_ORG_ID = 1

/**
 * Owners of the first organisation, and the command line. Not owners of later ones: dead letters and totals speak of
 * everybody's projects (G7). Not tokens: no scope speaks of the installation.
 */
export const mayOperate = (viewer: Viewer | undefined): boolean =>
  viewer?.kind === 'operator' ||
  (viewer?.kind === 'user' &&
    viewer.memberships.some(({ orgId, role }) => orgId === FIRST_ORG_ID && role === 'owner'))

/** Throws `SondeError` (`forbidden`) for everybody else. */
export function requireOperator(viewer: Viewer | undefined): void {
  if (mayOperate(viewer)) return
  throw new SondeError('forbidden', 'this is for owners of the first organisation', {
    operation: 'look after the installation',
    subject: 'installation',
    hint: 'Ask whoever runs this Sonde.',
  })
}
