/** Readers of values in the address of a page. Invalid values are undefined: anybody can edit an address. */

const MAX_TEXT = 200;

export function readText(value: unknown, maxLength = MAX_TEXT): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxLength ? value : undefined;
}

export function readChoice<Choice extends string>(value: unknown, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/** Reads a time such as `2026-01-31T12:00:00.000Z`, and returns it in this form. */
export function readTime(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** All members of a request but `Without`, so that a form that forgets a new one does not compile. */
export type AllMembers<Request, Without extends keyof Request = never> = {
  readonly [Name in Exclude<keyof Request, Without>]-?: object extends Pick<Request, Name>
    ? Request[Name] | undefined
    : Request[Name];
};

/** Removes the members without a value, so that they do not appear in the address or in a query. */
export function removeUndefined<T extends object>(value: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  // Only members with a value are left.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}

/**
 * Wraps the reader of an address for the router. The router adds the result to the values of the address, so it would
 * keep values that the reader drops. Here, dropped values become undefined.
 */
export function dropInvalid<Search extends object>(read: (search: Record<string, unknown>) => Search) {
  return (search: Record<string, unknown>): Search => ({
    ...(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])) as object),
    ...read(search),
  });
}
