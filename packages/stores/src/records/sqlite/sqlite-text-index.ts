/**
 * FTS5's trigrams (https://sqlite.org/fts5.html#the_trigram_tokenizer), without positions: a third of the size (8 MB
 * for 100,000 issues), and an answer that is too wide rather than too narrow.
 */
import { sql } from 'kysely'
import type { TextIndex } from '../text-index.ts'

/** Of the records' migrations. Triggers keep it; an update that changes neither text costs it nothing. */
export const ISSUE_TEXT = [
  `CREATE VIRTUAL TABLE issue_text USING fts5 (title, culprit, content = 'issue', content_rowid = 'id',
    tokenize = 'trigram', detail = none, columnsize = 0)`,
  `INSERT INTO issue_text (issue_text) VALUES ('rebuild')`,
  `CREATE TRIGGER issue_text_insert AFTER INSERT ON issue BEGIN
    INSERT INTO issue_text (rowid, title, culprit) VALUES (new.id, new.title, new.culprit); END`,
  `CREATE TRIGGER issue_text_delete AFTER DELETE ON issue BEGIN
    INSERT INTO issue_text (issue_text, rowid, title, culprit)
    VALUES ('delete', old.id, old.title, old.culprit); END`,
  `CREATE TRIGGER issue_text_update AFTER UPDATE OF title, culprit ON issue
    WHEN old.title <> new.title OR old.culprit <> new.culprit BEGIN
    INSERT INTO issue_text (issue_text, rowid, title, culprit)
    VALUES ('delete', old.id, old.title, old.culprit);
    INSERT INTO issue_text (rowid, title, culprit) VALUES (new.id, new.title, new.culprit); END`,
] as const

const TRIGRAM_CHARS = 3
/** More say little that the others have not said; each is a look-up. */
const MAX_TRIGRAMS = 24

export const sqliteTextIndex: TextIndex = {
  issuesWith(texts, limit) {
    const match = texts.flatMap(trigrams).slice(0, MAX_TRIGRAMS).map(quoted).join(' AND ')
    if (match === '') return undefined
    return sql`select rowid as id from issue_text where issue_text match ${match} order by rowid desc limit ${limit}`
  },
}

/** Of characters, not of UTF-16 units. A NUL would end the text that SQLite reads. */
function trigrams(text: string): string[] {
  const chars = Array.from(text)
  if (text.includes('\0')) return []
  return chars.slice(TRIGRAM_CHARS - 1).map((_, at) => chars.slice(at, at + TRIGRAM_CHARS).join(''))
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
