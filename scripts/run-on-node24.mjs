/** Hands over to Node 24: in this process when it already is one, else in a child that gets our signals. */
import { spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { NODE, toolEnv } from './setup.mjs'

/** `script` reads its arguments from `process.argv` as if it had been started directly. */
export async function runOnNode24(script, args) {
  if (process.versions.node.startsWith('24.')) {
    process.argv = [process.argv[0], script, ...args]
    await import(pathToFileURL(script).href)
    return
  }
  const child = spawn(NODE, [script, ...args], { stdio: 'inherit', env: toolEnv() })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
