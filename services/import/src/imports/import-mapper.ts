import { create, type JsonObject, toJson } from '@bufbuild/protobuf';
import type { AnswerPolicy } from '@survey/formats/core/responses/fit';
import type { TableOptions } from '@survey/formats/tables/table-options';
import {
  type ImportResponsesRequest,
  ImportSchema,
  type ImportSurveyRequest,
} from '@survey/proto/survey/imports/v1/import_service_pb';
import {
  ImportOmissionSchema,
  type ImportReport,
  ImportReportSchema,
} from '@survey/proto/survey/reports/v1/import_report_pb';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { type CompleteFields, toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { ImportOptions } from '../reading/read-import.ts';
import type { Import } from './import.ts';
import type { Report, ReportedOmission } from './report.ts';

const DEFAULT_LANGUAGE = 'en';
const DEFAULT_SOURCE = 'custom';

type RequestedOptions = Omit<ImportOptions, 'surveyId' | 'origin' | 'requestedAt' | 'location' | 'mayImportResponses'>;

export function fromSurveyMessage({ source, format, options, filename }: ImportSurveyRequest): RequestedOptions {
  const { preserveIds = true, validateLogic = true, importResponses = true, emitEvents = true } = options ?? {};
  const { title = '', language = '', dryRun = false } = options ?? {};
  const { onInvalidAnswer = '', partialResponses = '', includeTests = false } = options ?? {};
  return {
    kind: 'survey',
    source,
    format,
    preserveIds,
    validateLogic,
    importResponses,
    emitEvents,
    dryRun,
    title: title === '' ? stemOf(filename) : title,
    // An invalid tag is reported when the survey is checked.
    language: canonicalTag(language) ?? (language || DEFAULT_LANGUAGE),
    unmask: undefined,
    table: toTableOptions(options ?? {}),
    answers: toAnswerPolicy(source, { onInvalidAnswer, partialResponses, includeTests }),
  };
}

export function fromResponsesMessage(request: ImportResponsesRequest): RequestedOptions {
  const { source, format, unmask, dryRun, emitEvents = true } = request;
  return {
    kind: 'responses',
    source: source === '' ? DEFAULT_SOURCE : source,
    format,
    // The next three options matter only for surveys.
    preserveIds: true,
    validateLogic: true,
    importResponses: true,
    emitEvents,
    dryRun,
    title: '',
    language: DEFAULT_LANGUAGE,
    unmask,
    table: toTableOptions(request),
    answers: toAnswerPolicy(source, request),
  };
}

/** Empty options become undefined, so that the import detects their values. */
export function toTableOptions(
  given: Partial<
    Pick<
      ImportResponsesRequest,
      'encoding' | 'separator' | 'locale' | 'dateFormat' | 'decimal' | 'timeZone' | 'columns'
    >
  >,
): TableOptions {
  const { encoding, separator, locale, dateFormat, decimal, timeZone, columns = {} } = given;
  return {
    encoding: encoding || undefined,
    separator: separator || undefined,
    locale: canonicalTag(locale) ?? (locale || undefined),
    dateFormat: dateFormat || undefined,
    decimal: decimal || undefined,
    timeZone: timeZone || undefined,
    columns: Object.entries(columns).map(([heading, target]) => ({ heading, target })),
  };
}

type GivenPolicy = Pick<ImportResponsesRequest, 'onInvalidAnswer' | 'partialResponses' | 'includeTests'>;

/** Adds the defaults of the source. The casts are safe: the contract allows no other texts. */
function toAnswerPolicy(
  source: string,
  { onInvalidAnswer, partialResponses, includeTests }: GivenPolicy,
): AnswerPolicy {
  return {
    ...defaultPolicy(source),
    ...(onInvalidAnswer === '' ? {} : { onInvalidAnswer: onInvalidAnswer as AnswerPolicy['onInvalidAnswer'] }),
    ...(partialResponses === '' ? {} : { partialResponses: partialResponses as AnswerPolicy['partialResponses'] }),
    includeTests,
  };
}

/**
 * By default, keeps invalid answers of other tools, because they may be older than a change of the survey. Rejects
 * invalid answers in handmade files, because their authors can correct them.
 */
export function defaultPolicy(source: string): AnswerPolicy {
  const isHandmade = source === '' || source === DEFAULT_SOURCE;
  return { onInvalidAnswer: isHandmade ? 'reject' : 'keep', partialResponses: 'in_progress', includeTests: false };
}

/** Removes folders and extension from a file name. */
function stemOf(filename: string): string {
  return filename.replace(/^.*[/\\]/s, '').replace(/(.)\.[a-z\d]{1,8}$/i, '$1');
}

export function toReportMessage({ warnings, errors, omissions, ...report }: Report): ImportReport {
  const fields = {
    ...report,
    warnings: [...warnings],
    errors: [...errors],
    omissions: omissions.map(toOmissionMessage),
  };
  return create(ImportReportSchema, fields satisfies CompleteFields<typeof ImportReportSchema>);
}

function toOmissionMessage({ examples, ...omission }: ReportedOmission) {
  return create(ImportOmissionSchema, { ...omission, examples: [...examples] });
}

/** The report as the API shows it. */
export function toReportJson(report: Report): JsonObject {
  const json = toJson(ImportReportSchema, toReportMessage(report), {
    useProtoFieldName: true,
    alwaysEmitImplicit: true,
  });
  // The JSON of this message is an object.
  return json as JsonObject;
}

export function toImportMessage(item: Import) {
  const { report } = item;
  return toMessageFields(ImportSchema, {
    ...item,
    createdBy: item.actor,
    progress: { ...item.progress, totalBytes: item.size },
    total: report?.total,
    imported: report?.imported,
    importedInPart: report?.importedInPart,
    leftOut: report?.leftOut,
    omissions: report?.omissions.map(toOmissionMessage) ?? [],
    skipped: report?.skipped,
    failed: report?.failed,
    // Lists do not load warnings and errors.
    warnings: report?.warnings ?? [],
    errors: report?.errors ?? [],
  });
}
