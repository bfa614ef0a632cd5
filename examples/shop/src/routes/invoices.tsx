/** On purpose: its loader never ends, since the API never answers. People wait, and leave. */
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { get } from '../api.ts'

export const loader = ({ request }: LoaderFunctionArgs) => get<string[]>('/api/invoices', request.signal)

export function Component() {
  const invoices = useLoaderData<typeof loader>()
  return (
    <section className="narrow">
      <h1>Invoices</h1>
      <ul className="lines">
        {invoices.map((id) => (
          <li key={id}>{id}</li>
        ))}
      </ul>
    </section>
  )
}
