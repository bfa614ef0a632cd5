import type { Grant } from '@sonde/access'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { openReprocessing } from '@sonde/queries'
import type { AppContext } from '../../../server/app-context.server.ts'
import { eventDoctor, type EventDoctor } from './event-doctor.ts'

type Args = { readonly context: Pick<AppContext, 'queries' | 'publicUrl'> }

/** Asks for reprocessing only where something is not readable. */
export async function loadDoctor(
  { context }: Args,
  grant: Grant<'event:read', 'project'>,
  event: NormalizedEvent,
): Promise<EventDoctor | undefined> {
  const place = { url: context.publicUrl, org: grant.orgSlug, project: grant.projectSlug }
  const doctor = eventDoctor(event, place)
  if (!doctor) return undefined
  const reprocessing = await openReprocessing(context.queries, grant, {
    debugIds: debugIdsOf(event),
    release: event.release,
  })
  if (!reprocessing) return doctor
  const { isRunning, trouble } = reprocessing
  const progress = isRunning ? 'Reprocessing is in progress' : 'Reprocessing is queued'
  return {
    ...doctor,
    reprocessing: `Source maps for this event were uploaded. ${progress}${trouble === '' ? '' : ` and will be retried: ${trouble}`}. This page updates automatically.`,
  }
}

function debugIdsOf({ debug_meta: meta }: NormalizedEvent): string[] {
  const images = meta?.['images']
  return (Array.isArray(images) ? images : []).flatMap((image: unknown) => {
    const id = typeof image === 'object' && image !== null && 'debug_id' in image ? image.debug_id : undefined
    return typeof id === 'string' ? [id] : []
  })
}
