/** Runs a program that uses an SDK, with nothing of Sonde in it but the DSN. */
import { execFile } from 'node:child_process'

const ENDS_WITHIN_MS = 60_000

export type ProgramRun = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Resolves whatever the exit code; rejects when the program cannot be started or does not end. */
export function runProgram(
  command: string,
  args: readonly string[],
  dsn: string,
  more: NodeJS.ProcessEnv = {},
): Promise<ProgramRun> {
  const env = { ...process.env, SENTRY_DSN: dsn, NO_PROXY: '127.0.0.1', ...more }
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      { env, timeout: ENDS_WITHIN_MS, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        if (child.exitCode === null)
          reject(error ?? new Error(`${command} ended by ${String(child.signalCode)}`))
        else resolve({ code: child.exitCode, stdout, stderr })
      },
    )
  })
}
