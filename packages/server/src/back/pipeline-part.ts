/** The pipeline's state as a line of the doctor. */
import type { Clock } from '@sonde/base'
import type { PipelineState } from '@sonde/pipeline'
import type { PartReport } from '../doctor/report.ts'

export function pipelinePart(state: PipelineState, clock: Clock): PartReport {
  const { trouble, events, duplicates } = state
  if (trouble) {
    const seconds = Math.round((clock.nowMs() - trouble.sinceMs) / 1000)
    return {
      name: 'pipeline',
      state: 'degraded',
      detail: `tries to ${trouble.operation} again since ${seconds} s (${trouble.attempts} times): ${trouble.message}. What arrives waits in the log.`,
    }
  }
  return {
    name: 'pipeline',
    state: 'ok',
    detail: `${countOf(events, 'event')} and ${countOf(duplicates, 'duplicate')} since the start`,
  }
}

const countOf = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`
