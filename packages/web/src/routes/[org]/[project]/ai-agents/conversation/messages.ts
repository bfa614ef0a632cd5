/**
 * What went into a model or a tool, or came out of it, as SDKs write it: a list of messages with roles and parts, any JSON, or
 * text. Attributes are cut at 4,096 characters, and JSON that was cut is shown as the text that it is. Pure.
 */
export type ShownMessage = { readonly role: string; readonly text: string }

const MAX_MESSAGES = 100

export function messagesOf(text: string): readonly ShownMessage[] {
  if (text === '') return []
  const parsed = parse(text)
  if (Array.isArray(parsed)) return parsed.slice(0, MAX_MESSAGES).map(messageOf)
  if (typeof parsed === 'object' && parsed !== null) {
    const { messages } = parsed as { messages?: unknown }
    if (Array.isArray(messages)) return messages.slice(0, MAX_MESSAGES).map(messageOf)
    return [{ role: '', text: JSON.stringify(parsed, undefined, 2) }]
  }
  return [{ role: '', text }]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(raw: unknown): ShownMessage {
  if (typeof raw !== 'object' || raw === null) return { role: '', text: String(raw) }
  const { role, content, parts, text } = raw as Record<string, unknown>
  const said = content ?? parts ?? text
  if (typeof role !== 'string' && said === undefined)
    return { role: '', text: JSON.stringify(raw, undefined, 2) }
  return { role: typeof role === 'string' ? role : '', text: contentOf(said) }
}

/** Texts of parts below each other; what is no text stays JSON. */
function contentOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content, undefined, 2) ?? ''
  return content
    .map((part: unknown) => {
      if (typeof part !== 'object' || part === null) return String(part)
      const { text, content: inner } = part as Record<string, unknown>
      if (typeof text === 'string') return text
      return typeof inner === 'string' ? inner : JSON.stringify(part, undefined, 2)
    })
    .join('\n')
}
