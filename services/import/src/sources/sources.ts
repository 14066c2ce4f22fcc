import { customCsv } from './custom/custom-csv.ts';
import { customJson } from './custom/custom-json.ts';
import { responsesFromCsv } from './custom/responses-csv.ts';
import { responsesFromJson } from './custom/responses-json.ts';
import { responsesFromNdjson } from './custom/responses-ndjson.ts';
import type { ResponseReader, SurveyReader } from './source.ts';

/** Every source with its formats. To add one: a folder beside this file, and a line here. */
const surveyReaders: Readonly<Record<string, Readonly<Record<string, SurveyReader>>>> = {
  custom: { json: customJson, csv: customCsv },
};

const responseReaders: Readonly<Record<string, ResponseReader>> = {
  json: (data) => responsesFromJson(data, '/responses'),
  csv: responsesFromCsv,
  ndjson: responsesFromNdjson,
};

/** The reader of a source and format; the rules of the request's fields let no others pass. */
export function surveyReaderOf(source: string, format: string): SurveyReader {
  const reader = surveyReaders[source]?.[format];
  if (reader === undefined) throw new Error(`There is no reader for ${source} ${format}`);
  return reader;
}

/** The reader of responses; the rules of the request's fields let no other format pass. */
export function responseReaderOf(format: string): ResponseReader {
  const reader = responseReaders[format];
  if (reader === undefined) throw new Error(`There is no reader for responses as ${format}`);
  return reader;
}
