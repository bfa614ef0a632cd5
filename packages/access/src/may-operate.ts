/** Who may look after the whole installation: the log, the disk, dead letters, totals over all organisations. */
import { SondeError } from '@sonde/base'
import type { Viewer } from './viewer.ts'

/**
 * Operators, and the command line. Not owners of an organisation, whichever it is: dead letters and totals speak of
 * everybody's projects (G7). Not tokens, also not an operator's: no scope speaks of the installation.
 */
export const mayOperate = (viewer: Viewer | undefined): boolean =>
  viewer?.kind === 'operator' || (viewer?.kind === 'user' && viewer.isOperator)

/** Throws `SondeError` (`forbidden`) for everybody else. */
export function requireOperator(viewer: Viewer | undefined): void {
  if (mayOperate(viewer)) return
  throw new SondeError('forbidden', 'this is for operators of this installation', {
    operation: 'look after the installation',
    subject: 'installation',
    hint: 'Whoever runs this Sonde makes one with: sonde user set-operator --email EMAIL',
  })
}
