/** Sampling rules as they stand in the form, and in words. */
import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { keptShare } from '../../../../parts/performance/extrapolated.ts'

/** A row of the form: what was typed, whether it makes sense or not. */
export type RuleDraft = {
  readonly route: string
  readonly op: string
  readonly release: string
  readonly environment: string
  /** How many of a hundred traces are kept. */
  readonly percent: string
}
export const RULE_FIELDS = ['route', 'op', 'release', 'environment', 'percent'] as const
export type RuleField = (typeof RULE_FIELDS)[number]
export const EMPTY_RULE: RuleDraft = { route: '', op: '', release: '', environment: '', percent: '' }

type Rule = Omit<RuleDraft, 'percent'> & { readonly rate: number }

export const draftOf = ({ rate, ...rule }: Rule): RuleDraft => ({ ...rule, percent: String(percentOf(rate)) })

/** What is no number is NaN, which the command refuses beside the field. */
export function ruleOf({ percent, ...rule }: RuleDraft): Rule {
  const number = Number(
    percent
      .trim()
      .replace(/(?<!\s)\s*%$/, '')
      .replace(',', '.'),
  )
  return { ...rule, rate: percent.trim() === '' ? Number.NaN : rounded(number / 100, 8) }
}

/** A tenth is 10 and not 10.000000000000002. */
const percentOf = (rate: number): number => rounded(rate * 100, 6)
const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

export const isEmptyRule = (draft: RuleDraft): boolean =>
  RULE_FIELDS.every((field) => draft[field].trim() === '')

/** `Keeps 1 in 10 of /health*. Counts are extrapolated.` Empty while the share is no share. */
export function ruleWords(drafts: readonly RuleDraft[], at: number): string {
  const draft = drafts[at]
  if (!draft || isEmptyRule(draft)) return ''
  const { rate } = ruleOf(draft)
  if (!(rate >= 0 && rate <= 1)) return ''
  const before = drafts.slice(0, at).findIndex(isForAll)
  if (before >= 0) return `Unreachable: rule ${before + 1} already matches everything.`
  const what = matchedWords(draft)
  if (rate === 0) return `Drops all of ${what}. Dropped traces are neither stored nor counted.`
  if (rate === 1) return `Keeps all of ${what}, overriding the rules below.`
  return `Keeps ${keptShare(rate)} of ${what}. Counts are extrapolated.`
}

const isForAll = (draft: RuleDraft): boolean =>
  !isEmptyRule(draft) &&
  [draft.route, draft.op, draft.release, draft.environment].every((text) => text.trim() === '')

function matchedWords({ route, op, release, environment }: RuleDraft): string {
  const [of, ...further] = [
    route.trim(),
    op.trim() && `op ${op.trim()}`,
    release.trim() && `release ${release.trim()}`,
    environment.trim() && `environment ${environment.trim()}`,
  ].filter((text) => text !== '')
  return of === undefined ? 'everything' : [of, ...further].join(' with ')
}

/** `up:1`, `down:0`, `remove:2`, `add`: what a button of the form does to its rows. The same rows: nothing. */
export function changedRows<Row>(rows: readonly Row[], does: string, added: () => Row): readonly Row[] {
  const [what, number = ''] = does.split(':')
  if (what === 'add') return [...rows, added()]
  const at = /^\d+$/.test(number) ? Number(number) : rows.length
  const row = rows[at]
  if (row === undefined) return rows
  const others = rows.toSpliced(at, 1)
  if (what === 'remove') return others
  const to = what === 'up' ? at - 1 : what === 'down' ? at + 1 : at
  return to === at || to < 0 || to >= rows.length ? rows : others.toSpliced(to, 0, row)
}

export type ShownSamplingPreview = { readonly arrived: number; readonly kept: number }

/** `These rules would have kept 1,234 of 12,345 spans of the last 24 hours (10%).` */
export function previewWords({ arrived, kept }: ShownSamplingPreview): string {
  if (arrived === 0) return 'No spans in the last 24 hours to preview against.'
  const spans = `${formatExact(kept)} of ${formatExact(arrived)} ${arrived === 1 ? 'span' : 'spans'}`
  return `These rules would have kept ${spans} of the last 24 hours (${formatShare(kept, arrived)}).`
}
