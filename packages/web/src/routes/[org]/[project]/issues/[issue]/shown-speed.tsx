import type { ReactNode } from 'react'
import { fewSpeedText, type IssueSpeed, SIDE_TITLES, SIDES, speedLine } from './issue-speed-text.ts'

/** The differences with their intervals; of too few what it takes, of none nothing. */
export default function ShownSpeed({ speed }: { readonly speed: IssueSpeed }) {
  if (speed === 'too-much') {
    return (
      <Frame>
        <p className="muted">Too much data to compare. Try a shorter time range.</p>
      </Frame>
    )
  }
  const few = fewSpeedText(speed)
  if (few !== undefined) {
    return (
      <Frame>
        <p className="muted">{few}</p>
      </Frame>
    )
  }
  const sides = SIDES.filter((side) => speed[side].length > 0)
  if (sides.length === 0) return null
  return (
    <Frame>
      {sides.map((side) => (
        <div key={side}>
          <h3>{SIDE_TITLES[side]}</h3>
          <ul>
            {speed[side].map((vital) => {
              const { what, difference, interval, verdict, title } = speedLine(side, vital)
              return (
                <li key={vital.name} title={title}>
                  {what}{' '}
                  <span className={verdict === 'undecided' ? 'num muted' : `num speed-${verdict}`}>
                    {difference}
                  </span>{' '}
                  <span className="muted">({interval})</span>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
      <p className="muted">
        Compared with users on the same routes and device types. Correlation, not necessarily causation.
      </p>
    </Frame>
  )
}

const Frame = ({ children }: { readonly children: ReactNode }) => (
  <div className="speed">
    <h2>Performance impact</h2>
    {children}
  </div>
)
