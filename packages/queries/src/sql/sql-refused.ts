import { SondeError } from '@sonde/base'

/**
 * A statement that the console does not run, or that the engine gave up. `message` and `hint` are for the person who
 * wrote it and hold nothing of the inside; `at` is a position in their text, in UTF-16 units.
 */
export class SqlRefused extends SondeError {
  readonly at: number | undefined

  constructor(message: string, { at, hint }: { readonly at?: number; readonly hint?: string } = {}) {
    super('invalid', message, {
      operation: 'run a statement of the console',
      subject: 'sql',
      ...(hint === undefined ? {} : { hint }),
    })
    this.name = 'SqlRefused'
    this.at = at
  }
}
