import { SondeError } from '@sonde/base'

/** What a person typed into the search field cannot be understood. `at` is a position in UTF-16 units. */
export class SearchError extends SondeError {
  readonly at: number

  constructor(message: string, at: number, hint?: string) {
    super('invalid', message, {
      operation: 'read the search',
      subject: 'query',
      ...(hint === undefined ? {} : { hint }),
    })
    this.name = 'SearchError'
    this.at = at
  }
}
