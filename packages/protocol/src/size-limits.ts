/**
 * Largest size per kind of item, decompressed. Upstream's defaults where they are small; where they
 * are hundreds of megabytes, less: what does not fit here would not fit the memory of a small server.
 */
const KIB = 1024
const MIB = 1024 * KIB

export const ITEM_MAX_BYTES = {
  event: MIB,
  /** Upstream: 200 MiB. Screenshots and logs have up to a few MiB. */
  attachment: 20 * MIB,
  checkIn: 100 * KIB,
  /** Upstream counts the sum over an envelope; here per item, with at most 100 items. */
  clientReport: 100 * KIB,
  session: MIB,
  profile: 50 * MIB,
  /** The compressed recording. */
  replay: 10 * MIB,
  /** A container of logs, metrics or spans. */
  container: 12 * MIB,
  metric: MIB,
  /** Kinds that nobody knows: enough to count them, too little to hurt. */
  unknown: MIB,
} as const
export type SizeLimit = keyof typeof ITEM_MAX_BYTES
