/** Exit codes of the client. Those of single commands stand with them in `commands.ts`. */
import type { ErrorKind } from '@sonde/base/errors'

const CODES: Readonly<Record<ErrorKind, number>> = {
  config: 2,
  invalid: 2,
  conflict: 2,
  forbidden: 3,
  'not-found': 4,
  gone: 4,
  unavailable: 5,
  internal: 70,
}

/** Of a `kind`; 1 for what is none. */
export const exitCodeOf = (kind: string): number =>
  new Map<string, number>(Object.entries(CODES)).get(kind) ?? 1

/** For the reference. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done; and what was asked for is well'],
  [1, 'what was asked for is not well: the release is worse, a script or a frame is not readable'],
  [2, 'asked wrongly: an option, a search, a folder, an address'],
  [3, 'not logged in, or the login may not do this'],
  [4, 'there is no such issue, release, event, project or organization'],
  [5, 'Sonde does not answer, or not as it should; what passes was tried four times'],
  [70, 'a defect of the command line'],
  [130, 'stopped by Ctrl-C'],
]
