/** Reads answers of services field by field, because any field may be missing, new or of another type. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of an object. Any other value has no fields. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Reads a time such as `2026-11-21T00:17:06.598Z` as milliseconds since 1970. */
export function timeIn(fields: Fields, name: string): number | undefined {
  const time = Date.parse(textIn(fields, name) ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Removes undefined fields, so that an absent field stays absent. */
export function present<T extends object>(fields: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof present<T>
  >;
}
