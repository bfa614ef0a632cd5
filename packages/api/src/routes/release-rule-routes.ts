/** Rules that judge each release, for scripts that set up a deployment gate. docs/release-verdict.md */
import { readReleaseBody, RELEASE_NAMES, releaseRuleJson } from '../alert-forms/release-rule.ts'
import type { Api, ApiOptions } from '../api-context.ts'
import { projectRuleRoutes } from './project-rule-routes.ts'

export const releaseRuleRoutes = (api: Api, options: ApiOptions): void =>
  projectRuleRoutes(api, options, {
    kind: 'release',
    path: 'release-rules',
    names: RELEASE_NAMES,
    read: (...given) => ({ kind: 'release', ...readReleaseBody(...given) }),
    json: releaseRuleJson,
    deletedStatus: 204,
  })
