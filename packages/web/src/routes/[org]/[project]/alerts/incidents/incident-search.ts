/** The list of incidents in its address. Pure. */
export const STATES = ['open', 'resolved', ''] as const
type IncidentState = (typeof STATES)[number]

/** One page. */
export const ROWS = 50
const MAX_PAGE = 1_000

export type IncidentSearch = {
  readonly state: IncidentState
  readonly ruleId: number | undefined
  /** From 1. */
  readonly page: number
}

/** What cannot be read is not there. */
export function readIncidentSearch(params: URLSearchParams): IncidentSearch {
  const ruleId = Number(params.get('rule') ?? '')
  const page = Number(params.get('page') ?? 1)
  return {
    state: STATES.find((state) => state === params.get('state')) ?? '',
    ruleId: Number.isSafeInteger(ruleId) && ruleId > 0 ? ruleId : undefined,
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, MAX_PAGE) : 1,
  }
}
