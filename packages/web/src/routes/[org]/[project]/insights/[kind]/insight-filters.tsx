import {
  ASSET_OWNERS,
  ASSET_TYPES,
  INSIGHT_KINDS,
  type InsightKind,
  type InsightKindId,
} from '@sonde/queries/contract'
import { Form, Link, useLocation, useSearchParams } from '@sonde/router'
import { INSIGHT_PARAMS, readInsightSearch } from '../../../../../parts/insights/insight-search.ts'
import { withParams } from '../../../../../parts/performance/transaction-search.ts'
import { OtherParams } from '../../../../../shell/range-form.tsx'
import { Icon } from '../../../../../ui/icon.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

const TYPE_NAMES = { script: 'Scripts', css: 'CSS', img: 'Images', font: 'Fonts', other: 'Other' } as const
const OWNER_NAMES = { own: 'Own origin', 'third-party': 'Third party' } as const

/** Narrows by name, route and system; assets by kind of file and by whose they are. */
export function InsightFilters({ kind }: { readonly kind: InsightKindId }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const { query, route, peer, type, owner } = readInsightSearch(params, kind)
  const { hasFiles, row, peer: peerName = 'System' }: InsightKind = INSIGHT_KINDS[kind]
  return (
    <>
      <div className="transaction-filters">
        {hasFiles && (
          <>
            <Choice label="Type" param="type" names={TYPE_NAMES} values={ASSET_TYPES} shown={type} />
            <Choice label="Origin" param="owner" names={OWNER_NAMES} values={ASSET_OWNERS} shown={owner} />
          </>
        )}
        <Form
          method="get"
          action={pathname}
          role="search"
          className="insight-search"
          key={`${query}\n${route}`}
        >
          <OtherParams params={params} without={['query', 'route', 'page', 'cursor']} />
          <SearchField name="query" label={`Filter by ${row.toLowerCase()}`} value={query} />
          <SearchField name="route" label="Filter by route" value={route} />
          <button type="submit" className="button">
            Search
          </button>
        </Form>
      </div>
      {(peer !== undefined || query !== '' || route !== '') && (
        <ul className="filter-chips" aria-label="Active search">
          {(
            [
              ['query', row, query],
              ['route', 'Route', route],
              ['peer', peerName, peer ?? ''],
            ] as const satisfies readonly (readonly [(typeof INSIGHT_PARAMS)[number], string, string])[]
          ).map(
            ([param, name, value]) =>
              value !== '' && (
                <li key={param}>
                  <Link
                    className="filter-chip"
                    to={pathname + withParams(params, { [param]: undefined })}
                    prefetch="none"
                    aria-label={`Remove ${name.toLowerCase()} ${value}`}
                  >
                    <span className="muted">{name}</span> <UserText text={value} />
                    <Icon name="close" />
                  </Link>
                </li>
              ),
          )}
        </ul>
      )}
    </>
  )
}

type SearchFieldProps = { readonly name: string; readonly label: string; readonly value: string }

function SearchField({ name, label, value }: SearchFieldProps) {
  return (
    <input
      className="input"
      type="search"
      name={name}
      aria-label={label}
      placeholder={label}
      defaultValue={value}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      dir="auto"
    />
  )
}

type ChoiceProps<Value extends string> = {
  readonly label: string
  readonly param: 'type' | 'owner'
  readonly names: Readonly<Record<Value, string>>
  readonly values: readonly Value[]
  readonly shown: Value | undefined
}

function Choice<Value extends string>({ label, param, names, values, shown }: ChoiceProps<Value>) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const to = (value: Value | undefined): string => pathname + withParams(params, { [param]: value })
  return (
    <nav className="segmented" aria-label={label}>
      <Link to={to(undefined)} prefetch="none" aria-current={shown === undefined ? 'true' : undefined}>
        All
      </Link>
      {values.map((value) => (
        <Link key={value} to={to(value)} prefetch="none" aria-current={value === shown ? 'true' : undefined}>
          {names[value]}
        </Link>
      ))}
    </nav>
  )
}
