/** The answer of `sonde sourcemaps verify` for pipelines: annotations of GitHub, a Code Quality report of GitLab. */
import { createHash } from 'node:crypto'
import type { BundleCheck } from './check-bundle.ts'
import { type BundleProblem, PROBLEM_TEXTS } from './problems.ts'

export const ANSWER_FORMATS = ['text', 'json', 'github', 'gitlab'] as const
export type AnswerFormat = (typeof ANSWER_FORMATS)[number]

type Found = { readonly file: string; readonly problem: BundleProblem; readonly detail: string }

/** What could not be looked at is no fault of the build. */
const isWarning = ({ problem }: Found): boolean => problem === 'not_checked'

const foundIn = (checks: readonly BundleCheck[]): Found[] =>
  checks.flatMap(({ file, problems }) => problems.map((one) => ({ file, ...one })))

/**
 * One workflow command a line; GitHub shows ten of a kind for each step, and all in the log.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
 * `folder`: where the files lie, below the checkout; undefined: they are of a site.
 */
export function githubAnnotations(checks: readonly BundleCheck[], folder: string | undefined): string[] {
  return foundIn(checks).map((found) => {
    const { file, problem, detail } = found
    const place = folder === undefined ? [] : [`file=${property(`${folder}/${file}`)}`]
    const title = `title=${property(`Source maps: ${problem.replaceAll('_', ' ')}`)}`
    const message = `${file}: ${detail}\n${PROBLEM_TEXTS[problem].todo}`
    return `::${isWarning(found) ? 'warning' : 'error'} ${[...place, title].join(',')}::${data(message)}`
  })
}

const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format; a problem that stays keeps its fingerprint. */
export function gitlabReport(checks: readonly BundleCheck[], folder: string | undefined): string {
  const entries = foundIn(checks).map((found) => {
    const { file, problem, detail } = found
    const path = folder === undefined ? file : `${folder}/${file}`
    return {
      description: `${detail}. ${PROBLEM_TEXTS[problem].todo}`,
      check_name: `sourcemaps/${problem}`,
      fingerprint: createHash('sha256').update(`${problem}\n${path}`).digest('hex'),
      severity: isWarning(found) ? 'minor' : 'major',
      location: { path, lines: { begin: 1 } },
    }
  })
  return JSON.stringify(entries)
}
