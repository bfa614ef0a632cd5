/** `npm run bench [part …] [--json]`: measures and prints one table. README.md says how each figure is made. */
import { accept } from './accept.ts'
import { kills } from './kills.ts'
import { persist } from './persist.ts'
import type { Figure } from './report/figure.ts'
import { figureTable } from './report/table.ts'
import { starts } from './starts.ts'
import { stored } from './stored.ts'

type Part = (say: (text: string) => void) => Promise<Figure[]>
const PARTS: Readonly<Record<string, Part>> = { accept, persist, stored, kills, starts }

const args = process.argv.slice(2)
const asJson = args.includes('--json')
const wanted = args.filter((arg) => arg !== '--json')
const unknown = wanted.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  console.error(`no part is called ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`)
  process.exit(2)
}

const figures: Figure[] = []
for (const [name, run] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const startedMs = performance.now()
  try {
    figures.push(...(await run((text) => console.error(`${name}: ${text}`))))
  } catch (error) {
    // The other parts say what they have to say all the same.
    process.exitCode = 1
    console.error(`${name}: failed:`, error)
  }
  console.error(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
}
console.log(asJson ? JSON.stringify(figures, null, 2) : figureTable(figures))
