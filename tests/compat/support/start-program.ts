/** Starts a server that uses an SDK; it prints its address when it listens, and ends when its standard input does. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const LISTENS_WITHIN_MS = 60_000
const ENDS_WITHIN_MS = 30_000

export type RunningProgram = {
  readonly url: string
  /** Resolves when it has sent what it recorded and ended well; rejects when it did not. */
  stop(): Promise<void>
}

export async function startProgram(
  command: string,
  args: readonly string[],
  dsn: string,
): Promise<RunningProgram> {
  const child = spawn(command, args, {
    env: { ...process.env, SENTRY_DSN: dsn, NO_PROXY: '127.0.0.1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const ended = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? String(signal))),
  )
  const timer = setTimeout(() => child.kill('SIGKILL'), LISTENS_WITHIN_MS)
  const url = await Promise.race([
    new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve)),
    ended.then((code) => Promise.reject(new Error(`${command} ended with ${code}\n${errors}`))),
  ])
  clearTimeout(timer)
  return {
    url,
    async stop() {
      const late = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS)
      child.stdin.end()
      const code = await ended
      clearTimeout(late)
      if (code !== 0) throw new Error(`${command} ended with ${code}\n${errors}`)
    },
  }
}
