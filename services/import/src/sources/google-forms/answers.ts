import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import {
  type AnsweredQuestion,
  answeredQuestions,
  createSourceItems,
  itemsOfSource,
  type SourceItems,
} from '../answered-questions.ts';
import { OTHER_TEXT } from '../other-text.ts';

/** Where the answer to a question of Google's belongs; a row of a grid is a question of its own there. */
export interface AnswerPlace {
  readonly question: AnsweredQuestion;
  readonly row: string | undefined;
  toValue(values: readonly string[]): JsonValue | undefined;
}

interface NamedPlace extends AnswerPlace {
  readonly id: string;
}

/** The places by the ids of Google's questions. */
export function createAnswerPlaces(payload: JsonObject): ReadonlyMap<string, readonly AnswerPlace[]> {
  const places = answeredQuestions(payload).flatMap((question): readonly NamedPlace[] =>
    question.type === 'matrix'
      ? rowsOf(question)
      : [{ id: String(question.sourceData['source_id']), question, row: undefined, toValue: converterOf(question) }],
  );
  return Map.groupBy(places, ({ id }) => id);
}

function rowsOf(question: AnsweredQuestion): readonly NamedPlace[] {
  const columns = createSourceItems(itemsOfSource(question.question, 'columns'));
  const isMultiple = question.question['multiple'] === true;
  return itemsOfSource(question.question, 'rows').flatMap(({ id, source_data: sourceData }) => {
    if (!isObject(sourceData)) return [];
    const toValue = (values: readonly string[]) => {
      const chosen = values.map((value) => columns.idOf(value, value) ?? value);
      return isMultiple ? chosen : chosen[0];
    };
    return [{ id: String(sourceData['source_id']), question, row: String(id), toValue }];
  });
}

function converterOf({ type, question, sourceData }: AnsweredQuestion): AnswerPlace['toValue'] {
  const options = createSourceItems(itemsOfSource(question, 'options'));
  const hasOther = question['allow_other'] === true;
  switch (type) {
    case 'single_choice':
      return ([value = '']) => {
        const { chosen, other } = sortOut([value], options, hasOther);
        return other === undefined ? chosen[0] : { option: 'other', text: other };
      };
    case 'multiple_choice':
      return (values) => {
        const { chosen, other } = sortOut(values, options, hasOther);
        return other === undefined ? chosen : { options: chosen, other };
      };
    case 'file_upload':
      return () => undefined;
    case 'date':
      // One with a time is `2024-05-01 10:30`.
      return ([value = '']) => value.slice(0, 'YYYY-MM-DD'.length);
    case 'time':
      return ([value = '']) => (sourceData['part'] === 'time' ? value.split(/[ T]/)[1] : value);
    default:
      return ([value]) => value;
  }
}

/** What is none of the options is the one of own wording, where there is that. */
function sortOut(values: readonly string[], options: SourceItems, hasOther: boolean) {
  const known = (value: string) => options.idOf(value, value);
  const strange = values.filter((value) => known(value) === undefined);
  const chosen = values.flatMap((value) => known(value) ?? (hasOther ? [] : [value]));
  const text = strange.filter((value) => value.trim() !== '').join('\n');
  return { chosen, other: hasOther && strange.length > 0 ? text || OTHER_TEXT : undefined };
}
