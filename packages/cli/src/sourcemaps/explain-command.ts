/** `sonde sourcemaps explain EVENT [FRAME]`: why each frame of an event is readable or not. Exit code 1: one is not. */
import { isFrameProblem } from '@sonde/protocol/frame-problem'
import { type CommandInput, UsageError } from '../arguments.ts'
import { connect } from '../client/connection.ts'
import { note, print, terminalLine } from '../print.ts'
import { FRAME_REASONS } from './explain-reasons.ts'

/** An event as it is stored: `…/events/{id}/json/`. */
type StoredEvent = {
  readonly event_id: string
  readonly release?: string
  readonly dist?: string
  readonly exception?: { readonly values: readonly StackOwner[] }
  readonly threads?: { readonly values: readonly StackOwner[] }
}
type StackOwner = {
  readonly type?: string
  readonly stacktrace?: { readonly frames: readonly StoredFrame[] }
  readonly raw_stacktrace?: { readonly frames: readonly StoredFrame[] }
}
type StoredFrame = {
  readonly filename?: string
  readonly abs_path?: string
  readonly function?: string
  readonly lineno?: number
  readonly colno?: number
  readonly in_app?: boolean
  readonly context_line?: string
  readonly problem?: { readonly reason: string; readonly detail?: string }
  readonly data?: { readonly sourcemap?: unknown }
}

export async function run(input: CommandInput): Promise<number> {
  const [id = '', wanted] = input.positionals
  if (!/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(id))
    throw new UsageError('name the event by its id of 32 hexadecimal digits')
  const connection = connect(input)
  const event = id.replaceAll('-', '').toLowerCase()
  const org = encodeURIComponent(connection.org())
  const { body } = await connection.call<StoredEvent>({
    path: `/api/0/organizations/${org}/events/${event}/json/`,
  })
  const all = framesOf(body)
  const frames = wanted === undefined ? all : all.filter(({ index }) => String(index) === wanted)
  if (wanted !== undefined && frames.length === 0)
    throw new UsageError(
      `the event has ${all.length} frames, numbered from 0: the first is where it was thrown`,
    )
  const answer = { event, release: body.release ?? null, dist: body.dist ?? null, frames }
  if (input.flag('json')) print(JSON.stringify(answer))
  else if (frames.length === 0) note('The event has no stack.')
  else print(frames.map(frameText).join('\n'))
  return frames.every(({ readable }) => readable) ? 0 : 1
}

/** The place where it was thrown is 0; the outermost exception comes first. */
function framesOf({ exception, threads }: StoredEvent) {
  const stacks = [...(exception?.values ?? []).toReversed(), ...(threads?.values ?? [])]
  const frames = stacks.flatMap(({ type, stacktrace, raw_stacktrace: raw }) =>
    (stacktrace?.frames ?? []).map((frame, at) => ({ type, frame, raw: raw?.frames[at] })).toReversed(),
  )
  return frames.map(({ type, frame, raw }, index) => ({
    index,
    ...frameAnswer(frame, raw),
    exception: type ?? null,
  }))
}

function frameAnswer(frame: StoredFrame, raw: StoredFrame | undefined) {
  const { problem, data } = frame
  const known = problem && isFrameProblem(problem.reason) ? FRAME_REASONS[problem.reason] : undefined
  const ran = raw ?? frame
  return {
    file: frame.filename ?? frame.abs_path ?? null,
    function: frame.function ?? null,
    line: frame.lineno ?? null,
    column: frame.colno ?? null,
    inApp: frame.in_app ?? false,
    readable: problem === undefined,
    map: typeof data?.sourcemap === 'string' ? data.sourcemap : null,
    /** Where it ran, as the SDK sent it. */
    ran: ran.abs_path === undefined ? null : placeText(ran.abs_path, ran.lineno, ran.colno),
    reason: problem?.reason ?? null,
    detail: problem?.detail ?? null,
    why: known?.why ?? null,
    todo: known?.todo ?? null,
  }
}

type Frame = ReturnType<typeof framesOf>[number]

function frameText({
  index,
  file,
  function: name,
  line,
  column,
  readable,
  map,
  ran,
  ...frame
}: Frame): string {
  const head = `#${index}  ${name ?? '?'} (${placeText(file ?? '?', line, column)})`
  const lines = readable
    ? [map === null ? 'readable as it was sent' : `readable: ${ran ?? ''} was led here by ${map}`]
    : [
        `not readable: ${frame.why ?? frame.reason ?? ''}${frame.detail === null ? '' : ` (${frame.detail})`}`,
        ...(frame.todo === null ? [] : [frame.todo]),
      ]
  return [head, ...lines.map((text) => `    ${text}`)].map(terminalLine).join('\n')
}

const placeText = (file: string, line?: number | null, column?: number | null): string =>
  [file, line, column].filter((part) => part !== undefined && part !== null).join(':')
