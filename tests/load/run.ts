/** `npm run load`: overload and abuse of a real Sonde, and hours at half the knee. What it prints goes into docs/operate/reliability.md. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startGenerator } from '../../bench/load/start-generator.ts'
import { startMeasuredSonde } from '../../bench/measured-sonde.ts'
import { pythonLikeEnvelopes } from '../../bench/payloads/python-like.ts'
import { findKnee } from '../../bench/persist/find-knee.ts'
import { VERSION } from '../../packages/server/src/version.ts'
import { WITHOUT_SPIKE_LIMITS } from '../harness/start-sonde.ts'
import { SCENARIOS } from './attacks.ts'
import { FAULTS } from './faults.ts'
import { openLoadPlace } from './load-place.ts'
import { type Measured, measure } from './measure.ts'
import { type About, aboutText, machine, scenarioTable, SOAK_COLUMNS, soakTable } from './report.ts'
import type { Scenario } from './scenario.ts'
import { slopes, soak } from './soak.ts'

const USAGE = `npm run load -- [--scenario NAME|all] [--fault NAME|all] [--minutes N] [--knee N] [--behaved N] [--limits off] [--json FILE] [--soak HOURS]

  --scenario  one of: ${SCENARIOS.map(({ name }) => name).join(', ')}; all by default
  --fault     instead of the scenarios, without limits of projects, one of: ${FAULTS.map(({ name }) => name).join(', ')}
  --minutes   how long each attack lasts; 5
  --knee      errors a second that this machine stores; found out when it is left out (about a minute)
  --behaved   projects that go on beside the attack; 9
  --limits    off: without the limits that every project has by itself, so that the log takes all of it
  --json      the figures as JSON; load.json
  --soak      instead of the scenarios: so many hours at half the knee`

const BEHAVED = 9
const QUIET_MS = 15_000
const PROBE_MS = 1_000
const KNEE_INTERVAL_MS = 6_000
const KNEE_SOAK_MS = 5_000

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'all' },
    fault: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    knee: { type: 'string' },
    behaved: { type: 'string', default: String(BEHAVED) },
    limits: { type: 'string', default: 'on' },
    json: { type: 'string', default: 'load.json' },
    soak: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const [all, wanted] = values.fault === undefined ? [SCENARIOS, values.scenario] : [FAULTS, values.fault]
const chosen: readonly Scenario[] = all.filter(({ name }) => wanted === 'all' || wanted === name)
const [minutes, knee, behaved, hours] = [values.minutes, values.knee, values.behaved, values.soak].map(
  (text) => (text === undefined ? undefined : Number(text)),
)
const isLimited = values.limits !== 'off' && values.fault === undefined
const isBad = [minutes, knee, behaved, hours].some((value) => value !== undefined && !(value > 0))

if (values.help || isBad || chosen.length === 0) {
  console.log(USAGE)
  process.exitCode = values.help ? 0 : 2
} else process.exitCode = await run(chosen, minutes ?? 5, behaved ?? BEHAVED)

async function run(scenarios: readonly Scenario[], forMinutes: number, projects: number): Promise<number> {
  const kneePerSec = knee ?? (await measureKnee())
  const about: About = {
    date: new Date().toISOString().slice(0, 16),
    machine: machine(),
    version: VERSION,
    command: ['npm run load --', ...process.argv.slice(2)].join(' '),
    kneePerSec,
  }
  say(aboutText(about))
  if (hours !== undefined) return await runSoak(about, hours)
  const forMs = forMinutes * 60_000
  const quietMs = Math.min(QUIET_MS, forMs)
  const results: Measured[] = []
  for (const scenario of scenarios) {
    // A fresh one for each: what one scenario left in memory would be the next one's.
    const place = await openLoadPlace(projects, isLimited ? {} : WITHOUT_SPIKE_LIMITS)
    try {
      const plan = { forMs, quietMs, probeMs: PROBE_MS, kneePerSec, share: 1, say }
      results.push(await measure(scenario, place, plan))
    } finally {
      await place.close()
    }
    writeFileSync(values.json, JSON.stringify({ about, results }, undefined, 2))
  }
  console.log(`\n${aboutText(about)}\n\n${scenarioTable(results)}`)
  return results.every(({ invariants }) => invariants.every(({ ok }) => ok)) ? 0 : 1
}

async function runSoak(about: About, forHours: number): Promise<number> {
  const place = await openLoadPlace(1, WITHOUT_SPIKE_LIMITS)
  try {
    say(SOAK_COLUMNS.join('\t'))
    const { kneePerSec } = about
    const onRow = (row: object): void => say(Object.values(row).join('\t'))
    const rows = await soak(place, { hours: forHours, kneePerSec, onRow })
    const perHour = slopes(rows)
    writeFileSync(values.json, JSON.stringify({ about, rows, perHour }, undefined, 2))
    console.log(`\n${aboutText(about)}\n\n${soakTable(rows, perHour)}`)
    return 0
  } finally {
    await place.close()
  }
}

async function measureKnee(): Promise<number> {
  const sonde = await startMeasuredSonde()
  const generator = startGenerator()
  try {
    await generator.load('knee', pythonLikeEnvelopes(), sonde.target)
    const plan = { payloads: 'knee', intervalMs: KNEE_INTERVAL_MS, soakMs: KNEE_SOAK_MS, say }
    return (await findKnee(sonde, generator, plan)).kneePerSec
  } finally {
    generator.stop()
    await sonde.stop()
    sonde.remove()
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
