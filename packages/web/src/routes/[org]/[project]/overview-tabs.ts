/** What the overview says of tabs that a deployment left on the build before it. Pure. */
import type { ChunkFailures, Deployments } from '@sonde/queries'
import { countOf } from '../../../format/format-count.ts'
import { cameThrough, deploymentSentence, outcomesText } from '../../../parts/deployments/deployment-text.ts'
import { paths } from '../../../paths.ts'
import type { Place, Sentence, Tone } from './overview-section.ts'

const HOURS_24_MS = 86_400_000
const SHOWN_BUILDS = 2

type Failures = Pick<
  ChunkFailures,
  'build' | 'environment' | 'replacedBy' | 'tabs' | 'users' | 'kinds' | 'lastMs'
>
type Deployed = Deployments['builds'][number]
export type Told = {
  readonly deployments: Deployments
  readonly failures: readonly Failures[]
  /** Somebody tells navigations, and with them code that could not be loaded. */
  readonly isMeasured: boolean
  /** Failures are known since then: of an earlier deployment most are missing. */
  readonly sinceMs: number
  readonly nowMs: number
}

/** One sentence for each deployment, however many tabs, files and errors it was; the latest two. */
export function staleTabSentences({ org, project }: Place, told: Told): readonly Sentence[] {
  const { deployments, failures, isMeasured, sinceMs } = told
  const link = { to: `${paths.navigations(org, project)}#builds`, name: 'Stale builds' }
  const environments = new Set(deployments.builds.map(({ environment }) => environment))
  const places = deployments.builds
    .filter(
      ({ replacedBy, leftTabs, missedTabs }) =>
        missedTabs > 0 || (isSince(replacedBy, sinceMs) && leftTabs > 0),
    )
    .map((deployed) => ({ deployed, failed: failures.find(sameBuild(deployed)) }))
  // Of builds that are too many, or that no page load tells, at least what failed.
  const alone = failures
    .filter((failed) => !deployments.builds.some(sameBuild(failed)))
    .map((failed) => ({ deployed: undefined, failed }))
  // The latest deployment first; after a rollback the release that is served again was left by tabs before it.
  const shown = [...places, ...alone]
    .toSorted((a, b) => (replacementOf(b)?.servedMs ?? 0) - (replacementOf(a)?.servedMs ?? 0))
    .slice(0, SHOWN_BUILDS)
  const sentences = shown.map((each): Sentence => {
    const environment = each.deployed?.environment ?? each.failed?.environment ?? ''
    const where = environments.size > 1 && environment !== '' ? ` in ${environment}` : ''
    const lastMs = each.failed?.lastMs
    return {
      tone: toneOf(each.deployed, lastMs, told.nowMs),
      text: `${textOf(each.deployed, each.failed, where, deployments.keep)}${lastMs === undefined ? '' : ' Last:'}`,
      ...(lastMs !== undefined && { atMs: lastMs }),
      link,
    }
  })
  const unseen = unseenOf(told)
  if (sentences.length === 0 && isMeasured)
    sentences.push({ tone: 'good', text: 'No open tab failed to load code of its build.', link })
  return [...sentences, ...(unseen === undefined ? [] : [{ tone: 'plain' as const, text: unseen, link }])]
}

const isSince = (replacedBy: Deployed['replacedBy'], sinceMs: number): boolean =>
  replacedBy !== undefined && replacedBy.servedMs >= sinceMs

const sameBuild =
  ({ build, environment }: Pick<Deployed, 'build' | 'environment'>) =>
  (other: Pick<Deployed, 'build' | 'environment'>): boolean =>
    other.build === build && other.environment === environment

/** Wrong is what did not come through by itself. */
function toneOf(deployed: Deployed | undefined, lastMs: number | undefined, nowMs: number): Tone {
  if (lastMs === undefined) return 'good'
  const isThrough = deployed !== undefined && cameThrough(deployed.outcomes) >= deployed.missedTabs
  return lastMs > nowMs - HOURS_24_MS && !isThrough ? 'bad' : 'attention'
}

function textOf(
  deployed: Deployed | undefined,
  failed: Failures | undefined,
  where: string,
  keep: Deployments['keep'],
): string {
  const { build } = deployed ?? failed ?? { build: '' }
  const replacedBy = replacementOf({ deployed, failed })
  if (deployed && replacedBy && (deployed.tellsTabs || !failed)) {
    const own = keep.find(({ environment }) => environment === deployed.environment)
    return `After ${replacedBy.build} replaced ${build}${where}: ${deploymentSentence(deployed, own)}.`
  }
  // Without what tabs tell nobody knows how many were left behind.
  const what = outcomesText(deployed?.outcomes ?? {})
  const tabs = countOf(failed?.tabs ?? deployed?.missedTabs ?? 0, 'tab')
  const users = failed && failed.users > 0 ? ` of ${countOf(failed.users, 'user')}` : ''
  const replaced = replacedBy ? `, which ${replacedBy.build} replaced` : ''
  return `${tabs}${users} could not load code of ${build || 'an unknown build'}${where}${replaced}${what === '' ? '' : `: ${what}`}.`
}

type Row = { readonly deployed: Deployed | undefined; readonly failed: Failures | undefined }

/** Of when its tabs failed, else of now. */
const replacementOf = ({ deployed, failed }: Row): Deployed['replacedBy'] =>
  failed?.replacedBy ?? deployed?.replacedBy

/** What more the project would know if its pages told it; undefined: they do, or nothing was replaced. */
function unseenOf({ deployments: { builds }, failures, isMeasured, sinceMs }: Told): string | undefined {
  const replaced = builds.filter(({ replacedBy }) => isSince(replacedBy, sinceMs))
  if (builds.some(({ tellsTabs }) => tellsTabs) || replaced.length + failures.length === 0) return undefined
  const isCauseKnown =
    isMeasured || failures.some(({ kinds }) => Object.keys(kinds).some((kind) => kind !== 'unknown'))
  return isCauseKnown
    ? 'How many tabs are on an old build is not known: tabs() of Sonde’s SDK tells it.'
    : 'Only errors tell of code that could not be loaded: @sonde/sentry-integration adds which files and why, and tabs() of Sonde’s SDK how many tabs are on an old build.'
}
