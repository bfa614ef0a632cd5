/** The doctor's report for people. */
import { table } from '../cli/print.ts'
import type { DoctorReport, PartState } from './report.ts'

const SIGNS: Readonly<Record<PartState, string>> = { ok: '✓', degraded: '!', down: '✗', stopped: '–' }

export function reportText(report: DoctorReport): string {
  const parts = report.parts.map(({ name, state, detail }) => [`  ${SIGNS[state]}`, name, state, detail])
  const outcomes = report.outcomes.map(({ category, outcome, reason, quantity }) => [
    `  ${quantity.toLocaleString('en')}`,
    category,
    outcome,
    reason,
  ])
  const processes = report.processes.map(({ name, pid, uptimeMs, rssBytes, privateBytes, cpuShare }) => [
    `  ${name}`,
    `pid ${pid}`,
    `up ${Math.round(uptimeMs / 60_000)} min`,
    `${mb(rssBytes)} resident`,
    privateBytes === undefined ? '' : `${mb(privateBytes)} private`,
    `${Math.round(cpuShare * 100)}% of a core`,
  ])
  const { depthBytes, keptBytes, oldestAgeMs } = report.log
  const waiting =
    depthBytes === 0
      ? 'nothing waits'
      : `${depthBytes.toLocaleString('en')} bytes wait, the oldest for ${(oldestAgeMs / 1000).toFixed(1)} s`
  return [
    `Sonde ${report.version}: ${report.state}`,
    '',
    table(parts),
    '',
    ...(processes.length === 0 ? [] : ['Processes:', table(processes), '']),
    `Log: ${waiting}; ${keptBytes.toLocaleString('en')} bytes on disk`,
    '',
    'What became of the items of the last 24 hours:',
    outcomes.length === 0 ? '  nothing was received' : table(outcomes),
  ].join('\n')
}

const mb = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`
