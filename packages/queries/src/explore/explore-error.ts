import { SondeError } from '@sonde/base'

/** What is asked of Explore cannot be answered: a name nobody knows, or more to read than there is time for. */
export class ExploreError extends SondeError {
  constructor(message: string, hint?: string) {
    super('invalid', message, {
      operation: 'explore spans',
      subject: 'spans',
      ...(hint === undefined ? {} : { hint }),
    })
    this.name = 'ExploreError'
  }
}
