import { listMembers } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { orgGrant } from '../access/page-grant.server.ts'

/** Those who can be told. */
export async function membersNamed(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const members = await listMembers(args.context.queries, await orgGrant(args, 'member:read'))
  return members
    .filter(({ isDisabled }) => !isDisabled)
    .map(({ userId, name, email }) => ({ userId, name: name === '' ? email : name, email }))
}

/** Empty: nobody, or nobody any more. */
export const ownerName = (
  ownerId: string | undefined,
  members: Awaited<ReturnType<typeof membersNamed>>,
): string => members.find(({ userId }) => userId === ownerId)?.name ?? ''
