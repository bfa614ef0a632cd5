/** One line of what a move compares at its end. */
export type Compared = {
  /** A table, or the folder of blobs. */
  readonly what: string
  /** A week of it; empty: all of it. */
  readonly part: string
  /** Rows, or bytes of blobs. */
  readonly from: number
  readonly to: number
}
