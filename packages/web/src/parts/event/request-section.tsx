import type { Json, RequestInfo } from '@sonde/protocol/event'
import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { JsonValue, KeyValues } from '../../ui/key-values.tsx'
import { Section } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { loadCopyTexts } from './copy/load-copy-texts.ts'

/** The HTTP request during which it happened. Shown as text: none of it is a link to press by mistake. */
export function RequestSection({ request }: { readonly request: RequestInfo }) {
  const { url, method, query_string, fragment, cookies, headers, data, env } = request
  const parts: readonly { name: string; rows: readonly (readonly [string, Json])[] }[] = [
    { name: 'Query', rows: query_string ?? [] },
    { name: 'Headers', rows: headers ?? [] },
    { name: 'Cookies', rows: cookies ?? [] },
    { name: 'Environment', rows: Object.entries(env ?? {}) },
  ]
  const isOfWeb = url !== undefined && /^https?:\/\//i.test(url)
  return (
    <Section
      id="request"
      title="Request"
      actions={
        isOfWeb && (
          <CopyButton
            text={async () => (await loadCopyTexts()).requestCurl(request) ?? ''}
            what="the request as cURL"
            label="cURL"
          />
        )
      }
    >
      {(url !== undefined || method !== undefined) && (
        <p className="request-line">
          {method !== undefined && <strong>{method}</strong>} {url !== undefined && <UserText text={url} />}
          {fragment !== undefined && fragment !== '' && <UserText text={`#${fragment}`} />}
        </p>
      )}
      {data !== undefined && data !== null && data !== '' && (
        <Part name="Body">
          <div className="request-body">
            <JsonValue value={data} />
          </div>
        </Part>
      )}
      {parts
        .filter(({ rows }) => rows.length > 0)
        .map(({ name, rows }) => (
          <Part key={name} name={name}>
            <KeyValues caption={name} rows={rows} />
          </Part>
        ))}
    </Section>
  )
}

function Part({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <h3 className="part-title">{name}</h3>
      {children}
    </>
  )
}
