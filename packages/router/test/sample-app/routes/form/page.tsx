import { Form, useActionData, useTyped } from '@sonde/router'
import { useEffect, useRef, useState } from 'react'
import type { action } from './page.server.ts'

export default function FormPage() {
  const result = useActionData<typeof action>()
  const typed = useTyped()
  const [heard, setHeard] = useState('')
  const [filter, setFilter] = useState('a filter of the server')
  const [isUrgent, setUrgent] = useState(false)
  const [colour, setColour] = useState('red')
  const answers = useRef<HTMLOutputElement>(null)
  useEffect(() => {
    if (result && 'saved' in result) answers.current?.append(`${result.saved}, `)
  }, [result])
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
        <label>
          Note{' '}
          <textarea
            name="note"
            defaultValue="a text of the server"
            onInput={(event) => setHeard(event.currentTarget.value)}
          />
        </label>
        <label>
          Filter <input name="filter" value={filter} onChange={(event) => setFilter(event.target.value)} />
        </label>
        <label>
          Urgent{' '}
          <input
            name="urgent"
            type="checkbox"
            checked={isUrgent}
            onChange={(event) => setUrgent(event.target.checked)}
          />
        </label>
        <label>
          Colour{' '}
          <select name="colour" value={colour} onChange={(event) => setColour(event.target.value)}>
            <option>red</option>
            <option>green</option>
          </select>
        </label>
        <output id="chosen">{`${isUrgent ? 'urgent' : 'at leisure'}, ${colour}`}</output>
        <output id="filtered">{filter}</output>
        <output id="heard">{heard}</output>
        <button>Save</button>
        {problem && <p id="problem">{problem}</p>}
      </Form>
      {result && 'saved' in result && <p id="saved">{result.saved}</p>}
      <output id="answers" ref={answers} />
    </main>
  )
}
