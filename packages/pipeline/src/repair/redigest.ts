/** Reading stored events again: what the pipeline's threads give for it. */
import type { Redigested, StoredEvent } from '../symbolicate/redigest-event.ts'

/** In the order of the events. Rejects when a store did not answer: to be tried again. */
export type Redigest = (events: readonly StoredEvent[]) => Promise<readonly Redigested[]>

export type ReadAnew = Extract<Redigested, { readonly ok: true }>
