/** The reference of outcomes and their reasons, as `sonde doctor` and the statistics name them. */
import { OUTCOME_REASONS, type Outcome, OUTCOMES } from '@sonde/protocol/outcome'

const MEANINGS: { readonly [outcome in Outcome]: string } = {
  accepted: 'Stored, or (client reports) taken into the counts. It has no reason.',
  filtered: 'Dropped on purpose by a rule of the project.',
  rate_limited: 'Over a quota, or more than could be taken; the sender was told.',
  invalid: 'It cannot be read or is over a limit; sending it again would not help.',
  failed: 'Our fault, or that of another region.',
  unsupported: 'Well-formed, but of a kind that Sonde does not show; not kept.',
  client_discard: 'It never arrived; the SDK’s client report says how many, and why, in its own words.',
}

export function outcomesPage(): string {
  return [
    '# Outcomes',
    '',
    'Made by `npm run gen` from `packages/protocol/src/outcome-reasons.ts`. Every received item ends in exactly one',
    'outcome, and is counted under it with one reason. Requests whose key is not known count under no project:',
    'only `sonde doctor` shows them.',
    '',
    ...OUTCOMES.flatMap((outcome) => [
      '## `' + outcome + '`',
      '',
      MEANINGS[outcome],
      '',
      ...reasonTable(outcome),
    ]),
  ].join('\n')
}

function reasonTable(outcome: Outcome): string[] {
  if (!isReasoned(outcome)) return []
  const rows = Object.entries(OUTCOME_REASONS[outcome]).map(
    ([reason, meaning]) => `| \`${reason}\` | ${meaning} |`,
  )
  return ['| reason | meaning |', '| --- | --- |', ...rows, '']
}

function isReasoned(outcome: Outcome): outcome is keyof typeof OUTCOME_REASONS {
  return Object.hasOwn(OUTCOME_REASONS, outcome)
}
