/** Symbolicates what a thread has in hand: done, or what it lacks to be. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { Lacking } from '../maps/known-files.ts'
import type { ThreadFiles } from '../maps/thread-files.ts'
import { symbolicateEvent } from './symbolicate-event.ts'

export function symbolicateItem(
  event: NormalizedEvent,
  projectId: number,
  files: Pick<ThreadFiles, 'known' | 'takeLacks'>,
): NormalizedEvent | Lacking {
  let symbolicated: NormalizedEvent
  try {
    symbolicated = symbolicateEvent(event, projectId, files.known)
  } catch (error) {
    files.takeLacks()
    // A defect of ours must not cost the event: it is stored as it came.
    const value = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    return { ...event, errors: [...(event.errors ?? []), { type: FAILED, value }] }
  }
  const lacking = files.takeLacks()
  return lacking.length > 0 ? { lacking } : symbolicated
}

export const FAILED = 'symbolication_failed'
