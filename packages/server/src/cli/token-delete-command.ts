/** `sonde token delete`: takes an API token back. */
import { openInstallation, operatorViewer } from '@sonde/access'
import { deleteToken } from '@sonde/commands'
import { type CommandInput, UsageError } from './arguments.ts'
import { print } from './print.ts'
import { withCommands } from './with-commands.ts'

export async function run({ positionals: [id = ''], flag }: CommandInput): Promise<number> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new UsageError(`"${id}" is no number: sonde token list shows them`)
  return withCommands(async (deps) => {
    const { name } = await deleteToken(deps, openInstallation(operatorViewer), { tokenId: Number(id) })
    if (flag('json')) print(JSON.stringify({ id: Number(id), name }))
    else print(`Token ${id} (${name}) was deleted: the next request with it is refused.`)
    return 0
  })
}
