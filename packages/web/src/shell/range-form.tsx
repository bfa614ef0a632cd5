import { Form, useLocation, useNavigate, useSearchParams } from '@sonde/router'
import { type SyntheticEvent, useId, useState } from 'react'
import { personZoneName } from '../format/person-zone.ts'
import { useIsInBrowser } from '../ui/page-clock.tsx'
import {
  addressText,
  addressTime,
  changeRange,
  fieldText,
  fieldTime,
  rangeProblem,
  type Zone,
} from './time-range.ts'

/** From one time to another. The server knows no zone of the reader's: without scripts the fields are UTC. */
export function RangeForm() {
  const [params] = useSearchParams()
  const isInBrowser = useIsInBrowser()
  return isInBrowser ? <ZonedForm key={params.toString()} params={params} /> : <UtcForm params={params} />
}

function ZonedForm({ params }: { readonly params: URLSearchParams }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const problemId = useId()
  const [zone, setZone] = useState<Zone>('local')
  const [from, setFrom] = useState(() => fieldText(addressTime(params.get('start')), 'local'))
  const [to, setTo] = useState(() => fieldText(addressTime(params.get('end')), 'local'))
  const [problem, setProblem] = useState<string>()

  const changeZone = (next: Zone): void => {
    // The same moments, as the other zone writes them.
    setFrom(fieldText(fieldTime(from, zone), next))
    setTo(fieldText(fieldTime(to, zone), next))
    setZone(next)
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    const [fromMs, toMs] = [fieldTime(from, zone), fieldTime(to, zone)]
    const wrong = rangeProblem(fromMs, toMs)
    setProblem(wrong)
    if (wrong !== undefined || fromMs === undefined || toMs === undefined) {
      // The menu stays open.
      event.stopPropagation()
      return
    }
    const range = { start: addressText(fromMs), end: addressText(toMs) }
    void navigate(pathname + changeRange(params, { range }))
  }
  const field = (label: string, value: string, change: (text: string) => void) => (
    <label>
      {label}
      <input
        className="input"
        type="datetime-local"
        value={value}
        onChange={(event) => change(event.target.value)}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? undefined : problemId}
      />
    </label>
  )
  return (
    <form className="menu-form menu-foot" aria-label="Custom range" noValidate onSubmit={submit}>
      {field('From', from, setFrom)}
      {field('To', to, setTo)}
      <label className="menu-check">
        <input
          type="checkbox"
          checked={zone === 'utc'}
          onChange={(event) => changeZone(event.target.checked ? 'utc' : 'local')}
        />
        UTC
      </label>
      <p className="menu-zone muted">Time zone: {zone === 'utc' ? 'UTC' : personZoneName()}</p>
      {problem !== undefined && (
        <p id={problemId} className="field-error" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" className="button button-small">
        Apply
      </button>
    </form>
  )
}

function UtcForm({ params }: { readonly params: URLSearchParams }) {
  const { pathname } = useLocation()
  const field = (name: 'start' | 'end', label: string) => (
    <label>
      {label}
      <input
        className="input"
        type="datetime-local"
        name={name}
        defaultValue={fieldText(addressTime(params.get(name)), 'utc')}
        required
      />
    </label>
  )
  return (
    <Form method="get" action={pathname} className="menu-form menu-foot" aria-label="Custom range">
      <OtherParams params={params} without={['statsPeriod', 'start', 'end', 'cursor']} />
      {field('start', 'From (UTC)')}
      {field('end', 'To (UTC)')}
      <button type="submit" className="button button-small">
        Apply
      </button>
    </Form>
  )
}

/** A form's query replaces the address's: what else it says goes along. */
export function OtherParams({
  params,
  without,
}: {
  readonly params: URLSearchParams
  readonly without: readonly string[]
}) {
  return [...params]
    .filter(([name]) => !without.includes(name))
    .map(([name, value], index) => <input key={`${name}-${index}`} type="hidden" name={name} value={value} />)
}
