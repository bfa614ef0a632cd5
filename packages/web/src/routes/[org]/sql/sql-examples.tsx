import { Link } from '@sonde/router'
import type { SqlExample } from '@sonde/queries'
import { paths } from '../../../paths.ts'

/** Each link puts it into the field, to be changed or run. */
export function SqlExamples({
  org,
  examples,
}: {
  readonly org: string
  readonly examples: readonly SqlExample[]
}) {
  return (
    <section className="sql-examples" aria-labelledby="sql-examples">
      <h2 id="sql-examples">Begin with one of these</h2>
      <ul>
        {examples.map(({ title, sql }) => (
          <li key={title}>
            <Link to={paths.sql(org, sql)} prefetch="none">
              {title}
            </Link>
            <pre className="sql-example" tabIndex={0} aria-label={title}>
              {sql}
            </pre>
          </li>
        ))}
      </ul>
    </section>
  )
}
