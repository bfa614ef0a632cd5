/**
 * The way of an event, from the bytes of its item to rows. Pure: runs on worker threads. Stores come afterwards,
 * in `commit/`; what `symbolicate` needs of them is brought between two runs.
 */
import { normalizeEventId } from '@sonde/protocol/event-id'
import { groupByRules } from './group/group-by-rules.ts'
import { isMissingFiles, type MissingFiles } from './maps/file-requests.ts'
import { classifyNoise } from './noise/classify-noise.ts'
import { isSuperseded } from './noise/superseded.ts'
import { normalizeEvent, parseEventJson } from './normalize/index.ts'
import { type ProcessedEvent, eventIdFromPosition } from './process/processed.ts'
import { scrubEvent } from './scrub/index.ts'
import { chain, drop, type Stage } from './stage-runner.ts'
import { encodeEvent } from './stages/encode.ts'
import type { EventInput, GroupedInput, ParsedEvent, WithEvent } from './stages/event-input.ts'
import { filterReason } from './stages/filter.ts'
import { symbolicateItem } from './symbolicate/symbolicate-event.ts'

const parse: Stage<EventInput, ParsedEvent> = {
  name: 'parse',
  run(input) {
    const parsed = parseEventJson(input.payload)
    if (parsed.ok) return { ...input, raw: parsed.value }
    return drop('invalid', parsed.reason === 'too_large' ? 'too_large' : 'bad_json', parsed.detail)
  },
}

const normalize: Stage<ParsedEvent, WithEvent> = {
  name: 'normalize',
  run({ raw, ...input }) {
    const { retentionDays } = input.settings
    const event = normalizeEvent(raw, { ...input.context, eventId: eventIdOf(raw, input), retentionDays })
    return { ...input, event }
  },
}

const filter: Stage<WithEvent, WithEvent> = {
  name: 'filter',
  run(input) {
    const reason = filterReason(input.event, input.settings.filters)
    if (reason !== undefined) return drop('filtered', reason)
    const { deployed } = input.settings
    const noise = classifyNoise(
      input.event,
      isSuperseded(input.event, input.receivedMs, deployed?.[input.projectId]),
    )
    if (!noise) return input
    if (input.settings.noise.actions[noise.class] === 'drop') return drop('filtered', `noise:${noise.class}`)
    return { ...input, event: { ...input.event, derived: { ...input.event.derived, noise } } }
  },
}

const scrub: Stage<WithEvent, WithEvent> = {
  name: 'scrub',
  run: (input) => ({ ...input, event: scrubEvent(input.event, input.settings.scrub) }),
}

const symbolicate: Stage<WithEvent, WithEvent, MissingFiles> = {
  name: 'symbolicate',
  run(input) {
    const { files, projectId } = input
    if (!files) return input
    const event = symbolicateItem(input.event, projectId, files)
    return isMissingFiles(event) ? event : { ...input, event }
  },
}

const group: Stage<WithEvent, GroupedInput> = {
  name: 'group',
  run(input) {
    const { event, hashes } = groupByRules(input.event, input.settings.grouping, input.receivedMs)
    return { ...input, event, hashes }
  },
}

const encode: Stage<GroupedInput, ProcessedEvent> = { name: 'encode', run: encodeEvent }

/** The envelope's id wins over the payload's; without either it is made from the place in the log. */
function eventIdOf(raw: unknown, input: EventInput): string {
  const own = typeof raw === 'object' && raw !== null ? (raw as { event_id?: unknown }).event_id : undefined
  return input.eventId ?? normalizeEventId(own) ?? eventIdFromPosition(input)
}

export const EVENT_STAGES = chain([parse, normalize, filter, scrub, symbolicate, group, encode])
