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

/** The table of README.md. Systems take turns, `rounds` times; what is known after each round is said. */
export async function peers(say: (text: string) => void, rounds: number): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const own = sondePeer(version)
  const rivals = [bugsinkPeer]
  const findings = createFindings()
  const names = rivals.map(({ name }) => name)
  const table = (measured: number): string =>
    [
      `${new Date().toISOString().slice(0, 10)}, ${machine()}; medians of ${measured} rounds (least–most):`,
      '',
      findingsTable(findings, own.name, names),
    ].join('\n')
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}, load of the machine ${loadavg()[0]?.toFixed(1)}`)
    for (const peer of [own, ...rivals]) await measurePeer(peer, { findings, say })
    await measureInserts(findings)
    await measureBareHttp(findings)
    if (round < rounds) say(`by now:\n${table(round)}`)
  }
  return table(rounds)
}

function machine(): string {
  const [processor] = cpus()
  const memory = Math.round(totalmem() / GB)
  const load = loadavg()[0]?.toFixed(1)
  return `${cpus().length} × ${processor?.model}, ${memory} GiB, Node ${process.versions.node}, load ${load}`
}
