/** The commands that create a release, ready to paste: only the token is missing. */
import { shellWord, type UploadPlace } from '../../../../parts/upload-commands.ts'

const settings = ({ url, org, project }: UploadPlace): string =>
  `export SENTRY_URL=${shellWord(url)} SENTRY_ORG=${shellWord(org)} SENTRY_PROJECT=${shellWord(project)}
export SENTRY_AUTH_TOKEN=…`

/** A release with its commits, for a build. */
export const newRelease = (place: UploadPlace): string => `${settings(place)}
VERSION=$(npx @sentry/cli releases propose-version)
npx @sentry/cli releases new "$VERSION"
npx @sentry/cli releases set-commits --auto "$VERSION"
npx @sentry/cli releases finalize "$VERSION"`

export const setCommits = (place: UploadPlace, release: string): string => `${settings(place)}
npx @sentry/cli releases set-commits --auto ${shellWord(release)}`

export const newDeploy = (place: UploadPlace, release: string): string => `${settings(place)}
npx @sentry/cli deploys new --release ${shellWord(release)} --env production`
