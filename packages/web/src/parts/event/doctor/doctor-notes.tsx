import type { Frame } from '@sonde/protocol/event'
import { Link, useParams, useRevalidate } from '@sonde/router'
import { createContext, useContext, useEffect } from 'react'
import { paths } from '../../../paths.ts'
import { Snippet } from '../../../ui/copy-button.tsx'
import type { EventDoctor } from './event-doctor.ts'

const LOOK_EVERY_MS = 5_000

/**
 * Fetches the page's data again when stored events of the project were read again: a source map came while somebody looked
 * at what it makes readable. Asks nothing while the page cannot be seen. `isUnderWay`: the page was made during one.
 */
function useReprocessed(org: string, project: string, isUnderWay: boolean): void {
  const revalidate = useRevalidate()
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    const url = `/api/0/projects/${encodeURIComponent(org)}/${encodeURIComponent(project)}/source-maps/reprocessing/`
    let known: string | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible') return
      try {
        const answer = await fetch(url, { signal })
        const reprocessing = answer.ok ? await answer.text() : known
        const isNews = known === undefined ? isUnderWay : reprocessing !== known
        known = reprocessing
        if (isNews) await revalidate()
      } catch {
        // Sonde is away: the next look finds it again.
      }
      if (!signal.aborted) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
    }
    const seen = (): void => void look()
    document.addEventListener('visibilitychange', seen)
    void look()
    return () => {
      stopping.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [revalidate, org, project, isUnderWay])
}

/** Of the event that is shown; undefined: all of it is readable. */
export const DoctorContext = createContext<EventDoctor | undefined>(undefined)

/** Above the stacks: one line for each reason, with the commands to run folded below it. */
export function DoctorNotes() {
  const doctor = useContext(DoctorContext)
  return doctor && <Notes doctor={doctor} />
}

function Notes({ doctor: { reprocessing, notes } }: { readonly doctor: EventDoctor }) {
  const { org, project } = useParams<'org' | 'project'>()
  useReprocessed(org, project, reprocessing !== undefined)
  return (
    <div className="doctor">
      {reprocessing !== undefined && <p role="status">{reprocessing}</p>}
      {notes.map(({ reason, head, why, steps }) => (
        <details key={reason}>
          <summary>
            <b>{head}</b> <bdi>{why}</bdi>
          </summary>
          {steps.map(({ text, code }, index) => (
            <div key={index}>
              <p>{text}</p>
              {code !== undefined && <Snippet code={code} what={text} />}
            </div>
          ))}
          <Link to={paths.sourceMaps(org, project)} prefetch="intent">
            Source maps and tokens
          </Link>
        </details>
      ))}
    </div>
  )
}

/** Beside a frame: why it is as it ran. */
export function FrameWhy({ frame: { problem } }: { readonly frame: Frame }) {
  const told = useContext(DoctorContext)?.beside[problem?.reason ?? 'no_map']
  if (!problem || !told) return null
  return (
    <bdi className="frame-why">
      {told.short}
      {told.isDetailed && problem.detail !== undefined && `: ${problem.detail}`}
    </bdi>
  )
}
