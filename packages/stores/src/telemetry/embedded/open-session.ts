/** Opens the engine's data folder, once per process, and says who has it when that fails. */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SondeError } from '@sonde/base'
import { Session } from 'chdb'
import { forgetGhostTokens } from './forget-ghost-tokens.ts'

/** Throws `SondeError`: `conflict` when another process has the folder open, `unavailable` for anything else. */
export function openSession(dir: string, args: readonly string[]): Session {
  const operation = 'open the telemetry store'
  try {
    mkdirSync(dir, { recursive: true })
    if (holderOf(dir) === undefined) forgetGhostTokens(dir)
    return new Session(dir, { connectionArgs: args })
  } catch (cause) {
    const holder = holderOf(dir)
    if (holder !== undefined) {
      throw new SondeError('conflict', `${operation}: process ${holder} has ${dir} open`, {
        operation,
        subject: dir,
        cause,
        hint: `only one process can open it: stop process ${holder}, or ask the Sonde that runs instead of opening a second one`,
      })
    }
    throw new SondeError('unavailable', `${operation}: ${(cause as Error).message} (${dir})`, {
      operation,
      subject: dir,
      cause,
      hint: 'see the line the engine printed above; the folder must be writable and of this or an older version',
    })
  }
}

/** The engine locks `status` and writes its process id into it; it prints the reason only to stderr. */
function holderOf(dir: string): number | undefined {
  const status = join(dir, 'status')
  try {
    const pid = Number(/^PID: (\d+)/m.exec(readFileSync(status, 'utf8'))?.[1])
    const isOther = Number.isSafeInteger(pid) && pid > 0 && pid !== process.pid
    return isOther && (isLocked(status) ?? isAlive(pid)) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Undefined where the system does not say. The id alone misleads: a restarted container gives it to somebody else. */
function isLocked(path: string): boolean | undefined {
  if (!existsSync('/proc/locks')) return undefined
  return readFileSync('/proc/locks', 'utf8').includes(`:${statSync(path).ino} `)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
