/** Which members an address asks for. */
import type { MemberRow } from '@sonde/queries'

/** The team of fifty stands on one page; nobody reads more lines than these. */
export const MEMBERS_ON_PAGE = 100

type Shown = {
  /** A part of a name or address. */
  readonly q: string
  readonly role: string
  /** `#slug`, `none`, or empty. */
  readonly team: string
  /** Two-factor sign-in: `on`, `off`, or empty. */
  readonly factor: string
  /** From 1. */
  readonly page: number
}

export type ShownMembers = {
  readonly shown: Shown
  readonly found: readonly MemberRow[]
  readonly onPage: readonly MemberRow[]
  /** Those that have members, by name. */
  readonly teams: readonly { readonly slug: string; readonly name: string }[]
}

/** What is not understood narrows nothing, and is not shown as if it did. */
export function shownMembers(all: readonly MemberRow[], search: URLSearchParams): ShownMembers {
  const read = (name: string): string => search.get(name)?.trim().slice(0, 200) ?? ''
  const teams = [
    ...new Map(
      all.flatMap((member) => member.teams).map(({ slug, name }) => [slug, { slug, name }]),
    ).values(),
  ].toSorted((a, b) => a.name.localeCompare(b.name))
  const one = (name: string, known: readonly string[]): string =>
    known.find((each) => each === read(name)) ?? ''
  const filter = {
    q: read('q'),
    role: one('role', ['owner', 'admin', 'member', 'viewer']),
    team: one('team', ['none', ...teams.map(({ slug }) => `#${slug}`)]),
    factor: one('factor', ['on', 'off']),
  }
  const found = all.filter((member) => isMeant(member, filter))
  const pages = Math.max(1, Math.ceil(found.length / MEMBERS_ON_PAGE))
  const asked = Number(read('page'))
  const page = Number.isSafeInteger(asked) && asked > 1 ? Math.min(asked, pages) : 1
  const onPage = found.slice((page - 1) * MEMBERS_ON_PAGE, page * MEMBERS_ON_PAGE)
  return { shown: { ...filter, page }, found, onPage, teams }
}

function isMeant(member: MemberRow, { q, role, team, factor }: Omit<Shown, 'page'>): boolean {
  if (role !== '' && member.role !== role) return false
  if (factor !== '' && member.hasTwoFactor !== (factor === 'on')) return false
  if (team === 'none' && member.teams.length > 0) return false
  if (team.startsWith('#') && !member.teams.some(({ slug }) => `#${slug}` === team)) return false
  return `${member.name} ${member.email}`.toLowerCase().includes(q.toLowerCase())
}
