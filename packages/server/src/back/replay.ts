/** What can be done about dead letters, over the log and the stores of this process. */
import { openInstallation, operatorViewer } from '@sonde/access'
import type { Logger } from '@sonde/base'
import { changeDeadLetters, type CommandDeps, type DeadLetterActions } from '@sonde/commands'
import type { LogWriter } from '@sonde/log'
import type { DeadLetters } from '@sonde/pipeline'
import { openEngines } from '@sonde/stores'
import type { Config } from '../config/config.ts'
import type { InternalRoute } from './internal-routes.ts'

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

/** A log that has many writers needs no front to append to it. Connects when there is something to append. */
export function appendToNats(
  { engines }: Config,
  logger: Logger,
  onStop: (stop: () => Promise<void>) => void,
): LogWriter['append'] {
  let opening: ReturnType<typeof open> | undefined
  const open = () => openEngines(engines, ['logWriter'], { logger })
  onStop(async () => (await opening?.catch(() => undefined))?.close())
  return async (...record) => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    await (await opening).logWriter.append(...record)
  }
}

export const replayRoute = (
  deps: Pick<CommandDeps, 'records' | 'clock'>,
  actions: DeadLetterActions,
): InternalRoute => ({
  method: 'POST',
  path: '/-/dead/replay',
  contentType: 'application/json',
  answer: async (body) => JSON.stringify(await replayDeadLetters(deps, actions, body)),
})
