/** Why a frame is not readable, for people. Made on the server: the page carries only the texts that it shows. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'

export type ReasonText = {
  /** Beside a frame. */
  readonly short: string
  /** Whole, without its last stop: the detail follows. */
  readonly sentence: string
}

export const REASONS: Readonly<Record<FrameProblem, ReasonText>> = {
  no_debug_id: {
    short: 'no debug id, no release',
    sentence: 'the script has no debug id and the event no release, so no source map can be looked up',
  },
  no_artifact: {
    short: 'no map uploaded',
    sentence: 'no source map with the debug id of the script was uploaded',
  },
  no_release_files: {
    short: 'no map uploaded',
    sentence: 'the script has no debug id, and no source maps were uploaded for its release',
  },
  other_dist: {
    short: 'dist mismatch',
    sentence: 'source maps of this release were uploaded under another dist',
  },
  no_such_file: {
    short: 'file not uploaded',
    sentence: 'files of this release were uploaded, none under the address of this script',
  },
  no_map: {
    short: 'map not uploaded',
    sentence: 'the script was uploaded without its source map',
  },
  too_large: {
    short: 'source map too large',
    sentence: 'the script or its source map exceeds the size limit',
  },
  broken_map: {
    short: 'map broken',
    sentence: 'the source map cannot be read',
  },
  unsupported_map: {
    short: 'map not supported',
    sentence: 'the code is bytecode or a RAM bundle, whose maps are not supported',
  },
  other_file: {
    short: 'another file uploaded',
    sentence: 'the script that was uploaded does not match the script that ran: no such line or column',
  },
  no_position: {
    short: 'not in the map',
    sentence:
      'the source map has no mapping for this position: a tool added the code, or changed it after the map',
  },
  no_source: {
    short: 'no source text',
    sentence: 'file and line are known, the source content was not uploaded: sourcesContent is missing',
  },
  no_debug_file: {
    short: 'no debug file uploaded',
    sentence: 'no debug file with the debug id of this image was uploaded',
  },
  broken_debug_file: {
    short: 'debug file not usable',
    sentence: 'the debug file cannot be read, or was stripped of its symbols',
  },
  no_symbol: {
    short: 'not in the debug file',
    sentence: 'the debug file has no function at this address',
  },
  no_lines: {
    short: 'no line',
    sentence: 'the debug file tells the function, and no line for this address',
  },
}

/** To begin a line with. */
export function sentenceOf(reason: FrameProblem): string {
  const { sentence } = REASONS[reason]
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
