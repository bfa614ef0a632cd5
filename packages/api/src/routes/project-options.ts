/** What Sentry has under `options` and beside it in a project, as far as Sonde has the same. */
import type { Grant } from '@sonde/access'
import { InvalidInput, setAllowedDomains, updateProjectFilters } from '@sonde/commands'
import { type ProjectSettingsView, projectSettings } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import { OrganizationName } from '../serializers/project.ts'

const lines = z.string().nullish()
const IPS = 'filters:blacklisted_ips'
const RELEASES = 'filters:releases'
const MESSAGES = 'filters:error_messages'

/** Of a request: a line for each pattern. */
export const OptionFields = z.object({
  options: z
    .object({ [IPS]: lines, [RELEASES]: lines, [MESSAGES]: lines })
    .partial()
    .optional(),
  allowedDomains: z.array(z.string()).optional().meta({ description: '`*` alone, or nothing: all.' }),
})

/** Of an answer. What is fixed has no equal here: clients insist on the field. */
export const ProjectOptions = z.object({
  organization: OrganizationName,
  options: z.object({ [IPS]: z.string(), [RELEASES]: z.string(), [MESSAGES]: z.string() }),
  allowedDomains: z.array(z.string()),
  digestsMinDelay: z.int(),
  digestsMaxDelay: z.int(),
  resolveAge: z.int(),
  color: z.string(),
  subjectTemplate: z.string(),
  securityToken: z.string(),
  securityTokenHeader: z.null(),
  scrapeJavaScript: z.literal(false).meta({ description: 'Sources are uploaded, never fetched.' }),
  verifySSL: z.literal(false),
  highlightTags: z.array(z.string()),
})

export const projectOptionsJson = (
  org: Grant<'org:read', 'org'>,
  settings: ProjectSettingsView | undefined,
): z.infer<typeof ProjectOptions> => ({
  organization: { id: String(org.orgId), slug: org.orgSlug, name: org.orgName },
  options: {
    [IPS]: '',
    [RELEASES]: settings?.filters.releases.join('\n') ?? '',
    [MESSAGES]: settings?.filters.messages.join('\n') ?? '',
  },
  allowedDomains: settings?.allowedDomains.length ? [...settings.allowedDomains] : ['*'],
  digestsMinDelay: 300,
  digestsMaxDelay: 1800,
  resolveAge: 0,
  color: '',
  subjectTemplate: '',
  securityToken: '',
  securityTokenHeader: null,
  scrapeJavaScript: false,
  verifySSL: false,
  highlightTags: [],
})

/** What is absent stays. Throws `InvalidInput` under the names of the body. */
export async function changeProjectOptions(
  { queries, commands }: Pick<ApiOptions, 'queries' | 'commands'>,
  grant: Grant<'project:write', 'project'>,
  { options = {}, allowedDomains }: z.output<typeof OptionFields>,
): Promise<void> {
  const operation = 'change the options of a project'
  if (linesOf(options[IPS])?.length)
    throw new InvalidInput(operation, { [IPS]: ['Sonde does not filter by address'] })
  const [releases, messages] = [linesOf(options[RELEASES]), linesOf(options[MESSAGES])]
  const settings = await projectSettings(queries, grant)
  if (settings && (releases || messages))
    try {
      const { filters } = settings
      await updateProjectFilters(commands, grant, {
        ...filters,
        releases: releases ?? filters.releases,
        messages: messages ?? filters.messages,
      })
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      const { releases: first, messages: second } = error.fields
      throw new InvalidInput(operation, {
        ...(first && { [RELEASES]: first }),
        ...(second && { [MESSAGES]: second }),
      })
    }
  if (allowedDomains)
    await setAllowedDomains(commands, grant, {
      allowedDomains: allowedDomains.length === 1 && allowedDomains[0] === '*' ? [] : allowedDomains,
    })
}

/** Undefined: nothing is said of it. */
const linesOf = (text: string | null | undefined): string[] | undefined =>
  text
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
