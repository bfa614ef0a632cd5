/**
 * From a page's address to the scope that queries ask for. Who is not signed in is sent to sign in and back; what
 * does not exist, and what may not be seen, is the same not-found page.
 */
import type { OrgScope, Permission, ProjectScope, UserViewer } from '@sonde/access'
import { errorKind } from '@sonde/base'
import { httpError, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { paths } from '../../paths.ts'
import type { AppContext } from '../../server/app-context.server.ts'

type Asked<Param extends string> = Pick<LoadArgs<AppContext, Param>, 'context' | 'params' | 'url'>

/** Redirects to sign-in when nobody is signed in. */
export function requireViewer({ context, url }: Pick<Asked<never>, 'context' | 'url'>): UserViewer {
  if (context.viewer) return context.viewer
  const here = url.pathname + url.search
  return redirect(here === '/' ? paths.signIn() : paths.signIn(here), 303)
}

export async function orgScope(args: Asked<'org'>, permission: Permission): Promise<OrgScope> {
  const viewer = requireViewer(args)
  return orEndPage(args.context.access.openOrg(viewer, args.params.org, permission))
}

export async function projectScope(
  args: Asked<'org' | 'project'>,
  permission: Permission,
): Promise<ProjectScope> {
  const viewer = requireViewer(args)
  const { org, project } = args.params
  return orEndPage(args.context.access.openProject(viewer, org, project, permission))
}

/** Whether to offer what needs the permission. The command checks again. */
export async function mayInOrg(args: Asked<'org'>, permission: Permission): Promise<boolean> {
  try {
    await args.context.access.openOrg(requireViewer(args), args.params.org, permission)
    return true
  } catch (error) {
    if (errorKind(error) === 'forbidden' || errorKind(error) === 'not-found') return false
    throw error
  }
}

/** What is not there, or not this person's, ends the page as such: for scopes, and for commands that look things up. */
export async function orEndPage<Result>(job: Promise<Result>): Promise<Result> {
  try {
    return await job
  } catch (error) {
    const kind = errorKind(error)
    if (kind === 'not-found') return notFound()
    if (kind === 'forbidden') return httpError(403)
    throw error
  }
}
