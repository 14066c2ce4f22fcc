import type { ImportResponsesQuery, ImportSurveyQuery } from '@survey/client';
import { type AllMembers, removeUndefined } from '../ui/search-values.ts';

/** The settings of an import, as in the form. */
export interface ImportSettings {
  readonly source: Source;
  readonly format: Format;
  /** Title of a new survey, if the file has none. */
  readonly title: string;
  /** Language of a new survey, if the file has none. */
  readonly language: string;
  readonly preserveIds: boolean;
  readonly validateLogic: boolean;
  readonly importResponses: boolean;
  /** Whether to remove the apostrophes that exports put before formulas. For responses in CSV. */
  readonly unmask: 'automatic' | 'yes' | 'no';
  readonly emitEvents: boolean;
  readonly onInvalidAnswer: 'automatic' | 'keep' | 'reject' | 'blank';
  readonly partialResponses: 'in_progress' | 'completed' | 'leave_out';
  readonly includeTests: boolean;
  /** Character between the cells of a text, or `tab`; empty to detect it. */
  readonly separator: string;
  /** For tables: the notation of dates and decimals; empty to detect it. */
  readonly dateFormat: string;
  readonly decimal: '' | '.' | ',';
  /** IANA name of the time zone for times without one. If it is empty, these times are read as UTC, with a warning. */
  readonly timeZone: string;
  /** Targets of columns by heading or position, such as `#3`; empty for a column that is not imported. */
  readonly columns: Readonly<Record<string, string>>;
}

export const DEFAULT_SETTINGS: ImportSettings = {
  source: 'custom',
  format: 'csv',
  title: '',
  language: '',
  preserveIds: true,
  validateLogic: true,
  importResponses: true,
  unmask: 'automatic',
  emitEvents: true,
  onInvalidAnswer: 'automatic',
  partialResponses: 'in_progress',
  includeTests: false,
  separator: '',
  dateFormat: '',
  decimal: '',
  timeZone: '',
  columns: {},
};

const UNMASK = { automatic: undefined, yes: true, no: false };

/** The options for answers. Options that equal the defaults are left out. */
function toAnswerQuery({ onInvalidAnswer, partialResponses, includeTests }: ImportSettings) {
  return {
    on_invalid_answer: onInvalidAnswer === 'automatic' ? undefined : onInvalidAnswer,
    partial_responses: partialResponses === DEFAULT_SETTINGS.partialResponses ? undefined : partialResponses,
    include_tests: includeTests || undefined,
  };
}

export function toSurveyQuery(settings: ImportSettings, isDryRun: boolean): ImportSurveyQuery {
  // The platform detects the encoding, and the form has a field for each effect of the locale.
  return removeUndefined<AllMembers<ImportSurveyQuery, 'encoding' | 'locale' | 'filename'>>({
    source: settings.source,
    // The form offers only formats of the target.
    format: settings.format as NonNullable<ImportSurveyQuery['format']>,
    title: settings.title.trim() || undefined,
    language: settings.language.trim() || undefined,
    preserve_ids: settings.preserveIds,
    validate_logic: settings.validateLogic,
    import_responses: settings.importResponses,
    ...toAnswerQuery(settings),
    emit_events: settings.emitEvents,
    ...toTableQuery(settings),
    dry_run: isDryRun,
  });
}

export function toResponsesQuery(settings: ImportSettings, isDryRun: boolean): ImportResponsesQuery {
  return removeUndefined<AllMembers<ImportResponsesQuery, 'encoding' | 'locale'>>({
    source: settings.source,
    // The form offers only formats of the target.
    format: settings.format as NonNullable<ImportResponsesQuery['format']>,
    unmask: settings.format === 'csv' ? UNMASK[settings.unmask] : undefined,
    ...toAnswerQuery(settings),
    emit_events: settings.emitEvents,
    ...toTableQuery(settings),
    dry_run: isDryRun,
  });
}

/** The options of a table that are set. */
export function toTableQuery({ separator, dateFormat, decimal, timeZone, columns }: ImportSettings) {
  return removeUndefined({
    separator: separator || undefined,
    date_format: dateFormat || undefined,
    decimal: decimal || undefined,
    time_zone: timeZone || undefined,
    columns: Object.keys(columns).length === 0 ? undefined : JSON.stringify(columns),
  });
}

/** Returns the targets that a user with these permissions may import. */
export function allowedTargets(can: (permission: string) => boolean): readonly Target[] {
  return [
    ...(can('surveys:import') ? (['survey'] as const) : []),
    ...(can('responses:import') ? (['responses'] as const) : []),
  ];
}

/** The result of an import: a new survey, or responses of an existing one. */
export type Target = 'survey' | 'responses';

type Source = NonNullable<ImportSurveyQuery['source']>;
type Format = NonNullable<ImportSurveyQuery['format']> | NonNullable<ImportResponsesQuery['format']>;

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
