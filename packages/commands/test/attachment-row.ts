import type { AttachmentTable, Insertable } from '@sonde/stores'
import { NOW_MS } from './harness.ts'

export const EVENT_ID = 'e'.repeat(32)

export const attachmentRow = (
  projectId: number,
  position: number,
  blob: string,
  createdMs = NOW_MS,
): Insertable<AttachmentTable> => ({
  project_id: projectId,
  event_id: EVENT_ID,
  name: 'a.txt',
  content_type: '',
  attachment_type: 'event.attachment',
  shown_as: 'text/plain',
  bytes: 1,
  sha1: '',
  sha256: blob,
  blob,
  log_position: position,
  item_index: 0,
  created_ms: createdMs,
})
