/** The program `sonde` of a machine that runs one: everything of `@sonde/cli`, and what is done to the data folder. */
import { runCommandLine } from '@sonde/cli'
import { COMMANDS } from './cli/commands.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), {
  commands: COMMANDS,
  footer: 'Settings are environment variables: docs/reference/configuration.md',
})
