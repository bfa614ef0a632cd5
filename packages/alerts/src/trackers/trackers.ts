/** All kinds of trackers. A new one is a file beside this, a line here, and its kind in `TRACKER_KINDS` of the records. */
import type { Seal } from '@sonde/access'
import { SondeError } from '@sonde/base'
import type { Outgoing } from '@sonde/outgoing'
import type { Selectable, TrackerConnectionTable, TrackerKind } from '@sonde/stores'
import { createCall, TrackerRefusal } from './call-tracker.ts'
import { GITHUB } from './github.ts'
import { GITLAB } from './gitlab.ts'
import { JIRA } from './jira.ts'
import { LINEAR } from './linear.ts'
import type { AnyTracker, TrackerClient, TrackerSettings } from './tracker.ts'

const TRACKERS: Readonly<Record<TrackerKind, AnyTracker>> = {
  github: GITHUB,
  gitlab: GITLAB,
  jira: JIRA,
  linear: LINEAR,
}

export type TrackerDeps = { readonly outgoing: Outgoing; readonly seal: Seal }

type ConnectionRow = Pick<Selectable<TrackerConnectionTable>, 'kind' | 'settings' | 'secret'>

export type OpenTracker = {
  readonly tracker: AnyTracker
  readonly settings: TrackerSettings
  readonly client: TrackerClient
  readonly webhookSecret: string
}

/** Throws `TrackerRefusal` when the connection cannot be used as it is stored. */
export async function openTracker({ outgoing, seal }: TrackerDeps, row: ConnectionRow): Promise<OpenTracker> {
  const tracker = trackerOf(row.kind)
  const opened = await seal.open(row.secret).catch(() => undefined)
  if (opened === undefined)
    throw new TrackerRefusal(
      'the token was written with another key of the installation: enter it again in the settings of the connection',
      { again: 'never' },
    )
  const settings = tracker.settings.parse(JSON.parse(row.settings)) as TrackerSettings
  const secret = tracker.secret.parse(JSON.parse(opened)) as { readonly webhookSecret: string }
  const client = tracker.connect(createCall(outgoing, tracker.name), settings, secret)
  return { tracker, settings, client, webhookSecret: secret.webhookSecret }
}

/** For whoever reads settings of a kind that came from a form. Throws `SondeError` (`invalid`). */
export function trackerOf(kind: string): AnyTracker {
  const tracker = (TRACKERS as Readonly<Record<string, AnyTracker | undefined>>)[kind]
  if (tracker) return tracker
  throw new SondeError('invalid', `there is no issue tracker of the kind "${kind}"`, {
    operation: 'read a connection',
  })
}
