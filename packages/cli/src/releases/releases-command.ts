/** `sonde releases list`, `show` and `verdict`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandInput, countOf, UsageError } from '../arguments.ts'
import { type Connection, connect, projectOf } from '../client/connection.ts'
import { agoText, lengthMs, momentText } from '../client/time-text.ts'
import { type Colour, note, print, printParts, terminalLine } from '../print.ts'
import { fittedTable } from '../text-width.ts'

/** https://docs.sentry.io/api/releases/list-an-organizations-releases/ */
type ApiRelease = {
  readonly version: string
  readonly status: string
  readonly dateCreated: string
  readonly dateReleased: string | null
  readonly firstEvent: string | null
  readonly lastEvent: string | null
  readonly newGroups: number
  readonly commitCount: number
  readonly deployCount: number
  readonly lastDeploy: ApiDeploy | null
  readonly projects: readonly { readonly slug: string }[]
}
type ApiDeploy = { readonly environment: string; readonly dateFinished: string }
type ApiCommit = {
  readonly id: string
  readonly message: string | null
  readonly dateCreated: string
  readonly author: { readonly name: string | null }
}

const MAX_LIMIT = 1_000

const basePath = (connection: Connection): string => {
  const org = encodeURIComponent(connection.org())
  return connection.project === undefined
    ? `/api/0/organizations/${org}/releases/`
    : `/api/0/projects/${org}/${encodeURIComponent(connection.project)}/releases/`
}

const deployAnswer = ({ environment, dateFinished }: ApiDeploy) => ({ environment, at: dateFinished })

const releaseAnswer = (release: ApiRelease) => ({
  version: release.version,
  status: release.status,
  created: release.dateCreated,
  released: release.dateReleased,
  firstEvent: release.firstEvent,
  lastEvent: release.lastEvent,
  newIssues: release.newGroups,
  commits: release.commitCount,
  deploys: release.deployCount,
  lastDeploy: release.lastDeploy && deployAnswer(release.lastDeploy),
  projects: release.projects.map(({ slug }) => slug),
})

export async function list(input: CommandInput): Promise<number> {
  const connection = connect(input)
  const limit = countOf(input, 'limit', { fallback: 25, max: MAX_LIMIT })
  const call = { path: basePath(connection), query: { query: input.positionals[0] } }
  const releases = (await connection.list<ApiRelease>(call, limit)).map(releaseAnswer)
  if (input.flag('json')) print(JSON.stringify(releases))
  else if (releases.length === 0)
    note('There are no releases: name one in the SDK, or upload source maps with --release.')
  else
    print(
      fittedTable(
        [
          { head: 'version', isFlexible: true },
          { head: 'projects', isFlexible: true },
          { head: 'first event' },
          { head: 'last event' },
          { head: 'new issues', isNumber: true },
          { head: 'commits', isNumber: true },
          { head: 'last deploy' },
        ],
        releases.map((release) => [
          release.version,
          release.projects.join(', '),
          agoText(release.firstEvent),
          agoText(release.lastEvent),
          String(release.newIssues),
          String(release.commits),
          release.lastDeploy ? `${release.lastDeploy.environment} ${agoText(release.lastDeploy.at)}` : '-',
        ]),
      ),
    )
  return 0
}

const SHOWN_COMMITS = 20

export async function show(input: CommandInput): Promise<number> {
  const [version = ''] = input.positionals
  const connection = connect(input)
  const path = `${basePath(connection)}${encodeURIComponent(version)}/`
  const { body } = await connection.call<ApiRelease>({ path })
  const [commits, deploys] = await Promise.all([
    connection.list<ApiCommit>({ path: `${path}commits/` }, SHOWN_COMMITS),
    connection.list<ApiDeploy>({ path: `${path}deploys/` }, MAX_LIMIT),
  ])
  const answer = {
    ...releaseAnswer(body),
    lastCommits: commits.map(({ id, message, author, dateCreated }) => ({
      id,
      message,
      author: author.name,
      at: dateCreated,
    })),
    allDeploys: deploys.map(deployAnswer),
  }
  if (input.flag('json')) {
    print(JSON.stringify(answer))
    return 0
  }
  const facts = [
    ['projects', answer.projects.join(', ') || '-'],
    ['created', momentText(answer.created)],
    ['released', momentText(answer.released)],
    ['first event', momentText(answer.firstEvent)],
    ['last event', momentText(answer.lastEvent)],
    ['new issues', String(answer.newIssues)],
  ]
  print(
    [
      terminalLine(answer.version),
      '',
      ...facts.map(([name = '', value = '']) => terminalLine(`${name.padEnd(12)}${value}`)),
      ...answer.allDeploys.map(({ environment, at }) =>
        terminalLine(`${'deployed'.padEnd(12)}${environment}, ${momentText(at)}`),
      ),
      ...answer.lastCommits.map(({ id, message, author }) =>
        terminalLine(
          `${'commit'.padEnd(12)}${id.slice(0, 12)}  ${(message ?? '').split('\n', 1)[0]}  ${author ?? ''}`,
        ),
      ),
    ].join('\n'),
  )
  return 0
}

/** Sonde's own; docs/release-verdict.md */
type Verdict = {
  readonly verdict: 'better' | 'same' | 'worse' | 'not_enough_data'
  readonly release: string
  readonly before: string | null
  readonly sentence: string
  readonly measures: readonly { readonly name: string; readonly verdict: string; readonly sentence: string }[]
  readonly absentReasons: readonly string[]
}

const ASK_EVERY_MS = 15_000
const MAX_WAIT_MS = 24 * 3_600_000
const MAX_DAYS = 90

/** Ends with 1 for worse. */
export async function verdict(input: CommandInput): Promise<number> {
  const { text, texts, positionals } = input
  const [version = ''] = positionals
  const waitMs = waitOf(text('wait'))
  const days = countOf(input, 'days', { fallback: 14, max: MAX_DAYS })
  const connection = connect(input)
  const project = encodeURIComponent(projectOf(connection))
  const org = encodeURIComponent(connection.org())
  const ask = async (): Promise<Verdict> =>
    (
      await connection.call<Verdict>({
        path: `/api/0/projects/${org}/${project}/releases/${encodeURIComponent(version)}/verdict/`,
        query: { before: text('before'), environment: texts('environment'), statsPeriod: `${days}d` },
      })
    ).body
  const endMs = performance.now() + waitMs
  let judged = await ask()
  while (judged.verdict === 'not_enough_data' && performance.now() < endMs) {
    await sleep(Math.min(ASK_EVERY_MS, endMs - performance.now()))
    judged = await ask()
  }
  if (input.flag('json')) print(JSON.stringify(judged))
  else tellVerdict(judged)
  return judged.verdict === 'worse' ? 1 : 0
}

const COLOURS: Readonly<Record<string, Colour>> = { worse: 'red', better: 'green' }

function tellVerdict({ verdict: said, sentence, measures, absentReasons }: Verdict): void {
  const colour = COLOURS[said]
  const line = terminalLine(sentence)
  printParts([colour === undefined ? line : [line, colour]])
  for (const measure of measures) print(terminalLine(`  ${measure.name}: ${measure.sentence}`))
  for (const reason of absentReasons) print(terminalLine(`  ${reason}`))
}

function waitOf(text: string | undefined): number {
  const ms = text === undefined ? 0 : lengthMs(text)
  if (ms === undefined || ms > MAX_WAIT_MS)
    throw new UsageError('--wait is a time such as 90s, 30m or 2h, at most 24h')
  return ms
}
