/** The reference of the SQL console: every table with its columns, and for each a statement that runs. */
import { SQL_EXAMPLES, SQL_TABLES, type SqlTable } from '@sonde/queries'

/** Table → a statement that is worth knowing. A test runs all that stand on the page. */
const STATEMENTS: Readonly<Record<string, string>> = {
  spans: `SELECT segment_name, count() AS spans, quantile(0.95)(duration_ms) AS p95
FROM spans
WHERE is_segment AND timestamp > now() - INTERVAL 1 DAY
GROUP BY segment_name
ORDER BY p95 DESC
LIMIT 20`,
  logs: `SELECT severity, body, trace_id
FROM logs
WHERE severity IN ('error', 'fatal') AND timestamp > now() - INTERVAL 1 HOUR
ORDER BY timestamp DESC
LIMIT 100`,
  metrics: `SELECT toStartOfFiveMinutes(timestamp) AS at, sum(value) AS total
FROM metrics
WHERE name = 'orders' AND timestamp > now() - INTERVAL 1 DAY
GROUP BY at
ORDER BY at`,
  vitals: `SELECT route, quantile(0.75)(value) AS p75, count() AS pages
FROM vitals
WHERE name = 'inp' AND timestamp > now() - INTERVAL 7 DAY
GROUP BY route
HAVING pages >= 30
ORDER BY p75 DESC
LIMIT 20`,
  navigations: `SELECT from_route, to_route, count() AS navigations, quantile(0.75)(data_ms) AS data_p75
FROM navigations
WHERE timestamp > now() - INTERVAL 7 DAY
GROUP BY from_route, to_route
ORDER BY navigations DESC
LIMIT 20`,
  prefetches: `SELECT route, sum(issued) AS fetched, sum(used) AS used, sum(wasted) AS in_vain
FROM prefetches
WHERE timestamp > now() - INTERVAL 7 DAY
GROUP BY route
ORDER BY in_vain DESC
LIMIT 20`,
  tabs: `SELECT build, uniqExact(tab_id) AS tabs
FROM tabs
WHERE timestamp > now() - INTERVAL 1 HOUR
GROUP BY build
ORDER BY tabs DESC`,
  sessions: `SELECT release, sum(healthy + errored + unhandled + abnormal + crashed) AS sessions,
  1 - sum(crashed) / sessions AS crash_free
FROM sessions
WHERE started > now() - INTERVAL 14 DAY
GROUP BY release
ORDER BY sessions DESC
LIMIT 20`,
  profiles: `SELECT transaction, count() AS profiles, quantile(0.75)(duration_ms) AS p75
FROM profiles
WHERE timestamp > now() - INTERVAL 7 DAY
GROUP BY transaction
ORDER BY profiles DESC
LIMIT 20`,
  profile_functions: `SELECT function, file, sum(self_ms) AS self
FROM profile_functions
WHERE in_app AND timestamp > now() - INTERVAL 7 DAY
GROUP BY function, file
ORDER BY self DESC
LIMIT 20`,
  replays: `SELECT replay_id, min(timestamp) AS began, sum(rage_clicks) AS rage, sum(failed_requests) AS failed
FROM replays
WHERE timestamp > now() - INTERVAL 7 DAY
GROUP BY replay_id
ORDER BY rage DESC, failed DESC
LIMIT 20`,
  check_ins: `SELECT monitor_slug, environment, count() AS runs, countIf(status = 'error') AS failed
FROM check_ins
WHERE received > now() - INTERVAL 7 DAY
GROUP BY monitor_slug, environment
ORDER BY failed DESC`,
  uptime_checks: `SELECT monitor_id, countIf(is_up) / count() AS up, quantile(0.95)(total_ms) AS p95
FROM uptime_checks
WHERE timestamp > now() - INTERVAL 30 DAY
GROUP BY monitor_id
ORDER BY up`,
  events: `SELECT exception_type, count() AS events, uniqExact(user_key) AS users
FROM events
WHERE timestamp > now() - INTERVAL 1 DAY
GROUP BY exception_type
ORDER BY users DESC
LIMIT 20`,
  outcomes: `SELECT toStartOfHour(minute) AS hour, reason, sum(quantity) AS items
FROM outcomes
WHERE outcome = 'rate_limited' AND minute > now() - INTERVAL 1 DAY
GROUP BY hour, reason
ORDER BY hour`,
}

export function sqlPage(): string {
  return [
    '# SQL: tables and columns',
    '',
    'Made by `npm run gen` from the tables of the console (`packages/queries/src/sql/console-tables.ts`). Every statement on this page is run by',
    'a test. How the console is used, and its limits: [Explore](../explore.md#sql).',
    '',
    'All tables have the rows of all projects of one organization. Narrow by time first: rows lie by week. A row stands for',
    '`1 / sample_rate` of what happened, and the console does not count up by itself.',
    '',
    '## Statements to begin with',
    '',
    ...SQL_EXAMPLES.flatMap(({ title, sql }) => [`### ${title}`, '', '```sql', sql, '```', '']),
    ...SQL_TABLES.flatMap(tableSection),
  ].join('\n')
}

function tableSection({ name, about, columns }: SqlTable): string[] {
  const statement = STATEMENTS[name]
  if (statement === undefined)
    throw new Error(`scripts/gen/sql-page.ts has no statement for the table ${name}`)
  return [
    `## \`${name}\``,
    '',
    `${about}.`,
    '',
    '```sql',
    statement,
    '```',
    '',
    '| column | holds |',
    '| --- | --- |',
    ...columns.map((column) => `| \`${column.name}\` | ${column.about.replaceAll('|', '\\|')} |`),
    '',
  ]
}
