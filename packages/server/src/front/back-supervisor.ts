/**
 * Keeps one back process alive: starts it, starts it again when it dies (after a growing pause), tells it to
 * stop and, when it does not, ends it. The front goes on accepting all the while.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { Logger } from '@sonde/base'
import type { LogWriter } from '@sonde/log'
import { appendForBack, type BackMessage, rollForBack } from '../internal/append-through-front.ts'

export type BackState = 'starting' | 'ready' | 'restarting' | 'stopping'
const FIRST_PAUSE_MS = 200
// A back that fails at each start (a full disk, a broken file) must not eat a core with restarts.
const LONGEST_PAUSE_MS = 10_000
/** A back that ran this long was healthy: the next failure starts with the short pause again. */
const HEALTHY_AFTER_MS = 60_000
// The back of a front that was killed has the data folder until it ends by itself (`WITHOUT_FRONT_MS`). The front's own lock on
// the log says that no other Sonde is meant.
const ORPHAN_ENDS_WITHIN_MS = 15_000

export type BackOptions = {
  readonly script: string
  readonly execArgv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly logger: Logger
  /** Appends for the back: dead letters that are tried again. */
  readonly append: LogWriter['append']
  readonly roll: () => Promise<number>
  readonly onReady: (notices: readonly string[]) => void
  /** The first start failed with a message meant for people; nothing was ever ready. */
  readonly onFirstStartFailed: (message: string) => void
}

export function superviseBack(options: BackOptions) {
  const { logger } = options
  let state: BackState = 'starting'
  let child: ChildProcess
  let pauseMs = FIRST_PAUSE_MS
  let wasReady = false
  let failure: Extract<BackMessage, { kind: 'failed' }> | undefined
  const firstStartMs = performance.now()
  let timer: NodeJS.Timeout | undefined

  const answerAppend = async (message: Extract<BackMessage, { kind: 'append' }>): Promise<void> => {
    const answer = await appendForBack(options.append, message)
    if (child.connected) child.send(answer)
  }

  const answerRoll = async (message: Extract<BackMessage, { kind: 'roll' }>): Promise<void> => {
    const answer = await rollForBack(options.roll, message)
    if (child.connected) child.send(answer)
  }

  const start = (): void => {
    const startedMs = performance.now()
    failure = undefined
    child = fork(options.script, [], {
      env: options.env,
      execArgv: [...options.execArgv],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Lets bytes through as bytes.
      serialization: 'advanced',
    })
    child.on('message', (message: BackMessage) => {
      if (message.kind === 'append') void answerAppend(message)
      if (message.kind === 'roll') void answerRoll(message)
      if (message.kind === 'failed') failure = message
      if (message.kind !== 'ready') return
      state = 'ready'
      wasReady = true
      options.onReady(message.notices)
    })
    child.on('error', (error) => logger.error({ err: error }, 'the back process could not be started'))
    child.on('exit', (code, signal) => {
      if (state === 'stopping') return
      const mayHaveOrphan = performance.now() - firstStartMs < ORPHAN_ENDS_WITHIN_MS
      if (!wasReady && failure && !(failure.mayPass && mayHaveOrphan))
        return options.onFirstStartFailed(failure.message)
      if (performance.now() - startedMs > HEALTHY_AFTER_MS) pauseMs = FIRST_PAUSE_MS
      state = 'restarting'
      logger.error({ code, signal, retryInMs: pauseMs }, 'the back process ended; starting it again')
      timer = setTimeout(start, pauseMs)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    })
  }
  start()

  return {
    state: (): BackState => state,
    pid: (): number | undefined => child.pid,
    /**
     * Resolves when the back has ended. After `graceMs`, or once `hurried` aborts, it is killed: its work is repeated from
     * the log at the next start.
     */
    stop(graceMs: number, hurried?: AbortSignal): Promise<void> {
      state = 'stopping'
      clearTimeout(timer)
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
        return Promise.resolve()
      return new Promise((resolve) => {
        const kill = (): void => void child.kill('SIGKILL')
        const late = setTimeout(kill, graceMs)
        child.once('exit', () => {
          clearTimeout(late)
          hurried?.removeEventListener('abort', kill)
          resolve()
        })
        child.kill('SIGTERM')
        if (hurried?.aborted) kill()
        else hurried?.addEventListener('abort', kill, { once: true })
      })
    },
  }
}

export type BackSupervisor = ReturnType<typeof superviseBack>
