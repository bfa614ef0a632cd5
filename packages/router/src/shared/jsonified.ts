/**
 * What a value becomes on its way through JSON: page data is rendered from the parsed text on the
 * server too, so both sides see the same (`Date` is a string, functions are gone).
 */
export type Jsonified<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends { toJSON(): infer Plain }
      ? Jsonified<Plain>
      : T extends ((...args: never[]) => unknown) | symbol | bigint
        ? never
        : T extends readonly unknown[]
          ? { [Index in keyof T]: Jsonified<T[Index]> }
          : T extends object
            ? {
                [
                  Key in keyof T as T[Key] extends ((...args: never[]) => unknown) | symbol ? never : Key
                ]: Jsonified<T[Key]>
              }
            : T
