/**
 * How many spans, log records or points of metrics a body holds, without reading them: quotas count those, and a sender is told at once
 * of those that are none. What they say is read by the pipeline.
 */

import { OTLP_MAX_ITEMS } from '@sonde/protocol'

/** What a request is of, by the last word of its address. */
export type OtlpSignal = 'traces' | 'logs' | 'metrics'

/** `unusable`: the pipeline leaves them out, spans because they lack an id or a start. */
export type Prescan = { readonly count: number; readonly unusable: number }

/** What a request holds, in words for the sender. */
const ITEM_WORDS: { readonly [Signal in OtlpSignal]: string } = {
  traces: 'spans',
  logs: 'log records',
  metrics: 'points',
}

/** The body is cut, or not what its content type says. */
export class MalformedOtlp extends Error {
  override readonly name = 'MalformedOtlp'
}

/** More than a request may hold. What is behind is not looked at: bytes could hold millions of empty ones. */
export class TooManyInOtlp extends Error {
  override readonly name = 'TooManyInOtlp'
}

/** Call for each; an item may have a resource and a scope of its own, so there are no more of those. Throws `TooManyInOtlp`. */
export function createOtlpCount(signal: OtlpSignal) {
  const count = { resources: 0, scopes: 0, items: 0 }
  return (what: keyof typeof count): void => {
    if (++count[what] > OTLP_MAX_ITEMS)
      throw new TooManyInOtlp(
        `a request holds at most ${OTLP_MAX_ITEMS} ${what === 'items' ? ITEM_WORDS[signal] : what}, this one has more`,
      )
  }
}
