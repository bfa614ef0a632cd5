/**
 * The side bar at the page that is read, and the search of the site, in the browser alone: the index is a file of the site, fetched when somebody begins to search. While
 * somebody types, the best results lie below the field; Enter leads to all of them, on a page with an address.
 */
import MiniSearch, { type SearchResult } from 'minisearch'
import { type Section, SETTINGS } from './search-settings.ts'

const BASE = '/docs/'
const BELOW_FIELD = 8
const ON_PAGE = 50

const indexUrl = (document.currentScript as HTMLScriptElement).dataset['index'] ?? ''
let loaded: Promise<MiniSearch<Section>> | undefined

function index(): Promise<MiniSearch<Section>> {
  loaded ??= fetch(indexUrl).then(async (answer) => {
    if (!answer.ok) throw new Error(`the index was answered with ${answer.status}`)
    return MiniSearch.loadJSON<Section>(await answer.text(), SETTINGS)
  })
  // The next key tries again.
  loaded.catch(() => (loaded = undefined))
  return loaded
}

/** All words must be in a section; when no section has them all, any of them. */
async function find(words: string): Promise<readonly SearchResult[]> {
  const searched = await index()
  const all = searched.search(words)
  return all.length > 0 ? all : searched.search(words, { combineWith: 'OR' })
}

function resultList(results: readonly SearchResult[]): HTMLElement {
  const list = document.createElement('ul')
  for (const { id, title, heading, excerpt } of results) {
    const link = document.createElement('a')
    link.href = BASE + String(id)
    const name = document.createElement('b')
    name.textContent = heading === '' ? String(title) : `${title} › ${heading}`
    const text = document.createElement('span')
    text.textContent = String(excerpt)
    link.append(name, text)
    list.append(document.createElement('li'))
    list.lastElementChild?.append(link)
  }
  return list
}

function sentence(text: string): HTMLElement {
  const line = document.createElement('p')
  line.setAttribute('role', 'status')
  line.textContent = text
  return line
}

const NOT_LOADED = 'The index could not be loaded. Is Sonde running?'

function followField(field: HTMLInputElement, panel: HTMLElement): void {
  let asked = 0
  const close = (): void => {
    asked++
    panel.hidden = true
    panel.replaceChildren()
  }
  const show = async (): Promise<void> => {
    const words = field.value.trim()
    if (words === '') return close()
    const mine = ++asked
    try {
      const results = await find(words)
      if (mine !== asked) return
      const best = results.slice(0, BELOW_FIELD)
      panel.replaceChildren(best.length === 0 ? sentence(`Nothing has “${words}”.`) : resultList(best))
    } catch {
      if (mine === asked) panel.replaceChildren(sentence(NOT_LOADED))
    }
    panel.hidden = false
  }
  field.addEventListener('focus', () => void index().catch(() => {}))
  field.addEventListener('input', () => void show())
  const around = panel.parentElement ?? panel
  around.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close()
      field.focus()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || panel.hidden) return
    const stops: HTMLElement[] = [field, ...panel.querySelectorAll('a')]
    const at = stops.indexOf(document.activeElement as HTMLElement)
    stops[(at + step + stops.length) % stops.length]?.focus()
    event.preventDefault()
  })
  around.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !around.contains(relatedTarget)) close()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !around.contains(target)) close()
  })
  document.addEventListener('keydown', (event) => {
    const inField = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (event.key !== '/' || inField || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
}

async function fillPage(words: string, place: HTMLElement): Promise<void> {
  try {
    const results = words === '' ? [] : await find(words)
    const count = results.length > ON_PAGE ? `The best ${ON_PAGE} of ${results.length}` : `${results.length}`
    const said = words === '' ? 'Type what you look for above.' : `${count} for “${words}”`
    place.replaceChildren(sentence(said), resultList(results.slice(0, ON_PAGE)))
  } catch {
    place.replaceChildren(sentence(NOT_LOADED))
  }
}

/** The page that is read stands in the middle of the side bar, however long that is. */
function showCurrent(): void {
  const current = document.querySelector<HTMLElement>('.pages [aria-current]')
  const bar = current?.closest<HTMLElement>('.pages')
  if (current && bar) bar.scrollTop = current.offsetTop - bar.clientHeight / 2
}

showCurrent()
const field = document.querySelector<HTMLInputElement>('.search input')
const panel = document.querySelector<HTMLElement>('.found')
const place = document.querySelector<HTMLElement>('.results')
if (field && panel) followField(field, panel)
if (field && place) {
  const words = new URLSearchParams(location.search).get('q')?.trim() ?? ''
  field.value = words
  void fillPage(words, place)
}
