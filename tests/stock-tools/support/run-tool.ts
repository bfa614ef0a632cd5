/** Runs one of the installed tools as a build does, with nothing of Sonde in it but the environment. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureStockTools } from '../../../scripts/test/stock-tools.mjs'

/** File below `node_modules` that Node runs. */
export const TOOLS = {
  vite: 'vite/bin/vite.js',
  astro: 'astro/bin/astro.mjs',
  next: 'next/dist/bin/next',
  tsc: 'typescript/bin/tsc',
  'sentry-cli 2': 'sentry-cli-2/bin/sentry-cli',
  'sentry-cli 3': 'sentry-cli-3/bin/sentry-cli',
} as const

export type ToolRun = {
  readonly code: number | null
  /** Standard output and standard error as they came. */
  readonly output: string
}

export type ToolName = keyof typeof TOOLS | `./${string}`

/** One of `TOOLS`, or a file below `cwd`. */
export function scriptOf(script: ToolName, cwd: string): string {
  if (script.startsWith('./')) return join(cwd, script)
  return join(ensureStockTools(), 'node_modules', TOOLS[script as keyof typeof TOOLS])
}

/** Resolves whatever the exit code is. */
export function runTool(
  script: ToolName,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [scriptOf(script, cwd), ...args], {
      cwd,
      env: toolEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** The same, for a step that must work. */
export async function mustRun(...call: Parameters<typeof runTool>): Promise<string> {
  const { code, output } = await runTool(...call)
  if (code !== 0) throw new Error(`${call[0]} ${call[1].join(' ')} ended with ${code}\n${output}`)
  return output
}

/** Nothing of a shell that has been set up for another server, and no switch of this test run. */
export function toolEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(SENTRY_|NODE_ENV$|NODE_TEST)/.test(name))
  return { ...Object.fromEntries(kept), NO_PROXY: '127.0.0.1', NO_COLOR: '1', ...env }
}
