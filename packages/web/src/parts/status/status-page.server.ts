/** The status page as HTML: what is going on, each component with 90 days, and where to be told. */
import { IMPACT_WORDS, isOver, STATE_WORDS } from '@sonde/alerts/contract'
import type { StatusComponent, StatusDay, StatusIncident, StatusPage } from '@sonde/queries'
import { paths } from '../../paths.ts'
import { type Markup, markup } from './markup.server.ts'
import { COMPONENT_WORDS, INDICATOR_WORDS, shareOf, shareText, timeOf } from './status-text.server.ts'

type Shown = {
  /** Whether people can subscribe: mail is set up. */
  readonly hasMail: boolean
  /** Of the subscription that was refused. */
  readonly refused?: string | undefined
  readonly typed?: string | undefined
}

export function statusBody(page: StatusPage, shown: Shown): Markup {
  const { slug, title, description, indicator, incidents, maintenance } = page
  const groups = [...Map.groupBy(page.components, ({ id, group }) => group || id).values()]
  return markup`<header><h1>${title}</h1>
${description !== '' && markup`<p class="dim text">${description}</p>`}
<p class="banner ${indicator}" role="status">${INDICATOR_WORDS[indicator]}</p></header>
<main>
${incidents.length > 0 && markup`<section aria-labelledby="open"><h2 id="open">Open incidents</h2>${incidents.map((each) => incidentBlock(each))}</section>`}
${maintenance.length > 0 && markup`<section aria-labelledby="plans"><h2 id="plans">Maintenance</h2>${maintenance.map((each) => incidentBlock(each))}</section>`}
<section aria-labelledby="components"><h2 id="components">Components</h2>
${page.components.length === 0 ? markup`<p class="dim">Nothing is shown yet.</p>` : groups.map(groupBlock)}
${page.components.length > 0 && markup`<p class="small dim">Each bar is one day in UTC, today last. Grey days have no data.</p>`}</section>
${shown.hasMail && subscribeForm(slug, shown)}
</main>
${statusFooter(slug, 'page')}`
}

function groupBlock(components: readonly StatusComponent[]): Markup {
  const group = components[0]?.group ?? ''
  const list = markup`<ul>${components.map(componentBlock)}</ul>`
  return group === '' ? list : markup`<h3>${group}</h3>${list}`
}

function componentBlock({ name, state, days }: StatusComponent): Markup {
  const share = shareOf(days)
  const known = days.filter(({ checks }) => checks > 0).length
  const summary =
    share === undefined
      ? 'No data in 90 days'
      : `${shareText(share)} in 90 days${known < days.length ? `, with data of ${known}` : ''}`
  const stateClass = state === 'unknown' ? 'unknown_state' : state
  return markup`<li class="component"><div class="head"><strong>${name}</strong><span class="${stateClass}">${COMPONENT_WORDS[state]}</span></div>
${bars(days, `${name}: ${summary}`)}<p class="small dim">${summary}</p></li>`
}

const BAR = 4
const GAP = 1

function bars(days: readonly StatusDay[], label: string): Markup {
  const width = days.length * (BAR + GAP) - GAP
  return markup`<svg class="bars" viewBox="0 0 ${width} 28" preserveAspectRatio="none" role="img" aria-label="${label}">${days.map(
    (day, index) =>
      markup`<rect class="${dayClass(day)}" x="${index * (BAR + GAP)}" width="${BAR}" height="28"><title>${dayText(day)}</title></rect>`,
  )}</svg>`
}

/** What counts as a bad day: more than an hour of 24, and as one that was not perfect: anything. */
function dayClass(day: StatusDay): string {
  const share = shareOf([day])
  if (share === undefined) return 'd0'
  if (share === 1) return 'd1'
  return share >= 23 / 24 ? 'd2' : 'd3'
}

function dayText(day: StatusDay): string {
  const share = shareOf([day])
  return share === undefined ? `${day.day}: no data` : `${day.day}: ${shareText(share)}`
}

export function incidentBlock(incident: StatusIncident): Markup {
  const { id, kind, title, impact, state, components, updates, startedMs, plannedEndMs, endedMs } = incident
  const look = isOver(state) ? 'over' : kind === 'maintenance' ? 'maintenance' : impact
  const when =
    kind === 'maintenance'
      ? markup`${timeOf(startedMs)} – ${plannedEndMs !== null && timeOf(plannedEndMs)}`
      : markup`${timeOf(startedMs)}${endedMs !== null && markup` – ${timeOf(endedMs)}`}`
  const facts = [
    STATE_WORDS[state],
    ...(kind === 'incident' ? [IMPACT_WORDS[impact]] : ['Maintenance']),
    ...(components.length > 0 ? [components.map(({ name }) => name).join(', ')] : []),
  ]
  return markup`<article class="incident i-${look}" id="incident-${id}"><h3>${title}</h3>
<p class="small">${facts.join(' · ')}</p><p class="small dim">${when}</p>
${updates.map(
  (
    update,
  ) => markup`<div class="update"><p class="small"><strong>${STATE_WORDS[update.state]}</strong> ${timeOf(update.atMs)}</p>
<p class="text">${update.body}</p></div>`,
)}</article>`
}

function subscribeForm(slug: string, { refused, typed = '' }: Shown): Markup {
  return markup`<section aria-labelledby="subscribe"><h2 id="subscribe">Get mail about incidents</h2>
<form method="post" action="${paths.statusSubscribe(slug)}"><div class="line"><div><label for="email">E-mail address</label>
<input id="email" name="email" type="email" required maxlength="255" autocomplete="email" value="${typed}"${refused !== undefined && markup` aria-invalid="true" aria-describedby="email-error"`}></div>
<button type="submit">Subscribe</button></div>
${refused !== undefined && markup`<p class="error" id="email-error">${refused}</p>`}
<p class="small dim">You get a mail to confirm first. Each mail ends the subscription by one press.</p></form></section>`
}

export const statusFooter = (slug: string, here: 'page' | 'history' | 'other'): Markup =>
  markup`<footer><nav aria-label="Status page">
${here !== 'page' && markup`<a href="${paths.publicStatus(slug)}">Current status</a>`}
${here !== 'history' && markup`<a href="${paths.statusHistory(slug)}">Incident history</a>`}
<a href="${paths.statusFeed(slug)}">Atom feed</a><a href="${paths.statusSummary(slug)}">JSON</a></nav></footer>`

export const statusLinks = (slug: string, title: string): Markup =>
  markup`<link rel="alternate" type="application/atom+xml" title="${title}" href="${paths.statusFeed(slug)}">`

/** A page with one thing to say or to press. */
export const statusNote = (heading: string, ...parts: readonly (Markup | undefined | false)[]): Markup =>
  markup`<header><h1>${heading}</h1></header><main>${parts}</main>`
