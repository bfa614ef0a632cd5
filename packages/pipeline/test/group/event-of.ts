/** Events for tests of grouping: what is not said is absent. */
import type { Exception, Frame } from '@sonde/protocol/event'
import type { GroupedEvent } from '../../src/group/group-event.ts'

export function eventOf(fields: Partial<GroupedEvent>): GroupedEvent {
  const type = fields.exception ? 'error' : 'default'
  return {
    event_id: '0'.repeat(32),
    type,
    platform: 'other',
    level: 'error',
    timestamp: 0,
    received: 0,
    ...fields,
  }
}

export function frame(fields: Partial<Frame>): Frame {
  return { in_app: true, ...fields }
}

export function thrown(type: string, value: string, frames: readonly Frame[]): Exception {
  return { type, value, ...(frames.length > 0 && { stacktrace: { frames } }) }
}
