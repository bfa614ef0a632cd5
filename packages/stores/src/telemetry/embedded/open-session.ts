/** Opens the engine's data folder, once per process, and says who has it when that fails. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SondeError } from '@sonde/base'
import { Session } from 'chdb'

/** Throws `SondeError`: `conflict` when another process has the folder open, `unavailable` for anything else. */
export function openSession(dir: string, args: readonly string[]): Session {
  const operation = 'open the telemetry store'
  try {
    mkdirSync(dir, { recursive: true })
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
  try {
    const pid = Number(/^PID: (\d+)/m.exec(readFileSync(join(dir, 'status'), 'utf8'))?.[1])
    if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return undefined
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}
