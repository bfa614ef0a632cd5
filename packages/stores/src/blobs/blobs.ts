/** Large opaque bytes by name (`dead/…`, `attachments/…`, later source maps). Names are `[a-z0-9/_.-]`, no `..`. */
export type Blobs = {
  /** Replaces what was there; atomic: a reader sees the old bytes or the new, never a part. Durable when it resolves. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** As `put`, of the bytes of a file of this machine, of which little is in memory at a time. The file stays. */
  putFile(name: string, path: string): Promise<void>
  /** Missing: undefined. Throws `SondeError`: `internal` when it is damaged, `unavailable` when it cannot be read now. */
  get(name: string): Promise<Uint8Array | undefined>
  /** To read it bit by bit; missing: undefined. The stream must be read to its end or cancelled. */
  open(name: string): Promise<OpenBlob | undefined>
  /** Idempotent. */
  delete(name: string): Promise<void>
  /** Names below a prefix, in name order. */
  list(prefix: string): AsyncIterable<{ readonly name: string; readonly bytes: number }>
  /** Only of a server: the CRC-32 that was kept with it, in 8 hex digits, without reading it. Missing: undefined. */
  checksum?(name: string): Promise<string | undefined>
  /** Somebody needs this one and could not have it: kept for the doctor. See `noteUnreadable`. */
  note?(name: string, problem: BlobProblem): void
  /** Those that were met in the last day, the newest first. */
  unreadable?(): readonly UnreadableBlob[]
  /** Only of a server: for people, which one answers. Throws `SondeError` when it does not. */
  whereabouts?(): Promise<string>
}

export type BlobProblem = 'missing' | 'damaged'
export type UnreadableBlob = {
  readonly name: string
  readonly problem: BlobProblem
  readonly foundMs: number
}

export type OpenBlob = { readonly bytes: number; readonly stream: ReadableStream<Uint8Array> }
