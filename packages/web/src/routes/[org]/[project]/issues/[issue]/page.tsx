import '../../../../../styles/issue.css'
import '../../../../../styles/charts.css'
import '../../../../../styles/event.css'
import '../../../../../styles/trace-summary.css'
import '../../../../../styles/stack.css'
import { IssueScreen, issueTitle, useIssuePage } from '../../../../../issue/issue-screen.tsx'

export const title = issueTitle

export default function Issue() {
  return <IssueScreen {...useIssuePage()} />
}
