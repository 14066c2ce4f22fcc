const DATE_WITH_TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;

/** The date of an ISO time, such as `2024-05-01T00:00:00Z`. Other texts are unchanged, so that validation sees them whole. */
export function dateOfTime(text: string): string {
  return DATE_WITH_TIME.exec(text)?.[1] ?? text;
}
