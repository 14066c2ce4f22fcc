import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { dateOfTime } from '../core/responses/times.ts';
import {
  type AnsweredQuestion,
  answeredQuestions,
  createSourceItems,
  objectsOf,
  onlyOf,
  type SourceItems,
  toChoiceAnswer,
} from '../core/source-questions.ts';
import { OTHER_TEXT } from '../core/texts.ts';

/** The question, or matrix row, that an answer belongs to. In Google Forms, a grid row is a question of its own. */
export interface AnswerTarget {
  /** The id of the question in Google Forms. */
  readonly sourceId: string;
  readonly question: AnsweredQuestion;
  /** Id of the row of a matrix; undefined for other questions. */
  readonly row: string | undefined;
  toValue(values: readonly string[]): JsonValue | undefined;
}

/** Answer targets by question id of Google Forms. A date with a time has two, because it became two questions. */
export function createAnswerTargets(payload: JsonObject): ReadonlyMap<string, readonly AnswerTarget[]> {
  const targets = answeredQuestions(payload).flatMap((question): readonly AnswerTarget[] => {
    if (question.type === 'matrix') return rowTargets(question);
    const sourceId = String(question.sourceData['source_id']);
    return [{ sourceId, question, row: undefined, toValue: converterOf(question) }];
  });
  return Map.groupBy(targets, ({ sourceId }) => sourceId);
}

function rowTargets(question: AnsweredQuestion): readonly AnswerTarget[] {
  const columns = createSourceItems(question.question['columns']);
  const isMultiple = question.question['multiple'] === true;
  return objectsOf(question.question['rows']).flatMap(({ id, source_data: sourceData }) => {
    if (!isObject(sourceData)) return [];
    const toValue = (values: readonly string[]) => {
      const chosen = values.map((value) => findId(columns, value) ?? columns.unknown(value));
      return isMultiple ? chosen : onlyOf(chosen);
    };
    return [{ sourceId: String(sourceData['source_id']), question, row: String(id), toValue }];
  });
}

function converterOf({ type, question, sourceData }: AnsweredQuestion): AnswerTarget['toValue'] {
  switch (type) {
    case 'single_choice':
    case 'multiple_choice': {
      const options = createSourceItems(question['options']);
      const hasOther = question['allow_other'] === true;
      return (values) => {
        const { chosen, other } = splitChosen(values, options, hasOther);
        return toChoiceAnswer(type, chosen, other);
      };
    }
    case 'file_upload':
      return () => undefined;
    case 'date':
      // A date with a time is `2024-05-01 10:30`.
      return ([value = '']) => dateOfTime(value);
    case 'time':
      return ([value = '']) => (sourceData['part'] === 'time' ? value.split(/[ T]/)[1] : value);
    default:
      return ([value]) => value;
  }
}

/** Google Forms identifies an option by its text in the form. The survey can have another text. */
function findId(items: SourceItems, value: string): string | undefined {
  return items.idOf(value) ?? items.idOfText(value);
}

/** Values that are not options become the `other` text, if the question allows it. */
function splitChosen(values: readonly string[], options: SourceItems, hasOther: boolean) {
  const otherValues = values.filter((value) => findId(options, value) === undefined);
  const chosen = values.flatMap((value) => findId(options, value) ?? (hasOther ? [] : [options.unknown(value)]));
  const text = otherValues.filter((value) => value.trim() !== '').join('\n');
  return { chosen, other: hasOther && otherValues.length > 0 ? text || OTHER_TEXT : undefined };
}
