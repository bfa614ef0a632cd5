import { Icon } from '../../ui/icon.tsx'
import { ZonedTimeField } from '../forms/zoned-time-field.tsx'
import { FormMenu } from './form-menu.tsx'

const TIMES = [
  ['minutes:30', 'For 30 minutes'],
  ['minutes:120', 'For 2 hours'],
  ['minutes:1440', 'For a day'],
  ['minutes:10080', 'For a week'],
] as const

const WINDOWS = [
  ['', 'ever'],
  ['60', 'within an hour'],
  ['1440', 'within a day'],
  ['10080', 'within a week'],
] as const

/** Until when an issue is away: for a time, until it escalates, or until so much more of it came. */
export function ArchiveMenu({ isInForm }: { readonly isInForm: boolean }) {
  return (
    <FormMenu
      isInForm={isInForm}
      className="archive-menu"
      button={<Icon name="down" />}
      label="Ignore until…"
    >
      {!isInForm && <input type="hidden" name="status" value="ignored" />}
      <div className="menu-list">
        <button
          type="submit"
          name="until"
          value="escalating"
          data-closes
          data-verb="Ignore"
          data-suffix="until they escalate"
          title="More than 10 events in an hour, and more than 4 times the usual hour of the week before"
        >
          Until it escalates
        </button>
        {TIMES.map(([value, text]) => (
          <button
            key={value}
            type="submit"
            name="until"
            value={value}
            data-closes
            data-verb="Ignore"
            data-suffix={text.toLowerCase()}
          >
            {text}
          </button>
        ))}
      </div>
      <div className="menu-form menu-foot">
        <ZonedTimeField label="Until" name="untilAt" />
        <button
          type="submit"
          name="until"
          value="date"
          className="button button-small"
          data-closes
          data-verb="Ignore"
          data-suffix="until that time"
        >
          Ignore until that time
        </button>
      </div>
      <div className="menu-form menu-foot">
        <p className="archive-count">
          Until{' '}
          <input
            className="input"
            type="number"
            name="untilCount"
            aria-label="Number"
            min={1}
            max={1_000_000_000}
            defaultValue={10}
          />
          <select className="input" name="untilOf" aria-label="Of what">
            <option value="events">more events</option>
            <option value="users">more users</option>
          </select>
          <select className="input" name="untilWithin" aria-label="Within">
            {WINDOWS.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </p>
        <button
          type="submit"
          name="until"
          value="count"
          className="button button-small"
          data-closes
          data-verb="Ignore"
          data-suffix="until so many more came"
        >
          Ignore until then
        </button>
      </div>
    </FormMenu>
  )
}
