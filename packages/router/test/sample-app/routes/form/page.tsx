import { Form, useActionData, useTyped } from '@sonde/router'
import type { action } from './page.server.ts'

export default function FormPage() {
  const result = useActionData<typeof action>()
  const typed = useTyped()
  const problem = result && 'problem' in result ? result.problem : undefined
  return (
    <main>
      <h1>Form</h1>
      <Form>
        <label>
          Name <input name="name" defaultValue={typed('name')} aria-invalid={problem !== undefined} />
        </label>
        <label>
          Password <input name="password" type="password" />
        </label>
        <button>Save</button>
        {problem && <p id="problem">{problem}</p>}
      </Form>
      {result && 'saved' in result && <p id="saved">{result.saved}</p>}
    </main>
  )
}
