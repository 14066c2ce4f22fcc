import type { ImportResponsesQuery, ImportSurveyQuery } from '@survey/client';

/** The result of an import: a new survey, or responses of an existing one. */
export type Target = 'survey' | 'responses';

export type Source = NonNullable<ImportSurveyQuery['source']>;
export type Format = NonNullable<ImportSurveyQuery['format']> | NonNullable<ImportResponsesQuery['format']>;

interface SourceInfo {
  readonly label: string;
  readonly formats: Readonly<Record<Target, readonly Format[]>>;
}

/** The formats of each source. A test compares them with docs/import.md. */
export const SOURCES: Readonly<Record<Source, SourceInfo>> = {
  custom: {
    label: 'Spreadsheet, or this platform',
    formats: { survey: ['csv', 'xlsx', 'json'], responses: ['csv', 'xlsx', 'json', 'ndjson'] },
  },
  typeform: { label: 'Typeform', formats: { survey: ['json'], responses: ['csv', 'xlsx', 'json'] } },
  surveymonkey: { label: 'SurveyMonkey', formats: { survey: ['json'], responses: ['csv', 'xlsx', 'json'] } },
  google_forms: {
    label: 'Google Forms',
    formats: { survey: ['json', 'csv', 'xlsx'], responses: ['json', 'csv', 'xlsx'] },
  },
  microsoft_forms: { label: 'Microsoft Forms', formats: { survey: ['xlsx', 'csv'], responses: ['xlsx', 'csv'] } },
  table: { label: 'Table of answers', formats: { survey: ['csv', 'xlsx'], responses: ['csv', 'xlsx'] } },
  qualtrics: { label: 'Qualtrics', formats: { survey: ['qsf'], responses: ['csv', 'xlsx'] } },
  limesurvey: {
    label: 'LimeSurvey',
    formats: { survey: ['lss', 'lsa', 'tsv'], responses: ['csv', 'xlsx', 'json', 'lsa'] },
  },
  formbricks: { label: 'Formbricks', formats: { survey: ['json'], responses: ['json'] } },
  surveyjs: { label: 'SurveyJS', formats: { survey: ['json'], responses: ['json'] } },
  xlsform: {
    label: 'XLSForm, ODK, Kobo',
    formats: { survey: ['xlsx', 'csv', 'json'], responses: ['csv', 'xlsx', 'json'] },
  },
};

// The keys of the table are all sources.
export const SOURCE_NAMES = Object.keys(SOURCES) as readonly Source[];

/** The usual format of a source. */
export function defaultFormat(source: Source, target: Target): Format {
  const [format] = SOURCES[source].formats[target];
  if (format === undefined) throw new Error(`the source ${source} has no format`);
  return format;
}

/** Returns the label of a source. Returns the name of a source that only newer servers know. */
export function sourceLabel(source: string): string {
  return SOURCE_NAMES.includes(source as Source) ? SOURCES[source as Source].label : source;
}
