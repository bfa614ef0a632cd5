/**
 * A column of a telemetry table as data. The list of a table's columns gives its DDL, the row type, the encoder, what the
 * SQL console offers, what screens narrow by and what the pipeline reads from attributes:
 * docs/internals/telemetry-schema.md, "Add a column".
 */
import {
  countText,
  escapeText,
  listText,
  mapText,
  microText,
  milliText,
  numberListText,
  numbersText,
  numberText,
  secondText,
  stringsText,
} from '../row-text.ts'

/** How a value of each ClickHouse type is written; what the writer takes is the type of the row's member. */
const WRITERS = {
  String: escapeText,
  'LowCardinality(String)': escapeText,
  // Ids in hex: nothing in them needs escaping.
  'FixedString(16)': (id: string) => id,
  'FixedString(32)': (id: string) => id,
  UInt8: (flag: boolean) => (flag ? '1' : '0'),
  UInt32: countText,
  UInt64: countText,
  Float32: numberText,
  Float64: numberText,
  'Nullable(Float32)': optionalText,
  'Nullable(Float64)': optionalText,
  "DateTime('UTC')": secondText,
  "DateTime64(3, 'UTC')": milliText,
  "DateTime64(6, 'UTC')": microText,
  'Array(String)': listText,
  'Array(Float64)': numberListText,
  'Array(UInt32)': numberListText,
  'Map(LowCardinality(String), String)': mapText,
  'Map(LowCardinality(String), Float64)': numbersText,
} as const
type Writers = typeof WRITERS
export type ColumnType = keyof Writers

export type Column = {
  readonly name: string
  readonly type: ColumnType
  readonly codec?: string
  /** Settings of this column alone, in ClickHouse's words. */
  readonly settings?: string
  /** Expression that the engine computes as a row is inserted (`MATERIALIZED`): no insert names the column. */
  readonly materialized?: string
  /** Expression that rows have which were stored before the column was there (`DEFAULT`); inserts name the column. */
  readonly before?: string
  /** Member of the row, where it is not the name in camel case (`received` → `receivedMs` for times). */
  readonly field?: string
  /** Where the type's writer does not do. */
  readonly write?: (value: never) => string
  /** Known only when a batch is committed: written in front of the row, see `withIssueId`. */
  readonly isCommitted?: true
  /** The tag that it holds. */
  readonly tag?: string
  /** One sentence for the SQL console. A column without one is not offered there. */
  readonly about?: string
  /** The performance screens narrow by it. */
  readonly filter?: true
  /** Attribute of the span that fills it, without the table's prefix; `maxLength` and `words` hold for texts. */
  readonly attribute?: string
  readonly maxLength?: number
  /** Any other word becomes empty. */
  readonly words?: readonly string[]
}

/** `\\N` is TabSeparated's null. */
function optionalText(value: number | undefined): string {
  return value === undefined ? '\\N' : numberText(value)
}

/** Attributes in two columns, so that numbers can be compared and averaged without parsing. */
export const attributeColumns = <const Field extends string>(field: Field) =>
  [
    {
      name: 'strings',
      type: 'Map(LowCardinality(String), String)',
      codec: 'ZSTD(1)',
      field,
      write: stringsText,
      about: "Attributes that are texts: strings['http.method']",
    },
    {
      name: 'numbers',
      type: 'Map(LowCardinality(String), Float64)',
      codec: 'ZSTD(1)',
      field,
      about: "Attributes that are numbers: numbers['http.status_code']",
    },
  ] as const

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name
export type FieldOf<C extends Column> = C extends { field: infer Field extends string }
  ? Field
  : C['type'] extends `DateTime${string}`
    ? `${Camel<C['name']>}Ms`
    : Camel<C['name']>
type Writer<C extends Column> = C extends { write: infer Write } ? Write : Writers[C['type']]
export type ValueOf<C extends Column> = Writer<C> extends (value: infer Value) => string ? Value : never

/** What may be null, or is filled from an attribute that may not have been sent. */
type IsOptional<C extends Column> = C extends { attribute: string }
  ? true
  : undefined extends ValueOf<C>
    ? true
    : false
type FieldsOf<Columns extends readonly Column[], Optional extends boolean> = {
  readonly [
    C in Columns[number] as C extends { materialized: string } | { isCommitted: true }
      ? never
      : IsOptional<C> extends Optional
        ? FieldOf<C>
        : never
  ]: ValueOf<C>
}
/** The type of a table's rows. */
export type RowOf<Columns extends readonly Column[]> = FieldsOf<Columns, false> &
  Partial<FieldsOf<Columns, true>>

export function fieldOf({ name, type, field }: Column): string {
  const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return field ?? (type.startsWith('DateTime') ? `${camel}Ms` : camel)
}

const isWritten = (column: Column): boolean => column.materialized === undefined

/** Names for the `INSERT`, in the order in which `rowEncoder` writes them; what is only known later comes first. */
export const insertColumns = (columns: readonly Column[]): readonly string[] =>
  columns
    .filter(isWritten)
    .toSorted((a, b) => Number(b.isCommitted ?? false) - Number(a.isCommitted ?? false))
    .map(({ name }) => name)

/** A row as a line of `TabSeparated`, with `prefix` in front. */
export function rowEncoder<const Columns extends readonly Column[]>(
  columns: Columns,
  prefix = '',
): (row: RowOf<Columns>) => string {
  const cells = columns
    .filter((column) => isWritten(column) && !column.isCommitted)
    .map((column) => ({ field: fieldOf(column), write: writerOf(column) }))
  return (row) => {
    const values = row as Readonly<Record<string, unknown>>
    let line = prefix
    let separator = ''
    for (const { field, write } of cells) {
      line += separator + write(values[field])
      separator = '\t'
    }
    return line
  }
}

function writerOf({ type, write = WRITERS[type], attribute }: Column): (value: unknown) => string {
  const written = write as (value: unknown) => string
  if (attribute === undefined || type.startsWith('Nullable')) return written
  const absent = type.includes('String') ? '' : '0'
  return (value) => (value === undefined ? absent : written(value))
}

/** The column as `CREATE TABLE` and `ADD COLUMN` take it. */
export const columnDefinition = ({ name, type, codec, settings, materialized, before }: Column): string =>
  [
    `${name} ${type}`,
    materialized && `MATERIALIZED ${materialized}`,
    before && `DEFAULT ${before}`,
    codec && `CODEC(${codec})`,
    settings && `SETTINGS (${settings})`,
  ]
    .filter(Boolean)
    .join(' ')
