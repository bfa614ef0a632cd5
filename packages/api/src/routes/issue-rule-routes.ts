/** Issue alert rules in Sentry's words. https://docs.sentry.io/api/alerts/list-a-projects-issue-alert-rules/ */
import { ISSUE_NAMES, issueRuleJson, readIssueBody } from '../alert-forms/issue-rule.ts'
import { IssueRule, IssueRuleBody } from '../alert-forms/rule-schemas.ts'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { projectRuleRoutes } from './project-rule-routes.ts'

export const issueRuleRoutes = (api: Api, options: ApiOptions): void =>
  projectRuleRoutes(api, options, {
    kind: 'issue',
    named: ['Issue', 'rules for issues'],
    body: IssueRuleBody,
    shape: IssueRule,
    path: 'rules',
    names: ISSUE_NAMES,
    read: (...given) => ({ kind: 'issue', ...readIssueBody(...given) }),
    json: issueRuleJson,
    deletedStatus: 202,
  })
