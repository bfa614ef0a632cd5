/** Starts the process that copies (`backup-process.ts`), and hears what it says. */
import { type ChildProcess, fork } from 'node:child_process'
import { SondeError } from '@sonde/base'
import { errorOf } from '../internal/error-text.ts'
import type { FromCopier, ToCopier } from './backup-messages.ts'
import type { BackupProgress } from './manifest.ts'

export type Copier = {
  send(message: ToCopier): void
  /** Rejects when the process fails or ends before. */
  heard<Kind extends FromCopier['kind']>(kind: Kind): Promise<Extract<FromCopier, { kind: Kind }>>
  end(): Promise<void>
}

export type CopierOptions = {
  /** The file of `backup-process.ts`, in the sources or the bundle. */
  readonly entry: string
  readonly onProgress?: (progress: BackupProgress) => void
  /** Ends it; nothing of a backup stays then but what the next prune removes. */
  readonly signal?: AbortSignal
}

export function startCopier(operation: string, { entry, onProgress, signal }: CopierOptions): Copier {
  const child: ChildProcess = fork(entry, [], {
    // Of ours only what finds the sources in development.
    execArgv: process.execArgv.filter((arg) => arg.startsWith('--conditions=')),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const heard = new Map<FromCopier['kind'], PromiseWithResolvers<FromCopier>>()
  const slot = (kind: FromCopier['kind']): PromiseWithResolvers<FromCopier> => {
    const known = heard.get(kind)
    if (known) return known
    const made = Promise.withResolvers<FromCopier>()
    // Whoever waits for another hears of a failure there.
    made.promise.catch(() => undefined)
    heard.set(kind, made)
    return made
  }
  let failure: unknown
  const fail = (error: unknown): void => {
    failure ??= error
    for (const { reject } of heard.values()) reject(failure)
  }
  child.on('message', (message: FromCopier) => {
    if (message.kind === 'progress') onProgress?.(message.progress)
    else if (message.kind === 'failed') fail(errorOf(operation, message.error))
    else slot(message.kind).resolve(message)
  })
  child.on('error', fail)
  child.once('exit', (code, by) =>
    fail(
      new SondeError('unavailable', `the process that copies was ended (${by ?? code})`, {
        operation,
        hint: 'try again. It needs some 150 MB of memory beside Sonde',
      }),
    ),
  )
  const abort = (): void => {
    fail(new SondeError('unavailable', 'it was ended', { operation }))
    child.kill('SIGKILL')
  }
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  return {
    send: (message) => {
      if (child.connected) child.send(message)
    },
    async heard(kind) {
      const { promise, reject } = slot(kind)
      if (failure !== undefined) reject(failure)
      return (await promise) as never
    },
    async end() {
      signal?.removeEventListener('abort', abort)
      // What it said last is done: it waits for connections to end at most.
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
  }
}
