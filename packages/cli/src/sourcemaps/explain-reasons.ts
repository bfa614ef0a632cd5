/** Why a frame is not readable and what to do, in the words of the command line. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'

type Reason = { readonly why: string; readonly todo: string }

const UPLOAD = 'Upload the files of that build, unchanged: sonde sourcemaps upload DIR'
const VERIFY = 'Check the build: sonde sourcemaps verify DIR'
const BY_RELEASE =
  'Upload for exactly that release and address: sonde sourcemaps upload DIR --no-inject --release R [--dist D] --url-prefix ~/…; debug ids need neither'
const DEBUG_FILE = 'Upload the unstripped debug file of that build: sentry-cli debug-files upload'

export const FRAME_REASONS: Readonly<Record<FrameProblem, Reason>> = {
  no_debug_id: {
    why: 'the script has no debug id and the event no release, so no source map can be looked up',
    todo: 'Inject debug ids before you deploy: sonde sourcemaps upload DIR does both',
  },
  no_artifact: { why: 'no source map with the debug id of the script was uploaded', todo: UPLOAD },
  no_release_files: {
    why: 'the script has no debug id, and no source maps were uploaded for its release',
    todo: BY_RELEASE,
  },
  other_dist: { why: 'source maps of this release were uploaded under another dist', todo: BY_RELEASE },
  no_such_file: {
    why: 'files of this release were uploaded, none under the address of this script',
    todo: BY_RELEASE,
  },
  no_map: { why: 'the script was uploaded without its source map', todo: `${VERIFY}. ${UPLOAD}` },
  too_large: { why: 'the script or its source map exceeds the size limit', todo: 'Split the bundle' },
  broken_map: { why: 'the source map cannot be read', todo: `${VERIFY}. Build again, and upload` },
  unsupported_map: {
    why: 'the code is bytecode or a RAM bundle, whose maps are not supported',
    todo: 'Build the JavaScript without bytecode',
  },
  other_file: {
    why: 'the script that was uploaded does not match the script that ran: no such line or column',
    todo: 'Debug ids keep builds apart: sonde sourcemaps upload DIR injects them',
  },
  no_position: {
    why: 'the source map has no mapping for this position: a tool added the code, or changed it after the map',
    todo: VERIFY,
  },
  no_source: {
    why: 'file and line are known, the source content was not uploaded: sourcesContent is missing',
    todo: `Let the map hold its sources: TypeScript inlineSources, else sourcesContent of the bundler. ${UPLOAD}`,
  },
  no_debug_file: { why: 'no debug file with the debug id of this image was uploaded', todo: DEBUG_FILE },
  broken_debug_file: {
    why: 'the debug file cannot be read, or was stripped of its symbols',
    todo: DEBUG_FILE,
  },
  no_symbol: { why: 'the debug file has no function at this address', todo: DEBUG_FILE },
  no_lines: { why: 'the debug file tells the function, and no line for this address', todo: DEBUG_FILE },
}
