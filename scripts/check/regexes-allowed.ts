/**
 * Regular expressions that take more than linear time on some text, or that the checker does not get to the end of, and why
 * that is no harm where they stand. A text of strangers must be short for it, and something must keep it short.
 */
export type Allowed = {
  /** Files that this holds for; a folder ends in `/`. */
  readonly paths: readonly string[]
  /** `/source/flags`, as it stands in the code. */
  readonly regexes: readonly string[]
  readonly reason: string
}

export const ALLOWED: readonly Allowed[] = [
  {
    paths: ['packages/pipeline/src/group/v1/'],
    regexes: [
      String.raw`/(?:[.-](?:min|chunk|bundle|esm|cjs|es|umd))*\.\w+$/`,
      String.raw`/[.~_-]+$/`,
      String.raw`/ \[as [^\]]*\]$/`,
      String.raw`/(?:\.(?:llvm|isra|part|constprop|cold|lto_priv)(?:\.\d+)*)+$/`,
      String.raw`/\s*\[clone [^\]]*\]/g`,
      String.raw`/__+\d+_\d+$/`,
      String.raw`/\{closure:[^}]*\}/g`,
      String.raw`/\s+(?=[\w:~]+$)/`,
      String.raw`/\$\$(?:EnhancerBy|FastClassBy)\w*\$\$[\w$]*|\$\$[A-Za-z]*CGLIB\$\$[\w$]*|\$\$SpringCGLIB\$\$\d+/g`,
      String.raw`/((?:sun|jdk\.internal)\.reflect\.Generated(?:Serialization)?(?:Method|Constructor)Accessor)\d+/g`,
      String.raw`/^(?:v?\d+(?:\.\d+)+(?:[-+.][\w.-]*)?|v\d+|\d{4,}|[0-9a-f]{7,}|[0-9a-f-]{36}|\w{20,})$/i`,
      String.raw`/(?:[@-]v?|(?<=python|ruby|node))\d+(?:\.\d+)+(?:[-+.][\w.]*)?$/i`,
      String.raw`/\.(?:min\.|chunk\.|bundle\.)*(?:[cm]?[jt]sx?|vue|svelte|bundle|jsbundle|hbc)$/i`,
    ],
    reason:
      'Names and paths of frames have at most 512 characters (normalize/stacktrace.ts, symbolicate/symbolicate-stack.ts), and this folder is frozen.',
  },
  {
    paths: ['packages/pipeline/src/group/v1/stable-path.ts'],
    regexes: [
      String.raw`/\d[a-z]+\d|\d[a-z]*\d?[a-z]+\d/`,
      String.raw`/^(?:[A-Z]?[a-z]{2,})+[_-]?\d{1,3}$/`,
      String.raw`/^(?:[A-Z]*[a-z]{2,})+$/`,
    ],
    reason: 'The text has eight characters.',
  },
  {
    paths: ['packages/protocol/src/crawlers.ts'],
    regexes: [String.raw`/\b\w{0,40}(?:bot|crawler|spider)\b.{0,80}\+https?:/i`],
    reason: 'A user agent is cut to 512 characters before, and every repetition is bounded.',
  },
  {
    paths: ['packages/pipeline/src/normalize/user-agent.ts'],
    regexes: ['/ Build.*$/'],
    reason: 'The name of a device was found with at most 60 characters.',
  },
  {
    paths: ['packages/protocol/src/dsn.ts'],
    regexes: [
      String.raw`/^(https?):\/\/(\w+)(?:\.[\w-]*)?(?::[^@/\s]*)?@(\[[0-9a-f:.]+\]|[^\s/\\:?#@[\]]+)(?::(\d{1,5}))?((?:\/[^\s/?#]+)*)\/(\d{1,20})\/?(?:[?#]\S*)?$/i`,
    ],
    reason:
      'A DSN has at most 2,048 characters, and no two neighbours in the expression take the same character.',
  },
  {
    paths: ['packages/queries/src/sql/check-tree.ts'],
    regexes: [String.raw`/^( *)([A-Za-z:]+)(?: (.*?))??(?: \(alias (.*)\))?(?: \(children \d+\))?$/`],
    reason:
      'A line of the tree is no longer than the statement, which has at most 10,000 characters (run-sql.ts).',
  },
  {
    paths: ['packages/queries/src/sql/sql-refused.ts'],
    regexes: ["/[`'‘]([^`'’]{1,100})[`'’]/"],
    reason: 'The message was cut to 500 characters.',
  },
  {
    paths: ['packages/sourcemaps/src/function-name.ts'],
    regexes: [
      String.raw`/\b(?:async\s+)?function\s*\*?\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*(?:<[^()]*>\s*)?\(\s*/gu`,
    ],
    reason: 'It looks at the 400 characters around a place.',
  },
  {
    paths: ['packages/stores/src/artifacts/find-by-release.ts'],
    regexes: [String.raw`/[-._][\w-]{6,}(?=\.)/`],
    reason: 'Of a name the last 200 characters are compared.',
  },
  {
    paths: ['packages/browser/src/errors/stack.ts'],
    regexes: [
      String.raw`/^ *(?:at (?:async )?(?:(.+?) \()?|(?!\w+:\/\/)(.*?)@)?(.+?)(?::(\d+))?(?::(\d+))?\)?$/`,
      String.raw`/^eval .*?([^ (]+?):(\d+):(\d+)\)+,|^(.+?) line (\d+) > /`,
    ],
    reason: 'Lines of more than 999 characters are left out, and so is what is beyond 50 frames.',
  },
  {
    paths: ['packages/web/src/parts/event/syntax/languages.ts'],
    regexes: [String.raw`/\.([a-z]{1,6})(?:[?#].*)?$/i`],
    reason: 'It looks at the last 200 characters of a path.',
  },
  {
    paths: ['packages/web/src/format/'],
    regexes: [String.raw`/\.?0+$/`, String.raw`/\B(?=(\d{3})+$)/g`],
    reason: 'The text is a number.',
  },
]

/** Expressions that are put together when the program runs. None of them from what strangers send. */
export const BUILT: Readonly<Record<string, string>> = {
  'packages/browser/src/navigation/failure-reason.ts':
    'Of a constant of @sonde/protocol/chunk-error, in which nothing repeats but one run of non-spaces.',
  'packages/pipeline/src/group/v1/parameterize-message.ts':
    'Of the constants in message-patterns.ts; a message is cut to 1,000 characters before.',
  'packages/pipeline/src/normalize/user-agent.ts':
    'Of constants with bounded repetitions; a user agent is cut to 512 characters.',
  'packages/pipeline/src/noise/classify-noise.ts':
    'The one of packages/protocol/src/chunk-error.ts, on texts of 2,000 characters at most.',
  'packages/protocol/src/crawlers.ts': 'A list of plain names.',
  'packages/stores/src/person/person.ts':
    'Of values of a person, escaped, between one character before and after: nothing repeats.',
  'packages/pipeline/src/symbolicate/read-position.ts':
    'Of constants beside it; a path has at most 512 characters.',
  'packages/server/src/front/body-bounds.ts':
    'Of constants beside it: from the beginning, and each part ends at the next slash.',
  'packages/server/src/doctor/process-figures.ts': 'Of the names of two fields; the text is the kernel’s.',
  'packages/web/src/parts/event/syntax/languages.ts':
    'Of constants beside it; a line of source has at most 512 characters.',
}
