import type { SqlTable } from '@sonde/queries'

/** What can be asked for, one fold a table. */
export function SqlSchema({ tables }: { readonly tables: readonly SqlTable[] }) {
  return (
    <aside className="sql-schema" aria-labelledby="sql-schema">
      <h2 id="sql-schema">Tables</h2>
      {tables.map(({ name, about, columns }) => (
        <details key={name} className="fold">
          <summary>
            <code>{name}</code> <span className="muted">{about}</span>
          </summary>
          <dl className="sql-fields">
            {columns.map((column) => (
              <div key={column.name}>
                <dt>
                  <code>{column.name}</code>
                </dt>
                <dd className="muted">{column.about}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </aside>
  )
}
