import type { JsonObject } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { countValues, type Formula } from './logic/formula.ts';
import { NotConvertedError } from './logic/not-converted.ts';
import { type LogicRule, toLogic } from './logic/to-logic.ts';
import type { FinishedOutline, WrittenRule } from './outline.ts';
import { withSourceData } from './source-data.ts';
import { mapObjects } from './source-questions.ts';

interface Options {
  /** Converts an expression of the file. Throws `NotConvertedError`. */
  readonly convert: (expression: string) => Formula;
  readonly warn: (warning: FieldProblem) => void;
}

/** Maximum characters of all conditions. A survey can have 5,000 conditions, and each character takes time. */
const MAX_CHARACTERS = 500_000;

/** Maximum values of all conditions. A few characters can stand for all options of a question. */
const MAX_VALUES = 1_000_000;
const NO_FILES = 'responses are imported without their files';
const TOO_MUCH = `the conditions of the survey have more than ${MAX_CHARACTERS} characters or ${MAX_VALUES} values`;

type Rule = LogicRule & { readonly written: WrittenRule };

/**
 * Adds pages, sections and logic to a survey. A condition without an equivalent is kept in `source_data` of its
 * questions or section, with a warning. Its questions are not required, because respondents may not have seen them.
 *
 * @param survey title and other members, without pages
 */
export function addLogic(survey: JsonObject, outlined: FinishedOutline, { convert, warn }: Options): JsonObject {
  const { pages, sections, idOf } = outlined;
  const unsupported: { readonly written: WrittenRule; readonly reason: string }[] = [];
  const files = filesOf(pages);
  let [charactersLeft, valuesLeft]: [number, number] = [MAX_CHARACTERS, MAX_VALUES];
  const rules = outlined.rules.flatMap((written): readonly Rule[] => {
    const { action, questions, group } = written;
    const section = group === undefined ? undefined : idOf(group);
    charactersLeft -= written.expression.length;
    try {
      if (action === 'require' && questions.some((id) => files.has(id))) throw new NotConvertedError(NO_FILES);
      if (charactersLeft < 0 || valuesLeft < 0) throw new NotConvertedError(TOO_MUCH);
      const when = convert(written.expression);
      valuesLeft -= countValues(when);
      return [{ action, questions, when, written, ...(section === undefined ? {} : { section }) }];
    } catch (error) {
      if (!(error instanceof NotConvertedError)) throw error;
      unsupported.push({ written, reason: error.message });
      return [];
    }
  });
  const outline = { ...survey, pages: [...pages], ...(sections.length === 0 ? {} : { sections: [...sections] }) };
  const converted = toLogic(rules, toPayload(outline));
  for (const { rule, reason } of converted.unsupported) unsupported.push({ written: rule.written, reason });
  for (const { written: rule, reason } of unsupported) {
    const detail = `${rule.member} cannot be converted: ${reason}. It is kept in source_data`;
    warn({ path: rule.path === '' ? '' : `${rule.path}/${rule.member}`, code: 'LOGIC_NOT_CONVERTED', detail });
  }
  const logic = converted.logic.length === 0 ? {} : { logic: [...converted.logic] };
  return toPayload({
    ...keepUnsupported(
      outline,
      unsupported.map((one) => one.written),
      idOf,
    ),
    ...logic,
  });
}

function filesOf(pages: readonly JsonObject[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const page of pages) {
    for (const question of itemsOf(page['questions'])) {
      if (isObject(question) && question['type'] === 'file_upload') ids.add(String(question['id']));
    }
  }
  return ids;
}

function toPayload(survey: JsonObject): JsonObject {
  return { schema_version: '1.0', version: 1, survey };
}

function keepUnsupported(
  survey: JsonObject,
  unsupported: readonly WrittenRule[],
  idOf: FinishedOutline['idOf'],
): JsonObject {
  const kept = new Map<string, JsonObject>();
  const optionalIds = new Set<string>();
  for (const { action, questions, group, member, expression } of unsupported) {
    if (action === 'show') for (const id of questions) optionalIds.add(id);
    const owners = group === undefined ? questions : [idOf(group) ?? ''];
    for (const id of owners) kept.set(id, { ...kept.get(id), [member]: expression });
  }
  const keep = (part: JsonObject): JsonObject => {
    const id = String(part['id']);
    const { required: _, ...optional } = part;
    const own = optionalIds.has(id) ? optional : part;
    // Some respondents may not have seen the question. Only `source_data` records that it was required.
    const more = own !== part && part['required'] === true ? { ...kept.get(id), required: true } : kept.get(id);
    return more === undefined ? own : withSourceData(own, more);
  };
  return {
    ...survey,
    ...mapObjects(survey, 'pages', (page) => ({ ...page, ...mapObjects(page, 'questions', keep) })),
    ...mapObjects(survey, 'sections', keep),
  };
}
