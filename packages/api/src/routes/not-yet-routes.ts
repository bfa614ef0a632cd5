/** What clients ask for and Sonde does not have yet: said in words that they print, not as an address that is wrong. */
import { type Api, orgGrant } from '../api-context.ts'

const NOT_YET: readonly (readonly [path: string, what: string])[] = [
  ['/organizations/:org/monitors', 'Monitoring of scheduled jobs'],
  ['/organizations/:org/monitors/:monitor/*', 'Monitoring of scheduled jobs'],
  // Source maps go with `sentry-cli sourcemaps upload`.
  ['/projects/:org/:project/files/difs/*', 'Uploading debug files of native code'],
  ['/projects/:org/:project/files/dsyms/*', 'Uploading debug files of native code'],
  ['/projects/:org/:project/files/proguard-artifact-releases', 'Uploading ProGuard mappings'],
  ['/projects/:org/:project/files/preprodartifacts/*', 'Uploading app builds'],
  ['/projects/:org/:project/reprocessing', 'Reprocessing by debug files of native code'],
  ['/organizations/:org/code-mappings/bulk', 'Mapping stack traces to repositories'],
  ['/organizations/:org/replays', 'Session replay'],
]

/** 501, which no client tries again. */
export function notYetRoutes(api: Api): void {
  for (const [path, what] of NOT_YET)
    api.all(path, async (c) => {
      await orgGrant(c, 'org:read')
      return c.json({ detail: `${what} is not in Sonde yet.` }, 501)
    })
}
