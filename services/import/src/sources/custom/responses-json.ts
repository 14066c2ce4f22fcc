import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { parseTimestamp } from '@survey/runtime/rest/timestamp';
import { type FileResponse, type RefusedResponse, refuseUnusable } from '../../responses/file-response.ts';
import { checkResponseCount, invalidImport, type ResponseFile } from '../source.ts';

const RESPONSE_MEMBERS = new Set(['id', 'submitted_at', 'answers']);
const ANSWER_MEMBERS = new Set(['question_id', 'value']);

/** Reads `[{id, submitted_at, answers: [{question_id, value}]}]`. */
export function responsesFromJson(data: JsonValue, path: string): ResponseFile {
  if (!Array.isArray(data)) {
    throw invalidImport([{ path, code: 'WRONG_TYPE', detail: 'The responses have to be an array' }]);
  }
  checkResponseCount(data.length, path);
  return {
    responses: refuseUnusable(data.map(readResponse)),
    warnings: [
      ...warnOfOthers(data, RESPONSE_MEMBERS, path),
      ...data.flatMap((item, index) =>
        isObject(item) && Array.isArray(item['answers'])
          ? warnOfOthers(item['answers'], ANSWER_MEMBERS, `${path}/${index}/answers`)
          : [],
      ),
    ],
  };
}

function readResponse(item: JsonValue, index: number): FileResponse {
  const refuse = (code: string, detail: string, id = ''): RefusedResponse => ({ index, id, code, detail });
  if (!isObject(item)) return refuse('WRONG_TYPE', 'The response has to be an object');
  const id = readId(item['id']);
  if (id === undefined) return refuse('BAD_ID', 'The id has to be a string');
  const submittedAt = readTime(item['submitted_at']);
  if (submittedAt === null) return refuse('BAD_TIME', 'submitted_at has to be an RFC 3339 time', id);
  const answers = readAnswers(item['answers']);
  return typeof answers === 'string'
    ? refuse('BAD_ANSWERS', answers, id)
    : { index, id, submittedAt: submittedAt ?? undefined, answers };
}

/** Other tools count their responses, so an id may be a number. */
function readId(value: JsonValue | undefined): string | undefined {
  if (isAbsent(value)) return '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Undefined when no time is given, null when it is none. */
function readTime(value: JsonValue | undefined): Date | undefined | null {
  if (isAbsent(value)) return undefined;
  return (typeof value === 'string' ? parseTimestamp(value) : undefined) ?? null;
}

/** The answers by question, or what is wrong with them. */
function readAnswers(value: JsonValue | undefined): JsonObject | string {
  if (!Array.isArray(value)) return 'The answers have to be an array';
  const answers = new Map<string, JsonValue>();
  for (const [position, answer] of value.entries()) {
    const questionId = isObject(answer) ? answer['question_id'] : undefined;
    if (!isObject(answer) || typeof questionId !== 'string') {
      return `The answer at ${position} has to be an object with a question_id`;
    }
    if (answers.has(questionId)) return `The question of the answer at ${position} is answered before`;
    answers.set(questionId, answer['value'] ?? null);
  }
  return Object.fromEntries(answers);
}

/** One warning for each member that nothing is done with, at the first object that has it. */
function warnOfOthers(items: readonly JsonValue[], known: ReadonlySet<string>, path: string): readonly FieldProblem[] {
  const first = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    for (const name of Object.keys(item)) if (!known.has(name) && !first.has(name)) first.set(name, index);
  }
  return [...first].map(([name, index]) => ({
    path: `${path}/${index}`,
    code: 'NOT_IMPORTED',
    detail: `The member ${name} is not imported`,
  }));
}
