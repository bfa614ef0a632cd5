/** What became of everything that a project was sent, by category; and the kinds of items that nobody knows, by SDK. */
import type { Grant } from '@sonde/access'
import type { Outcome } from '@sonde/protocol'
import type { QueryDeps } from './query-deps.ts'

const DAY_MS = 86_400_000
/** Categories are two dozen, kinds and SDKs are words of strangers. */
const MAX_KINDS = 50
const UNKNOWN = 'unknown_kind:'

export type ReceivedCategory = {
  /** `error`, `span`, `log_item`, …: as SDKs name them in client reports. */
  readonly category: string
  /** Items by how they ended. */
  readonly counts: Readonly<Record<Outcome, number>>
}
export type UnknownKind = {
  /** Type of the item, of at most 40 characters; `other`: one of very many. */
  readonly kind: string
  readonly sdk: string
  readonly items: number
}
export type ReceivedData = {
  /** Those with the most items first, those that count bytes (`log_byte`) last. */
  readonly categories: readonly ReceivedCategory[]
  readonly unknownKinds: readonly UnknownKind[]
}

/** Of the last `days` days. Reads `outcomes` by project and minute: a small row for each minute, key and reason. */
export async function receivedData(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  { days }: { readonly days: number },
): Promise<ReceivedData> {
  const params = {
    project: grant.projectId,
    since: new Date(clock.nowMs() - days * DAY_MS),
    unknown: `${UNKNOWN}%`,
  }
  const where = 'WHERE project_id = {project:UInt32} AND minute >= {since:DateTime}'
  const [counts, kinds] = await Promise.all([
    telemetry.query<{ readonly category: string; readonly outcome: Outcome; readonly quantity: number }>(
      `SELECT category, outcome, sum(quantity) AS quantity FROM outcomes ${where}
       GROUP BY category, outcome ORDER BY category, outcome`,
      params,
    ),
    telemetry.query<{ readonly reason: string; readonly items: number }>(
      `SELECT reason, sum(quantity) AS items FROM outcomes ${where}
         AND outcome = 'unsupported' AND reason LIKE {unknown:String}
       GROUP BY reason ORDER BY items DESC, reason LIMIT ${MAX_KINDS}`,
      params,
    ),
  ])
  const categories = [...Map.groupBy(counts, ({ category }) => category)].map(([category, own]) => ({
    category,
    counts: { ...NONE, ...Object.fromEntries(own.map(({ outcome, quantity }) => [outcome, quantity])) },
  }))
  const total = ({ counts: of }: ReceivedCategory): number =>
    Object.values(of).reduce((sum, each) => sum + each)
  return {
    categories: categories.toSorted((a, b) => Number(isBytes(a)) - Number(isBytes(b)) || total(b) - total(a)),
    unknownKinds: kinds.map(({ reason, items }) => {
      const [kind = '', sdk = ''] = reason.slice(UNKNOWN.length).split(':')
      return { kind, sdk, items }
    }),
  }
}

const isBytes = ({ category }: ReceivedCategory): boolean => category.endsWith('_byte')
const NONE: Readonly<Record<Outcome, number>> = {
  accepted: 0,
  filtered: 0,
  rate_limited: 0,
  invalid: 0,
  failed: 0,
  unsupported: 0,
  client_discard: 0,
}
