/**
 * How many spans a body holds, without reading them: quotas count spans, and a sender is told at once of those that
 * are none. What they say is read by the pipeline.
 */

/** `unusable`: without ids or a start, by which the pipeline leaves them out. */
export type Survey = { readonly spans: number; readonly unusable: number }

/** The body is cut, or not what its content type says. */
export class MalformedOtlp extends Error {
  override readonly name = 'MalformedOtlp'
}
