const DATE_WITH_TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;

/** The date of an ISO time, such as `2024-05-01T00:00:00Z`. Other texts are unchanged: validation reports them. */
export function dateOfTime(text: string): string {
  return DATE_WITH_TIME.exec(text)?.[1] ?? text;
}

/** Returns a text `YYYY-MM-DD` if the day exists. Undefined for `2024-02-30` and for other texts. */
export function existingDay(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString() === `${day}T00:00:00.000Z` ? day : undefined;
}
