/** Real records and blobs with one project, and events read with what was uploaded to it. */
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'
import { openTestBlobs, openTestRecords } from '../../../../tests/harness/engines.ts'
import { isMissingFiles, type MissingFiles } from '../../src/maps/file-requests.ts'
import { pipelineFiles } from '../../src/maps/pipeline-files.ts'
import { createThreadFiles, MAP_CACHE_BYTES } from '../../src/maps/thread-files.ts'
import { normalizeEvent } from '../../src/normalize/index.ts'
import { symbolicateItem } from '../../src/symbolicate/symbolicate-event.ts'
import { upload, type UploadedFile } from './upload.ts'

export type FileHarness = Awaited<ReturnType<typeof openFileHarness>>

export async function openFileHarness(maxBytes = MAP_CACHE_BYTES) {
  const { dir, records, close } = await openTestRecords()
  const blobs = await openTestBlobs(dir)
  const named = (slug: string) => ({ slug, name: slug, created_ms: 0 })
  const { id: orgId } = await records
    .insertInto('organization')
    .values(named('acme'))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: projectId } = await records
    .insertInto('project')
    .values({ ...named('shop'), org_id: orgId, platform: 'javascript' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const shared = pipelineFiles({ records, blobs, clock, logger })
  const files = createThreadFiles(shared.source, { maxBytes })

  const done = async <Done extends object>(attempt: () => Done | MissingFiles): Promise<Done> => {
    files.setVersion(await shared.version())
    for (;;) {
      const result = attempt()
      if (!isMissingFiles(result)) {
        files.release()
        return result
      }
      await files.supply(result.missing)
    }
  }

  return {
    records,
    blobs,
    projectId,
    /** As the pipeline hands them to its threads. */
    shared,
    files,
    done,
    upload: (uploaded: readonly UploadedFile[], of?: { release?: string; dist?: string }) =>
      upload({ records, blobs }, projectId, uploaded, of),
    symbolicate: (event: NormalizedEvent): Promise<NormalizedEvent> =>
      done(() => symbolicateItem(event, projectId, files)),
    close,
  }
}

/** As it is after normalising. */
export function eventOf(frames: readonly object[], more: object = {}): NormalizedEvent {
  const raw = {
    platform: 'javascript',
    exception: [{ type: 'TypeError', value: 'no cart', stacktrace: { frames } }],
    ...more,
  }
  const receivedMs = Date.now()
  return normalizeEvent(raw, { receivedMs, eventId: '1'.repeat(32), retentionDays: 90, itemType: 'event' })
}

export const framesOf = (event: NormalizedEvent): readonly Frame[] =>
  event.exception?.[0]?.stacktrace?.frames ?? []

export const debugId = (digit: string): string => `${digit.repeat(8)}-1111-4111-8111-111111111111`

/** `debug_meta` that names the id of one file. */
export const imageOf = (url: string, id: string) => ({
  debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: id }] },
})
