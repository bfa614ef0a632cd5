/** What is wrong with an envelope. Code branches on `code`; people read the message. */
export type EnvelopeErrorCode =
  /** The first line is not a JSON object in UTF-8. */
  | 'bad-header'
  /** The line before a payload is not a JSON object in UTF-8. */
  | 'bad-item-header'
  /** An item header without a `type` text. */
  | 'missing-type'
  /** `length` is not a byte count, or does not end at a newline or at the end of the body. */
  | 'bad-length'
  /** The body ends before the bytes that `length` promises. */
  | 'truncated'
  | 'too-many-items'
  /** A header line longer than the limit. */
  | 'header-too-large'
  /** A header nested deeper than the limit. */
  | 'header-too-deep'

export class EnvelopeError extends Error {
  readonly code: EnvelopeErrorCode
  /** Byte of the body at which the trouble starts. */
  readonly offset: number

  constructor(code: EnvelopeErrorCode, message: string, offset: number) {
    super(`${message} (at byte ${offset})`)
    this.name = 'EnvelopeError'
    this.code = code
    this.offset = offset
  }
}
