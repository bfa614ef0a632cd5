/** Statements that the console offers to begin with; each is run by a test. */
export type SqlExample = { readonly title: string; readonly sql: string }

export const SQL_EXAMPLES: readonly SqlExample[] = [
  {
    title: 'Slowest kinds of work in the last day',
    sql: `SELECT op, count() AS spans, quantile(0.95)(duration_ms) AS p95
FROM spans
WHERE timestamp > now() - INTERVAL 1 DAY
GROUP BY op
ORDER BY p95 DESC
LIMIT 20`,
  },
  {
    title: 'Requests to other hosts, by host and status',
    sql: `SELECT domain(strings['url.full']) AS host, numbers['http.response.status_code'] AS code,
  count() AS calls, quantile(0.75)(duration_ms) AS p75
FROM spans
WHERE op = 'http.client' AND timestamp > now() - INTERVAL 7 DAY
GROUP BY host, code
ORDER BY calls DESC
LIMIT 50`,
  },
  {
    title: 'LCP by release, with the share that is good',
    sql: `SELECT release, quantile(0.75)(value) AS p75, countIf(value <= 2500) / count() AS good, count() AS pages
FROM vitals
WHERE name = 'lcp' AND timestamp > now() - INTERVAL 14 DAY
GROUP BY release
ORDER BY pages DESC
LIMIT 20`,
  },
  {
    title: 'Navigations that did not end well, by hour',
    sql: `SELECT toStartOfHour(timestamp) AS hour, outcome, count() AS navigations
FROM navigations
WHERE outcome NOT IN ('committed', 'redirected', 'superseded', 'unknown') AND timestamp > now() - INTERVAL 2 DAY
GROUP BY hour, outcome
ORDER BY hour DESC, navigations DESC`,
  },
  {
    title: 'Errors whose trace has a slow database',
    sql: `SELECT e.title, count() AS errors, max(s.slowest) AS slowest_ms
FROM events AS e
INNER JOIN (
  SELECT trace_id, max(duration_ms) AS slowest
  FROM spans
  WHERE op LIKE 'db%' AND timestamp > now() - INTERVAL 1 DAY
  GROUP BY trace_id
) AS s ON e.trace_id = s.trace_id
WHERE e.timestamp > now() - INTERVAL 1 DAY
GROUP BY e.title
ORDER BY slowest_ms DESC
LIMIT 20`,
  },
  {
    title: 'What was not stored, and why',
    sql: `SELECT project, category, outcome, reason, sum(quantity) AS items
FROM outcomes
WHERE outcome != 'accepted' AND minute > now() - INTERVAL 7 DAY
GROUP BY project, category, outcome, reason
ORDER BY items DESC`,
  },
]
