#!/usr/bin/env node
/** The program `sonde` of this package: what needs no data folder of a Sonde, from any machine. */
import { CLI_COMMANDS } from './commands.ts'
import { runCommandLine } from './run-command-line.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), {
  commands: CLI_COMMANDS,
  footer: 'What each finds and what to do then: docs/reference/sourcemaps-cli.md of Sonde',
})
