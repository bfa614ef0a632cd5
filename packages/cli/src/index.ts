/** The frame of a command line, for `sonde` of this package and for the server's own, which has more commands. */
export {
  type Command,
  type CommandInput,
  findCommand,
  helpText,
  readInput,
  readProjectPath,
  type RunCommand,
  UsageError,
} from './arguments.ts'
export { CLIENT_COMMANDS, SHARED_COMMANDS } from './commands.ts'
export { EXIT_CODES } from './exit-codes.ts'
export { note, print, printed, prompt, table, terminalLine, terminalText } from './print.ts'
export { readSecret } from './read-secret.ts'
export { runCommandLine } from './run-command-line.ts'
export { BUNDLE_PROBLEMS, PROBLEM_TEXTS } from './sourcemaps/problems.ts'
