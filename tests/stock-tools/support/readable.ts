/** What the server made of an event's frames. */
import assert from 'node:assert/strict'
import type { EventDetail, Exception, Frame } from '../../compat/support/api-shapes.ts'
import { exceptions } from '../../compat/support/api-shapes.ts'
import type { Place } from './app.ts'
import type { Harness } from './harness.ts'

export type ReadFrame = Frame & { readonly colNo: number | null }

/** The event once `done` says so of its last exception; `done` left out: once it is there. */
export async function storedEvent(
  { api, project }: Harness,
  id: string,
  done: (frames: readonly ReadFrame[]) => boolean = () => true,
): Promise<EventDetail> {
  return api.until<EventDetail>(
    `/api/0/projects/${project.org}/${project.project}/events/${id}/`,
    (event) => done(framesOf(event)),
    60_000,
  )
}

export function framesOf(event: EventDetail): readonly ReadFrame[] {
  const thrown: Exception | undefined = exceptions(event).at(-1)
  return (thrown?.stacktrace?.frames ?? []) as readonly ReadFrame[]
}

/** Exactly where the source says it is, with the line itself and those around it. */
export function assertFrame(
  frame: ReadFrame | undefined,
  expected: { readonly function: string; readonly file: string; readonly place: Place },
): void {
  assert.ok(frame, 'the exception has such a frame')
  const { place } = expected
  assert.deepEqual(
    {
      function: frame.function,
      file: frame.filename,
      line: frame.lineNo,
      column: frame.colNo,
      text: frame.context.find(([line]) => line === frame.lineNo)?.[1],
      inApp: frame.inApp,
    },
    {
      function: expected.function,
      file: expected.file,
      line: place.line,
      column: place.column,
      text: place.text,
      inApp: true,
    },
  )
  assert.ok(frame.context.length > 3, `lines around it: ${JSON.stringify(frame.context)}`)
}
