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
  const since = release === undefined ? 'In the last 7 days' : `Since ${release},`
  const list = { to: paths.incidents(org, project, { state: 'open' }), name: 'Incidents' }
  const places = [
    ...(channels > 0 ? [countOf(channels, 'channel')] : []),
    ...(people > 0 ? [countOf(people, 'person', 'people')] : []),
  ]
  const [newest] = open
  return [
    ...(newest
      ? [
          {
            tone: newest.acknowledgedBy === '' ? ('bad' as const) : ('attention' as const),
            text: openText(newest, openCount),
            atMs: newest.startedMs,
            link: openCount === 1 ? { to: paths.incident(org, project, newest.id), name: 'Incident' } : list,
          },
        ]
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

function openText({ ruleName, issue, acknowledgedBy }: ToldSince['open'][number], count: number): string {
  const of = `“${ruleName}”${issue ? `, ${issue.shortId}` : ''}`
  const seen = acknowledgedBy === '' ? 'nobody has acknowledged it' : `${acknowledgedBy} has acknowledged it`
  return count === 1
    ? `An incident is open: ${of}; ${seen}. Began`
    : `${formatExact(count)} incidents are open, the newest: ${of}; ${seen}. Began`
}
