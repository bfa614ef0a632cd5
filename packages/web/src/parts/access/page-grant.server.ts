/**
 * From a page's address to the grant that queries and commands ask for. Who is not signed in is sent to sign in and back; what
 * does not exist, and what may not be seen, is the same not-found page.
 */
import {
  type Grant,
  type Grants,
  mayOperate,
  openInstallation,
  type Permission,
  SecondFactorNeeded,
  type UserViewer,
} from '@sonde/access'
import { errorKind } from '@sonde/base'
import { httpError, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { paths } from '../../paths.ts'
import type { AppContext } from '../../server/app-context.server.ts'

type Requested<Param extends string> = Pick<LoadArgs<AppContext, Param>, 'context' | 'params' | 'url'>

/** Redirects to sign-in when nobody is signed in. */
export function requireViewer({ context, url }: Pick<Requested<never>, 'context' | 'url'>): UserViewer {
  if (context.viewer) return context.viewer
  const here = url.pathname + url.search
  return redirect(here === '/' ? paths.signIn() : paths.signIn(here), 303)
}

export async function orgGrant<P extends Permission>(
  args: Requested<'org'>,
  permission: P,
): Promise<Grant<P, 'org'>> {
  leadToProvider(args)
  return orEndPage(grantsOf(args).openOrg(args.params.org, permission))
}

export async function projectGrant<P extends Permission>(
  args: Requested<'org' | 'project'>,
  permission: P,
): Promise<Grant<P, 'project'>> {
  leadToProvider(args)
  const { org, project } = args.params
  return orEndPage(grantsOf(args).openProject(org, project, permission))
}

/** Whose session does not open the organization, because it began elsewhere, is led to where one begins that does. */
function leadToProvider(args: Requested<'org'>): void {
  const { closedMemberships = [] } = requireViewer(args)
  const { org } = args.params
  const isClosed = closedMemberships.some(({ orgSlug, closedBy }) => orgSlug === org && closedBy === 'sso')
  if (!isClosed) return
  redirect(paths.signInSso(org, { next: args.url.pathname + args.url.search }), 303)
}

/** The layout's load, the page's load and the action of one request share what was read. */
export function grantsOf(args: Pick<Requested<never>, 'context' | 'url'>): Grants {
  const viewer = requireViewer(args)
  return args.context.grants ?? args.context.access.grantsFor(viewer)
}

/** What is not there, or not this person's, ends the page as such: for grants, and for commands that look things up. */
export async function orEndPage<Result>(job: Promise<Result>): Promise<Result> {
  try {
    return await job
  } catch (error) {
    if (error instanceof SecondFactorNeeded) return redirect(paths.secondFactorFor(error.orgSlug), 303)
    const kind = errorKind(error)
    if (kind === 'not-found') return notFound()
    if (kind === 'gone') return httpError(410)
    if (kind === 'forbidden') return httpError(403)
    throw error
  }
}

/** For everybody else the page does not exist. */
export function operatorGrant(
  args: Pick<LoadArgs<AppContext>, 'context' | 'url'>,
): Grant<'operate', 'operator'> {
  const viewer = requireViewer(args)
  return mayOperate(viewer) ? openInstallation(viewer) : notFound()
}
