import { isAbsent, itemsOf } from '../json.ts';
import type { Definition, Placed, Question } from './definition.ts';

/** Which member of a section lists its question ids; `questions` means the same as `question_ids`. */
export const sectionListName = ({ source }: Placed): 'question_ids' | 'questions' =>
  isAbsent(source.question_ids) ? 'questions' : 'question_ids';

/** The questions of each section by the section's id; of several with one id the first counts. */
export const questionsBySection = ({ sections, byId }: Definition): ReadonlyMap<string, readonly Question[]> => {
  const bySection = new Map<string, readonly Question[]>();
  for (const section of sections) {
    const id = section.source.id;
    if (typeof id !== 'string' || bySection.has(id)) continue;
    const named = itemsOf(section.source[sectionListName(section)]).map((question) =>
      typeof question === 'string' ? byId.get(question) : undefined,
    );
    bySection.set(id, [...new Set(named.filter((question) => question !== undefined))]);
  }
  return bySection;
};
