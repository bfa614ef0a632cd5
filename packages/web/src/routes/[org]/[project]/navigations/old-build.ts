/** Tabs that could not load code, as one summary instead of many errors. */
import type { ChunkFailureKind } from '@sonde/protocol/navigation'
import type { ChunkFailures } from '@sonde/queries'
import { countOf } from '../../../../format/format-count.ts'

export type OldBuildStory = {
  readonly headline: string
  /** The cause, in a sentence or two. */
  readonly why: string
  readonly todo: readonly string[]
}

const KIND_WORDS: { readonly [Kind in ChunkFailureKind]: string } = {
  old_build: 'removed by the deploy',
  not_found: 'missing in the same build',
  blocked: 'blocked',
  offline: 'offline',
  unreachable: 'site unreachable',
  server: 'server error',
  unknown: 'unknown cause',
}

/** Removed by a deploy: reported as such, or missing while a newer build is out. */
const isGone = ({ kinds, replacedBy }: Failures): boolean =>
  (kinds.old_build ?? 0) > 0 ||
  (replacedBy !== undefined && (kinds.not_found ?? 0) + (kinds.unknown ?? 0) > 0)

type Failures = Pick<ChunkFailures, 'build' | 'tabs' | 'kinds' | 'replacedBy'>

export function oldBuildStory(failures: Failures): OldBuildStory {
  const { build, tabs, kinds, replacedBy } = failures
  const who = `${countOf(tabs, 'tab')} on ${build === '' ? 'an unknown build' : build}`
  if (isGone(failures))
    return {
      headline: replacedBy
        ? `${who} could not load code after ${replacedBy.build} was deployed`
        : `${who} could not load code that a deploy removed`,
      why: 'Open tabs still run the old build and request its files on the next navigation. Those files no longer exist.',
      todo: [
        'Keep the files of previous releases online for about a week, which covers nearly all open tabs.',
        'Until then, let the router do a full page load when a chunk fails, so that users get the new release instead of an error.',
      ],
    }
  const main = mainKind(kinds)
  return { headline: `${who} could not load code`, ...CAUSES[main] }
}

type Cause = Pick<OldBuildStory, 'why' | 'todo'>
const CAUSES: { readonly [Kind in ChunkFailureKind]: Cause } = {
  old_build: { why: '', todo: [] },
  not_found: {
    why: 'The site still serves this build, but these files are missing.',
    todo: ['Check that every file of the build is on every server and on the CDN.'],
  },
  blocked: {
    why: 'The site responds, but these files were blocked: by an ad blocker, the page’s CSP or an extension.',
    todo: ['Check the file names: blockers match words such as “ads” and “track”. Check script-src.'],
  },
  offline: {
    why: 'The browsers were offline.',
    todo: ['Nothing to fix on the server. A service worker can cache the code.'],
  },
  unreachable: {
    why: 'The site did not respond: connections were lost, or the site was down.',
    todo: ['Compare with uptime monitoring for that time.'],
  },
  server: {
    why: 'The server or the CDN responded with an error (5xx).',
    todo: ['Check the file server or CDN at the time of the failures.'],
  },
  unknown: {
    why: 'The files load but could not be run, or the page closed before the cause was known.',
    todo: ['Open the issue: its message has the browser’s error.'],
  },
}

function mainKind(kinds: Failures['kinds']): ChunkFailureKind {
  const known = (Object.keys(KIND_WORDS) as ChunkFailureKind[]).filter((kind) => kinds[kind])
  return known.toSorted((a, b) => (kinds[b] ?? 0) - (kinds[a] ?? 0))[0] ?? 'unknown'
}

/** `12 removed by the deploy, 3 blocked`; the most frequent first. */
export function kindsText(kinds: Failures['kinds']): string {
  const known = (Object.keys(KIND_WORDS) as ChunkFailureKind[]).filter((kind) => kinds[kind])
  return known
    .toSorted((a, b) => (kinds[b] ?? 0) - (kinds[a] ?? 0))
    .map((kind) => `${kinds[kind]} ${KIND_WORDS[kind]}`)
    .join(', ')
}
