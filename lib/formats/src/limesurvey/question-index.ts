import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { objectsOf, questionsOf } from '../core/source-questions.ts';
import { textsOf } from '../core/texts.ts';

export interface IndexedOption {
  readonly id: string;
  readonly code: string;
  readonly texts: readonly string[];
}

/** A converted question with its names and codes in LimeSurvey. */
export interface IndexedQuestion {
  readonly id: string;
  readonly type: string;
  /** Prefix of its column names. */
  readonly sourceId: string;
  /** Prefix of its variables in expressions. */
  readonly variable: string;
  /** Question type of LimeSurvey, such as `L`; empty if unknown. */
  readonly letter: string;
  /** Database id of the LimeSurvey question. Of several questions converted from it, only the first has the id. */
  readonly qid: string | undefined;
  /** For questions made of a LimeSurvey date question: `date` or `time`. */
  readonly moment: string | undefined;
  /** For questions made of a LimeSurvey question with two scales: `1` or `2`. */
  readonly scale: string | undefined;
  readonly format: string | undefined;
  readonly allowOther: boolean;
  readonly multiple: boolean;
  readonly options: readonly IndexedOption[];
  readonly rows: readonly IndexedOption[];
  readonly columns: readonly IndexedOption[];
}

/** The questions of a payload with their LimeSurvey names. `preserve_ids: false` does not change these names. */
export function indexQuestions(payload: JsonObject): readonly IndexedQuestion[] {
  return questionsOf(payload).flatMap((question): readonly IndexedQuestion[] => {
    const data = isObject(question['source_data']) ? question['source_data'] : {};
    const text = (name: string) => (typeof data[name] === 'string' ? data[name] : undefined);
    const [id, sourceId] = [question['id'], text('source_id')];
    if (typeof id !== 'string' || sourceId === undefined) return [];
    return [
      {
        id,
        sourceId,
        type: String(question['type']),
        variable: text('variable') ?? sourceId,
        letter: text('type') ?? '',
        qid: text('qid'),
        moment: text('moment'),
        scale: text('scale'),
        format: typeof question['format'] === 'string' ? question['format'] : undefined,
        allowOther: question['allow_other'] === true,
        multiple: question['multiple'] === true,
        options: optionsOf(question['options']),
        rows: optionsOf(question['rows']),
        columns: optionsOf(question['columns']),
      },
    ];
  });
}

function optionsOf(list: JsonValue | undefined): readonly IndexedOption[] {
  return objectsOf(list).flatMap(({ id, text, source_data: data }) => {
    const code = isObject(data) ? data['source_id'] : undefined;
    return typeof id === 'string' && typeof code === 'string' ? [{ id, code, texts: textsOf(text) }] : [];
  });
}
