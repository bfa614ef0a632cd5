/** Rules that judge each release, for scripts that set up a deployment gate. docs/release-verdict.md */
import { readReleaseBody, RELEASE_NAMES, releaseRuleJson } from '../alert-forms/release-rule.ts'
import { ReleaseRule, ReleaseRuleBody } from '../alert-forms/rule-schemas.ts'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { projectRuleRoutes } from './project-rule-routes.ts'

export const releaseRuleRoutes = (api: Api, options: ApiOptions): void =>
  projectRuleRoutes(api, options, {
    kind: 'release',
    named: ['Release', 'rules for releases'],
    body: ReleaseRuleBody,
    shape: ReleaseRule,
    path: 'release-rules',
    names: RELEASE_NAMES,
    read: (...given) => ({ kind: 'release', ...readReleaseBody(...given) }),
    json: releaseRuleJson,
    deletedStatus: 204,
  })
