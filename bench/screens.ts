/** How long the server takes for each screen when there is much to show: README.md says how. */
import { setTimeout as sleep } from 'node:timers/promises'
import { backPidOf } from '../tests/harness/processes.ts'
import {
  type RunningSonde,
  startSonde,
  temporaryDataDir,
  WITHOUT_SPIKE_LIMITS,
} from '../tests/harness/start-sonde.ts'
import { memoryOf } from './machine/processes.ts'
import { atMost, type Figure } from './report/figure.ts'
import { fillDataDir } from './screens/filled-sonde.ts'
import { type PageClient, type PageForm, signedInClient } from './screens/page-client.ts'
import { type KnownIssues, type Screen, screenList } from './screens/screen-list.ts'

export type ScreensOptions = {
  readonly issues: number
  readonly events: number
  /** Kept, and used again when it is filled already; undefined: made for this run and removed. */
  readonly dataDir: string | undefined
  /** Only screens whose name contains it. */
  readonly only: string
  /** Of each screen and form, after the warm-up. */
  readonly requests: number
}

// Merges after the load go on for a while, and a start reads what it needs.
const SETTLE_MS = 10_000
const WARM_UP = 10
const BUDGET_MS = 100
const MEMORY_AFTER_REQUESTS = 1_000
const MB = 1024 * 1024

export async function screens(say: (text: string) => void, options: ScreensOptions): Promise<Figure[]> {
  const temporary = options.dataDir === undefined ? temporaryDataDir() : undefined
  const dataDir = options.dataDir ?? temporary?.dir ?? ''
  try {
    await fillDataDir({ ...options, dataDir }, say)
    const running = await startSonde({ dataDir, env: WITHOUT_SPIKE_LIMITS })
    try {
      await sleep(SETTLE_MS)
      const client = await signedInClient(running.url)
      const figures = await measure(client, options, say)
      const memory = options.only === '' ? await memoryFigures(client, running) : []
      client.close()
      await running.stop()
      return [...figures, ...memory]
    } finally {
      running.child.kill('SIGKILL')
    }
  } finally {
    temporary?.remove()
  }
}

async function measure(
  client: PageClient,
  { only, requests }: ScreensOptions,
  say: (text: string) => void,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const screen of screenList(await knownIssues(client)).filter(({ name }) => name.includes(only))) {
    for (const form of ['data', 'html'] as const) {
      figures.push(...(await measureScreen(client, screen, form, requests, say)))
    }
  }
  return figures
}

async function measureScreen(
  client: PageClient,
  { name, path }: Screen,
  form: PageForm,
  requests: number,
  say: (text: string) => void,
): Promise<Figure[]> {
  const first = await client.ask(path, form)
  for (let at = 0; at < WARM_UP; at++) await client.ask(path, form)
  const took: number[] = []
  for (let at = 0; at < requests; at++) took.push((await client.ask(path, form)).tookMs)
  took.sort((a, b) => a - b)
  const at = (part: number): number => took[Math.ceil(took.length * part) - 1] ?? Number.NaN
  const figure = { part: 'screens', unit: 'ms' } as const
  say(`${name}, ${form}: p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, ${first.bytes} bytes`)
  return [
    ...(form === 'data' ? [{ ...figure, name: `${name}, first request`, value: first.tookMs }] : []),
    {
      ...figure,
      name: `${name}, ${form}, p95`,
      value: at(0.95),
      against: { name: 'p50', value: at(0.5) },
      budget: atMost(BUDGET_MS, at(0.95), `${BUDGET_MS} ms`),
    },
  ]
}

type Row = { readonly shortId: string; readonly title: string; readonly eventCount: number }
type ListData = { readonly page: { readonly rows: readonly Row[] } }

async function knownIssues(client: PageClient): Promise<KnownIssues> {
  const rows = async (sort: string): Promise<readonly Row[]> =>
    (await client.read<ListData>(`/acme/shop/issues?sort=${sort}`)).page.rows
  const [byEvents, newest] = [await rows('freq'), await rows('new')]
  const usual = newest.at(-1)
  const rareWord = /^.* of (\w+) /.exec(usual?.title ?? '')?.[1]
  if (!byEvents[0] || !usual || rareWord === undefined) throw new Error('the list has no issues to open')
  return { largest: byEvents[0].shortId, usual: usual.shortId, rareWord }
}

/** Of the back, which renders the screens: none where the system does not tell. */
async function memoryFigures(client: PageClient, running: RunningSonde): Promise<Figure[]> {
  const pid = backPidOf(running.child.pid ?? 0) ?? 0
  for (let at = 0; at < MEMORY_AFTER_REQUESTS; at++) await client.ask('/acme/shop/issues', 'html')
  const memory = memoryOf(pid)
  if (!memory) return []
  const figure = { part: 'screens', unit: 'MB' }
  return [
    { ...figure, name: 'RSS of the back after 1,000 issue lists more', value: memory.rssBytes / MB },
    { ...figure, name: 'of it private', value: memory.privateBytes / MB },
  ]
}
