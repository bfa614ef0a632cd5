/** `sonde sourcemaps reprocess acme/shop` requests it; the running Sonde, or the next that starts, does it. */
import { operatorViewer } from '@sonde/access'
import { type CommandInput, print, readProjectPath } from '@sonde/cli'
import { reprocessEvents } from '@sonde/commands'
import { withCommands } from '../with-commands.ts'

export async function run({ positionals, text, flag }: CommandInput): Promise<number> {
  const [org, project] = readProjectPath(positionals[0] ?? '')
  return withCommands(async (deps) => {
    const requested = await reprocessEvents(
      deps,
      await deps.access.openProject(operatorViewer, org, project, 'project:write'),
      { release: text('release') },
    )
    if (flag('json')) print(JSON.stringify({ id: String(requested.id), isNew: requested.isNew }))
    else
      print(
        `${requested.isNew ? 'Requested' : 'Already queued'}: reprocessing ${requested.id} of ${org}/${project}. It starts within seconds while Sonde runs. The source maps page and \`sonde doctor\` show its progress.`,
      )
    return 0
  })
}
