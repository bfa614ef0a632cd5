import type { ExplainedPart } from '@sonde/commands'

/** A line of JSON of an explanation: pieces of text, then how it ended. */
export type ExplanationLine = ExplainedPart | { readonly kind: 'failed'; readonly message: string }
