/**
 * How many spans a body holds, without reading them: quotas count spans, and a sender is told at once of those that
 * are none. What they say is read by the pipeline.
 */

import { OTLP_MAX_SPANS } from '@sonde/protocol'

/** `unusable`: without ids or a start, by which the pipeline leaves them out. */
export type Prescan = { readonly spans: number; readonly unusable: number }

/** The body is cut, or not what its content type says. */
export class MalformedOtlp extends Error {
  override readonly name = 'MalformedOtlp'
}

/** More than a request may hold. What is behind is not looked at: bytes could hold millions of empty ones. */
export class TooManyInOtlp extends Error {
  override readonly name = 'TooManyInOtlp'
}

/** Call for each; a span may have a resource and a scope of its own, so there are no more of those. Throws `TooManyInOtlp`. */
export function createOtlpCount() {
  const count = { resources: 0, scopes: 0, spans: 0 }
  return (what: keyof typeof count): void => {
    if (++count[what] > OTLP_MAX_SPANS)
      throw new TooManyInOtlp(`a request holds at most ${OTLP_MAX_SPANS} ${what}, this one has more`)
  }
}
