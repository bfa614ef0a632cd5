import '../../../../parts/figures/status.css'
import { Form } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { TableFrame } from '../../../../ui/section.tsx'
import { ExactTime } from '../../../../ui/time.tsx'

export type ShownSpikeState = {
  readonly state: 'on' | 'learning' | 'limited' | 'off'
  readonly baseline?: { readonly usualPerHour: number; readonly minuteLimit: number } | undefined
  readonly spikes: readonly SpikeRow[]
}
type SpikeRow = {
  readonly id: number
  readonly startedMs: number
  readonly endedMs?: number | undefined
  readonly timesUsual?: number | undefined
  readonly peakPerMinute: number
  readonly kept: number
  readonly sampled: number
  readonly storedOneIn: number
}

/** What holds now, in sentences. */
export function spikeStateText({ state, baseline }: Omit<ShownSpikeState, 'spikes'>): string {
  if (state === 'off') return 'Off: every event is stored, up to the rate limit.'
  if (state === 'limited') return 'Not in use: the rate limit of the project takes its place.'
  if (state === 'learning' || baseline === undefined)
    return 'Learning: the usual rate is known a week after the first event. Until then nothing is sampled.'
  const { usualPerHour, minuteLimit } = baseline
  return (
    `Usual at this time of the week: ${formatExact(usualPerHour)} ${usualPerHour === 1 ? 'event' : 'events'} per hour. ` +
    `Above ${formatExact(minuteLimit)} within a minute, events are sampled.`
  )
}

type SpikeFormProps = { readonly state: ShownSpikeState; readonly mayWrite: boolean }

/** The switch, and the spikes there were. */
export function SpikeForm({ state, mayWrite }: SpikeFormProps) {
  const isOn = state.state !== 'off'
  return (
    <>
      <p>{spikeStateText(state)}</p>
      <p className="muted">
        Of what is above, about 1 in 10 is stored, and at least one of each issue. All counts of issues,
        levels and releases stay exact; members of the organization and the channels of the alert rules are
        told.
      </p>
      {mayWrite && (
        <Form className="settings-line">
          <input type="hidden" name="form" value="spikes" />
          {!isOn && <input type="hidden" name="isOn" value="on" />}
          <button type="submit" className="button">
            {isOn ? 'Turn off for this project' : 'Turn on for this project'}
          </button>
        </Form>
      )}
      {state.spikes.length > 0 && <SpikeTable spikes={state.spikes} />}
    </>
  )
}

function SpikeTable({ spikes }: { readonly spikes: readonly SpikeRow[] }) {
  return (
    <TableFrame label="Spikes">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Began</th>
            <th scope="col">Ended</th>
            <th scope="col" className="num col-end">
              Peak per minute
            </th>
            <th scope="col" className="num col-end">
              Events
            </th>
            <th scope="col" className="num col-end">
              Stored
            </th>
          </tr>
        </thead>
        <tbody>
          {spikes.map((spike) => (
            <tr key={spike.id}>
              <td>
                <ExactTime atMs={spike.startedMs} />
              </td>
              <td>
                {spike.endedMs === undefined ? (
                  <Badge tone="attention">ongoing</Badge>
                ) : (
                  <ExactTime atMs={spike.endedMs} />
                )}
              </td>
              <td className="num col-end">
                <Count value={spike.peakPerMinute} noun="event" />
                {spike.timesUsual !== undefined && (
                  <span className="muted"> {formatExact(spike.timesUsual)}× usual</span>
                )}
              </td>
              <td className="num col-end">
                <Count value={spike.kept + spike.sampled} noun="event" />
              </td>
              <td className="num col-end">
                <Count value={spike.kept} noun="event" />
                <span className="muted"> 1 in {formatExact(spike.storedOneIn)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
