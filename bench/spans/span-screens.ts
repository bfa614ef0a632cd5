/** The screens of performance, at the time ranges in which they are looked at up to all that is kept. */
import type { Screen } from '../screens/screen-list.ts'

const SHOP = '/acme/shop'
const RANGES = [
  ['90 days', 'statsPeriod=90d'],
  ['14 days', 'statsPeriod=14d'],
  ['24 hours', 'statsPeriod=24h'],
] as const

const within = (name: string, path: string): Screen[] =>
  RANGES.map(([range, query]) => ({
    name: `${name}, ${range}`,
    path: `${path}${path.includes('?') ? '&' : '?'}${query}`,
  }))
const sql = (statement: string): string => `/acme/sql?q=${encodeURIComponent(statement)}`

/** Each with the project that sends such spans, and one that is often there. */
const KINDS = [
  ['queries', 'api', 'SELECT * FROM cart WHERE id = ? AND shop = ?'],
  ['requests', 'shop', 'shop.example'],
  ['assets', 'shop', '/assets/entry-*.js'],
  ['caches', 'api', 'cart:*'],
  ['queues', 'api', 'orders'],
] as const

export function spanScreens({
  trace,
  issue,
}: {
  readonly trace: string
  readonly issue: string
}): readonly Screen[] {
  return [
    ...within('performance', `${SHOP}/performance`),
    { name: 'performance, 90 days, Safari', path: `${SHOP}/performance?statsPeriod=90d&browser=Safari` },
    ...within('a transaction', `${SHOP}/performance/transaction?op=pageload&name=%2Fcart`),
    ...KINDS.flatMap(([kind, project, name]) => [
      ...within(`insights, ${kind}`, `/acme/${project}/insights/${kind}`),
      ...within(
        `insights, one of ${kind}`,
        `/acme/${project}/insights/${kind}/detail?name=${encodeURIComponent(name)}`,
      ),
    ]),
    ...within('vitals', `${SHOP}/vitals`),
    { name: 'vitals, 90 days, Safari', path: `${SHOP}/vitals?statsPeriod=90d&browser=Safari` },
    ...within('vitals, LCP explained', `${SHOP}/vitals?vital=lcp`),
    ...within('navigations', `${SHOP}/navigations`),
    { name: 'a trace', path: `/acme/traces/${trace}` },
    ...within('explore by op', '/acme/explore'),
    ...within('explore by an attribute', '/acme/explore?group=db.sql.table&query=op%3Adb'),
    ...within('explore, spans', '/acme/explore?view=spans&query=op%3Ahttp.client'),
    { name: 'SQL, spans by op', path: sql('SELECT op, count() FROM spans GROUP BY op ORDER BY 2 DESC') },
    { name: 'an issue', path: `/acme/api/issues/${issue}` },
  ]
}
