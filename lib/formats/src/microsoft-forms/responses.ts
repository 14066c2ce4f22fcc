import { titledTool } from '../core/columns/plan-titles.ts';
import { createTableReader } from '../core/columns/read-table.ts';
import type { ToolTable } from '../core/columns/tool-layout.ts';

/** Tables of Microsoft Forms: titles as headings, after columns about the response. */
export const MICROSOFT_FORMS: ToolTable = {
  words: new Map([
    ['id', 'id'],
    ['starttime', 'started_at'],
    ['completiontime', 'submitted_at'],
    ['email', 'metadata.email'],
    ['name', 'metadata.name'],
    ['lastmodifiedtime', 'metadata.last_modified_time'],
    ['totalpoints', 'metadata.total_points'],
    ['quizfeedback', 'metadata.quiz_feedback'],
    ['gradepostedtime', 'metadata.grade_posted_time'],
  ]),
  leading: ['id', 'started_at', 'submitted_at', 'metadata.email', 'metadata.name'],
  metadata: /^(?:points|feedback) - /i,
  appendsNumberToTitle: true,
};

export const MICROSOFT_FORMS_TABLE = titledTool(MICROSOFT_FORMS);

/**
 * Reads the workbook of responses of Microsoft Forms (*Open results in Excel*), also saved as CSV. It has titles as
 * headings, several choices in one cell, and `Title.Row` or only the row for each statement of a Likert question.
 */
export const readMicrosoftFormsResponses = createTableReader(MICROSOFT_FORMS_TABLE);
