import './issue.css'
import './activity.css'
import '../../../../../parts/issue/triage.css'
import '../../../../../charts/charts.css'
import '../../../../../parts/event/event.css'
import '../../../../../parts/event/evidence.css'
import '../../../../../parts/trace/trace-summary.css'
import '../../../../../parts/event/stack.css'
import { IssueScreen, issueTitle, useIssuePage } from './issue-screen.tsx'

export const title = issueTitle

export default function Issue() {
  return <IssueScreen {...useIssuePage()} />
}
