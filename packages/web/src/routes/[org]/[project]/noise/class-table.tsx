import '../../../../parts/figures/status.css'
import { NOISE_NAMES, NOISE_RULES, type NoiseRule } from '@sonde/protocol/noise'
import type { NoiseClassFigures } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { usePaths } from '../../../../shell/use-paths.ts'
import { Count } from '../../../../ui/count.tsx'
import { TableFrame } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { NoiseRules } from './rules-form.tsx'

const ACTIONS = { keep: 'Keep', thin: 'Thin', drop: 'Drop' } as const

type Props = { readonly classes: readonly NoiseClassFigures[]; readonly noise: NoiseRules }

/** Each class with what became of it; its rule and its events are one click away. */
export function ClassTable({ classes, noise }: Props) {
  const paths = usePaths()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <TableFrame label="Classes of noise">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Class</th>
            <th scope="col">Rule</th>
            {['Kept', 'Thinned', 'Dropped', 'Issues', 'Users'].map((name) => (
              <th key={name} scope="col" className="num col-end">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {classes.map(({ name, kept, thinned, dropped, issues, users }) => (
            <tr key={name}>
              <th scope="row">
                {kept + thinned > 0 ? <a href={`#${name}`}>{NOISE_NAMES[name]}</a> : NOISE_NAMES[name]}
              </th>
              <td>
                <a href={`#noise-${name}`}>{ACTIONS[noise.actions[name] ?? 'keep']}</a>
              </td>
              <Quantity value={kept} noun="event" />
              <Quantity value={thinned} noun="event" />
              <Quantity value={dropped} noun="event" />
              <td className="num col-end">
                {issues === 0 ? (
                  <span className="muted">0</span>
                ) : (
                  <Link to={paths.issues(org, project, { query: `noise.class:${name}` })}>
                    {formatExact(issues)}
                  </Link>
                )}
              </td>
              <Quantity value={users} noun="user" />
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function Quantity({ value, noun }: { readonly value: number; readonly noun: string }) {
  return (
    <td className="num col-end">
      {value === 0 ? <span className="muted">0</span> : <Count value={value} noun={noun} />}
    </td>
  )
}

/** By which rules events came into the class, and the newest of them. */
export function ClassDetail({ rules, examples }: Pick<NoiseClassFigures, 'rules' | 'examples'>) {
  const paths = usePaths()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <>
      <ul className="noise-reasons">
        {rules.map(({ rule, events }) => (
          <li key={rule}>
            {NOISE_RULES[rule].says}{' '}
            <Link className="text-link" to={paths.issues(org, project, { query: `noise.rule:${rule}` })}>
              <Count value={events} noun="event" /> {events === 1 ? 'event' : 'events'}
            </Link>
          </li>
        ))}
      </ul>
      <TableFrame label="Newest events">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Newest events</th>
              <th scope="col">Rule met</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {examples.map(({ eventId, issueId, title, rule, match, timestampMs }) => (
              <tr key={eventId}>
                <td>
                  <Link to={paths.event(org, project, String(issueId), eventId)}>
                    <UserText text={title} />
                  </Link>
                </td>
                <td title={saidOf(rule)}>
                  <code>
                    <UserText text={match} />
                  </code>
                </td>
                <td>
                  <Ago atMs={timestampMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </>
  )
}

const saidOf = (rule: string): string | undefined =>
  Object.hasOwn(NOISE_RULES, rule) ? NOISE_RULES[rule as NoiseRule].says : undefined
