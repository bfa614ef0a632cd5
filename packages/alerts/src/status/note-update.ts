/** Writes an update of an incident of a status page: what the page shows next, and what subscribers are told. */
import type { Records, StatusIncidentState } from '@sonde/stores'
import { isOver } from './status-words.ts'

export type StatusUpdate = {
  readonly incidentId: number
  readonly state: StatusIncidentState
  readonly body: string
  /** `actorOf` who posted it; empty: Sonde. */
  readonly createdBy: string
}

/** In the caller's transaction. `isPublished` false: nobody is told, now or later. */
export async function noteStatusUpdate(
  tx: Records,
  { incidentId, state, body, createdBy }: StatusUpdate,
  { isPublished, atMs }: { readonly isPublished: boolean; readonly atMs: number },
): Promise<void> {
  await tx
    .insertInto('status_update')
    .values({
      incident_id: incidentId,
      state,
      body,
      created_by: createdBy,
      at_ms: atMs,
      queued_to: isPublished ? 0 : null,
    })
    .execute()
  await tx
    .updateTable('status_incident')
    .set({ state, ended_ms: isOver(state) ? atMs : null })
    .where('id', '=', incidentId)
    .execute()
}
