/** Why frames of an event are not readable and what to do: made on the server, so that a page without such frames carries nothing. */
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import {
  BUNDLERS,
  type ByRelease,
  sentryCliDebugFiles,
  sentryCliInject,
  sentryCliUpload,
  sondeVerify,
  type UploadPlace,
} from '../../upload-commands.ts'
import { REASONS } from './frame-reasons.ts'

/** What to do about a reason, with the commands to paste. */
type Step = { readonly text: string; readonly code?: string }

type StepsPlace = UploadPlace & {
  readonly release: string | undefined
  readonly dist: string | undefined
  /** Of the script of the frame. */
  readonly scriptUrl: string | undefined
}

export function reasonSteps(reason: FrameProblem, place: StepsPlace): readonly Step[] {
  const byId: Step = { text: 'Upload the files of that build, unchanged:', code: sentryCliUpload(place) }
  const verify: Step = { text: 'Check your build output:', code: sondeVerify() }
  const inject: Step = {
    text: 'Inject debug IDs before you deploy, then upload:',
    code: `${sentryCliInject(place)}\n${sentryCliUpload(place)}`,
  }
  const debugFiles: Step = { text: 'Upload the debug files of that build:', code: sentryCliDebugFiles(place) }
  const exactly: readonly Step[] = [
    {
      text: 'Upload for exactly this release, dist and address:',
      code: sentryCliUpload(place, byReleaseOf(place)),
    },
    { ...inject, text: `Better, since it needs neither: ${lower(inject.text)}` },
  ]
  const steps: Readonly<Record<FrameProblem, readonly Step[]>> = {
    no_debug_id: [...pluginSteps(place), { ...inject, text: `Or without a plugin: ${lower(inject.text)}` }],
    no_artifact: [byId],
    no_release_files: exactly,
    other_dist: exactly,
    no_such_file: exactly,
    no_map: [
      { text: 'Let the bundler write source maps, and keep them until they are uploaded.' },
      verify,
      byId,
    ],
    too_large: [{ text: 'Split the bundle: a map of this size also costs every build.' }, verify],
    broken_map: [verify, { ...byId, text: 'Build again, and upload:' }],
    unsupported_map: [{ text: 'Build the JavaScript without bytecode to have readable stacks.' }],
    other_file: [{ ...inject, text: `Debug ids keep builds apart: ${lower(inject.text)}` }],
    no_position: [verify],
    no_debug_file: [debugFiles],
    broken_debug_file: [
      { ...debugFiles, text: 'Upload the unstripped file, or what dump_syms makes of it:' },
    ],
    no_symbol: [{ ...debugFiles, text: 'Upload the unstripped file of that build:' }],
    no_lines: [
      {
        ...debugFiles,
        text: 'Upload a file with line tables: the unstripped file or dSYM, for PDB what Breakpad’s dump_syms makes of it:',
      },
    ],
    no_source: [
      {
        text: 'Let the map hold its sources: TypeScript `inlineSources`, else the bundler’s `sourcesContent`.',
      },
      byId,
    ],
  }
  return steps[reason]
}

function pluginSteps(place: StepsPlace): readonly Step[] {
  const [vite] = BUNDLERS
  return vite
    ? [
        {
          text: `With the plugin of the bundler, such as ${vite.name} (${vite.install}):`,
          code: vite.code(place),
        },
      ]
    : []
}

/** What must be given so that this very frame is found. */
function byReleaseOf({ release = '', dist = '', scriptUrl }: StepsPlace): ByRelease {
  return { release, dist, urlPrefix: folderOf(scriptUrl) }
}

/** `https://shop.example/static/js/app.js?v=1` lies in `~/static/js`. */
export function folderOf(scriptUrl: string | undefined): string {
  if (scriptUrl === undefined || !URL.canParse(scriptUrl)) return '~/'
  const { pathname } = new URL(scriptUrl)
  return `~${pathname.slice(0, pathname.lastIndexOf('/')) || '/'}`
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

export type DoctorNote = {
  readonly reason: FrameProblem
  /** `12 of 14 frames are not symbolicated:` */
  readonly head: string
  /** One sentence. */
  readonly why: string
  readonly steps: readonly Step[]
}

export type EventDoctor = {
  /** What stands beside each frame of a reason, and whether its own detail goes with it. */
  readonly beside: Partial<
    Readonly<Record<FrameProblem, { readonly short: string; readonly isDetailed: boolean }>>
  >
  /** The reason of the most frames first. */
  readonly notes: readonly DoctorNote[]
  /** That it is about to change by itself; undefined: it is not. */
  readonly reprocessing?: string | undefined
}

/** Undefined: every frame is readable, or of no script. */
export function eventDoctor(
  event: Pick<NormalizedEvent, 'exception' | 'threads' | 'release' | 'dist'>,
  place: UploadPlace,
  reprocessing?: string,
): EventDoctor | undefined {
  const frames = framesOf(event)
  const byReason = new Map<FrameProblem, Frame[]>()
  for (const frame of frames) {
    if (!frame.problem) continue
    const same = byReason.get(frame.problem.reason)
    if (same) same.push(frame)
    else byReason.set(frame.problem.reason, [frame])
  }
  if (byReason.size === 0) return undefined
  const reasons = [...byReason]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, unreadable]) => ({ reason, unreadable, shared: sharedDetail(unreadable) }))
  return {
    beside: Object.fromEntries(
      reasons.map(({ reason, shared }) => [
        reason,
        { short: REASONS[reason].short, isDetailed: shared === undefined },
      ]),
    ),
    notes: reasons.map(({ reason, unreadable, shared }) => ({
      reason,
      head: `${countText(unreadable.length, frames.length)} ${reason === 'no_source' ? 'without source code' : 'not symbolicated'}:`,
      why: REASONS[reason].sentence + (shared === undefined || shared === '' ? '' : `: ${shared}`),
      steps: reasonSteps(reason, {
        ...place,
        release: event.release,
        dist: event.dist,
        scriptUrl: scriptOf(unreadable),
      }),
    })),
    reprocessing,
  }
}

function framesOf({ exception = [], threads = [] }: Pick<NormalizedEvent, 'exception' | 'threads'>): Frame[] {
  return [...exception, ...threads].flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
}

const countText = (count: number, all: number): string =>
  count === all
    ? all === 1
      ? 'The frame is'
      : `${all === 2 ? 'Both' : `All ${all}`} frames are`
    : `${count} of ${all} frames ${count === 1 ? 'is' : 'are'}`

/** The same for all of them, empty when there is none; undefined: they differ, and each stands at its frame. */
function sharedDetail(frames: readonly Frame[]): string | undefined {
  const [detail, ...more] = new Set(frames.map(({ problem }) => problem?.detail ?? ''))
  return more.length === 0 ? detail : undefined
}

/** Of the most recent frame of the application. */
function scriptOf(frames: readonly Frame[]): string | undefined {
  const told = frames.findLast(({ in_app: isOurs }) => isOurs) ?? frames.at(-1)
  return told?.abs_path ?? told?.filename
}
