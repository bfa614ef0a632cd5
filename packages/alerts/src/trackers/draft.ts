/** What a new issue of a tracker says of ours: enough to begin with, and the way back. Markdown. */
import type { Records } from '@sonde/stores'
import { oneLine } from '../channels/fields.ts'
import { type IssueFacts, readIssueFacts } from '../issues/incidents.ts'
import type { IssueDraft } from './tracker.ts'

/** Jira takes 255 characters, GitHub 256. */
export const MAX_TITLE_CHARS = 255

export const issueUrl = (
  publicUrl: string,
  {
    org_slug: org,
    project_slug: project,
    short_number: number,
  }: Pick<IssueFacts, 'org_slug' | 'project_slug' | 'short_number'>,
): string => `${publicUrl}/${org}/${project}/issues/${project.toUpperCase()}-${number}`

/** Undefined: there is no such issue. */
export async function readDraft(
  records: Records,
  publicUrl: string,
  issueId: number,
): Promise<IssueDraft | undefined> {
  const [facts] = await readIssueFacts(records, [issueId])
  return facts && draftOf(facts, publicUrl)
}

export function draftOf(facts: IssueFacts, publicUrl: string): IssueDraft {
  const { title, culprit, first_seen_ms: firstSeenMs, first_release: release, event_count: events } = facts
  const {
    filename = '',
    function: called = '',
    value = '',
  } = JSON.parse(facts.metadata) as Record<string, string>
  const shortId = `${facts.project_slug.toUpperCase()}-${facts.short_number}`
  const place = [called, filename && `(${filename})`].filter(Boolean).join(' ')
  const rows = [
    ['Where', culprit],
    ['Code', place],
    [
      'First seen',
      new Date(firstSeenMs)
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, ' UTC'),
    ],
    ['Release', release],
    ['Level', facts.level],
    ['Events', String(events)],
  ] as const
  const lines = rows
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `- ${name}: ${oneLine(text, 300)}`)
  const message = value.trim() === '' ? [] : [fenced(value.slice(0, 2_000)), '']
  const body = [`[${shortId}](${issueUrl(publicUrl, facts)}) in Sonde`, '', ...message, ...lines].join('\n')
  return { title: oneLine(title, MAX_TITLE_CHARS) || shortId, body }
}

/** What a program wrote may hold a fence of its own. */
const fenced = (text: string): string => `\`\`\`\n${text.replaceAll('```', "'''")}\n\`\`\``
