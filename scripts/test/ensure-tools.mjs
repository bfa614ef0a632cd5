/**
 * What tests need besides the packages of the lock file: browsers, the stock tools, an S3 server. It takes minutes on a fresh
 * machine, most of them waiting, so that a process of its own installs it while tests run that need nothing of it.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureChromium } from './chromium.mjs'
import { ensureFirefox } from './firefox.mjs'
import { ensureS3Server } from './s3-server.mjs'
import { ensureInspector, ensureStockTools } from './stock-tools.mjs'

/** By the names of `needs` in suites.mjs. Each finds what is there already; the browsers set the variable with their path. */
const TOOLS = {
  chromium: ensureChromium,
  firefox: ensureFirefox,
  s3: ensureS3Server,
  'stock tools': () => [ensureStockTools(), ensureInspector()],
}

const OWN_PATH = fileURLToPath(import.meta.url)

/** Resolves when all of them are there; the process ends with what to do when one cannot be had. */
export async function ensureTools(names) {
  if (names.length === 0) return
  const child = spawn(process.execPath, [OWN_PATH, ...names], { stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) process.exit(code ?? 1)
  for (const name of names) TOOLS[name]()
}

if (process.argv[1] === OWN_PATH)
  try {
    for (const name of process.argv.slice(2)) TOOLS[name]()
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
