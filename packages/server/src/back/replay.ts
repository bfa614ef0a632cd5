/** What can be done about dead letters, over the log and the stores of this process. */
import { openInstallation, operatorViewer } from '@sonde/access'
import { changeDeadLetters, type CommandDeps, type DeadLetterActions } from '@sonde/commands'
import type { LogWriter } from '@sonde/log'
import type { DeadLetters } from '@sonde/pipeline'

export function deadLetterActions(dead: DeadLetters, append: LogWriter['append']): DeadLetterActions {
  return {
    waiting: async (limit) => (await dead.list({ limit, waitingOnly: true })).map(({ id }) => id),
    replay: (id) => dead.replay(id, append),
    discard: (id) => dead.discard(id),
  }
}

export type ReplayReport = {
  readonly replayed: readonly number[]
  readonly failed: readonly { readonly id: number; readonly message: string }[]
}

/** `sonde dead replay`. `body`: JSON of `{ids: number[]}`; an empty list means all that wait. */
export async function replayDeadLetters(
  deps: Pick<CommandDeps, 'records' | 'clock'>,
  actions: DeadLetterActions,
  body: string,
): Promise<ReplayReport> {
  const { ids } = JSON.parse(body) as { ids: number[] }
  const requested = ids.length > 0 ? ids : 'all'
  const { done, failed } = await changeDeadLetters(
    deps,
    actions,
    openInstallation(operatorViewer),
    'replay',
    requested,
  )
  return { replayed: done, failed }
}
