/** `sonde sourcemaps repair acme/shop`: asks for it; the Sonde that runs, or the next that starts, does it. */
import { operatorViewer } from '@sonde/access'
import { repairEvents } from '@sonde/commands'
import { type CommandInput, UsageError } from '../arguments.ts'
import { print } from '../print.ts'
import { withCommands } from '../with-commands.ts'

export async function run({ positionals, text, flag }: CommandInput): Promise<number> {
  const [org, project, ...more] = (positionals[0] ?? '').split('/')
  if (!org || !project || more.length > 0)
    throw new UsageError('name the project as ORG/PROJECT, such as acme/shop')
  return withCommands(async (deps) => {
    const asked = await repairEvents(
      deps,
      await deps.access.openProject(operatorViewer, org, project, 'project:write'),
      { release: text('release') },
    )
    if (flag('json')) print(JSON.stringify({ id: String(asked.id), isNew: asked.isNew }))
    else
      print(
        `${asked.isNew ? 'Asked for' : 'Already waiting'}: repair ${asked.id} of ${org}/${project}. It begins within seconds while Sonde runs; its page of source maps and \`sonde doctor\` say how far it is.`,
      )
    return 0
  })
}
