import { create, type JsonObject, type JsonValue, toJson } from '@bufbuild/protobuf';
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import type {
  ImportOptions as ImportOptionsMessage,
  ImportResponsesRequest,
  ImportSurveyRequest,
} from '@survey/proto/survey/imports/v1/import_service_pb';
import { type ImportReport, ImportReportSchema } from '@survey/proto/survey/reports/v1/import_report_pb';
import type { ImportOptions, ResponseImport, SurveyImport } from './import.ts';
import type { Report } from './report.ts';

const DEFAULT_LANGUAGE = 'en';

export function fromSurveyMessage({ source, format, data, options }: ImportSurveyRequest): SurveyImport {
  return { source, format, data: fromValueMessage(data), options: fromOptionsMessage(options) };
}

export function fromResponsesMessage({ surveyId, format, responses, unmask }: ImportResponsesRequest): ResponseImport {
  return { surveyId, format, data: fromValueMessage(responses), unmask };
}

function fromOptionsMessage(options: ImportOptionsMessage | undefined): ImportOptions {
  const { preserveIds = true, validateLogic = true, importResponses = true, title = '', language = '' } = options ?? {};
  return {
    preserveIds,
    validateLogic,
    importResponses,
    title,
    language: language === '' ? DEFAULT_LANGUAGE : language,
  };
}

function fromValueMessage(value: Value | undefined): JsonValue {
  return value === undefined ? null : toJson(ValueSchema, value);
}

export function toReportMessage({ warnings, errors, ...report }: Report): ImportReport {
  return create(ImportReportSchema, { ...report, warnings: [...warnings], errors: [...errors] });
}

/** The report as the API shows it. */
export function toReportJson(report: Report): JsonObject {
  const json = toJson(ImportReportSchema, toReportMessage(report), {
    useProtoFieldName: true,
    alwaysEmitImplicit: true,
  });
  // What is no well-known type is a JSON object.
  return json as JsonObject;
}
