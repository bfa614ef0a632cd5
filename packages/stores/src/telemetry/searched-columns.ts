/**
 * What is searched often has a column of its own, made by the engine from the row as it is inserted: of a million
 * events a column takes some 15 ms, the tags take 300, and the payloads (7 GB) more memory than a query may have.
 *
 * Parts from before the migration are rewritten in the background, these columns alone (20 s a million events);
 * until then the engine makes the values as it reads. An insert names its columns and need not know of these.
 */

/** Column → tag. Few values each, hence `LowCardinality`. */
export const TAG_COLUMNS = {
  browser: 'browser',
  browser_name: 'browser.name',
  os: 'os',
  os_name: 'os.name',
  device: 'device',
  device_family: 'device.family',
  runtime_name: 'runtime.name',
  server_name: 'server_name',
} as const

/** Column → member of the event's `user`. */
export const USER_COLUMNS = { user_email: 'email', user_username: 'username', user_ip: 'ip_address' } as const

const columns = [
  ...Object.entries(TAG_COLUMNS).map(
    ([column, tag]) => `${column} LowCardinality(String) MATERIALIZED tags['${tag}']`,
  ),
  ...Object.entries(USER_COLUMNS).map(
    ([column, member]) =>
      `${column} String MATERIALIZED JSONExtractString(payload, 'user', '${member}') CODEC(ZSTD(1))`,
  ),
]
const names = [...Object.keys(TAG_COLUMNS), ...Object.keys(USER_COLUMNS)]

export const SEARCHED_COLUMNS: readonly string[] = [
  `ALTER TABLE events ${columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')}`,
  // The other tags: one of sixteen parts of the map is read for a key instead of all of it. Small parts stay as they
  // are (an insert writes few files), merges write the new form.
  `ALTER TABLE events MODIFY SETTING map_serialization_version = 'with_buckets',
    map_serialization_version_for_zero_level_parts = 'basic', map_buckets_min_avg_size = 0,
    map_buckets_strategy = 'constant', max_buckets_in_map = 16`,
  `ALTER TABLE events ${names.map((name) => `MATERIALIZE COLUMN ${name}`).join(', ')} SETTINGS mutations_sync = 0`,
]
