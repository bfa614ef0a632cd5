/** "Does it work?", answered by what really happens: a sample event goes through the project's own door. */
import { Form, useParams } from '@sonde/router'
import { paths } from '../../paths.ts'

/** For pages of one project. */
export function TestEventButton() {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <Form action={paths.testEvent(org, project)} className="test-event">
      <button type="submit" className="button">
        Send test event
      </button>
      <span className="muted">Sent to this project’s DSN and tagged as a sample.</span>
    </Form>
  )
}
