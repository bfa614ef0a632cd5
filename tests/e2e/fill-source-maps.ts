/** A build with its maps uploaded to `acme/shop`, an error that is read with them, and one that cannot be. */
import { builtApp } from '../../packages/cli/test/sourcemaps/built.ts'
import { type RunningSonde, sonde, sondeJson } from '../harness/start-sonde.ts'
import { uploadBuild, type UploadTo } from '../harness/upload-build.ts'
import { sendEvent } from './screens-events.ts'
import { crashOf } from './source-map-events.ts'

/** For a build: it uploads, and asks what is there. */
export const buildToken = (running: RunningSonde): string =>
  sondeJson<{ token: string }>(
    running.dataDir,
    ['token', 'create', '--name', 'builds', '--scopes', 'org:ci', '--org', 'acme'],
    { PORT: String(running.port) },
  ).token

/** Runs `sonde sourcemaps …` as a build does: the token says where and for whom. */
export const asBuild = (running: RunningSonde, token: string, args: readonly string[]) =>
  sonde(running.dataDir, ['sourcemaps', ...args], { SENTRY_AUTH_TOKEN: token, SENTRY_PROJECT: 'shop' })

export const uploadTo = ({ url }: RunningSonde, token: string): UploadTo => ({
  url,
  token,
  project: 'acme/shop',
})

/** Ids of the events. */
export async function fillSourceMaps(
  running: RunningSonde,
  dsn: string,
): Promise<{ readonly unreadable: string; readonly readable: string }> {
  const cleanUps: (() => void)[] = []
  const dir = await builtApp({ after: (run) => cleanUps.push(run) })
  const release = 'shop@1.0.0+build.7'
  // Before there are debug ids: found by release, whose files have another dist.
  const unreadable = crashOf(dir, { release, dist: '41' })
  await uploadBuild(dir, { ...uploadTo(running, buildToken(running)), release, dist: '42' })
  const ids = {
    unreadable: await sendEvent(dsn, unreadable),
    readable: await sendEvent(dsn, crashOf(dir, { release, dist: '42' })),
  }
  for (const cleanUp of cleanUps) cleanUp()
  return ids
}
