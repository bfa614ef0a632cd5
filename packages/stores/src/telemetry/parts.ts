/** `Telemetry.parts` for an engine that has `system.parts`. */

export type PartsPlace = {
  /** `system.parts`, or all servers' together. */
  readonly from: string
  /** Expression for the server that a row is of. */
  readonly server: string
  readonly database: string
}

/** For the parameter `table`. */
export const partsStatement = ({ from, server, database }: PartsPlace): string =>
  `SELECT week, max(count) AS parts, min(least) AS level, sum(stored) AS rows, sum(size) AS bytes FROM (
     SELECT partition AS week, ${server} AS server, count() AS count, min(level) AS least,
       sum(rows) AS stored, sum(bytes_on_disk) AS size
     FROM ${from}
     WHERE active AND rows > 0 AND database = ${database} AND table = {table:String} GROUP BY week, server
   ) GROUP BY week ORDER BY week SETTINGS skip_unavailable_shards = 1`

export const OWN_PARTS: PartsPlace = { from: 'system.parts', server: '1', database: 'currentDatabase()' }
