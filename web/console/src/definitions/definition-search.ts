import type { DefinitionChoice } from '../surveys/use-survey.ts';

/** The definition to show, as in the address of the page. */
export interface DefinitionSearch {
  readonly version?: 'draft' | number;
}

/** Reads the choice. Invalid values are dropped: anybody can edit an address. */
export function readDefinitionSearch(search: Record<string, unknown>): DefinitionSearch {
  const version = readVersion(search.version);
  return version === undefined ? {} : { version };
}

export interface PreviewSearch extends DefinitionSearch {
  readonly language?: string;
}

export function readPreviewSearch(search: Record<string, unknown>): PreviewSearch {
  const { language } = search;
  return {
    ...readDefinitionSearch(search),
    ...(typeof language === 'string' && language !== '' ? { language } : {}),
  };
}

/** Two definitions to compare, as in the address of the page. */
export interface CompareSearch {
  readonly from?: number;
  readonly to?: 'draft' | number;
}

export function readCompareSearch(search: Record<string, unknown>): CompareSearch {
  const from = readVersion(search.from);
  const to = readVersion(search.to);
  return {
    ...(typeof from === 'number' ? { from } : {}),
    ...(to === undefined ? {} : { to }),
  };
}

/** Reads `draft` or the number of a version. Returns undefined for other values. */
export function readVersion(value: unknown): DefinitionChoice {
  if (value === 'draft') return 'draft';
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 1 ? number : undefined;
}
