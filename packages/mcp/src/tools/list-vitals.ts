import {
  routeVitals,
  type RouteVitals,
  type VitalReason,
  vitalReasons,
  VITAL_NAMES,
  type VitalName,
} from '@sonde/queries'
import { MIN_RATED_VISITS } from '@sonde/queries/contract'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { msText, percent, whole } from '../answer/figures.ts'
import { plainLine } from '../answer/plain-text.ts'
import { openProject, organization, period, project, windowOf } from '../subject.ts'
import { defineTool } from '../tool.ts'

/** Causes cost three reads each. */
const MAX_EXPLAINED = 8
const EXPLAINED = ['lcp', 'inp', 'cls'] as const

export const listVitals = defineTool({
  name: 'list_vitals',
  title: 'List web vitals by route',
  description:
    'Web vitals of real visits by route (75th percentile, share that is poor), and what made the slow ones slow: the script with its source line, the picture, the element, the style sheet, and since which release.',
  permission: 'event:read',
  input: z.object({
    organization,
    project,
    period: period('7d'),
    route: z.string().max(500).optional().describe('Only this route, as an answer before has it.'),
    vital: z.enum(EXPLAINED).optional().describe('Sort by it and explain it alone. All three unless told.'),
    limit: z.int().min(1).max(50).default(15),
  }),
  async run(context, args) {
    const { queries, links, nowMs } = context
    const grant = await openProject(context, args, 'event:read')
    const window = windowOf(args.period, nowMs)
    const all = await routeVitals(queries, grant, { ...window, limit: 1_000 })
    const named = args.route === undefined ? all : all.filter(({ route }) => route === args.route)
    const names = args.vital === undefined ? EXPLAINED : [args.vital]
    const sorted =
      args.vital === undefined ? named : named.toSorted((a, b) => p75Of(b, args.vital) - p75Of(a, args.vital))
    const rows = sorted.slice(0, args.limit)
    const answer = createAnswer().say(
      `${named.length} routes with vitals in the last ${args.period}: ${links.vitals(grant.orgSlug, grant.projectSlug)}`,
      'Each vital is the 75th percentile of visits. Good is LCP up to 2.5 s, INP up to 200 ms, CLS up to 0.1.',
    )
    answer.data('Routes', rows.map(routeLine), {
      maxChars: 8_000,
      more: 'Ask with a smaller limit or one route.',
    })
    const about = rows
      .flatMap((row) => names.map((name) => ({ name, route: row.route, known: row[name] })))
      .filter(
        ({ known }) =>
          known !== undefined && known.samples >= MIN_RATED_VISITS && known.poor + known.needsImprovement > 0,
      )
      .toSorted((a, b) => (b.known?.poor ?? 0) - (a.known?.poor ?? 0))
      .slice(0, MAX_EXPLAINED)
      .map(({ name, route }) => ({ name, route }))
    const reasons = await vitalReasons(queries, grant, { ...window, about })
    answer.data('What made them slow', reasons.map(reasonLine), { maxChars: 6_000 })
    if (reasons.length === 0)
      answer.say(
        `Nothing to explain: no vital of ${MIN_RATED_VISITS} visits or more is slow, or nobody told its cause.`,
      )
    return answer
  },
})

const p75Of = (row: RouteVitals, name: VitalName | undefined): number =>
  name === undefined ? 0 : (row[name]?.p75 ?? 0)

const valueText = (name: VitalName, value: number): string =>
  name === 'cls' ? value.toFixed(3) : msText(value)

function routeLine(row: RouteVitals): string {
  const vitals = VITAL_NAMES.flatMap((name) => {
    const vital = row[name]
    if (vital === undefined) return []
    const few = vital.samples < MIN_RATED_VISITS ? ', few' : ''
    return [
      `${name.toUpperCase()} ${valueText(name, vital.p75)} (${percent(vital.poor / Math.max(1, vital.count))} poor, ${whole(vital.samples)} visits${few})`,
    ]
  })
  return `- ${plainLine(row.route, 200)}: ${vitals.join('; ')}`
}

function reasonLine(reason: VitalReason): string {
  const {
    name,
    route,
    p75,
    kind,
    share,
    resource,
    element,
    component,
    place,
    script,
    late,
    styleSheet,
    owners,
    since,
  } = reason
  const facts = [
    place && `at ${place.source}:${place.line}`,
    script?.functionName && `function ${script.functionName}`,
    !place && script?.source && `script ${script.source}`,
    resource && `resource ${resource}`,
    element && `element ${element}`,
    component && `component ${component}`,
    late && `after ${late} came late`,
    styleSheet && `style sheet ${styleSheet.path}`,
    owners.length > 0 && `owned by ${owners.join(', ')}`,
    since &&
      `since release ${since.release} (${valueText(name, since.before)} before, ${valueText(name, since.after)} after)`,
  ].filter((fact) => typeof fact === 'string' && fact !== '')
  return `- ${name.toUpperCase()} ${valueText(name, p75)} on ${plainLine(route, 200)}: ${percent(share)} by ${KINDS[kind]}; ${plainLine(facts.join('; '), 500)}`
}

const KINDS: Readonly<Record<VitalReason['kind'], string>> = {
  script: 'a script that ran',
  load: 'its picture, which was waited for',
  first_byte: 'the first byte of the page, which was waited for',
  render: 'what was there but not rendered yet',
  style: 'a style sheet that was waited for',
  element: 'visits with this element',
  shift: 'an element that moved',
}
