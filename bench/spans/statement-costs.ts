/**
 * What each statement of each screen reads: `node statement-costs.ts <data dir> [part of a screen's name]`. A process of its
 * own, because the embedded engine of a process opens one folder.
 */
import { join } from 'node:path'
import { silentLogger } from '@sonde/base'
import { openRecords, openTelemetry } from '@sonde/stores'
import { memberOf, screenReads } from '../../tests/harness/screen-reads.ts'
import { spanScreens } from './span-screens.ts'

const [dir = '', only = ''] = process.argv.slice(2)
const telemetry = await openTelemetry({ dir: join(dir, 'telemetry') }, { logger: silentLogger })
// The counters are of the whole engine.
await telemetry.command('SYSTEM STOP MERGES')
const records = await openRecords({ file: join(dir, 'records.sqlite') }, { logger: silentLogger })
const readsOf = screenReads({ records: records.db, telemetry })
const viewer = await memberOf(records.db, 'acme')
const screens = spanScreens({ trace: '', issue: '' }).filter(({ name }) => name.includes(only))
const whole = (value: number): string => Math.round(value).toLocaleString('en').padStart(12)

for (const { name, path } of screens) {
  if (/\/sql\?|\/traces\/|\/issues\//.test(path)) continue
  await readsOf(viewer, path)
  const statements = await readsOf(viewer, path)
  const sum = (of: 'rows' | 'bytes' | 'cpuMs'): number => statements.reduce((all, each) => all + each[of], 0)
  console.log(`${whole(sum('cpuMs'))} ms ${whole(sum('rows'))} rows ${whole(sum('bytes') / 1e6)} MB  ${name}`)
  for (const { sql, rows, bytes, cpuMs } of statements.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, 8))
    console.log(
      `  ${whole(cpuMs)} ms ${whole(rows)} rows ${whole(bytes / 1e6)} MB  ${sql.replace(/\s+/g, ' ').slice(0, 150)}`,
    )
}
await records.close()
await telemetry.close()
