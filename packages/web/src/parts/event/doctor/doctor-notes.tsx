import { Link, useParams } from '@sonde/router'
import { createContext, useContext } from 'react'
import type { Frame } from '@sonde/protocol/event'
import { paths } from '../../../paths.ts'
import { Snippet } from '../../../ui/snippet.tsx'
import type { EventDoctor } from './event-doctor.ts'
import { useRepaired } from './use-repaired.ts'

/** Of the event that is shown; undefined: all of it is readable. */
export const DoctorContext = createContext<EventDoctor | undefined>(undefined)

/** Above the stacks: one line for each reason, with the commands to run folded below it. */
export function DoctorNotes() {
  const doctor = useContext(DoctorContext)
  return doctor && <Notes doctor={doctor} />
}

function Notes({ doctor: { repair, notes } }: { readonly doctor: EventDoctor }) {
  const { org, project } = useParams<'org' | 'project'>()
  useRepaired(org, project, repair !== undefined)
  return (
    <div className="doctor">
      {repair !== undefined && <p role="status">{repair}</p>}
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
