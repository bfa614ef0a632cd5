/** Issue alert rules in Sentry's words. https://docs.sentry.io/api/alerts/list-a-projects-issue-alert-rules/ */
import { ISSUE_NAMES, issueRuleJson, readIssueBody } from '../alert-forms/issue-rule.ts'
import type { Api, ApiOptions } from '../api-context.ts'
import { projectRuleRoutes } from './project-rule-routes.ts'

export const issueRuleRoutes = (api: Api, options: ApiOptions): void =>
  projectRuleRoutes(api, options, {
    kind: 'issue',
    path: 'rules',
    names: ISSUE_NAMES,
    read: (...given) => ({ kind: 'issue', ...readIssueBody(...given) }),
    json: issueRuleJson,
    deletedStatus: 202,
  })
