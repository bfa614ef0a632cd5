/** The latest event of the issue with a title: for programs that do not tell the id of what they sent. */
import type { EventDetail, Issue } from '../../compat/support/api-shapes.ts'
import { issueTitled } from '../../compat/support/api-shapes.ts'
import type { Harness } from './harness.ts'

export async function issueEvent({ api, project }: Harness, title: string): Promise<EventDetail> {
  const issues = await api.until<readonly Issue[]>(
    `/api/0/projects/${project.org}/${project.project}/issues/?limit=100`,
    (found) => found.some((issue) => issue.title === title),
  )
  const { id } = issueTitled(new Map(issues.map((issue) => [issue.title, issue])), title)
  return api.until<EventDetail>(`/api/0/organizations/${project.org}/issues/${id}/events/latest/`, () => true)
}
