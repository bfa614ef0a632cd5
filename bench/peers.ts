/** Sonde beside its rivals, as far as a package registry has them: README.md says how. */
import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { bugsinkPeer } from './peers/bugsink.ts'
import { findingsTable } from './peers/findings-table.ts'
import { createFindings } from './peers/findings.ts'
import { measureBareHttp, measureInserts } from './peers/limits.ts'
import { measurePeer } from './peers/measure-peer.ts'
import { sondePeer } from './peers/sonde-peer.ts'

const GB = 1024 ** 3

/** Prints the table of README.md. Systems take turns, `rounds` times. */
export async function peers(say: (text: string) => void, rounds: number): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const own = sondePeer(version)
  const rivals = [bugsinkPeer]
  const findings = createFindings()
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}, load of the machine ${loadavg()[0]?.toFixed(1)}`)
    for (const peer of [own, ...rivals]) await measurePeer(peer, { findings, say })
    await measureInserts(findings)
    await measureBareHttp(findings)
  }
  const [processor] = cpus()
  return [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${processor?.model}, ${Math.round(totalmem() / GB)} GiB, ` +
      `Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}; medians of ${rounds} rounds (least–most):`,
    '',
    findingsTable(
      findings,
      own.name,
      rivals.map(({ name }) => name),
    ),
  ].join('\n')
}
