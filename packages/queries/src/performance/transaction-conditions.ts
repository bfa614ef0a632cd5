/** Which roots a question about transactions reads. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type Conditions, performanceConditions, type PerformanceFilter } from './performance-filter.ts'

export type TransactionFilter = PerformanceFilter & {
  /** Undefined: all. */
  readonly op?: string | undefined
  readonly name?: string | undefined
}

/** A condition for `WHERE` on `spans`; undefined when the grant has no project. A range of the ordering key. */
export async function transactionConditions(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { op, name, ...filter }: TransactionFilter,
): Promise<Conditions | undefined> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return undefined
  const parts = [where.sql, 'is_segment = 1']
  if (op !== undefined) parts.push('op = {op:String}')
  if (name !== undefined) parts.push('segment_name = {name:String}')
  return { sql: parts.join(' AND '), params: { ...where.params, op: op ?? '', name: name ?? '' } }
}
