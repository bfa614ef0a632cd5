/** The reference of `sonde sourcemaps`. */
import {
  BUNDLE_PROBLEMS,
  OPTION_TEXTS,
  PROBLEM_TEXTS,
  SOURCEMAPS_COMMANDS,
} from '@sonde/server/sourcemaps-reference'

export function sourcemapsPage(): string {
  return [
    '# Source maps on the command line',
    '',
    'Made by `npm run gen` from `packages/server/src/cli/sourcemaps/`. Exit codes: 0 all is well, 1 it is not, 2 asked wrongly.',
    'These commands need no running Sonde on the same machine; `reprocess` alone opens its data folder.',
    '',
    ...SOURCEMAPS_COMMANDS.flatMap(({ words, usage, help, options }) => [
      `## \`sonde ${words.join(' ')}\``,
      '',
      `${help.charAt(0).toUpperCase()}${help.slice(1)}.`,
      '',
      '```sh',
      `sonde ${words.join(' ')} ${usage}`,
      '```',
      '',
      '| option | meaning |',
      '| --- | --- |',
      ...Object.keys(options).map((name) => `| \`--${name}\` | ${OPTION_TEXTS[name] ?? ''} |`),
      '',
    ]),
    '## What `verify` finds',
    '',
    'A line for each script: its debug id, its map, whether both have the same id, of how many of its sources there is the text,',
    'and how many of the places that were tried lead to a line and column that the source has. Of a page the maps that anybody',
    'can read are listed: so are your sources. Scripts that a page loads later are not seen; the folder of the build has them all.',
    '',
    '| problem | meaning | what to do |',
    '| --- | --- | --- |',
    ...BUNDLE_PROBLEMS.map(
      (problem) => `| \`${problem}\` | ${PROBLEM_TEXTS[problem].meaning} | ${PROBLEM_TEXTS[problem].todo} |`,
    ),
    '',
    '## `sonde sourcemaps upload`',
    '',
    'Was removed, because `sentry-cli sourcemaps inject` and `upload` do the same: see [Readable stacks](../operate/source-maps.md).',
    'The command prints them and ends with 2.',
    '',
  ].join('\n')
}
