/** Which nodes run: said by each, asked by whoever has the records. */
import type { NodeRegistry } from './node-tables.ts'
import type { RecordsPlace } from './records-engine.ts'
import type { Records } from './schema.ts'

/** Undefined: these records cannot be shared. Connects when something is to be said. */
export async function openNodeRegistry(place: RecordsPlace): Promise<NodeRegistry | undefined> {
  if (!('url' in place)) return undefined
  return (await import('./postgres/postgres-nodes.ts')).openPostgresNodes(place.url)
}

/** Four times what a node lets pass between two words; the clocks of nodes may differ by some seconds. */
export const NODE_MISSING_AFTER_MS = 20_000

/** The nodes that said lately that they run. */
export function runningNodes(
  records: Records,
  nowMs: number,
): Promise<readonly { readonly name: string; readonly roles: string }[]> {
  return records
    .selectFrom('node')
    .select(['name', 'roles'])
    .where('seen_ms', '>=', nowMs - NODE_MISSING_AFTER_MS)
    .orderBy('node.name')
    .execute()
}
