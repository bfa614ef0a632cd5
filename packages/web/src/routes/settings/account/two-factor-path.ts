import { paths } from '../../../paths.ts'

/** Without JavaScript the answer to a post is shown from here on, not from the top of the page. */
export const TWO_FACTOR_PATH = `${paths.account()}#two-factor`
