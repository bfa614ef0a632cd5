import { ssoAddresses } from '@sonde/access'
import { type LoadArgs, redirect } from '@sonde/router/server'
import { nextOf, pathAfterSignIn } from '../../../../parts/access/same-origin-path.server.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

/**
 * The organization's own sign-in page. Of one without single sign-on it says no more than of one that is not there. Who is
 * signed in already can connect their account, or sees why this session does not open it.
 */
export async function load({ context, params, url }: LoadArgs<AppContext, 'org'>) {
  const { viewer, access } = context
  const door = await access.sso.door(params.org)
  const next = nextOf(url)
  const isOf = ({ orgSlug }: { readonly orgSlug: string }) => orgSlug === params.org
  const isIn = viewer?.memberships.some(isOf) === true
  const closed = viewer?.closedMemberships?.find(isOf)
  const isClosed = closed?.closedBy === 'sso'
  const isByProvider = viewer?.ssoOrgId !== undefined
  const failed = url.searchParams.get('failed')
  const isConnected = url.searchParams.get('connected') === 'yes'
  if (viewer && !isClosed && !door && failed === null) redirect(pathAfterSignIn(url), 303)
  // The address that browsers use may be another than the public one while developing: only its path counts.
  const start = new URL(ssoAddresses(context.publicUrl, params.org).start).pathname
  const query = (fields: Readonly<Record<string, string | undefined>>): string =>
    `${start}?${new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))}`
  const mayConnect = viewer && door && !isByProvider && (isIn || isClosed)
  return {
    door,
    next,
    failed,
    isConnected,
    email: viewer?.email,
    isIn,
    isClosed,
    isByProvider,
    home: viewer && isIn ? paths.org(params.org) : undefined,
    signIn: door && query({ next }),
    connect: mayConnect
      ? query({ intent: 'connect', proof: access.sso.proofOf(viewer, params.org), next })
      : undefined,
  }
}
