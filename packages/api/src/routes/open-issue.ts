/** From the path of a request to an issue and the grant that proves it may be seen. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { findIssue, type IssueRow } from '@sonde/queries'
import { type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'

/** Whoever may change events may read them. */
type IssuePermission = 'event:read' | 'event:write'

export type OpenIssue = <P extends IssuePermission>(
  c: ApiContext,
  permission: P,
) => Promise<{ readonly grant: Grant<P, 'org'>; readonly issue: IssueRow }>

/** Without an organisation in the path, the ones that the viewer sees are tried: ids are unique, short ids need not be. */
export function openIssue({ queries }: ApiOptions): OpenIssue {
  return async <P extends IssuePermission>(c: ApiContext, permission: P) => {
    const open = c.get('grants')
    const org = c.req.param('org')
    const ref = pathParam(c, 'issue')
    const grants = org === undefined ? await open.openOrgs(permission) : [await open.openOrg(org, permission)]
    for (const grant of grants) {
      const issue = await findIssue(queries, grant, ref)
      if (issue) return { grant, issue }
    }
    throw new SondeError('not-found', 'no such issue', { operation: 'open an issue', subject: ref })
  }
}
