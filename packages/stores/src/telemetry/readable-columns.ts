/**
 * What finds the events that a late source map makes readable: by debug id, or by release and `unreadable`. Rows are
 * replaced, not changed (the issue is in their key): the new one has a higher `revision`, then the old one is deleted.
 */
export const READABLE_COLUMNS: readonly string[] = [
  `ALTER TABLE events ADD COLUMN IF NOT EXISTS debug_ids Array(String) CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS unreadable LowCardinality(String),
    ADD COLUMN IF NOT EXISTS revision UInt32 CODEC(ZSTD(1)),
    ADD INDEX IF NOT EXISTS debug_id_filter debug_ids TYPE bloom_filter(0.01) GRANULARITY 1`,
  'ALTER TABLE event_index ADD COLUMN IF NOT EXISTS revision UInt32 CODEC(ZSTD(1))',
]
