/** `sonde move`: takes what lies in the data folder over to servers, and says with which settings to start there. */
import { createLogger, systemClock } from '@sonde/base'
import { type CommandInput, note, print } from '@sonde/cli'
import type { Compared } from '@sonde/stores/move'
import { type Config, readConfig } from '../config/config.ts'
import { openDataDir } from '../data-dir.ts'
import { MOVED_ENGINES, moveFile } from '../move/move-file.ts'
import { createProgress } from '../move/progress.ts'
import { runMove } from '../move/run-move.ts'
import { readTargets, type Targets } from '../move/targets.ts'
import { whileNothingRuns } from './while-nothing-runs.ts'

const RUNNING = {
  message: 'Sonde is running: what it stores meanwhile would be left behind',
  operation: 'move',
  hint: 'stop it, move, and start it on the servers: SDKs keep for a while what they cannot send',
} as const

export async function run(input: CommandInput): Promise<number> {
  const config = readConfig()
  const targets = readTargets(config, input)
  const isJson = input.flag('json')
  const logger = createLogger('cli', 'warn')
  openDataDir(config.dataDir, logger)
  // The answer is on standard output: with --json every line, else what was compared and what comes next.
  const progress = createProgress({ clock: systemClock, isJson, say: isJson ? print : note })
  const compared = await whileNothingRuns(config, logger, RUNNING, (logs) =>
    runMove({ config, targets, logs, logger, progress }),
  )
  const isSame = compared.every(({ from, to }) => from === to)
  if (isJson)
    print(
      JSON.stringify({ moved: isSame, compared, settings: Object.fromEntries(settingsOf(targets, config)) }),
    )
  else print([comparedText(compared), '', isSame ? nextText(config, targets) : differentText()].join('\n'))
  return isSame ? 0 : 1
}

const settingsOf = (
  { settings, engines, config }: Targets,
  { secretFile, dataDir }: Config,
): readonly (readonly [string, string])[] => [
  ...settings,
  ...(engines.includes('blobs')
    ? ([
        ['SONDE_BLOBS_ACCESS_KEY', '…'],
        ['SONDE_BLOBS_SECRET_KEY', '…'],
      ] as const)
    : []),
  ...(engines.includes('records') ? ([['SONDE_SECRET_FILE', secretFile]] as const) : []),
  ...(MOVED_ENGINES.every((engine) => 'url' in config.engines[engine])
    ? []
    : ([['SONDE_DATA_DIR', dataDir]] as const)),
]

function nextText(config: Config, targets: Targets): string {
  const { engines } = targets
  return [
    'Moved. Nothing was deleted here. Start Sonde with these settings, … being what you gave:',
    '',
    ...settingsOf(targets, config).map(([name, value]) => `  ${name}=${value}`),
    '',
    ...(engines.includes('records')
      ? [
          `On another machine, copy ${config.secretFile} there and name it in SONDE_SECRET_FILE: passwords, sessions and`,
          'two-factor sign-in need the same key.',
        ]
      : []),
    ...(MOVED_ENGINES.every((engine) => 'url' in targets.config.engines[engine])
      ? []
      : ['What did not move stays in SONDE_DATA_DIR: the new start needs this very folder.']),
    `A start without them is refused. To go back to what lies here, delete ${moveFile(config.dataDir)}:`,
    'what arrived since stays on the servers (docs/operate/move.md).',
  ].join('\n')
}

const differentText = (): string =>
  'Not the same on both sides: the lines with ≠. Nothing was deleted here, and the move is not finished. Run it again; if they stay\ndifferent, see docs/operate/move.md.'

function comparedText(compared: readonly Compared[]): string {
  const rows = [
    ['', 'here', 'there', ''],
    ...compared
      .filter(({ from, to }) => from + to > 0)
      .map(({ what, part, from, to }) => [
        part === '' ? what : `${what} ${part}`,
        from.toLocaleString('en-US'),
        to.toLocaleString('en-US'),
        from === to ? '' : '≠',
      ]),
  ]
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map(([name = '', from = '', to = '', sign = '']) =>
      `${name.padEnd(widths[0] ?? 0)}  ${from.padStart(widths[1] ?? 0)}  ${to.padStart(widths[2] ?? 0)}  ${sign}`.trimEnd(),
    )
    .join('\n')
}
