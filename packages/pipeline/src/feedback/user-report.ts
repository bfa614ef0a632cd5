/**
 * An item `user_report` (what `showReportDialog` and older SDKs send about one event) as the feedback that it is, so that
 * both kinds have one inbox. https://develop.sentry.dev/sdk/data-model/envelope-items/#user-feedback
 */
import { hash } from 'node:crypto'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { parseEventJson } from '../normalize/index.ts'
import type { EventInput } from '../stages/event-input.ts'

const MAX_TEXT = 4_096

/** What is no report stays as it is: the stages refuse it. */
export function feedbackOfReport(input: EventInput): EventInput {
  const context = { ...input.context, itemType: 'feedback' }
  const parsed = parseEventJson(input.payload)
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return { ...input, context }
  const report = parsed.value as Readonly<Record<string, unknown>>
  const text = (name: string): string => {
    const value = report[name]
    return typeof value === 'string' ? value.trim().slice(0, MAX_TEXT) : ''
  }
  const about = normalizeEventId(report['event_id']) ?? input.eventId
  const [email, name, message] = [text('email'), text('name'), text('comments')]
  const feedback = {
    message,
    source: 'user_report',
    ...(email !== '' && { contact_email: email }),
    ...(name !== '' && { name }),
    ...(about !== undefined && { associated_event_id: about }),
  }
  const user = { ...(email !== '' && { email }), ...(name !== '' && { name }) }
  const payload = Buffer.from(JSON.stringify({ platform: 'other', user, contexts: { feedback } }))
  // The envelope names the event that it is about. The same report again is the same feedback.
  const eventId = hash('sha256', JSON.stringify(['user_report', about, email, message]), 'hex').slice(0, 32)
  return { ...input, payload, eventId, context }
}
