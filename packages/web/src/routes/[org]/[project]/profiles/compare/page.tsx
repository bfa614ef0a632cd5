import '../../../../../parts/performance/performance.css'
import '../profiles.css'
import { Form, Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { countOf } from '../../../../../format/format-count.ts'
import { OtherParams } from '../../../../../shell/range-form.tsx'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { EmptyState, Section } from '../../../../../ui/section.tsx'
import { FlameGraph } from '../flame-graph.tsx'
import { DifferenceTable } from './difference-table.tsx'
import { pointsText, shareText } from './difference-text.ts'
import type { load } from './page.server.ts'

export const title = (): string => 'Compare profiles · Sonde'

type Loaded = Awaited<ReturnType<typeof load>>
type Compared = NonNullable<Loaded['compared']>

export default function Compare() {
  const { org, project } = useParams<'org' | 'project'>()
  const data = usePageData<typeof load>()
  const { by, a, b, compared } = data
  const kept = usePaths()
  return (
    <div className="page page-wide">
      <p>
        <Link className="text-link" to={kept.profiles(org, project)}>
          Profiles
        </Link>
      </p>
      <h1>Compare profiles</h1>
      <CompareForm {...data} />
      {compared === undefined ? (
        <EmptyState title="Nothing to compare yet">
          <p>
            {a !== '' && a === b
              ? 'The same release is selected twice. Choose a different one.'
              : 'Profiles of at least two releases are needed. Set `release` in the SDK, or compare with the time before.'}
          </p>
        </EmptyState>
      ) : compared.profiles.before === 0 || compared.profiles.after === 0 ? (
        <EmptyState title="No profiles on one side">
          <p>
            {sideNames(by, a, b)[compared.profiles.before === 0 ? 'before' : 'after']} has no profile in this
            time. Choose a longer time range or another transaction.
          </p>
        </EmptyState>
      ) : (
        <Difference compared={compared} names={sideNames(by, a, b)} />
      )}
    </div>
  )
}

type Names = { readonly before: string; readonly after: string }

const sideNames = (by: Loaded['by'], a: string, b: string): Names =>
  by === 'time' ? { before: 'Previous period', after: 'This period' } : { before: a, after: b }

/** A share that grew or fell by so much has the full colour. */
const FULL_COLOUR = 0.1

function Difference({ compared, names }: { readonly compared: Compared; readonly names: Names }) {
  const { tree, functions, samples, profiles, isTooFew } = compared
  const shareOf = (node: number) => tree.nodes[node]!.share
  return (
    <>
      <p>
        <bdi>{names.before}</bdi>: {countOf(profiles.before, 'profile')}, {countOf(samples.before, 'sample')}.{' '}
        <bdi>{names.after}</bdi>: {countOf(profiles.after, 'profile')}, {countOf(samples.after, 'sample')}.
      </p>
      {isTooFew && (
        <p className="perf-bad" role="note">
          Too few samples: with fewer than 100 on a side, differences are mostly chance.
        </p>
      )}
      <Section
        id="difference"
        title="Flame graph"
        note="Red takes a larger share than before, blue a smaller one"
      >
        <FlameGraph
          tree={tree}
          change={(node) => {
            const { before, after } = shareOf(node)
            return { by: (after - before) / FULL_COLOUR, text: pointsText(after - before) }
          }}
          describe={(node) => {
            const { before, after } = shareOf(node)
            return `before ${shareText(before)}, after ${shareText(after)} (${pointsText(after - before)} points)`
          }}
          summary="Widths are the mean of both shares"
          renderTable={(search) => <DifferenceTable rows={functions} search={search} />}
        />
      </Section>
    </>
  )
}

function CompareForm({ by, a, b, transaction, transactions, releases }: Loaded) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const release = (name: 'a' | 'b', label: string, value: string) => (
    <label>
      {label}
      <input
        className="input"
        name={name}
        list="profiled-releases"
        defaultValue={value}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
      />
    </label>
  )
  return (
    <Form method="get" action={pathname} className="compare-profiles" key={`${by} ${a} ${b} ${transaction}`}>
      <OtherParams params={params} without={['a', 'b', 'by', 'transaction']} />
      <label>
        Transaction
        <input
          className="input"
          name="transaction"
          list="profiled-transactions"
          defaultValue={transaction}
          placeholder="All"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
        />
      </label>
      <label>
        Compare
        <select className="input" name="by" defaultValue={by}>
          <option value="release">Two releases</option>
          <option value="time">This period with the previous one</option>
        </select>
      </label>
      {release('a', 'Before', a)}
      {release('b', 'After', b)}
      <datalist id="profiled-releases">
        {releases.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <datalist id="profiled-transactions">
        {transactions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <button type="submit" className="button">
        Compare
      </button>
    </Form>
  )
}
