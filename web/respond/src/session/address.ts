/** The survey that an address leads to. */
export type Address =
  | { readonly kind: 'link'; readonly slug: string }
  | { readonly kind: 'survey'; readonly surveyId: string };

/** Reads `/s/{slug}` or `/s/surveys/{survey_id}`. Returns undefined for other paths. */
export function readAddress(path: string): Address | undefined {
  const parts = /^\/s\/(?:surveys\/([^/]+)|([^/]+))\/?$/.exec(path) ?? [];
  const [, surveyId, slug] = parts.map(decode);
  if (surveyId !== undefined) return { kind: 'survey', surveyId };
  return slug === undefined ? undefined : { kind: 'link', slug };
}

/**
 * Reads the token of a single-use link from a fragment, `#token=…`. Browsers send fragments neither to servers nor to
 * other pages, so the token is in no log.
 */
export function readToken(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('token') ?? undefined;
}

/** Decodes a part of a path, such as a quotation mark that a mail program took for a part of the address. */
function decode(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return part;
  }
}
