/** What was measured as a table to paste, with what is needed to measure it again. */
import { cpus, totalmem } from 'node:os'
import type { Measured } from './measure.ts'
import type { SoakRow } from './soak.ts'

export type About = {
  readonly date: string
  readonly machine: string
  readonly version: string
  readonly command: string
  readonly kneePerSec: number
}

const GIB = 2 ** 30

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / GIB)} GiB, Node ${process.versions.node}`

export function aboutText({ date, machine, version, command, kneePerSec }: About): string {
  return `Sonde ${version}, ${date}, ${machine}; knee ${Math.round(kneePerSec)} errors a second. \`${command}\``
}

export function scenarioTable(results: readonly Measured[]): string {
  const rows = results.map(({ scenario, what, forMs, attack, behaved, rssMb, normalAfterSec, ...checks }) => {
    const { ok, refused, failed, timedOut, dropped } = attack
    const failures = [...checks.invariants, ...checks.budgets].filter((check) => !check.ok)
    return [
      `\`${scenario}\``,
      `${what}, ${Math.round(forMs / 1_000)} s`,
      `${count(ok)} / ${count(refused)} / ${count(failed + timedOut + dropped)}`,
      `${count(behaved.missing)} of ${count(behaved.sent)}`,
      `${ms(behaved.quietMs.p50)} → ${ms(behaved.attackedMs.p50)}, ${ms(behaved.quietMs.p99)} → ${ms(behaved.attackedMs.p99)}`,
      `${rssMb.both} (${rssMb.front} + ${rssMb.back})`,
      `${normalAfterSec.toFixed(1)} s`,
      failures.length === 0 ? 'all' : failures.map(({ name, detail }) => `not ${name}: ${detail}`).join('; '),
    ]
  })
  return table(
    [
      'scenario',
      'what was done',
      'taken / refused / not answered',
      'lost of those that behave',
      'their latency p50, p99 in ms',
      'RSS in MB',
      'normal after',
      'held',
    ],
    rows,
  )
}

export function soakTable(rows: readonly SoakRow[], slopes: Readonly<Record<string, number>>): string {
  const cells = rows.map((row) => Object.values(row).map(String))
  const perHour = ['per hour', ...Object.values(slopes).map(String)]
  return table(SOAK_COLUMNS, [...cells, perHour])
}

export const SOAK_COLUMNS = [
  'minutes',
  'front MB',
  'back MB',
  'front heap MB',
  'back heap MB',
  'engine MB',
  'its caches MB',
  'handles',
  'parts',
  'lag s',
  'p99 ms',
  'disk MB',
] as const

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const count = (value: number): string => value.toLocaleString('en')
const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0)
