/** What the routes of alerts share: whom rules of the organization can tell, and the number in a path. */
import { alertMembers, channelNames, teamNames, trackerNames } from '@sonde/queries'
import type { Directory } from '../alert-forms/directory.ts'
import type { ApiOptions } from '../api-context.ts'

type ReadGrant = Parameters<typeof alertMembers>[1]

export async function directoryOf({ queries }: ApiOptions, grant: ReadGrant): Promise<Directory> {
  const [channels, trackers, members, teams] = await Promise.all([
    channelNames(queries, grant),
    trackerNames(queries, grant),
    alertMembers(queries, grant),
    teamNames(queries, grant),
  ])
  return { channels, trackers, members, teams }
}

/** 0, which nothing has, for what is no number. */
export const idOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0)
