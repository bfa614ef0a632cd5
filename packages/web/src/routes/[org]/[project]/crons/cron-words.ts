/** What states and ends of runs are called. Pure. */
import type { CronEnvironment, CronMonitor } from '@sonde/queries'
import type { CronRunStatus } from '@sonde/stores'

export const RUN_STATUSES = ['ok', 'error', 'missed', 'timeout', 'in_progress', 'unknown'] as const

export const RUN_WORDS: Readonly<Record<CronRunStatus, string>> = {
  ok: 'OK',
  error: 'Failed',
  missed: 'Missed',
  timeout: 'Timed out',
  in_progress: 'In progress',
  unknown: 'Unknown',
}

type Tone = 'neutral' | 'good' | 'bad' | 'attention'
export const RUN_TONES: Readonly<Record<CronRunStatus, Tone>> = {
  ok: 'good',
  error: 'bad',
  missed: 'attention',
  timeout: 'bad',
  in_progress: 'neutral',
  unknown: 'neutral',
}

export type ShownEnvironment = Pick<
  CronEnvironment,
  'id' | 'name' | 'state' | 'sinceMs' | 'nextMs' | 'checkedMs' | 'isFailing' | 'isRunning' | 'incidentId'
>

/** Without what only the API tells. */
export const shownEnvironment = ({
  id,
  name,
  state,
  sinceMs,
  nextMs,
  checkedMs,
  isFailing,
  isRunning,
  incidentId,
}: CronEnvironment): ShownEnvironment => ({
  id,
  name,
  state,
  sinceMs,
  nextMs,
  checkedMs,
  isFailing,
  isRunning,
  incidentId,
})

/** `1 failed, 22 OK`; the worse first. */
export function countWords(statuses: readonly CronRunStatus[]): string {
  const counted = RUN_STATUSES.map((status) => ({
    word: RUN_WORDS[status],
    count: statuses.filter((each) => each === status).length,
    isOk: status === 'ok',
  })).filter(({ count }) => count > 0)
  return [...counted.filter(({ isOk }) => !isOk), ...counted.filter(({ isOk }) => isOk)]
    .map(({ word, count }) => `${count} ${word === 'OK' ? word : word.toLowerCase()}`)
    .join(', ')
}

/** Whether it is worth a look before others: failing, then a last run that was not right, then by name. */
export function worseFirst(a: ShownEnvironment, b: ShownEnvironment): number {
  const rank = ({ isFailing, state }: ShownEnvironment): number =>
    isFailing ? 0 : state === 'ok' || state === 'new' ? 2 : 1
  return rank(a) - rank(b)
}

export type MonitorFlags = Pick<CronMonitor, 'isEnabled' | 'isMuted'>
