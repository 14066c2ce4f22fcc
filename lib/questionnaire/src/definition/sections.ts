import { isAbsent, itemsOf } from '../json.ts';
import type { Definition, Located, Question } from './definition.ts';

/** The member that lists the questions of a section; `questions` is an alias of `question_ids`. */
export function sectionListName({ source }: Located): 'question_ids' | 'questions' {
  return isAbsent(source.question_ids) ? 'questions' : 'question_ids';
}

/** The questions of each section by section id. The first section wins if several have the same id. */
export function questionsBySection({ sections, byId }: Definition): ReadonlyMap<string, readonly Question[]> {
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
}
