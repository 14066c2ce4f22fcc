import { isDeepStrictEqual } from 'node:util';
import { toCsvText } from '@survey/questionnaire/columns/csv';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { type Survey, toPayload } from '../surveys/survey.ts';
import { defaultSettings } from '../surveys/survey-settings.ts';
import { toLogicCells } from './csv-logic.ts';
import { toCsvQuestion } from './csv-question.ts';
import type { ExportFile } from './export-file.ts';
import { createOmissions } from './omissions.ts';

const HEADER = [
  'question_id',
  'question_type',
  'question_title',
  'question_required',
  'question_options',
  'logic_conditions',
];

/** The defaults of an import for members that the file does not have. */
const IMPORT_DEFAULTS = { schemaVersion: '1.0', version: 1, language: 'en' };

/** Exports the questions of a survey as CSV, one per row. */
export function toSurveyCsv(survey: Survey): ExportFile {
  const omissions = createOmissions();
  const definition = readDefinition(toPayload(survey));
  const { languages, pages, questions } = definition;
  omissions.addUnknown(definition.survey, ['supported_languages', 'pages', 'logic']);
  if (languages.length !== 1 || languages[0] !== IMPORT_DEFAULTS.language) omissions.add('supported_languages');
  if (survey.schemaVersion !== IMPORT_DEFAULTS.schemaVersion) omissions.add('schema_version');
  if (survey.version !== IMPORT_DEFAULTS.version) omissions.add('version');
  if (survey.projectId !== undefined) omissions.add('project_id');
  if (!isDeepStrictEqual(survey.settings, defaultSettings)) omissions.add('settings');
  if (pages.length !== 1) omissions.add('pages');
  for (const { source } of pages) omissions.addUnknown(source, ['questions'], 'pages.');
  const rows = questions.map((question) => toCsvQuestion(question, languages, omissions));
  // The first question wins if several have the same id.
  const byId = new Map(rows.toReversed().map((row) => [row.id, row]));
  const logic = toLogicCells(definition, byId, omissions);
  const body = rows.map((row) => [...row.cells, byId.get(row.id) === row ? (logic.get(row.id) ?? '') : '']);
  return { text: toCsvText([HEADER, ...body]), omitted: omissions.names() };
}
