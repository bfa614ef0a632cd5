/**
 * `npm run fuzz [target …] [--seed N] [--minutes N] [--input FILE | --packed TEXT]`: without a target all of them in turn, without minutes
 * until Ctrl-C. Ends with 1 when something was found.
 */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { unpacked } from './engine/packed-input.ts'
import { runTarget } from './engine/run-target.ts'
import { TARGET_NAMES } from './targets/index.ts'

const TURN_MS = 60_000
const SAYS_EVERY_MS = 5_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    input: { type: 'string' },
    packed: { type: 'string' },
  },
})
const targets = positionals.length > 0 ? positionals : TARGET_NAMES
const unknown = targets.filter((name) => !TARGET_NAMES.includes(name))
if (unknown.length > 0)
  throw new Error(`no target is called ${unknown.join(', ')}; there are ${TARGET_NAMES.join(', ')}`)
const endMs = values.minutes === undefined ? Infinity : Date.now() + Number(values.minutes) * 60_000
let seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
let found = 0

if (values.input !== undefined) await reproduce(readFileSync(values.input))
else if (values.packed !== undefined) await reproduce(unpacked(values.packed))
else
  for (;;) {
    for (const name of targets) {
      // With one target there is no turn to wait for.
      const turnEndMs = Math.min(endMs, targets.length > 1 ? Date.now() + TURN_MS : endMs)
      await fuzz(name, seed++, turnEndMs)
    }
    if (Date.now() >= endMs) break
  }
process.exit(found > 0 ? 1 : 0)

async function fuzz(name: string, seedNow: number, turnEndMs: number): Promise<void> {
  const startedMs = Date.now()
  let saidMs = startedMs
  process.stdout.write(`${name}: seed ${seedNow}\n`)
  const { inputs, finds } = await runTarget({
    target: name,
    seed: seedNow,
    endMs: turnEndMs,
    onProgress(progress) {
      if (Date.now() - saidMs < SAYS_EVERY_MS) return
      saidMs = Date.now()
      const { inputs: count, corpus, pieces } = progress
      const rate = count / ((saidMs - startedMs) / 1000)
      process.stdout.write(
        `${name}: ${count} inputs, ${rate.toFixed(0)}/s, ${pieces} pieces of code, corpus ${corpus}\n`,
      )
    },
    onFind: ({ detail, path }) => process.stdout.write(`\nFOUND by ${name}, kept in ${path}\n${detail}\n\n`),
  })
  found += finds.length
  process.stdout.write(`${name}: ${inputs} inputs, ${finds.length} finds\n`)
}

async function reproduce(input: Buffer): Promise<void> {
  const [target] = targets
  if (!target || positionals.length !== 1) throw new Error('name the one target that the input is for')
  const { finds } = await runTarget({ target, seed, endMs: 0, only: [input] })
  found = finds.length
  for (const { detail } of finds) process.stdout.write(`${detail}\n`)
  if (found === 0) process.stdout.write('nothing is wrong with it\n')
}
