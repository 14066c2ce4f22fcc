import type { ReadTableHeader } from '../core/columns/table-header.ts';
import type { ToolTable } from '../core/columns/tool-layout.ts';
import { readLimesurveyHeader } from '../limesurvey/headers.ts';
import { MICROSOFT_FORMS } from '../microsoft-forms/responses.ts';
import { readQualtricsHeader } from '../qualtrics/headers.ts';
import { SURVEYMONKEY } from '../surveymonkey/headers.ts';
import { TYPEFORM } from '../typeform/headers.ts';
import { readXlsformHeader } from '../xlsform/headers.ts';

/** Tools whose columns have the titles of questions as headings. */
export const TITLE_HEADED_TOOLS: Readonly<Record<string, ToolTable>> = {
  microsoft_forms: MICROSOFT_FORMS,
  surveymonkey: SURVEYMONKEY,
  typeform: TYPEFORM,
};

/** Tools whose columns have codes as headings, with a reader for each tool. */
export const CODE_HEADED_TOOLS: Readonly<Record<string, ReadTableHeader>> = {
  limesurvey: readLimesurveyHeader,
  qualtrics: readQualtricsHeader,
  xlsform: readXlsformHeader,
};
