/** The errors that happened in the trace, each with the way to its issue and to its span. */
import { Link } from '@sonde/router'
import { countOf } from '../../../../format/format-count.ts'
import { paths } from '../../../../paths.ts'
import { Level } from '../../../../ui/level.tsx'
import { Section } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { TraceData } from './load-trace.server.ts'

/** More are a press away: the waterfall should be in sight. */
const FIRST = 5

type Props = {
  readonly org: string
  readonly errors: TraceData['errors']
  readonly onShow: (row: number) => void
}

export function TraceErrors({ org, errors, onShow }: Props) {
  if (errors.length === 0) return null
  return (
    <Section id="errors" title={countOf(errors.length, 'error')}>
      <ErrorLines org={org} errors={errors.slice(0, FIRST)} onShow={onShow} />
      {errors.length > FIRST && (
        <details>
          <summary>{countOf(errors.length - FIRST, 'more error')}</summary>
          <ErrorLines org={org} errors={errors.slice(FIRST)} onShow={onShow} />
        </details>
      )}
    </Section>
  )
}

function ErrorLines({ org, errors, onShow }: Props) {
  return (
    <ul className="trace-errors">
      {errors.map((error) => (
        <li key={error.eventId}>
          <Level level={error.level} />{' '}
          <Link to={paths.event(org, error.project, String(error.issueId), error.eventId)} prefetch="intent">
            <UserText text={error.title} />
          </Link>{' '}
          <span className="muted">
            <bdi>{error.project}</bdi>
          </span>{' '}
          {error.row >= 0 && (
            <button type="button" className="button button-small" onClick={() => onShow(error.row)}>
              Its span
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
