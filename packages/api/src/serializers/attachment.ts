import type { Attachment } from '@sonde/queries'
import { isoDate } from './date.ts'

export const attachmentJson = (attachment: Attachment) => ({
  id: String(attachment.id),
  event_id: attachment.eventId,
  type: attachment.type,
  name: attachment.name,
  mimetype: attachment.contentType || 'application/octet-stream',
  dateCreated: isoDate(attachment.receivedMs),
  size: attachment.bytes,
  headers: { 'Content-Type': attachment.contentType || 'application/octet-stream' },
  sha1: attachment.sha1,
})
