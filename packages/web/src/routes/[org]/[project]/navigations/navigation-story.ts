/** How one navigation ended, in a sentence. */
import type { NavigationDetail } from '@sonde/queries'
import { formatDuration } from '../../../../format/format-duration.ts'
import { explainFullLoad } from './full-load-reasons.ts'
import { OUTCOME_WORDS, wordOf } from './navigation-words.ts'

type Told = Pick<NavigationDetail, 'outcome' | 'reason' | 'visibleAfterMs' | 'durationMs' | 'waitingFor'>

export function navigationStory({ outcome, reason, visibleAfterMs, durationMs, waitingFor }: Told): string {
  const after = formatDuration(visibleAfterMs ?? durationMs)
  const waiting = waitingFor === '' ? '' : `, waiting for ${waitingFor}`
  switch (outcome) {
    case 'committed':
      return `The page was seen after ${after}.${waitingFor === '' ? '' : ` It hung, waiting for ${waitingFor}.`}`
    case 'pending':
      return `Still under way after ${after}${waiting}. No end was told: the tab was probably closed.`
    case 'left':
      return `Left after ${after}${waiting}.`
    case 'timed_out':
      return `Given up by the reporter after ${after}${waiting}.`
    case 'full_load':
      return `After ${after} the browser loaded the whole page: ${lowerFirst(explainFullLoad(reason).title)}.`
    case 'errored':
      return `After ${after} an error page was shown${reason === '' ? '' : ` (${reason})`}.`
    default: {
      const words = wordOf(OUTCOME_WORDS, outcome) ?? 'ended in a way that is not known'
      return `After ${after} it was ${words}${reason === '' ? '' : ` (${reason})`}.`
    }
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
