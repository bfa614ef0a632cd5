import '../../../parts/forms/settings.css'
import './mcp.css'
import { Link, usePageData } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Section } from '../../../ui/section.tsx'
import type { load } from './page.server.ts'

export function title() {
  return 'MCP server · Sonde'
}

/** How agents and editors connect, with this Sonde's own address. */
export default function Mcp() {
  const { address } = usePageData<typeof load>()
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>MCP server</h1>
      </div>
      <p>
        Coding agents and editors read issues, events with their source code, traces, web vitals and releases
        here, and can resolve, assign and comment where you allow it.
      </p>
      <Section id="address" title="Address">
        <Copied text={address} what="the address" />
        <p className="muted mcp-note">
          Streamable HTTP. A client that opens your browser needs nothing else: you choose the organization
          and what it may do, and it is listed in your{' '}
          <Link className="text-link" to={`${paths.account()}#apps`}>
            account settings
          </Link>
          .
        </p>
      </Section>
      <Section id="clients" title="Clients">
        {clientsOf(address).map(({ name, text }) => (
          <div key={name} className="mcp-client">
            <h3>{name}</h3>
            <Copied text={text} what={`the line for ${name}`} />
          </div>
        ))}
      </Section>
      <Section id="token" title="With a token">
        <p>
          For a client without a browser, make a{' '}
          <Link className="text-link" to={`${paths.account()}#tokens`}>
            personal token
          </Link>{' '}
          with <code>org:read</code>, <code>project:read</code> and <code>event:read</code>, and{' '}
          <code>event:write</code> only if it is to change issues. Only tools that its scopes include are
          shown.
        </p>
        {tokenLinesOf(address).map(({ name, text }) => (
          <div key={name} className="mcp-client">
            <h3>{name}</h3>
            <Copied text={text} what={`the line with a token for ${name}`} />
          </div>
        ))}
      </Section>
      <Section id="safety" title="What to know">
        <p>
          Error messages, user names and comments may be written by anybody, also to talk an agent into
          something. Answers mark all of it as data, and the server tells the agent not to follow it. That
          helps, and is no guarantee: leave <code>event:write</code> away unless you need it, and look at what
          an agent does with your code.
        </p>
      </Section>
    </div>
  )
}

function Copied({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className="dsn">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  )
}

const TOKEN = 'sonde_YOUR_TOKEN'

const clientsOf = (url: string) => [
  { name: 'Claude Code', text: `claude mcp add --transport http sonde ${url}` },
  { name: 'Cursor and others with mcpServers', text: JSON.stringify({ mcpServers: { sonde: { url } } }) },
  { name: 'VS Code', text: JSON.stringify({ servers: { sonde: { type: 'http', url } } }) },
]

const tokenLinesOf = (url: string) => {
  const headers = { Authorization: `Bearer ${TOKEN}` }
  return [
    {
      name: 'Claude Code',
      text: `claude mcp add --transport http sonde ${url} --header "Authorization: Bearer ${TOKEN}"`,
    },
    {
      name: 'Cursor and others with mcpServers',
      text: JSON.stringify({ mcpServers: { sonde: { url, headers } } }),
    },
    { name: 'VS Code', text: JSON.stringify({ servers: { sonde: { type: 'http', url, headers } } }) },
  ]
}
