/** Tabs that could not load code, told as one story instead of as so many errors. */
import type { ChunkFailureKind } from '@sonde/protocol/navigation'
import type { ChunkFailures } from '@sonde/queries'
import { countOf } from '../../../../format/format-count.ts'

export type OldBuildStory = {
  readonly headline: string
  /** How it came about, in a sentence or two. */
  readonly why: string
  readonly todo: readonly string[]
}

const KIND_WORDS: { readonly [Kind in ChunkFailureKind]: string } = {
  old_build: 'gone since the deployment',
  not_found: 'missing in the same build',
  blocked: 'blocked',
  offline: 'offline',
  unreachable: 'site not reached',
  server: 'server error',
  unknown: 'cause unknown',
}

/** Gone with a deployment: told so, or merely missing while a newer build is out. */
const isGone = ({ kinds, replacedBy }: Told): boolean =>
  (kinds.old_build ?? 0) > 0 ||
  (replacedBy !== undefined && (kinds.not_found ?? 0) + (kinds.unknown ?? 0) > 0)

type Told = Pick<ChunkFailures, 'build' | 'tabs' | 'kinds' | 'replacedBy'>

export function oldBuildStory(told: Told): OldBuildStory {
  const { build, tabs, kinds, replacedBy } = told
  const who = `${countOf(tabs, 'tab')} on ${build === '' ? 'an unknown build' : build}`
  if (isGone(told))
    return {
      headline: replacedBy
        ? `After ${replacedBy.build} was deployed, ${who} could not load code`
        : `${who} could not load code that a deployment removed`,
      why: 'Tabs that were open keep running the build they were loaded with, and ask for its files when somebody goes on. They were gone.',
      todo: [
        'Keep the files of earlier releases where they are: a week covers nearly all open tabs.',
        'Until then: let the router load the whole page when a chunk fails, so that people get the new release instead of an error.',
      ],
    }
  const main = mainKind(kinds)
  return { headline: `${who} could not load code`, ...CAUSES[main] }
}

type Cause = Pick<OldBuildStory, 'why' | 'todo'>
const CAUSES: { readonly [Kind in ChunkFailureKind]: Cause } = {
  old_build: { why: '', todo: [] },
  not_found: {
    why: 'The site still serves this build, but not these files.',
    todo: ['Check that every file of the build was uploaded, to every server and to the CDN.'],
  },
  blocked: {
    why: 'The site answers, but not for these files: a blocker, a policy of the page (CSP) or an extension.',
    todo: [
      'Look at the names of the files: blockers know words such as “ads” and “track”. Check script-src.',
    ],
  },
  offline: {
    why: 'The browsers said that they were offline.',
    todo: ['Nothing on the server. A service worker would keep the code at hand.'],
  },
  unreachable: {
    why: 'Nothing of the site answered: connections were lost, or the site was down.',
    todo: ['Compare with the site’s own monitoring for that time.'],
  },
  server: {
    why: 'The server or the CDN answered with an error (5xx).',
    todo: ['Look at what serves the files, at the time of the failures.'],
  },
  unknown: {
    why: 'The files can be had, and could not be run, or the page was left before the cause was known.',
    todo: ['Open the issue: its message has what the browser said.'],
  },
}

function mainKind(kinds: Told['kinds']): ChunkFailureKind {
  const known = (Object.keys(KIND_WORDS) as ChunkFailureKind[]).filter((kind) => kinds[kind])
  return known.toSorted((a, b) => (kinds[b] ?? 0) - (kinds[a] ?? 0))[0] ?? 'unknown'
}

/** `12 gone since the deployment, 3 blocked`; the most frequent first. */
export function kindsText(kinds: Told['kinds']): string {
  const known = (Object.keys(KIND_WORDS) as ChunkFailureKind[]).filter((kind) => kinds[kind])
  return known
    .toSorted((a, b) => (kinds[b] ?? 0) - (kinds[a] ?? 0))
    .map((kind) => `${kinds[kind]} ${KIND_WORDS[kind]}`)
    .join(', ')
}
