/** From the path of a request to an issue and the scope that proves it may be seen. */
import type { OrgScope, Permission } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { findIssue, type IssueRow } from '@sonde/queries'
import { type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'

export type OpenIssue = (
  c: ApiContext,
  permission: Permission,
) => Promise<{ readonly scope: OrgScope; readonly issue: IssueRow }>

/** Without an organisation in the path, the ones that the viewer sees are tried: ids are unique, short ids need not be. */
export function openIssue({ access, queries }: ApiOptions): OpenIssue {
  return async (c, permission) => {
    const viewer = c.get('viewer')
    const org = c.req.param('org')
    const ref = pathParam(c, 'issue')
    const scopes =
      org === undefined
        ? await access.openOrgs(viewer, permission)
        : [await access.openOrg(viewer, org, permission)]
    for (const scope of scopes) {
      const issue = await findIssue(queries, scope, ref)
      if (issue) return { scope, issue }
    }
    throw new SondeError('not-found', 'no such issue', { operation: 'open an issue', subject: ref })
  }
}
