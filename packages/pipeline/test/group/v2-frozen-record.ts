/** Adds the hashes of fixtures that are not in `v2-frozen.json` yet. Never changes what stands there. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fixtureNames, groupFixture } from './fixture-events.ts'

const file = new URL('v2-frozen.json', import.meta.url)
const frozen = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Record<
  string,
  readonly string[]
>
for (const name of fixtureNames()) frozen[name] ??= groupFixture(name, 'v2').hashes
const lines = Object.entries(frozen)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, hashes]) => `  ${JSON.stringify(name)}: ${JSON.stringify(hashes)}`)
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
