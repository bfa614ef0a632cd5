/** What the overview says of alerts: what is open, and what was told to whom. Pure. */
import type { ToldSince } from '@sonde/queries'
import { countOf, formatExact } from '../../../format/format-count.ts'
import { paths } from '../../../paths.ts'
import type { Place, Sentence } from './overview-section.ts'

export function alertSentences(
  { org, project }: Place,
  release: string | undefined,
  { open, openCount, channels, people, sent, failed, rules }: ToldSince,
  mayWrite: boolean,
): readonly Sentence[] {
  const since = release === undefined ? 'In the last 7 days' : `Since ${release}`
  const list = { to: paths.incidents(org, project, { state: 'open' }), name: 'Incidents' }
  const places = [
    ...(channels > 0 ? [countOf(channels, 'channel')] : []),
    ...(people > 0 ? [countOf(people, 'person', 'people')] : []),
  ]
  const more = openCount - open.length
  return [
    ...open.map(({ id, ruleName, issue, startedMs, acknowledgedBy }): Sentence => ({
      tone: acknowledgedBy === '' ? 'bad' : 'attention',
      text: `An incident of “${ruleName}” is open${issue ? `, of ${issue.shortId}` : ''}${acknowledgedBy === '' ? ', and nobody has acknowledged it' : `; ${acknowledgedBy} has acknowledged it`}. Began`,
      atMs: startedMs,
      link: { to: paths.incident(org, project, id), name: 'Incident' },
    })),
    ...(more > 0
      ? [{ tone: 'bad' as const, text: `${formatExact(more)} more incidents are open.`, link: list }]
      : []),
    ...(failed > 0
      ? [
          {
            tone: 'bad' as const,
            text: `${countOf(failed, 'message')} could not be delivered.`,
            link: { to: paths.channels(org), name: 'Channels' },
          },
        ]
      : []),
    ...(rules === 0
      ? [
          {
            tone: 'attention' as const,
            text: 'No alert rule is on, so nobody is told when something breaks.',
            link: mayWrite
              ? { to: paths.newAlert(org, project), name: 'New alert rule' }
              : { to: paths.alerts(org, project), name: 'Alerts' },
          },
        ]
      : [
          sent > 0
            ? {
                tone: 'plain' as const,
                text: `${since} ${countOf(sent, 'message')} went to ${places.join(' and ')}.`,
                link: { to: paths.incidents(org, project), name: 'Incidents' },
              }
            : {
                tone: openCount > 0 ? ('plain' as const) : ('good' as const),
                text: `${since} nobody was told of anything; ${countOf(rules, 'alert rule')} ${rules === 1 ? 'is' : 'are'} on.`,
                link: { to: paths.alerts(org, project), name: 'Alerts' },
              },
        ]),
  ]
}
