/**
 * The console's process: an engine of its own that reads the parts of the store, so that its end frees the console,
 * whatever an expression is computing. Nothing of it writes to the store: its tables lie on a read-only disk.
 */
import { setPriority } from 'node:os'
import { writeFileSync } from 'node:fs'
import { openConsoleEngine } from './console-engine.ts'
import type { ConsoleReply, ConsoleRequest, OpenConsole } from './console-messages.ts'
import { ConsoleError } from '../console.ts'
import { engineErrorCode } from '../engine-error.ts'

// Signals are for the process that started this one; without it nobody would end a statement.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

giveWay()
process.once('message', (first: OpenConsole) => {
  const opening = openConsoleEngine(first)
  opening.then(
    () => answer({ id: 0, text: '' }),
    (error: unknown) => answer({ id: 0, ...failureOf(error) }),
  )
  process.on('message', (request: ConsoleRequest) => {
    opening
      .then((engine) => engine.handle(request))
      .then(
        (text) => answer({ id: request.id, text }),
        (error: unknown) => answer({ id: request.id, ...failureOf(error) }),
      )
  })
})

function answer(reply: ConsoleReply): void {
  process.send?.(reply)
}

function failureOf(error: unknown): { readonly code: number | undefined; readonly message: string } {
  const code = error instanceof ConsoleError ? error.code : engineErrorCode(error)
  return { code, message: error instanceof Error ? error.message : String(error) }
}

/** The pipeline and the screens go first when processor or memory are short. */
function giveWay(): void {
  try {
    setPriority(10)
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // Where it cannot be said, it is a process like others.
  }
}
