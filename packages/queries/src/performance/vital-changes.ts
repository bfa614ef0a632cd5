/** How the web vitals of a project or of one route changed against the window before, as long as this one. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { vitalConditions } from './vital-conditions.ts'
import type { VitalOverviewInput } from './vital-overview.ts'
import { type VitalChange, vitalSides } from './vital-sides.ts'

/**
 * Of those that anyone told in both windows; the method, visits of one person included: docs/internals/performance-changes.md.
 * Of very many visits a part is read, twice.
 */
export async function vitalChanges(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalOverviewInput,
): Promise<readonly VitalChange[]> {
  const { fromMs, toMs } = input
  const where = await vitalConditions(deps, grant, { ...input, fromMs: Math.max(0, 2 * fromMs - toMs) })
  if (where === undefined) return []
  // As far as the engine can tell times: a window in the year 9000 has nothing in it either way.
  const params = { ...where.params, split: Math.min(fromMs, Number(where.params['to'])) }
  return vitalSides(deps, { sql: where.sql, params }, 'timestamp >= {split:DateTime64(3)}')
}
