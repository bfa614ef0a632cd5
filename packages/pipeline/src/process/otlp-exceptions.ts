/** Error events out of OTLP requests: what was thrown goes the way of events beside the rows of its request. */
import { OTLP_LOGS_ITEM } from '@sonde/protocol/otlp'
import type { OutcomeFields } from '@sonde/stores'
import { readOtlpLogs } from '../logs/log-stages.ts'
import { isMissingFiles, type MissingFile, type MissingFiles } from '../maps/file-requests.ts'
import {
  type Exceptions,
  exceptionsOfLogs,
  exceptionsOfSpans,
  mayHoldExceptions,
} from '../otlp/exceptions.ts'
import { readOtlp } from '../spans/span-stages.ts'
import { isDropped, type StageTimes } from '../stage-runner.ts'
import { EVENT_STAGES } from '../stages.ts'
import type { ItemInput } from '../stages/event-input.ts'
import { outcome } from './item-outcomes.ts'
import type { ProcessedEvent } from './processed.ts'

const CATEGORY = 'error'

export type FoundExceptions = {
  readonly found: readonly ProcessedEvent[]
  /** Of those that became no event. */
  readonly outcomes: readonly OutcomeFields[]
}

/** Of a request whose rows could be read. */
export function otlpExceptions(input: ItemInput, times: StageTimes): FoundExceptions | MissingFiles {
  const { inputs, tooMany } = readExceptions(input)
  const found: ProcessedEvent[] = []
  const outcomes: OutcomeFields[] = []
  const missing: MissingFile[] = []
  if (tooMany > 0) outcomes.push(outcome(input, CATEGORY, 'invalid', 'too_many_items', tooMany))
  for (const each of inputs) {
    const result = EVENT_STAGES.run({ ...each, context: { ...each.context, itemType: 'event' } }, times)
    if (isMissingFiles(result)) missing.push(...result.missing)
    else if (isDropped(result))
      outcomes.push(outcome(input, CATEGORY, result.dropped.outcome, result.dropped.reason, 1))
    else found.push(result)
  }
  return missing.length > 0 ? { missing } : { found, outcomes }
}

function readExceptions(input: ItemInput): Exceptions {
  const { payload, header } = input
  if (!mayHoldExceptions(payload)) return { inputs: [], tooMany: 0 }
  const contentType = header['content_type']
  return header.type === OTLP_LOGS_ITEM
    ? exceptionsOfLogs(readOtlpLogs(payload, contentType) ?? [], input)
    : exceptionsOfSpans(readOtlp(payload, contentType) ?? [], input)
}
