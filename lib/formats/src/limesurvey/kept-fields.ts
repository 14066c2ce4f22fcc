import type { JsonObject } from '@bufbuild/protobuf';
import type { WarnOnce } from '../files/report.ts';
import { toObject } from './lss.ts';
import type { Entity, LssItem, LssQuestion } from './lss-survey.ts';

/** Default values of attributes. `0` and `N` are defaults of all attributes. */
const DEFAULTS: Readonly<Record<string, string>> = {
  time_limit_action: '1',
  statistics_showgraph: '1',
  location_mapheight: '300',
  location_mapwidth: '500',
  location_mapzoom: '11',
  slider_separator: '|',
  slider_default_set: '1',
  slider_custom_handle: 'f1ae',
  value_range_allows_missing: '1',
  question_template: 'core',
  display_columns: '1',
  show_comment: '1',
  show_title: '1',
  relevance: '1',
};
/** Fields of answers and subquestions that are converted or structural. */
const ITEM_USED = new Set([
  ...['aid', 'qid', 'parent_qid', 'sid', 'gid', 'type', 'title', 'code', 'question', 'answer', 'language'],
  ...['scale_id', 'sortorder', 'question_order', 'question_theme_name'],
]);
/** Default values of fields of answers and subquestions. */
const ITEM_DEFAULTS: Readonly<Record<string, string>> = {
  assessment_value: '0',
  encrypted: 'N',
  mandatory: 'N',
  other: 'N',
  relevance: '1',
  same_default: '0',
  same_script: '0',
};
/** Fields of translated rows that are converted or structural. */
const TEXT_USED = new Set('id aid qid gid sid language question answer'.split(' '));

export function isDefault(name: string, value: string): boolean {
  return value === '0' || value === 'N' || (Object.hasOwn(DEFAULTS, name) && DEFAULTS[name] === value);
}

/** Source data of answers and subquestions: fields without an equivalent, with warnings. */
export function keepItems({ answers, subquestions }: LssQuestion, warnOnce: WarnOnce): JsonObject {
  const [ofAnswers, ofSubquestions] = [answers, subquestions].map((scales) =>
    scales.flatMap((items, scale) => {
      const isOld = hasOldAssessments(items);
      return items.flatMap((item) => keepItem(item, scale, isOld, warnOnce));
    }),
  );
  return {
    ...(ofAnswers?.length ? { answers: ofAnswers } : {}),
    ...(ofSubquestions?.length ? { subquestions: ofSubquestions } : {}),
  };
}

/** Whether all answers have the assessment value 1, the default of older versions. */
function hasOldAssessments(items: readonly LssItem[]): boolean {
  return items.every(({ row }) => row.get('assessment_value') === '1');
}

function keepItem(item: LssItem, scale: number, isOld: boolean, warnOnce: WarnOnce): readonly JsonObject[] {
  const { row, code } = item;
  const attributes = [...item.attributes].filter(([name, value]) => !isDefault(name, value));
  const fields = [...row.fields].filter(([name, value]) => !ITEM_USED.has(name) && ITEM_DEFAULTS[name] !== value);
  const texts = keepTexts(item, new Set([...ITEM_USED, ...Object.keys(ITEM_DEFAULTS)]));
  if (fields.length === 0 && attributes.length === 0 && texts.length === 0) return [];
  for (const name of [...[...fields, ...attributes].map(([name]) => name), ...namesIn(texts)]) {
    // Logic has its own warning.
    if (name === 'relevance' || (name === 'assessment_value' && isOld)) continue;
    const detail = `${name} of answers and subquestions has no equivalent and is kept in source_data of the question`;
    warnOnce(`item ${name}`, { path: row.path, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return [
    {
      ...Object.fromEntries(fields),
      ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
      ...(texts.length === 0 ? {} : { texts: [...texts] }),
      ...(scale === 0 ? {} : { scale_id: String(scale) }),
      code,
    },
  ];
}

/** Fields of translated rows that are not converted. */
export function keepTexts({ row, others }: Entity, used: ReadonlySet<string> = new Set()): readonly JsonObject[] {
  return others.flatMap((one) => {
    const fields = [...one.fields].filter(
      ([name, value]) => !TEXT_USED.has(name) && !used.has(name) && row.get(name) !== value,
    );
    return fields.length === 0 ? [] : [{ ...Object.fromEntries(fields), language: one.get('language') }];
  });
}

export function namesIn(texts: readonly JsonObject[]): readonly string[] {
  return texts.flatMap((text) => Object.keys(text).filter((name) => name !== 'language'));
}

/** Source data of a question that has no equivalent: all its fields. */
export function keepWhole(question: LssQuestion, warnOnce: WarnOnce): JsonObject {
  const { row, others, attributes, translations } = question;
  return {
    ...toObject(row),
    ...(others.length === 0 ? {} : { texts: others.map(toObject) }),
    ...(attributes.size === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
    ...(translations.length === 0 ? {} : { translations: translations.map(toObject) }),
    ...keepItems(question, warnOnce),
  };
}
