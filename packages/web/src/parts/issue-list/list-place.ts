/** Whose issues a list shows: one project's, or all of an organization's. */
import { type IssueListSearch, paths } from '../../paths.ts'

export type ListPlace = {
  readonly org: string
  /** Undefined: every project of the organization. */
  readonly project: string | undefined
}

export const listPath = ({ org, project }: ListPlace, search: IssueListSearch = {}): string =>
  project === undefined ? paths.orgIssues(org, search) : paths.issues(org, project, search)

/** Server-sent events: `changes` whenever something of the list was stored. */
export const livePath = ({ org, project }: ListPlace): string =>
  `/api/0/organizations/${encodeURIComponent(org)}/live/` +
  (project === undefined ? '' : `?project=${encodeURIComponent(project)}`)

export const suggestionsPath = (place: ListPlace): string => `${listPath(place)}/suggestions`
