import { Form, Link, useLocation, useSearchParams } from '@sonde/router'
import { Icon } from '../ui/icon.tsx'
import { useIsInBrowser } from '../ui/page-clock.tsx'
import { UserText } from '../ui/user-text.tsx'
import { LoadedPart } from './loaded-part.tsx'
import { Menu } from './menu.tsx'
import { OtherParams, RangeForm } from './range-form.tsx'
import { changeRange, environmentsOf, PERIODS, rangeName } from './time-range.ts'

const loadEnvironments = async () => (await import('./menu-lists.tsx')).EnvironmentList

type Place = { readonly org: string; readonly project: string | undefined }
type Props = Place & {
  /** The period that holds when the address says none; empty: any time; undefined: the screen has no time. */
  readonly usual?: string
}

/** What the screens are narrowed to. Both live in the address and follow from page to page. */
export function RangePickers({ usual, ...place }: Props) {
  return (
    <div className="range-pickers" role="group" aria-label="Filters">
      <EnvironmentPicker {...place} />
      {usual !== undefined && <TimePicker usual={usual} />}
    </div>
  )
}

function EnvironmentPicker(place: Place) {
  const [params] = useSearchParams()
  const isInBrowser = useIsInBrowser()
  const chosen = environmentsOf(params)
  const [only = ''] = chosen
  const name =
    chosen.length === 0 ? 'All environments' : chosen.length === 1 ? only : `${chosen.length} environments`
  return (
    <Menu
      className="range-picker"
      button={
        <>
          <Icon name="layers" />
          <UserText text={name} />
        </>
      }
      label={`Environment: ${name}`}
    >
      {(isOpen) =>
        isInBrowser ? isOpen && <LoadedPart load={loadEnvironments} part={place} /> : <EnvironmentForm />
      }
    </Menu>
  )
}

/** Without JavaScript the list is not fetched: the name is typed. */
function EnvironmentForm() {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <Form method="get" action={pathname} className="menu-form">
      <OtherParams params={params} without={['environment', 'cursor']} />
      <label>
        Environment
        <input className="input" name="environment" defaultValue={environmentsOf(params)[0] ?? ''} />
      </label>
      <button type="submit" className="button button-small">
        Apply
      </button>
    </Form>
  )
}

function TimePicker({ usual }: { readonly usual: string }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const name = rangeName(params, usual)
  const period = params.get('statsPeriod') || usual
  const isRange = name.endsWith('UTC')
  const rows = usual === '' ? ([...PERIODS, { id: '', name: 'All time' }] as const) : PERIODS
  return (
    <Menu
      className="range-picker"
      button={
        <>
          <Icon name="clock" />
          <span>{name}</span>
        </>
      }
      label={`Time: ${name}`}
    >
      {() => (
        <>
          <ul className="menu-list">
            {rows.map((row) => (
              <li key={row.id}>
                <Link
                  to={pathname + changeRange(params, { statsPeriod: row.id })}
                  prefetch="none"
                  aria-current={(!isRange && row.id === period) || undefined}
                >
                  {row.name}
                </Link>
              </li>
            ))}
          </ul>
          <RangeForm />
        </>
      )}
    </Menu>
  )
}
