/** What was posted on a status page as an Atom feed (RFC 4287): one entry an incident, which its updates move. */
import { IMPACT_WORDS, STATE_WORDS } from '@sonde/alerts/contract'
import type { StatusHistory, StatusIncident } from '@sonde/queries'
import { paths } from '../../paths.ts'
import { type Markup, markup } from './markup.server.ts'

export function statusFeed({ slug, title, incidents }: StatusHistory, publicUrl: string): string {
  const self = publicUrl + paths.statusFeed(slug)
  const changedMs = Math.max(0, ...incidents.map(changeOf))
  const feed = markup`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id>
<title>${title}</title>
<author><name>${title}</name></author>
<updated>${new Date(changedMs).toISOString()}</updated>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${publicUrl + paths.publicStatus(slug)}"/>
${incidents.map((incident) => entry(incident, publicUrl + paths.statusHistory(slug)))}
</feed>`
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed.markup}\n`
}

const changeOf = ({ startedMs, updates }: StatusIncident): number => updates[0]?.atMs ?? startedMs

function entry(incident: StatusIncident, historyUrl: string): Markup {
  const { id, title, kind, impact, state, updates } = incident
  const url = `${historyUrl}#incident-${id}`
  const what = kind === 'maintenance' ? 'Maintenance' : IMPACT_WORDS[impact]
  const content = markup`<p>${what}</p>${updates.map(
    (update) =>
      markup`<p><strong>${STATE_WORDS[update.state]}</strong> ${new Date(update.atMs).toISOString()}<br/>${update.body}</p>`,
  )}`
  return markup`<entry><id>${url}</id><title>${STATE_WORDS[state]}: ${title}</title>
<published>${new Date(updates.at(-1)?.atMs ?? incident.startedMs).toISOString()}</published>
<updated>${new Date(changeOf(incident)).toISOString()}</updated>
<link rel="alternate" type="text/html" href="${url}"/>
<content type="html">${content.markup}</content></entry>`
}
