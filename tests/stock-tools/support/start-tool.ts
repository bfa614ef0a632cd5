/** Starts a server that a tool built, and waits for the address that it prints. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { scriptOf, type ToolName, toolEnv } from './run-tool.ts'

const READY_WITHIN_MS = 60_000

export type StartedTool = { readonly url: string; stop(): Promise<void> }

/** `ready`: finds the port in what the program prints. */
export async function startTool(
  script: ToolName,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  ready = /http:\/\/(?:127\.0\.0\.1|localhost):([1-9]\d*)/,
): Promise<StartedTool> {
  const child = spawn(process.execPath, [scriptOf(script, cwd), ...args], {
    cwd,
    env: toolEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let output = ''
  const port = await new Promise<string>((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill('SIGKILL')
      reject(new Error(`${script} ${why}\n${output}`))
    }
    const timer = setTimeout(() => fail(`was not ready within ${READY_WITHIN_MS} ms`), READY_WITHIN_MS)
    const ended = (code: number | null): void => fail(`ended with ${code} before it was ready`)
    child.once('exit', ended).once('error', (error) => fail(error.message))
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const found = ready.exec(output)?.[1]
        if (found === undefined) return
        clearTimeout(timer)
        child.off('exit', ended)
        resolve(found)
      })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}
