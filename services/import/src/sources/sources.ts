import { readCustomCsvSurvey } from './custom/custom-csv.ts';
import { readCustomJsonSurvey } from './custom/custom-json.ts';
import { readCustomCsvResponses } from './custom/responses-csv.ts';
import { readCustomJsonResponses } from './custom/responses-json.ts';
import { readCustomNdjsonResponses } from './custom/responses-ndjson.ts';
import { readGoogleFormsResponses } from './google-forms/responses.ts';
import { readGoogleFormsSurvey } from './google-forms/survey.ts';
import { readLimesurveyCsvResponses, readLimesurveyJsonResponses } from './limesurvey/read-limesurvey-responses.ts';
import { readLimesurveySurvey } from './limesurvey/read-limesurvey-survey.ts';
import { readQualtricsResponses } from './qualtrics/read-qualtrics-responses.ts';
import { readQualtricsSurvey } from './qualtrics/read-qualtrics-survey.ts';
import type { ResponseFileReader, SurveyFileReader } from './reader.ts';
import { readSurveyjsResponses } from './surveyjs/surveyjs-responses.ts';
import { readSurveyjsSurvey } from './surveyjs/surveyjs-survey.ts';
import { readSurveyMonkeyResponses } from './surveymonkey/responses.ts';
import { readSurveyMonkeySurvey } from './surveymonkey/survey.ts';
import { readTypeformResponses } from './typeform/responses.ts';
import { readTypeformSurvey } from './typeform/survey.ts';
import { readXlsformCsvResponses, readXlsformJsonResponses } from './xlsform/xlsform-responses.ts';
import { readXlsformCsvSurvey, readXlsformJsonSurvey, readXlsformXlsxSurvey } from './xlsform/xlsform-survey.ts';

/** What is read of one source, by the formats of its files. */
interface Source {
  readonly survey: Readonly<Record<string, SurveyFileReader>>;
  readonly responses: Readonly<Record<string, ResponseFileReader>>;
}

/** Every source. To add one: a folder beside this file, and an entry here. */
const sources: Readonly<Record<string, Source>> = {
  custom: {
    survey: { json: readCustomJsonSurvey, csv: readCustomCsvSurvey },
    responses: { json: readCustomJsonResponses, csv: readCustomCsvResponses, ndjson: readCustomNdjsonResponses },
  },
  limesurvey: {
    survey: { lss: readLimesurveySurvey },
    responses: { csv: readLimesurveyCsvResponses, json: readLimesurveyJsonResponses },
  },
  qualtrics: {
    survey: { qsf: readQualtricsSurvey },
    responses: { csv: readQualtricsResponses },
  },
  typeform: {
    survey: { json: readTypeformSurvey },
    responses: { json: readTypeformResponses },
  },
  surveymonkey: {
    survey: { json: readSurveyMonkeySurvey },
    responses: { json: readSurveyMonkeyResponses },
  },
  google_forms: {
    survey: { json: readGoogleFormsSurvey },
    responses: { json: readGoogleFormsResponses },
  },
  surveyjs: {
    survey: { json: readSurveyjsSurvey },
    responses: { json: readSurveyjsResponses },
  },
  xlsform: {
    survey: { xlsx: readXlsformXlsxSurvey, csv: readXlsformCsvSurvey, json: readXlsformJsonSurvey },
    responses: { csv: readXlsformCsvResponses, json: readXlsformJsonResponses },
  },
};

/** Formats whose files are JSON: in the JSON of a request they stand as they are, all others as the text of the file. */
export const jsonFormats: ReadonlySet<string> = new Set(['json', 'qsf']);

/** Formats whose files are bytes: they cannot stand in the JSON of a request. */
export const binaryFormats: ReadonlySet<string> = new Set(['xlsx']);

interface Named {
  readonly source: string;
  readonly format: string;
}

/** Undefined when the source has no such files with surveys. */
export function findSurveyReader({ source, format }: Named): SurveyFileReader | undefined {
  return sources[source]?.survey[format];
}

/** Undefined when the source has no such files with responses. */
export function findResponseReader({ source, format }: Named): ResponseFileReader | undefined {
  return sources[source]?.responses[format];
}
