/** The live tester of scrubbing rules. The pipeline has the function; the composition root hands it to the screens. */
import type { Json } from '@sonde/protocol/event'
import type { ScrubRules } from '@sonde/stores'

/** Pure and fast (below 10 ms for what fits `MAX_SAMPLE_CHARS`). Never throws. */
export type PreviewScrub = (rules: ScrubRules, sample: string) => ScrubPreview

/** A sample is an event's JSON as an SDK sends it, or any object: unknown fields are scrubbed alike. */
export type ScrubPreview =
  | {
      readonly ok: true
      /** As it would be stored without any rule, and with them. */
      readonly before: Json
      readonly after: Json
      readonly removed: readonly RemovedValue[]
    }
  | { readonly ok: false; readonly message: string }

export type RemovedValue = {
  /** `request.headers.Authorization`: where in `before`; pairs are called by their name. */
  readonly path: string
  /** `@password`, `@creditcard`, `@ip`, …: the rule that removed it. */
  readonly rule: string
}

export const MAX_SAMPLE_CHARS = 100_000
