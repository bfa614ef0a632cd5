/** `sonde project create acme/shop`: makes a project, and its organization when that is missing. */
import { operatorViewer } from '@sonde/access'
import { type CommandInput, print, readProjectPath } from '@sonde/cli'
import { ensureProject } from '@sonde/commands'
import { dsnFor } from '@sonde/queries'
import { withCommands } from './with-commands.ts'

export async function run({ positionals, text, flag }: CommandInput): Promise<number> {
  const [org, slug] = readProjectPath(positionals[0] ?? '')
  return withCommands(async (deps, config) => {
    const project = await ensureProject(deps, operatorViewer, { org, slug, platform: text('platform') })
    const dsn = dsnFor(config.publicUrl, project.publicKey, project.id)
    if (flag('json')) {
      const { id, orgSlug, publicKey } = project
      print(JSON.stringify({ id: String(id), org: orgSlug, project: project.slug, dsn, publicKey }))
    } else {
      print(
        `${project.isNew ? 'Created' : 'There already is'} ${project.orgSlug}/${project.slug}\nDSN  ${dsn}`,
      )
    }
    return 0
  })
}
