import type { JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { refuseUnusable } from '../../responses/file-response.ts';
import { checkResponseCount, invalidImport, type ResponseFile } from '../source.ts';
import { RESPONSE_MEMBERS, responseFromJson } from './response-json.ts';

const ANSWER_MEMBERS: ReadonlySet<string> = new Set(['question_id', 'value']);

/** Reads an array of responses (`responseFromJson`). */
export function responsesFromJson(data: JsonValue, path: string): ResponseFile {
  if (!Array.isArray(data)) {
    throw invalidImport([{ path, code: 'WRONG_TYPE', detail: 'The responses have to be an array' }]);
  }
  checkResponseCount(data.length, path);
  return {
    responses: refuseUnusable(data.map((item, index) => responseFromJson(item, index))),
    warnings: warnOfStrangers(data, (index) => `${path}/${index}`),
  };
}

/**
 * One warning for each member that nothing is done with, at the first response that has it.
 *
 * @param pathOf the path of the response at a position
 */
export function warnOfStrangers(
  items: readonly JsonValue[],
  pathOf: (index: number) => string,
): readonly FieldProblem[] {
  return [
    ...warnOfOthers(items, RESPONSE_MEMBERS, pathOf),
    ...items.flatMap((item, index) =>
      isObject(item) && Array.isArray(item['answers'])
        ? warnOfOthers(item['answers'], ANSWER_MEMBERS, (position) => `${pathOf(index)}/answers/${position}`)
        : [],
    ),
  ];
}

function warnOfOthers(
  items: readonly JsonValue[],
  known: ReadonlySet<string>,
  pathOf: (index: number) => string,
): readonly FieldProblem[] {
  const first = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    for (const name of Object.keys(item)) if (!known.has(name) && !first.has(name)) first.set(name, index);
  }
  return [...first].map(([name, index]) => ({
    path: pathOf(index),
    code: 'NOT_IMPORTED',
    detail: `The member ${name} is not imported`,
  }));
}
