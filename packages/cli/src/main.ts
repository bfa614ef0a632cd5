#!/usr/bin/env node
/** The program `sonde` of this package: what needs no data folder of a Sonde, from any machine. */
import { readFileSync } from 'node:fs'
import { CLIENT_COMMANDS } from './commands.ts'
import { exitCodeOf } from './exit-codes.ts'
import { onReaderGone } from './print.ts'
import { runCommandLine } from './run-command-line.ts'

onReaderGone(() => undefined)

const [first, second, ...words] = process.argv.slice(2)
if (first === 'complete' && second === '--') {
  const { complete } = await import('./completions-command.ts')
  complete(CLIENT_COMMANDS, words)
} else {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    commands: CLIENT_COMMANDS,
    version,
    exitCodeOf,
    hasJsonErrors: true,
    hasShortHelp: true,
    footer: '"sonde COMMAND --help" has the options. Exit codes and --json: docs/reference/cli.md of Sonde',
  })
}
