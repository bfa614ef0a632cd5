import { personZoneName } from '../../format/person-zone.ts'
import { useIsInBrowser } from '../../ui/page-clock.tsx'

type Props = { readonly label: string; readonly name: string; readonly isRequired?: boolean }

/**
 * A date and a time by the clock of the person's profile, or the browser's where that names no zone. Without scripts the server
 * takes the profile's, or UTC.
 */
export function ZonedTimeField({ label, name, isRequired = false }: Props) {
  const zone = useIsInBrowser() ? personZoneName() : ''
  return (
    <>
      <input type="hidden" name={`${name}Zone`} value={zone} readOnly />
      <label>
        {label} <span className="muted">({zone || 'time zone of your profile'})</span>
        <input className="input" type="datetime-local" name={name} required={isRequired} />
      </label>
    </>
  )
}
