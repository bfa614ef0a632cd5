import { Form, Link, useLocation, useNavigate, useSearchParams } from '@sonde/router'
import { useState } from 'react'
import { paths } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'
import { useIsInBrowser } from '../ui/page-clock.tsx'
import { UserText } from '../ui/user-text.tsx'
import { FilteredList } from './filtered-list.tsx'
import { Menu } from './menu.tsx'
import { OtherParams } from './other-params.tsx'
import { RangeForm } from './range-form.tsx'
import { changeRange, environmentsOf, PERIODS, rangeName } from './time-range.ts'
import { useJson } from './use-json.ts'

type Place = { readonly org: string; readonly project: string | undefined }
type Props = Place & {
  /** The period that holds when the address says none; empty: any time. */
  readonly usual: string
}

/** What the screens are narrowed to. Both live in the address and follow from page to page. */
export function RangePickers({ usual, ...place }: Props) {
  return (
    <div className="range-pickers" role="group" aria-label="Narrow to">
      <EnvironmentPicker {...place} />
      <TimePicker usual={usual} />
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
        isInBrowser ? isOpen && <EnvironmentList {...place} chosen={chosen} /> : <EnvironmentForm />
      }
    </Menu>
  )
}

function EnvironmentList({ org, project, chosen }: Place & { readonly chosen: readonly string[] }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const search = new URLSearchParams(project === undefined ? { org } : { org, project })
  const { state, data } = useJson<{ readonly environments: readonly string[] }>(
    `${paths.environments()}?${search}`,
  )
  // A box is ticked at once, not when the page has followed; those chosen at first stay where they are.
  const [first] = useState(chosen)
  const [ticked, setTicked] = useState(chosen)
  if (state === 'failed') return <p className="menu-note">The environments could not be fetched.</p>
  if (!data) return <p className="menu-note">Loading…</p>
  const names = [...new Set([...first, ...data.environments])]
  if (names.length === 0) return <p className="menu-note">No event has named its environment yet.</p>
  const tick = (name: string, isChosen: boolean): void => {
    const environments = isChosen ? [...ticked, name] : ticked.filter((other) => other !== name)
    setTicked(environments)
    void navigate(pathname + changeRange(params, { environments }), { replace: true })
  }
  return (
    <>
      <FilteredList
        what="environments"
        items={names}
        textOf={(name) => name}
        renderLine={(name) => (
          <label>
            <input
              type="checkbox"
              checked={ticked.includes(name)}
              onChange={(event) => tick(name, event.target.checked)}
            />
            <UserText text={name} />
          </label>
        )}
      />
      <ul className="menu-list menu-foot">
        <li>
          <Link to={pathname + changeRange(params, { environments: [] })} prefetch="none">
            All environments
          </Link>
        </li>
      </ul>
    </>
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
  const rows = usual === '' ? ([...PERIODS, { id: '', name: 'Any time' }] as const) : PERIODS
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
