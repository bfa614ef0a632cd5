/** "Does it work?", answered by what really happens: a sample event goes through the project's own door. */
import { Form, useParams } from '@sonde/router'
import { paths } from '../../paths.ts'

/** For pages of one project. */
export function TestEventButton() {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <Form action={paths.testEvent(org, project)} className="test-event">
      <button type="submit" className="button">
        Send a test event
      </button>
      <span className="muted">It goes through the door that the DSN names, and is marked as a sample.</span>
    </Form>
  )
}
