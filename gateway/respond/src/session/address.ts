/** The survey that an address leads to. */
export type Address =
  | { readonly kind: 'link'; readonly slug: string }
  | { readonly kind: 'survey'; readonly surveyId: string };

/** Reads `/s/{slug}` or `/s/surveys/{survey_id}`. Returns undefined for other paths. */
export function readAddress(path: string): Address | undefined {
  const [, surveyId, slug] = /^\/s\/(?:surveys\/([^/]+)|([^/]+))\/?$/.exec(path) ?? [];
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
