/** Large opaque bytes by name (`dead/…`, later source maps and attachments). Names are `[a-z0-9/_.-]`, no `..`. */
export type Blobs = {
  /** Replaces what was there; atomic: a reader sees the old bytes or the new, never a part. Durable when it resolves. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Missing: undefined. */
  get(name: string): Promise<Uint8Array | undefined>
  /** Idempotent. */
  delete(name: string): Promise<void>
  /** Names below a prefix, in name order. */
  list(prefix: string): AsyncIterable<{ readonly name: string; readonly bytes: number }>
}
