/**
 * Why a frame of a bundled script, or of a native or obfuscated program, was not led back to its source. Decided where the frame is read, shown with the next
 * thing to do. In the order of how far the search came.
 */
export const FRAME_PROBLEMS = [
  /** Neither a debug id nor a release: nothing to look for. */
  'no_debug_id',
  /** It has a debug id that no uploaded file has, and nothing fits by release. */
  'no_artifact',
  /** It has no debug id, and nothing was uploaded for its release. */
  'no_release_files',
  /** Files were uploaded for its release under another `dist`. */
  'other_dist',
  /** Files were uploaded for its release and dist, none with this URL. */
  'no_such_file',
  /** The script was uploaded; it names no map, or one that was not uploaded. */
  'no_map',
  /** A file is larger than may be read. */
  'too_large',
  /** The map cannot be read; the detail is what is wrong with it. */
  'broken_map',
  /** A map of bytecode (Hermes, RAM bundles), which is not supported. */
  'unsupported_map',
  /** The script that was uploaded is another than the one that ran: it has no such line or column. */
  'other_file',
  /** The map says nothing of that position. */
  'no_position',
  /** Led back to file and line, but nobody uploaded the source: there is no code to show. */
  'no_source',
  /** A native or obfuscated frame: no debug file with the debug id of its image was uploaded. */
  'no_debug_file',
  /** The debug file cannot be read, or holds nothing to read. */
  'broken_debug_file',
  /** The debug file has nothing at that address. */
  'no_symbol',
  /** The debug file tells the function, not the line. */
  'no_lines',
] as const
export type FrameProblem = (typeof FRAME_PROBLEMS)[number]
export const isFrameProblem = (text: string): text is FrameProblem =>
  (FRAME_PROBLEMS as readonly string[]).includes(text)
