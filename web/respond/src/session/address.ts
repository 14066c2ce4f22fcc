import { type AddressParameters, takeParameters } from '@survey/questionnaire';

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

/** The part of an address that belongs to one respondent. */
export interface Personal extends Pick<AddressParameters, 'metadata' | 'prefill'> {
  /** Token of a single-use link, `#token=…`. */
  readonly token?: string | undefined;
}

/**
 * Reads the personal part of an address, and removes it from the address bar and the history, where others could see
 * it. Browsers send fragments neither to servers nor to other pages, so what is read there is in no log. Returns
 * undefined if the address has no such part.
 */
export function takePersonal({ location, history }: Pick<Window, 'location' | 'history'>): Personal | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  const { address, ...parameters } = takeParameters(location.href);
  const rest = token === undefined ? address : address.split('#', 1).join();
  if (rest === location.href) return undefined;
  history.replaceState(null, '', rest);
  return { token, ...parameters };
}

/** Decodes a part of a path, such as a quotation mark that a mail program took for a part of the address. */
function decode(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return part;
  }
}
