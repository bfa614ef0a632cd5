import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs TypeScript in a process of its own; resolves with what it printed once `until` appears or it ends. */
export async function runScript(
  source: string,
  args: readonly string[],
  until?: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly child: ChildProcess; readonly output: string; readonly code: number | null }> {
  const child = spawn(
    process.execPath,
    ['--conditions=@sonde/source', '--input-type=module-typescript', '-e', source, '--', ...args],
    {
      cwd: import.meta.dirname,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const ended = once(child, 'close')
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    output += chunk.toString()
    if (until !== undefined && output.includes(until)) return { child, output, code: null }
  }
  await ended
  if (until !== undefined) throw new Error(`ended without "${until}": ${output}${errors}`)
  return { child, output, code: child.exitCode }
}
