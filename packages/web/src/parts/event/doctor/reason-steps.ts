/** What to do about a reason, with the commands to paste. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import {
  BUNDLERS,
  type ByRelease,
  sentryCliInject,
  sentryCliUpload,
  sondeVerify,
  type UploadPlace,
} from '../../upload-commands.ts'

export type Step = { readonly text: string; readonly code?: string }

export type StepsPlace = UploadPlace & {
  readonly release: string | undefined
  readonly dist: string | undefined
  /** Of the script of the frame. */
  readonly scriptUrl: string | undefined
}

export function reasonSteps(reason: FrameProblem, place: StepsPlace): readonly Step[] {
  const byId: Step = { text: 'Upload the files of that build, unchanged:', code: sentryCliUpload(place) }
  const verify: Step = { text: 'Check your build output:', code: sondeVerify() }
  const inject: Step = {
    text: 'Inject debug IDs before you deploy, then upload:',
    code: `${sentryCliInject(place)}\n${sentryCliUpload(place)}`,
  }
  const exactly: readonly Step[] = [
    {
      text: 'Upload for exactly this release, dist and address:',
      code: sentryCliUpload(place, byReleaseOf(place)),
    },
    { ...inject, text: `Better, since it needs neither: ${lower(inject.text)}` },
  ]
  const steps: Readonly<Record<FrameProblem, readonly Step[]>> = {
    no_debug_id: [...pluginSteps(place), { ...inject, text: `Or without a plugin: ${lower(inject.text)}` }],
    no_artifact: [byId],
    no_release_files: exactly,
    other_dist: exactly,
    no_such_file: exactly,
    no_map: [
      { text: 'Let the bundler write source maps, and keep them until they are uploaded.' },
      verify,
      byId,
    ],
    too_large: [{ text: 'Split the bundle: a map of this size also costs every build.' }, verify],
    broken_map: [verify, { ...byId, text: 'Build again, and upload:' }],
    unsupported_map: [{ text: 'Build the JavaScript without bytecode to have readable stacks.' }],
    other_file: [{ ...inject, text: `Debug ids keep builds apart: ${lower(inject.text)}` }],
    no_position: [verify],
    no_source: [
      {
        text: 'Let the map hold its sources: TypeScript `inlineSources`, else the bundler’s `sourcesContent`.',
      },
      byId,
    ],
  }
  return steps[reason]
}

function pluginSteps(place: StepsPlace): readonly Step[] {
  const [vite] = BUNDLERS
  return vite
    ? [
        {
          text: `With the plugin of the bundler, such as ${vite.name} (${vite.install}):`,
          code: vite.code(place),
        },
      ]
    : []
}

/** What must be given so that this very frame is found. */
function byReleaseOf({ release = '', dist = '', scriptUrl }: StepsPlace): ByRelease {
  return { release, dist, urlPrefix: folderOf(scriptUrl) }
}

/** `https://shop.example/static/js/app.js?v=1` lies in `~/static/js`. */
export function folderOf(scriptUrl: string | undefined): string {
  if (scriptUrl === undefined || !URL.canParse(scriptUrl)) return '~/'
  const { pathname } = new URL(scriptUrl)
  return `~${pathname.slice(0, pathname.lastIndexOf('/')) || '/'}`
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
